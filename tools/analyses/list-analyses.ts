import { z } from "zod";
import { buildAnalysisCursorKey, listAnalyses as listAnalysisRows } from "../../db/analyses/analyses.ts";
import { ANALYSIS_SORTS, ANALYSIS_STATUSES, ANALYSIS_TYPES, type AnalysisSort } from "../../core/analyses/analysis.ts";
import { Id, listSchema, listQuery, textSchema, workspacePath, SortDirectionField } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { Analysis, shapeAnalysis } from "./analysis.ts";

export const listAnalyses = endpoint({
  name: "listAnalyses",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses",
  group: "Analyses",
  summary: "List analyses",
  description:
    "List the analyses of a workspace, by type, status, tag or name, with the next run. Use it to find an analysis; get_analysis has the setup of one.",
  access: { workspace: "viewer" },
  whenEmpty:
    "This workspace has no analysis. price_search_analysis, price_brand_analysis and price_geo_audit price a new one.",
  input: z.strictObject({
    ...workspacePath,
    type: z.enum(ANALYSIS_TYPES).optional().describe("Only this type."),
    status: z.enum(ANALYSIS_STATUSES).optional().describe("Only this status."),
    tag: Id.optional().describe("This tag or a child, from list_tags."),
    text: textSchema(200).optional().describe("Part of the name."),
    sort: z
      .enum(Object.keys(ANALYSIS_SORTS) as [AnalysisSort, ...AnalysisSort[]])
      .optional()
      .describe("Default: newest first."),
    sort_direction: SortDirectionField.optional(),
    ...listQuery,
  }),
  output: listSchema(Analysis),
  async handle(input, { tenant }) {
    const { sort = "created_at", sort_direction = ANALYSIS_SORTS[sort] } = input;
    const order = { sort, sort_direction };
    const rows = await listAnalysisRows(tenant, input, { ...parsePagination("analyses", input), ...order });
    return toPage("analyses", input, rows, { key: (row) => buildAnalysisCursorKey(row, order), row: shapeAnalysis });
  },
});
