import { z } from "zod";
import { listActionStatuses, updateActionStatus } from "../../db/actions/recommended-actions.ts";
import { notFound } from "../../core/shared/errors.ts";
import { Id, workspacePath } from "../../core/shared/fields.ts";
import { canMove, invalidTransition, type WorkflowStatus } from "../../core/actions/workflow.ts";
import { endpoint } from "../endpoint.ts";
import { dismissalFields } from "./dismissal.ts";

const Outcome = z.object({
  id: Id,
  ok: z.boolean(),
  code: z
    .enum(["NOT_FOUND", "UNPROCESSABLE"])
    .nullable()
    .describe("Reason why the action was not dismissed; null if it was."),
  message: z.string().nullable(),
});

export const bulkDismissRecommendedActions = endpoint({
  name: "bulkDismissRecommendedActions",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/recommended-actions/bulk-dismiss",
  group: "Recommended Actions",
  summary: "Dismiss several recommended actions",
  logged: "Dismissed several recommended actions",
  description:
    "Dismisses up to 100 actions for one reason. Actions that cannot be dismissed are listed with the cause; the others are dismissed.",
  access: { workspace: "editor" },
  input: z.strictObject({
    ...workspacePath,
    ids: z
      .array(Id)
      .min(1)
      .max(100)
      .refine((ids) => new Set(ids).size === ids.length, "must not repeat an id")
      .describe("Recommended action ids, from list_recommended_actions."),
    ...dismissalFields,
  }),
  output: z.object({ data: z.array(Outcome), succeeded: z.int(), failed: z.int() }),
  async handle({ ids, reason, comment }, { tenant, now }) {
    const statuses = new Map((await listActionStatuses(tenant, ids)).map((row) => [row.id, row.workflowStatus]));
    const data = ids.map((id) => toOutcome(id, statuses.get(id)));
    const dismissed = data.filter(({ ok }) => ok).map(({ id }) => id);
    const workflowStatus = "dismissed" as const;
    const change = { workflowStatus, dismissReason: reason, dismissComment: comment, updatedAt: now };
    await updateActionStatus(tenant, dismissed, change);
    return { data, succeeded: dismissed.length, failed: data.length - dismissed.length };
  },
});

function toOutcome(id: string, status: WorkflowStatus | undefined): z.input<typeof Outcome> {
  if (status !== undefined && canMove(status, "dismissed")) return { id, ok: true, code: null, message: null };
  const refusal = status === undefined ? notFound("recommended action") : invalidTransition(status);
  const code = status === undefined ? ("NOT_FOUND" as const) : ("UNPROCESSABLE" as const);
  return { id, ok: false, code, message: refusal.message };
}
