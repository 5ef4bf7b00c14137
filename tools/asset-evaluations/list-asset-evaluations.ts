import { z } from "zod";
import { listEvaluations } from "../../db/assets/asset-evaluations.ts";
import { EVALUATION_STATUSES } from "../../core/assets/evaluation.ts";
import { listSchema, listQuery, textSchema, workspacePath } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { AssetEvaluation, shapeEvaluation } from "./evaluation.ts";

export const listAssetEvaluations = endpoint({
  name: "listAssetEvaluations",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/asset-evaluations",
  group: "Asset Evaluations",
  summary: "List asset evaluations",
  description:
    "List evaluations of assets with state and score. list_asset_evaluation_scores explains the scores of one.",
  access: { workspace: "viewer" },
  whenEmpty: "No assets were evaluated. price_asset_evaluation prices an evaluation.",
  input: z.strictObject({
    ...workspacePath,
    status: z.enum(EVALUATION_STATUSES).optional().describe("Only this status; default: all except archived."),
    text: textSchema(200).optional().describe("Part of the name."),
    ...listQuery,
  }),
  output: listSchema(AssetEvaluation),
  async handle(input, { tenant }) {
    const rows = await listEvaluations(tenant, input, parsePagination("asset-evaluations", input));
    return toPage("asset-evaluations", input, rows, { key: (row) => [row.id], row: shapeEvaluation });
  },
});
