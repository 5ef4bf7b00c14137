import { z } from "zod";
import { findAction, listActionTasks } from "../../db/actions/recommended-actions.ts";
import { notFound } from "../../core/shared/errors.ts";
import { listSchema } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { actionPath } from "./action-path.ts";
import { shapeTask, TaskSchema } from "./task.ts";

export const listRecommendedActionTasks = endpoint({
  name: "listRecommendedActionTasks",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/recommended-actions/:result_id/tasks",
  group: "Recommended Actions",
  summary: "List the tasks of a recommended action",
  description:
    "List the tasks of one recommended action, at most four, with the state of each brief. get_recommended_action has its reasons and evidence.",
  access: { workspace: "viewer" },
  whenEmpty: "This action has no tasks. get_recommended_action has its evidence.",
  input: z.strictObject(actionPath),
  output: listSchema(TaskSchema),
  async handle({ result_id }, { tenant }) {
    if (!(await findAction(tenant, result_id))) throw notFound("recommended action");
    const tasks = await listActionTasks(tenant, result_id);
    return { data: tasks.map(shapeTask), next_cursor: null };
  },
});
