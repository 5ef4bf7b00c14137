import { z } from "zod";
import { listSchema } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Basis } from "../metric-reads/selection/basis.ts";
import { requireAskingProject } from "../metric-reads/selection/asking-project.ts";
import { ComparisonRow } from "./comparison-row.ts";
import { paginateRows } from "../metric-reads/selection/paginate-rows.ts";
import { ComparisonsInput } from "../metric-reads/perception/compared-pairs.ts";
import { readComparisonRows } from "../metric-reads/perception/read-comparisons.ts";

export const getComparisons = endpoint({
  name: "getComparisons",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/metrics/comparisons",
  group: "Metrics",
  summary: "Preferred brands in comparisons",
  description:
    "Find which brand models prefer when a prompt compares two, in a brand analysis, by rival and aspect, with quotations. versus tests the gap to one rival. For scores of an attribute use get_attributes.",
  access: { workspace: "viewer" },
  analysisTypes: ["brand_analysis"],
  input: ComparisonsInput,
  toolDefaults: { statistics: true },
  output: listSchema(ComparisonRow).extend({ total_count: z.int(), basis: Basis }),
  isHeavy: () => true,
  errors: ["VALIDATION_FAILED", "UNPROCESSABLE"],
  async handle(input, { tenant }) {
    const analysis = await requireAskingProject(tenant, input.analysis_id);
    const { rows, basis, quoted } = await readComparisonRows(tenant, analysis, input);
    const { data, ...rest } = paginateRows("comparisons", input, rows);
    return { data: await quoted(data), ...rest, basis };
  },
});
