import { z } from "zod";
import { findTaskBrief, type BriefRow } from "../../db/acting/briefs.ts";
import { findPartnerConnection } from "../../db/acting/partner-connections.ts";
import { notFound, type AppError } from "../../core/errors.ts";
import { InstantField } from "../../core/fields.ts";
import { endpoint, OutboxEntry } from "../endpoint.ts";
import { taskPath } from "./action-path.ts";
import { Brief } from "./brief.ts";
import { BRIEF_CODES, BRIEF_REFUSALS, briefRefusal } from "./brief-refusal.ts";
import { concludeSending, SendPlan, sendToPartner } from "./brief-sending.ts";

export const sendRecommendedActionBriefToPartner = endpoint({
  name: "sendRecommendedActionBriefToPartner",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/recommended-actions/:result_id/tasks/:task_id/brief/partner",
  group: "Recommended Action Brief",
  summary: "Send a brief to the partner",
  description: `Creates and submits a task's brief at the partner. It is checked in this order: the brief exists, was not sent,
is ready, is due in the future, its workspace is connected, its length; then the partner's workspace, its draft, and its
recipients. A due_date that is not a date-time is refused like one in the past. A refused draft is reused by the next send.
After 503 send again: the partner never gets a second brief.`,
  access: { workspace: "editor" },
  notATool: "write endpoint not marked for agents",
  input: z.strictObject({
    ...taskPath,
    due_date: InstantField.describe("When the writers are to be done; in the future."),
  }),
  output: Brief,
  errors: BRIEF_CODES,
  refusals: BRIEF_REFUSALS,
  async handle({ result_id: resultId, task_id: taskId, due_date }, { tenant, now, hasPartner }) {
    const brief = await findTaskBrief(tenant, { resultId, taskId });
    if (!brief) throw notFound("task or brief");
    const refusal = refusalOfState(brief);
    if (refusal) throw refusal;
    const dueDate = new Date(due_date).toISOString();
    if (dueDate <= now) throw dueDateRefusal(brief, "must be in the future");
    const connection = hasPartner ? await findPartnerConnection(tenant) : undefined;
    if (!connection) throw briefRefusal("PARTNER_NOT_CONNECTED", brief);
    const { id, title, body } = brief;
    if (title.length + body.length > connection.maxBriefLength) throw briefRefusal("BRIEF_CONTENT_TOO_LONG", brief);
    return new OutboxEntry(id, {
      brief_id: id,
      partner_workspace_id: connection.partnerWorkspaceId,
      title,
      body,
      due_date: dueDate,
      recipients: connection.recipients,
    } satisfies SendPlan);
  },
  async perform(raw, by) {
    const plan = SendPlan.parse(raw);
    const sending = await sendToPartner(plan, by);
    return (context) => concludeSending(plan, sending, context);
  },
  async refuseInput(refusal, { result_id: resultId = "", task_id: taskId = "" }, { tenant }) {
    const brief = await findTaskBrief(tenant, { resultId, taskId });
    if (!brief) return notFound("task or brief");
    const wrong = refusal.fields?.find(({ path }) => path === "due_date");
    return (
      refusalOfState(brief) ??
      (wrong
        ? dueDateRefusal(brief, wrong.message)
        : briefRefusal("VALIDATION_FAILED", brief, { fields: refusal.fields, message: refusal.message }))
    );
  },
});

function refusalOfState(brief: BriefRow): AppError | undefined {
  if (brief.partnerSubmittedAt !== null) return briefRefusal("ALREADY_SENT", brief);
  if (brief.readyAt === null) return briefRefusal("BRIEF_NOT_READY", brief);
  return undefined;
}

function dueDateRefusal(brief: BriefRow, message: string): AppError {
  return briefRefusal("DUE_DATE_IN_PAST", brief, { fields: [{ path: "due_date", message }] });
}
