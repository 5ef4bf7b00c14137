import { z } from "zod";
import { findTaskBrief } from "../../db/briefs/briefs.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { Brief, shapeBrief } from "./brief.ts";
import { taskPath } from "./action-path.ts";

export const getRecommendedActionBrief = endpoint({
  name: "getRecommendedActionBrief",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/recommended-actions/:result_id/tasks/:task_id/brief",
  group: "Recommended Action Brief",
  summary: "Read the brief of a task",
  description:
    "Read the text that a writer gets for one task of a recommended action: title, Markdown body, status. Only a person can edit or send it. For plans that start from prompts use get_content_brief.",
  access: { workspace: "viewer" },
  page: "/actions/:organization_id/:workspace_id/:result_id/:task_id",
  input: z.strictObject(taskPath),
  output: Brief,
  async handle({ result_id: resultId, task_id: taskId }, { tenant }) {
    return shapeBrief(requireFound(await findTaskBrief(tenant, { resultId, taskId }), "task with a brief"));
  },
});
