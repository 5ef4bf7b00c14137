import { Id, workspacePath } from "../../core/shared/fields.ts";

export const actionPath = {
  ...workspacePath,
  result_id: Id.describe("Recommended action; list_recommended_actions gives it."),
};

export const taskPath = {
  ...actionPath,
  task_id: Id.describe("Task of the action; list_recommended_action_tasks gives it."),
};
