import { z } from "zod";
import { listAnalyses as listAnalysisRows } from "../../db/measuring/analyses.ts";
import { ANALYSIS_STATUSES, ANALYSIS_TYPES } from "../../core/analysis.ts";
import { Id, listOf, listQuery, text, workspacePath } from "../../core/fields.ts";
import { pageOf, readPage } from "../../core/page.ts";
import { endpoint } from "../endpoint.ts";
import { Analysis, shapeAnalysis } from "./analysis.ts";

export const listAnalyses = endpoint({
  name: "listAnalyses",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses",
  group: "Analyses",
  summary: "List analyses",
  description: "Find analysis ids, and see which analyses are collecting, live, paused or failed.",
  access: { workspace: "viewer" },
  input: z.strictObject({
    ...workspacePath,
    type: z.enum(ANALYSIS_TYPES).optional().describe("Only of this type."),
    status: z.enum(ANALYSIS_STATUSES).optional().describe("Only in this status."),
    tag: Id.optional().describe("Only with this tag or a child of it; list_tags gives it."),
    text: text(200).optional().describe("Only analyses with this in their name."),
    ...listQuery,
  }),
  output: listOf(Analysis),
  async handle(input, { tenant }) {
    const rows = await listAnalysisRows(tenant, input, readPage("analyses", input));
    return pageOf("analyses", input, rows, { key: (row) => [row.id], row: shapeAnalysis });
  },
});
