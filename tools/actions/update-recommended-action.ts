import { z } from "zod";
import { findAction, listActionTasks, updateActionStatus } from "../../db/actions/recommended-actions.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { WORKFLOW_STATUSES } from "../../core/actions/action.ts";
import { canMove, invalidTransition } from "../../core/actions/workflow.ts";
import { endpoint } from "../endpoint.ts";
import { actionPath } from "./action-path.ts";
import { Action, shapeAction } from "./action.ts";

export const updateRecommendedAction = endpoint({
  name: "updateRecommendedAction",
  method: "PATCH",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/recommended-actions/:result_id",
  group: "Recommended Actions",
  summary: "Confirm a recommended action, or set it back to new",
  logged: "Set a recommended action to {workflow_status}",
  description:
    "Confirms a new action, or withdraws the confirmation. Dismissing and reconsidering have separate endpoints. Other changes are rejected with the allowed ones.",
  access: { workspace: "editor" },
  input: z.strictObject({ ...actionPath, workflow_status: z.enum(WORKFLOW_STATUSES) }),
  output: Action,
  errors: ["UNPROCESSABLE"],
  async handle({ result_id, workflow_status }, { tenant, now }) {
    const row = requireFound(await findAction(tenant, result_id), "recommended action");
    const from = row.workflowStatus;
    if (workflow_status === "dismissed" || from === "dismissed" || !canMove(from, workflow_status)) {
      throw invalidTransition(from);
    }
    const change = { workflowStatus: workflow_status, dismissReason: null, dismissComment: null, updatedAt: now };
    await updateActionStatus(tenant, [row.id], change);
    return shapeAction({ ...row, ...change }, await listActionTasks(tenant, row.id));
  },
});
