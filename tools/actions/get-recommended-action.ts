import { z } from "zod";
import { findAction, listActionTasks } from "../../db/actions/recommended-actions.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { actionPath } from "./action-path.ts";
import { Action, shapeAction } from "./action.ts";

export const getRecommendedAction = endpoint({
  name: "getRecommendedAction",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/recommended-actions/:result_id",
  group: "Recommended Actions",
  summary: "Read a recommended action",
  description:
    "Read one recommended action: why it is recommended, its evidence and its tasks. Use list_recommended_actions to find it.",
  access: { workspace: "viewer" },
  page: "/actions/:organization_id/:workspace_id/:result_id",
  input: z.strictObject(actionPath),
  output: Action,
  async handle({ result_id }, { tenant }) {
    const row = requireFound(await findAction(tenant, result_id), "recommended action");
    return shapeAction(row, await listActionTasks(tenant, row.id));
  },
});
