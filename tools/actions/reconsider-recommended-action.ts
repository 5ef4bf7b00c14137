import { z } from "zod";
import { findAction, listActionTasks, updateActionStatus } from "../../db/actions/recommended-actions.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { invalidTransition } from "../../core/actions/workflow.ts";
import { endpoint } from "../endpoint.ts";
import { actionPath } from "./action-path.ts";
import { Action, shapeAction } from "./action.ts";

export const reconsiderRecommendedAction = endpoint({
  name: "reconsiderRecommendedAction",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/recommended-actions/:result_id/reconsider",
  group: "Recommended Actions",
  summary: "Reconsider a dismissed action",
  logged: "Reconsidered a recommended action",
  description: "Withdraws a dismissal: the action is new again, and its reason and comment are deleted.",
  access: { workspace: "editor" },
  input: z.strictObject(actionPath),
  output: Action,
  errors: ["UNPROCESSABLE"],
  async handle({ result_id }, { tenant, now }) {
    const row = requireFound(await findAction(tenant, result_id), "recommended action");
    if (row.workflowStatus !== "dismissed") throw invalidTransition(row.workflowStatus);
    const change = { workflowStatus: "new" as const, dismissReason: null, dismissComment: null, updatedAt: now };
    await updateActionStatus(tenant, [row.id], change);
    return shapeAction({ ...row, ...change }, await listActionTasks(tenant, row.id));
  },
});
