import { z } from "zod";
import { removeInvisible } from "../../../core/shared/fields.ts";
import {
  PartnerFault,
  type Partner,
  type PartnerBrief,
  type PartnerFaultKind,
} from "../../../core/platforms/partner.ts";
import { askPartner, type PartnerAddress, type PartnerReply, type PartnerRequest } from "./partner-request.ts";

// Client side of the protocol in docs/integrations.md.

const visibleTextSchema = (maxLength: number) => z.string().min(1).max(maxLength).transform(removeInvisible);

/** People see the link, so one that is no web address is dropped. */
const PartnerLinkSchema = z
  .string()
  .max(2048)
  .transform((value) => (/^https?:\/\//i.test(value) && URL.canParse(value) ? new URL(value).href : null))
  .nullish();

const BriefBody = z.object({
  id: visibleTextSchema(255).pipe(z.string().min(1)),
  status: visibleTextSchema(255),
  url: PartnerLinkSchema,
  due_date: z.iso
    .datetime({ offset: true })
    .transform((at) => new Date(at).toISOString())
    .nullish(),
  submitted: z.boolean(),
  final: z.boolean().default(false),
});
const WorkspaceBody = z.object({ id: z.string() });
const ErrorBody = z.object({ error: z.object({ code: z.string() }) });

/** A 4xx with another code is a rejection. */
const FAULTS_BY_CODE: Record<string, PartnerFaultKind> = {
  already_submitted: "already_submitted",
  recipients_missing: "recipients_missing",
  recipients_invalid: "recipients_invalid",
  content_too_long: "content_too_long",
};

export function createHttpPartner(address: PartnerAddress): Partner {
  const ask = async (request: PartnerRequest) => requireSuccessOrMissing(await askPartner(address, request));
  return {
    async findWorkspace(token, id) {
      const path = `/v1/workspaces/${encodeURIComponent(id)}`;
      const { status, body } = await ask({ method: "GET", path, token });
      if (status === 404)
        throw new PartnerFault(
          "not_connected",
          "The partner does not know this workspace. Check the workspace ID in the connection.",
        );
      if (!WorkspaceBody.safeParse(body).success)
        throw new PartnerFault("unexpected", "The partner named no workspace.");
    },
    async saveDraft(token, { reference, partnerWorkspaceId, title, body }) {
      const draft = { workspace_id: partnerWorkspaceId, title, body };
      return parseBrief(await ask({ method: "PUT", path: buildBriefPath(reference), token, body: draft }));
    },
    async submit(token, { reference, idempotencyKey, dueDate, recipients }) {
      const path = `${buildBriefPath(reference)}/submission`;
      const body = { due_date: dueDate, recipients };
      return parseBrief(await ask({ method: "POST", path, token, idempotencyKey, body }));
    },
    async readBrief(token, reference) {
      const reply = await ask({ method: "GET", path: buildBriefPath(reference), token });
      return reply.status === 404 ? undefined : parseBrief(reply);
    },
  };
}

function buildBriefPath(reference: string): string {
  return `/v1/briefs/${encodeURIComponent(reference)}`;
}

function requireSuccessOrMissing(reply: PartnerReply): PartnerReply {
  const { status, body } = reply;
  if ((status >= 200 && status < 300) || status === 404) return reply;
  if (status === 401 || status === 403) {
    throw new PartnerFault("not_connected", `The partner refused the token (HTTP ${status}).`);
  }
  const code = ErrorBody.safeParse(body).data?.error.code;
  const kind = code !== undefined && Object.hasOwn(FAULTS_BY_CODE, code) ? FAULTS_BY_CODE[code] : undefined;
  const isRejection = code !== undefined && [400, 409, 413, 422].includes(status);
  throw new PartnerFault(kind ?? (isRejection ? "rejected" : "unexpected"), `The partner answered HTTP ${status}.`);
}

function parseBrief({ status, body }: PartnerReply): PartnerBrief {
  const parsed = BriefBody.safeParse(body);
  if (status === 404 || !parsed.success) {
    throw new PartnerFault("unexpected", `The partner's answer (HTTP ${status}) is not a brief.`, {
      cause: parsed.error,
    });
  }
  const { id, status: words, url, due_date, submitted: isSubmitted, final: isFinal } = parsed.data;
  return { id, status: words, url: url ?? null, dueDate: due_date ?? null, isSubmitted, isFinal };
}
