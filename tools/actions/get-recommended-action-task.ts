import { z } from "zod";
import { listActionTasks } from "../../db/actions/recommended-actions.ts";
import { notFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { taskPath } from "./action-path.ts";
import { shapeTask, TaskSchema } from "./task.ts";

export const getRecommendedActionTask = endpoint({
  name: "getRecommendedActionTask",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/recommended-actions/:result_id/tasks/:task_id",
  group: "Recommended Actions",
  summary: "Read a task of a recommended action",
  description:
    "Read one task of a recommended action, and the effect measured after its brief was implemented (empty before).",
  access: { workspace: "viewer" },
  input: z.strictObject(taskPath),
  output: TaskSchema,
  async handle({ result_id, task_id }, { tenant }) {
    const tasks = await listActionTasks(tenant, result_id);
    const task = tasks.find(({ id }) => id === task_id);
    if (!task) throw notFound("task");
    return shapeTask(task);
  },
});
