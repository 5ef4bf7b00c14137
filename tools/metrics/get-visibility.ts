import { z } from "zod";
import {
  analysisPath,
  FunnelStageField,
  Id,
  InstantField,
  KeywordTypeField,
  listOf,
  listQuery,
  SourceField,
} from "../../core/fields.ts";
import { PROMPT_KINDS } from "../../core/prompts/brand-prompt.ts";
import { SOURCES, type CollectionMethod } from "../../core/sources.ts";
import { endpoint } from "../endpoint.ts";
import { nameOr } from "../name-or.ts";
import { Basis } from "../search-metrics/basis.ts";
import { areAlike, chooseCollects } from "../search-metrics/choose-collects.ts";
import { countriesField, kindQuery } from "../search-metrics/selection.ts";
import { narrowsBeyondType } from "../search-metrics/sum-brands.ts";
import { askingProject } from "./asking-project.ts";
import { pageOfRows } from "./page-of-rows.ts";
import { DIMENSIONS } from "./visibility-groups.ts";
import { FIGURE_COLUMNS, FIGURES, VisibilityRow } from "./visibility-row.ts";
import { readVisibility } from "./read-visibility.ts";
import { visibilityFilter } from "./visibility-request.ts";

const SORTS = ["presence", "top_3", "visibility", "share_of_voice", "rank", "answers", "citations", "change"] as const;

export const VisibilityInput = z.strictObject({
  ...analysisPath,
  group_by: z
    .array(z.enum(["brand", ...DIMENSIONS]))
    .min(1)
    .max(2)
    .default(["brand"])
    .describe("What a row is. Without brand: your own or that in brands."),
  brands: z.array(nameOr("brand")).max(1000).optional().describe("Names or ids."),
  figure: z.enum(FIGURES).default("presence").describe("What intervals are of."),
  statistics: z.boolean().default(false).describe("Interval, grade, change with verdict."),
  only: z.enum(["moved", "intervals"]).optional().describe("Also first signs; no changes."),
  sort: z.enum(SORTS).optional().describe("Figure by default; collects by time."),
  sort_direction: z.enum(["asc", "desc"]).optional(),
  sources: z.array(SourceField).max(SOURCES.length).optional().describe("Names, from get_project_filters."),
  collect_ids: z.array(Id).max(100).optional().describe("Latest by default; all by collect."),
  prev_collect_ids: z.array(Id).max(4).optional().describe("To compare with."),
  keywords: z.array(nameOr("keyword")).max(1000).optional().describe("Texts or ids."),
  thematics: z.array(nameOr("thematic")).max(1000).optional().describe("Names or ids."),
  topics: z.array(nameOr("topic")).max(1000).optional().describe("Names or ids, from get_project_filters."),
  personas: z.array(nameOr("persona")).max(1000).optional(),
  countries: countriesField,
  funnel_stages: z.array(FunnelStageField).max(100).optional(),
  prompt_kinds: z.array(z.enum(PROMPT_KINDS)).max(100).optional(),
  keyword_types: z
    .array(KeywordTypeField)
    .max(100)
    .optional()
    .describe("By default Generic ones that do not name you."),
  ...kindQuery,
  as_published: z.boolean().default(false).describe("As when each collect ended."),
  ...listQuery,
});
/** Where rows are methods, each is read by itself, whichever it is. */
export type VisibilityInput = Omit<z.output<typeof VisibilityInput>, "method"> & {
  method?: CollectionMethod | null | undefined;
};

const CatalogEvent = z.object({
  at: InstantField,
  catalog_version: z.int(),
  change: z.enum(["created", "changed", "archived", "restored"]),
  brand: z.string(),
  brands: z.int().describe("How many brands, where several were created together."),
  by: z.string().nullable(),
});

export const getVisibility = endpoint({
  name: "getVisibility",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/metrics/visibility",
  group: "Metrics",
  summary: "Visibility by brand, source, time, topic or keyword",
  description:
    "Presence, rank, top 3, visibility score and share of voice by brand, source, collect (over time), topic, keyword, …; intervals, and whether a change is real.",
  access: { workspace: "viewer" },
  input: VisibilityInput,
  toolDefaults: { statistics: true },
  output: listOf(VisibilityRow).extend({
    total_count: z.int(),
    figure: z.enum(Object.values(FIGURE_COLUMNS)).describe("The column that ci_low, ci_high, grade and change are of."),
    events: z.array(CatalogEvent).describe("Changes of the brand catalog, where rows are collects."),
    basis: Basis,
  }),
  // All but one brand by source in the default collect: that is a few stored sums.
  isHeavy: async (input, { tenant }) =>
    input.statistics ||
    input.as_published ||
    input.method != null ||
    input.group_by.some((one) => one !== "source") ||
    [input.collect_ids, input.prev_collect_ids].some((list) => (list?.length ?? 0) > 0) ||
    (input.sources?.length ?? 0) > 1 ||
    narrowsBeyondType(visibilityFilter(input)) ||
    !areAlike(await chooseCollects(tenant, input.analysis_id, input)),
  errors: ["VALIDATION_FAILED", "UNPROCESSABLE"],
  async handle(input, { tenant }) {
    const project = await askingProject(tenant, input.analysis_id);
    const { rows, events, basis } = await readVisibility(tenant, project, input);
    return { ...pageOfRows("visibility", input, rows), figure: FIGURE_COLUMNS[input.figure], events, basis };
  },
});
