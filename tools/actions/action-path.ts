import { Id, workspacePath } from "../../core/shared/fields.ts";

export const actionPath = {
  ...workspacePath,
  result_id: Id.describe("Recommended action id, from list_recommended_actions."),
};

export const taskPath = {
  ...actionPath,
  task_id: Id.describe("Task id, from list_recommended_action_tasks."),
};
