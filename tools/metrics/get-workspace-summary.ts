import { z } from "zod";
import { ANALYSIS_TYPES, PROMPTING_TYPES } from "../../core/analyses/analysis.ts";
import {
  Country,
  Id,
  InstantField,
  KeywordTypeField,
  listQuery,
  listSchema,
  workspacePath,
} from "../../core/shared/fields.ts";
import { COLLECTION_METHODS, KEYWORD_TYPES, type KeywordType } from "../../core/sources/sources.ts";
import { listWorkspaceProjects } from "../../db/analyses/projects.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { endpoint } from "../endpoint.ts";
import { nameOrId } from "../name-or-id.ts";
import { chooseCollects } from "../metric-reads/selection/choose-collects.ts";
import { dateQuery } from "../metric-reads/selection/date-window.ts";
import { paginateRows } from "../metric-reads/selection/paginate-rows.ts";
import { sourcesField, statisticsField } from "../metric-reads/selection/selection.ts";
import { readVisibility, VISIBILITY_LEGEND } from "../metric-reads/visibility/read-visibility.ts";
import { VisibilityInput } from "../metric-reads/visibility/visibility-request.ts";
import { FIGURE_COLUMNS, VisibilityRow } from "./visibility-row.ts";

const BASIS_COLUMNS = {
  collects: z.array(z.int()).describe("Numbers of the runs, measured as one."),
  previous_collects: z.array(z.int()).describe("Numbers of the runs behind previous."),
  collected_from: InstantField.nullable(),
  collected_to: InstantField.nullable(),
  collection_methods: z.array(z.enum(COLLECTION_METHODS)).describe("simulated: invented answers."),
};

const SummaryRow = z
  .object({
    analysis: z.string(),
    analysis_id: Id,
    analysis_type: z.enum(ANALYSIS_TYPES),
    keyword_type: KeywordTypeField.optional(),
    ...VisibilityRow.pick({
      brand: true,
      brand_id: true,
      is_my_brand: true,
      source: true,
      country: true,
      prompt_kind: true,
      answers: true,
      prompts: true,
      occurrences: true,
      presence_rate: true,
      average_rank: true,
      top_3_rate: true,
      visibility_score: true,
      share_of_voice: true,
      previous: true,
      ci_low: true,
      ci_high: true,
      grade: true,
      change: true,
    }).shape,
    ...BASIS_COLUMNS,
  })
  .meta({ id: "WorkspaceSummaryRow" });
type SummaryRow = z.input<typeof SummaryRow>;

const LeftOut = z.object({ analysis: z.string(), analysis_id: Id, reason: z.string() });

const SummaryInput = z.strictObject({
  ...workspacePath,
  group_by: z
    .enum(["analysis", "brand", "country", "source", "keyword_type", "prompt_kind"])
    .default("analysis")
    .describe("Rows of each analysis; all but brand: yours."),
  analysis_types: z.array(z.enum(PROMPTING_TYPES)).min(1).max(10).optional().describe("Only these types."),
  brands: z.array(nameOrId("brand")).min(1).max(1000).optional().describe("Names or ids; default: yours."),
  sources: sourcesField,
  countries: z.array(Country).min(1).max(100).optional().describe("Codes such as US."),
  ...dateQuery,
  statistics: statisticsField,
  ...listQuery,
});
type SummaryInput = z.output<typeof SummaryInput>;

const SUMMARY_LEGEND = `one row per analysis and group, never added up, because prompts differ; each row names its runs (collects); ${VISIBILITY_LEGEND}`;

export const getWorkspaceSummary = endpoint({
  name: "getWorkspaceSummary",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/metrics/summary",
  group: "Metrics",
  summary: "Compare all analyses of a workspace",
  description:
    "Report on all search and brand analyses of a workspace in one call: presence, rank, visibility score, share of voice and verdict on the change of presence, by analysis, and by brand, country, source or type of prompt. For one analysis use list_top_brands or get_visibility.",
  access: { workspace: "viewer" },
  whenEmpty: "No analysis has such answers; left_out has the reason of each. list_analyses has the analyses.",
  restsOnWorkspace: true,
  input: SummaryInput,
  toolDefaults: { statistics: true },
  // In tools, `change` has the only earlier value and names its runs.
  toolColumns: Object.keys(SummaryRow.shape).filter((column) => !column.startsWith("previous")),
  output: listSchema(SummaryRow).extend({
    total_count: z.int(),
    figure: z.literal(FIGURE_COLUMNS.presence).describe("Metric of ci_low, ci_high, grade and change."),
    left_out: z.array(LeftOut).describe("Analyses without rows."),
    legend: z.string(),
  }),
  isHeavy: () => true,
  errors: ["VALIDATION_FAILED"],
  async handle(input, { tenant }) {
    const rows: SummaryRow[] = [];
    const leftOut: z.input<typeof LeftOut>[] = [];
    for (const analysis of await listWorkspaceProjects(tenant, input.analysis_types)) {
      const own = await readAnalysisRows(tenant, analysis, input);
      rows.push(...own);
      if (own.length > 0) continue;
      const reason = await explainLeftOut(tenant, analysis.id, input);
      leftOut.push({ analysis: analysis.name, analysis_id: analysis.id, reason });
    }
    const page = paginateRows("workspace-summary", input, rows);
    return { ...page, figure: FIGURE_COLUMNS.presence, left_out: leftOut, legend: SUMMARY_LEGEND };
  },
});

type Project = Awaited<ReturnType<typeof listWorkspaceProjects>>[number];

async function readAnalysisRows(tenant: Tenant, analysis: Project, input: SummaryInput): Promise<SummaryRow[]> {
  const types = input.group_by === "keyword_type" ? KEYWORD_TYPES : [undefined];
  const rows: SummaryRow[] = [];
  for (const type of types) {
    const { rows: found, basis } = await readVisibility(tenant, analysis, buildVisibilityInput(analysis, input, type));
    const named = { analysis: analysis.name, analysis_id: analysis.id, analysis_type: analysis.type };
    const times = basis.collects.flatMap(({ collected_from: from, collected_to: to }) => [from ?? [], to ?? []].flat());
    const ordered = times.toSorted();
    const shared = {
      ...named,
      ...(type && { keyword_type: type }),
      collects: basis.collects.map(({ number }) => number),
      previous_collects: basis.previous_collects.map(({ number }) => number),
      collected_from: ordered[0] ?? null,
      collected_to: ordered.at(-1) ?? null,
      collection_methods: basis.collection_methods,
    };
    rows.push(...found.map((row) => ({ ...row, ...shared })));
  }
  return rows;
}

function buildVisibilityInput(
  { id, brandId }: Project,
  { group_by: group, limit: _limit, cursor: _cursor, analysis_types: _types, ...given }: SummaryInput,
  type: KeywordType | undefined,
): VisibilityInput {
  const isOfBrands = group === "analysis" || group === "keyword_type";
  const { organization_id, workspace_id } = given;
  const dimension = isOfBrands ? "brand" : group;
  return {
    ...VisibilityInput.parse({ organization_id, workspace_id, analysis_id: id, group_by: [dimension] }),
    ...given,
    ...(isOfBrands && { brands: given.brands ?? [brandId] }),
    ...(type && { keyword_types: [type] }),
  };
}

const NO_RUN = "No run of this analysis has completed.";
const NO_ANSWER = "Its runs have no answers in this selection.";

async function explainLeftOut(tenant: Tenant, analysisId: string, input: SummaryInput): Promise<string> {
  const { current, missing } = await chooseCollects(tenant, analysisId, input);
  return missing ?? (current.length === 0 ? NO_RUN : NO_ANSWER);
}
