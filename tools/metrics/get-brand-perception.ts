import { z } from "zod";
import { listSchema } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Basis } from "../metric-reads/selection/basis.ts";
import { requireAskingProject } from "../metric-reads/selection/asking-project.ts";
import { brandMetricsQuery } from "../metric-reads/selection/prompt-selection.ts";
import { paginateRows, addQuotations } from "../metric-reads/selection/paginate-rows.ts";
import { PROMPT_DIMENSIONS } from "../metric-reads/selection/prompt-groups.ts";
import { readThemeRows } from "../metric-reads/perception/read-themes.ts";
import { PerceptionRow, ThemeRow } from "./perception-row.ts";
import { readPointQuotations } from "../metric-reads/perception/perception-points.ts";
import { readPerceptionRows } from "../metric-reads/perception/read-brand-perception.ts";

export const getBrandPerception = endpoint({
  name: "getBrandPerception",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/metrics/brand-perception",
  group: "Metrics",
  summary: "Brand perception",
  description:
    "Read the sentiment of models towards a brand in a brand analysis: recommendations, pros and cons, with quotations. For an attribute of the setup use get_attributes; for preference against a rival get_comparisons.",
  access: { workspace: "viewer" },
  analysisTypes: ["brand_analysis"],
  input: z.strictObject({
    ...brandMetricsQuery,
    group_by: z
      .array(z.enum(["brand", ...PROMPT_DIMENSIONS, "theme"]))
      .min(1)
      .max(2)
      .default(["brand"])
      .describe("One or two; theme: a row per pro or con. Without brand: yours, or `brands`."),
  }),
  toolDefaults: { statistics: true },
  output: listSchema(z.union([PerceptionRow, ThemeRow])).extend({ total_count: z.int(), basis: Basis }),
  isHeavy: () => true,
  errors: ["VALIDATION_FAILED", "UNPROCESSABLE"],
  async handle(input, { tenant }) {
    const analysis = await requireAskingProject(tenant, input.analysis_id);
    const group_by = input.group_by.filter((one) => one !== "theme");
    if (group_by.length < input.group_by.length) {
      const themes = await readThemeRows(tenant, analysis, { ...input, group_by });
      return { ...paginateRows("brand-perception", input, themes.rows), basis: themes.basis };
    }
    const { rows, basis } = await readPerceptionRows(tenant, analysis, { ...input, group_by });
    const page = paginateRows("brand-perception", input, rows);
    return { ...(await addQuotations(page, (quotes) => readPointQuotations(tenant, quotes))), basis };
  },
});
