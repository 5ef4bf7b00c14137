import { z } from "zod";
import { listSchema } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Basis } from "../metric-reads/selection/basis.ts";
import { requireAskingProject } from "../metric-reads/selection/asking-project.ts";
import { AttributeRow } from "./attribute-row.ts";
import { paginateRows } from "../metric-reads/selection/paginate-rows.ts";
import { AttributesInput, readAttributeRows } from "../metric-reads/perception/read-attributes.ts";

export const getAttributes = endpoint({
  name: "getAttributes",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/metrics/attributes",
  group: "Metrics",
  summary: "Score brands by attribute",
  description:
    "Score brands by the attributes of its setup, such as price, in a brand analysis: scores from -5 to 5 with quotations. For pros, cons and sentiment use get_brand_perception.",
  access: { workspace: "viewer" },
  analysisTypes: ["brand_analysis"],
  input: AttributesInput,
  toolDefaults: { statistics: true },
  output: listSchema(AttributeRow).extend({
    total_count: z.int(),
    figure: z.literal("score").describe("Metric of ci_low, ci_high, grade and change."),
    basis: Basis,
  }),
  isHeavy: () => true,
  errors: ["VALIDATION_FAILED", "UNPROCESSABLE"],
  async handle(input, { tenant }) {
    const analysis = await requireAskingProject(tenant, input.analysis_id);
    const { rows, basis, quoted } = await readAttributeRows(tenant, analysis, input);
    const { data, ...rest } = paginateRows("attributes", input, rows);
    return { data: await quoted(data), ...rest, figure: "score" as const, basis };
  },
});
