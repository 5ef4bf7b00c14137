import { z } from "zod";
import { PROMPTING_TYPES } from "../../core/analyses/analysis.ts";
import { InstantField, listSchema } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Basis } from "../metric-reads/selection/basis.ts";
import { areComparable, chooseCollects } from "../metric-reads/selection/choose-collects.ts";
import { narrowsBeyondType } from "../metric-reads/selection/sum-brands.ts";
import { requireAskingProject } from "../metric-reads/selection/asking-project.ts";
import { paginateRows } from "../metric-reads/selection/paginate-rows.ts";
import { FIGURE_COLUMNS, VisibilityRow } from "./visibility-row.ts";
import { readVisibility } from "../metric-reads/visibility/read-visibility.ts";
import { VisibilityInput, buildVisibilityFilter } from "../metric-reads/visibility/visibility-request.ts";

const CatalogEventSchema = z.object({
  at: InstantField,
  catalog_version: z.int(),
  change: z.enum(["created", "changed", "archived", "restored"]),
  brand: z.string(),
  brands: z.int().describe("Number of brands created together."),
  by: z.string().nullable(),
});

export const getVisibility = endpoint({
  name: "getVisibility",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/metrics/visibility",
  group: "Metrics",
  summary: "Visibility by brand, source or time",
  description:
    "Break the metrics of a search analysis down by source, topic, prompt (`keyword`), country, persona or run (`collect`), with verdicts: is a change, or the gap to a rival (versus), chance? For one ranking use list_top_brands.",
  access: { workspace: "viewer" },
  analysisTypes: PROMPTING_TYPES,
  input: VisibilityInput,
  toolDefaults: { statistics: true },
  output: listSchema(VisibilityRow).extend({
    total_count: z.int(),
    figure: z.enum(Object.values(FIGURE_COLUMNS)).describe("Metric of ci_low, ci_high, grade and change."),
    events: z.array(CatalogEventSchema).describe("Changes of the brand catalog, if grouped by run."),
    basis: Basis,
  }),
  // Heavy, except for brands by source in the default collect, which need only a few stored sums.
  isHeavy: async (input, { tenant }) =>
    input.statistics ||
    input.as_published ||
    input.versus !== undefined ||
    input.method != null ||
    input.until != null ||
    input.group_by.some((one) => one !== "source") ||
    [input.collect_ids, input.prev_collect_ids].some((list) => (list?.length ?? 0) > 0) ||
    (input.sources?.length ?? 0) > 1 ||
    narrowsBeyondType(buildVisibilityFilter(input)) ||
    !areComparable(await chooseCollects(tenant, input.analysis_id, input)),
  errors: ["VALIDATION_FAILED", "UNPROCESSABLE"],
  async handle(input, { tenant }) {
    const analysis = await requireAskingProject(tenant, input.analysis_id);
    const { rows, events, basis } = await readVisibility(tenant, analysis, input);
    return { ...paginateRows("visibility", input, rows), figure: FIGURE_COLUMNS[input.figure], events, basis };
  },
});
