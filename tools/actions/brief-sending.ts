import { z } from "zod";
import { findPartnerConnection, partnerTokenLocation } from "../../db/platforms/partner-connections.ts";
import { findBrief, storePartnerFields, watchPartnerBrief } from "../../db/briefs/partner-briefs.ts";
import { notFound, type AppError } from "../../core/shared/errors.ts";
import { PartnerFault, type PartnerBrief } from "../../core/platforms/partner.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { Context, PerformContext } from "../endpoint.ts";
import { Brief, shapeBrief } from "./brief.ts";
import { briefError, toBriefError } from "./brief-error.ts";

export const SendPlan = z.object({
  brief_id: z.string(),
  partner_workspace_id: z.string(),
  title: z.string(),
  body: z.string(),
  due_date: z.string(),
  recipients: z.array(z.string()),
});
export type SendPlan = z.output<typeof SendPlan>;

type SendingStep = "workspace" | "draft" | "submission";

/** `brief` is the last known state at the partner, or null if it never returned one. */
export interface SendingResult {
  brief: PartnerBrief | null;
  wasSubmitted: boolean;
  fault: { fault: PartnerFault; step: SendingStep } | null;
}

/** Idempotent: repeating any step creates no second brief. */
export async function sendToPartner(plan: SendPlan, context: PerformContext): Promise<SendingResult> {
  const { partner, store, secrets, entryId } = context;
  const sending: SendingResult = { brief: null, wasSubmitted: false, fault: null };
  let step: SendingStep = "workspace";
  const connection = await store.read(findPartnerConnection);
  try {
    if (!partner || !connection) throw new PartnerFault("not_connected", "The workspace is no longer connected.");
    const token = secrets.unseal(connection.sealedToken, partnerTokenLocation(store.workspaceId));
    const { brief_id: reference, partner_workspace_id: partnerWorkspaceId, title, body } = plan;
    const { due_date: dueDate, recipients } = plan;
    const known = async (fault: unknown) => {
      const brief = await readSubmitted(fault, () => partner.readBrief(token, reference));
      sending.wasSubmitted = true;
      return brief;
    };
    await partner.findWorkspace(token, partnerWorkspaceId);
    step = "draft";
    sending.brief = await partner.saveDraft(token, { reference, partnerWorkspaceId, title, body }).catch(known);
    if (sending.brief.isSubmitted) return sending;
    step = "submission";
    const submission = { reference, idempotencyKey: entryId, dueDate, recipients };
    sending.brief = await partner.submit(token, submission).catch(known);
    if (!sending.brief.isSubmitted)
      throw new PartnerFault(
        "unexpected",
        "The partner confirmed the submission, but its reply says that the brief is not submitted.",
      );
  } catch (error) {
    if (!(error instanceof PartnerFault)) throw error;
    sending.fault = { fault: error, step };
  }
  return sending;
}

async function readSubmitted(fault: unknown, read: () => Promise<PartnerBrief | undefined>): Promise<PartnerBrief> {
  if (!(fault instanceof PartnerFault) || fault.kind !== "already_submitted") throw fault;
  const brief = await read();
  if (!brief?.isSubmitted) throw fault;
  return brief;
}

export async function concludeSending(
  plan: SendPlan,
  { brief: atPartner, wasSubmitted, fault }: SendingResult,
  { tenant, now, newId }: Context,
): Promise<z.input<typeof Brief> | AppError> {
  const before = await findBrief(tenant, plan.brief_id);
  if (!before) return notFound("task with a brief");
  const isSent = atPartner?.isSubmitted === true;
  const otherDueDate = wasSubmitted ? findOtherDueDate(atPartner?.dueDate, plan.due_date) : undefined;
  const after = atPartner
    ? await storePartnerFields(tenant, before.id, {
        partnerBriefId: atPartner.id,
        partnerStatus: atPartner.status,
        partnerUrl: atPartner.url,
        partnerSyncedAt: now,
        updatedAt: now,
        ...(isSent
          ? {
              partnerDueDate: otherDueDate ?? plan.due_date,
              partnerSubmittedAt: before.partnerSubmittedAt ?? now,
            }
          : {}),
      })
    : before;
  if (!after) return notFound("task with a brief");
  // After a fault it is unknown whether the partner accepted the request, so its state is polled.
  if (isSent || fault?.fault.kind === "unavailable" || fault?.fault.kind === "unexpected") {
    await watchPartnerBrief(tenant, { briefId: after.id, jobId: newId(), at: now });
  }
  if (fault) return toBriefError(fault.fault, fault.step, after);
  // Success if an earlier attempt sent the brief unnoticed, unless its due date differs.
  return otherDueDate === undefined ? shapeBrief(after) : briefError("ALREADY_SENT", after);
}

/** Ignores differences under a minute: the partner may store less precise times. */
function findOtherDueDate(atPartner: Instant | null | undefined, ours: Instant): Instant | undefined {
  if (!atPartner) return undefined;
  return Math.abs(Date.parse(atPartner) - Date.parse(ours)) < 60_000 ? undefined : atPartner;
}
