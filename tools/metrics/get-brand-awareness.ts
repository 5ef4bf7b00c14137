import { z } from "zod";
import { listSchema } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Basis } from "../metric-reads/selection/basis.ts";
import { requireAskingProject } from "../metric-reads/selection/asking-project.ts";
import { AwarenessRow } from "./awareness-row.ts";
import { paginateRows, addQuotations } from "../metric-reads/selection/paginate-rows.ts";
import { brandMetricsQuery } from "../metric-reads/selection/prompt-selection.ts";
import { readQuotations } from "../metric-reads/perception/awareness-quotations.ts";
import { readAwarenessRows } from "../metric-reads/perception/read-brand-awareness.ts";

export const getBrandAwareness = endpoint({
  name: "getBrandAwareness",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/metrics/brand-awareness",
  group: "Metrics",
  summary: "Brand awareness",
  description:
    "Measure how often a brand comes to mind (unaided) and is known by name (aided) in a brand analysis, compared with invented names. Unaided: the prompt does not name it. For opinions use get_brand_perception; for presence in your own prompts get_visibility.",
  access: { workspace: "viewer" },
  analysisTypes: ["brand_analysis"],
  input: z.strictObject(brandMetricsQuery),
  toolDefaults: { statistics: true },
  output: listSchema(AwarenessRow).extend({ total_count: z.int(), basis: Basis }),
  isHeavy: () => true,
  errors: ["VALIDATION_FAILED", "UNPROCESSABLE"],
  async handle(input, { tenant }) {
    const analysis = await requireAskingProject(tenant, input.analysis_id);
    const { rows, basis } = await readAwarenessRows(tenant, analysis, input);
    const page = paginateRows("brand-awareness", input, rows);
    return { ...(await addQuotations(page, (quotes) => readQuotations(tenant, quotes))), basis };
  },
});
