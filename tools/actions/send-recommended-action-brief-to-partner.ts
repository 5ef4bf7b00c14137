import { z } from "zod";
import { findTaskBrief, type BriefRow } from "../../db/briefs/briefs.ts";
import { findPartnerConnection } from "../../db/platforms/partner-connections.ts";
import { type AppError, type FieldError, requireFound, notFound } from "../../core/shared/errors.ts";
import { InstantField, isBlank } from "../../core/shared/fields.ts";
import { endpoint, OutboxEntry } from "../endpoint.ts";
import { taskPath } from "./action-path.ts";
import { Brief } from "./brief.ts";
import { BRIEF_CODES, BRIEF_ERROR_BODY, briefError } from "./brief-error.ts";
import { concludeSending, SendPlan, sendToPartner } from "./brief-sending.ts";

export const sendRecommendedActionBriefToPartner = endpoint({
  name: "sendRecommendedActionBriefToPartner",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/recommended-actions/:result_id/tasks/:task_id/brief/partner",
  group: "Recommended Action Brief",
  summary: "Send a brief to the partner",
  logged: "Sent the brief of {task_id} to the partner",
  description: `Creates and submits a task's brief at the partner. It is checked in this order: the brief exists, was not sent,
is ready, is due in the future, its workspace is connected, its length; then the partner's workspace, its draft, and its
recipients. An invalid body is rejected like a due_date in the past. A rejected draft is reused by the next attempt.
After 503, send again: the partner never receives a second brief.`,
  access: { workspace: "editor" },
  input: z.strictObject({
    ...taskPath,
    due_date: InstantField.describe("Deadline for the writers; must be in the future."),
  }),
  output: Brief,
  errors: BRIEF_CODES,
  mappedErrorBody: BRIEF_ERROR_BODY,
  async handle({ result_id: resultId, task_id: taskId, due_date }, { tenant, now, hasPartner }) {
    const brief = requireFound(await findTaskBrief(tenant, { resultId, taskId }), "task with a brief");
    const refusal = findStateError(brief);
    if (refusal) throw refusal;
    const dueDate = new Date(due_date).toISOString();
    if (dueDate <= now) throw dueDateError(brief, "must be in the future");
    const connection = hasPartner ? await findPartnerConnection(tenant) : undefined;
    if (!connection) throw briefError("PARTNER_NOT_CONNECTED", brief);
    const { id, title, body } = brief;
    if (title.length + body.length > connection.maxBriefLength) throw briefError("BRIEF_CONTENT_TOO_LONG", brief);
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
  async mapError(refusal, path, { tenant }) {
    const { result_id: resultId = "", task_id: taskId = "" } = path ?? {};
    const brief = path && (await findTaskBrief(tenant, { resultId, taskId }));
    if (!brief) return notFound("task with a brief");
    return findStateError(brief) ?? toBriefError(refusal, brief);
  },
});

function toBriefError({ status, message, fields, retryAfterSeconds = 5, cause }: AppError, brief: BriefRow): AppError {
  if (status === 400)
    return findDueDateError(fields, brief) ?? briefError("DUE_DATE_IN_PAST", brief, { message, fields });
  if (status === 503) return briefError("WORKSPACE_UNAVAILABLE", brief, { message, retryAfterSeconds, cause });
  return briefError("BRIEF_NOT_READY", brief, { message });
}

function findDueDateError(fields: FieldError[] | undefined, brief: BriefRow): AppError | undefined {
  const wrong = fields?.find(({ path }) => path === "due_date");
  return wrong && dueDateError(brief, wrong.message);
}

function findStateError(brief: BriefRow): AppError | undefined {
  if (brief.partnerSubmittedAt !== null) return briefError("ALREADY_SENT", brief);
  if (brief.readyAt === null) return briefError("BRIEF_NOT_READY", brief);
  if (isBlank(brief.title) || isBlank(brief.body)) {
    return briefError("BRIEF_NOT_READY", brief, {
      message: "The brief has no title or no text. Write it, and send again.",
    });
  }
  return undefined;
}

function dueDateError(brief: BriefRow, message: string): AppError {
  return briefError("DUE_DATE_IN_PAST", brief, { fields: [{ path: "due_date", message }] });
}
