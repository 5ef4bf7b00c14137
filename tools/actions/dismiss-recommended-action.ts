import { z } from "zod";
import { findAction, listActionTasks, updateActionStatus } from "../../db/actions/recommended-actions.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { canMove, invalidTransition } from "../../core/actions/workflow.ts";
import { endpoint } from "../endpoint.ts";
import { actionPath } from "./action-path.ts";
import { Action, shapeAction } from "./action.ts";
import { dismissalFields } from "./dismissal.ts";

export const dismissRecommendedAction = endpoint({
  name: "dismissRecommendedAction",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/recommended-actions/:result_id/dismiss",
  group: "Recommended Actions",
  summary: "Dismiss a recommended action",
  logged: "Dismissed a recommended action",
  description: "Dismisses an action. Later runs update its evidence, but it stays dismissed.",
  access: { workspace: "editor" },
  input: z.strictObject({ ...actionPath, ...dismissalFields }),
  output: Action,
  errors: ["UNPROCESSABLE"],
  async handle({ result_id, reason, comment }, { tenant, now }) {
    const row = requireFound(await findAction(tenant, result_id), "recommended action");
    if (!canMove(row.workflowStatus, "dismissed")) throw invalidTransition(row.workflowStatus);
    const workflowStatus = "dismissed" as const;
    const change = { workflowStatus, dismissReason: reason, dismissComment: comment, updatedAt: now };
    await updateActionStatus(tenant, [row.id], change);
    return shapeAction({ ...row, ...change }, await listActionTasks(tenant, row.id));
  },
});
