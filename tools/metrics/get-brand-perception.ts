import { z } from "zod";
import { listSchema } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Basis } from "../metric-reads/selection/basis.ts";
import { requireAskingProject } from "../metric-reads/selection/asking-project.ts";
import { brandMetricsQuery } from "../metric-reads/selection/prompt-selection.ts";
import { paginateRows, addQuotations } from "../metric-reads/selection/paginate-rows.ts";
import { PerceptionRow } from "./perception-row.ts";
import { readPointQuotations } from "../metric-reads/perception/perception-points.ts";
import { readPerceptionRows } from "../metric-reads/perception/read-brand-perception.ts";

export const getBrandPerception = endpoint({
  name: "getBrandPerception",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/metrics/brand-perception",
  group: "Metrics",
  summary: "Brand perception",
  description:
    "Read what models say of a brand, in a brand analysis: sentiment, recommendations, pros and cons, with quotations. For one attribute use get_attributes; for preference against a rival get_comparisons.",
  access: { workspace: "viewer" },
  analysisTypes: ["brand_analysis"],
  input: z.strictObject(brandMetricsQuery),
  toolDefaults: { statistics: true },
  output: listSchema(PerceptionRow).extend({ total_count: z.int(), basis: Basis }),
  isHeavy: () => true,
  errors: ["VALIDATION_FAILED", "UNPROCESSABLE"],
  async handle(input, { tenant }) {
    const analysis = await requireAskingProject(tenant, input.analysis_id);
    const { rows, basis } = await readPerceptionRows(tenant, analysis, input);
    const page = paginateRows("brand-perception", input, rows);
    return { ...(await addQuotations(page, (quotes) => readPointQuotations(tenant, quotes))), basis };
  },
});
