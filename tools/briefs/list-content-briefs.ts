import { z } from "zod";
import { listContentBriefs as listContentBriefRows } from "../../db/briefs/content-briefs.ts";
import { Id, listSchema, listQuery, workspacePath } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { ContentBriefSummarySchema, shapeContentBriefSummary } from "./content-brief.ts";

export const listContentBriefs = endpoint({
  name: "listContentBriefs",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/content-briefs",
  group: "Content Briefs",
  summary: "List content briefs",
  description:
    "List content briefs: plans for new content that start from prompts, made in the console. For the brief of a recommended action's task use get_recommended_action_brief.",
  access: { workspace: "viewer" },
  whenEmpty: "No page is planned. list_recommended_actions has actions; a person plans a page from one.",
  input: z.strictObject({
    ...workspacePath,
    analysis_id: Id.optional().describe("Only this analysis, from list_analyses."),
    result_id: Id.optional().describe("Only this action, from list_recommended_actions."),
    ...listQuery,
  }),
  output: listSchema(ContentBriefSummarySchema),
  async handle(input, { tenant }) {
    const rows = await listContentBriefRows(tenant, input, parsePagination("content-briefs", input));
    return toPage("content-briefs", input, rows, { key: (row) => [row.id], row: shapeContentBriefSummary });
  },
});
