import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { PROMPTING_TYPES } from "../../core/analyses/analysis.ts";
import { Id, SourceField, analysisPath, listSchema, listQuery } from "../../core/shared/fields.ts";
import { meanField, rateField, roundMetric } from "../../core/metrics/metric-fields.ts";
import { CHOSEN_METHODS, SOURCE_NAMES, SOURCES, type Source } from "../../core/sources/sources.ts";
import { countAnswers } from "../../core/metrics/facts/sum-facts.ts";
import { computeMethodGaps, type MethodGap } from "../../core/metrics/changes/method-gap.ts";
import { groupByCell } from "../../core/metrics/prompt-clusters.ts";
import { adjustPValues, MAX_FIRST_SIGN_P } from "../../core/statistics/verdict.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { listBrandNames, listComparedBrandIds, type BrandName } from "../../db/analyses/projects.ts";
import { readBasis, Basis, CAUSE_NOTE } from "../metric-reads/selection/basis.ts";
import { chooseCollects, listIds } from "../metric-reads/selection/choose-collects.ts";
import { dateQuery } from "../metric-reads/selection/date-window.ts";
import { keywordFilter, namedFilters } from "../metric-reads/selection/selection.ts";
import { selectFamilies } from "../../core/metrics/share-of-voice.ts";
import { buildSelection, readFacts, type CountedFacts } from "../metric-reads/selection/sum-brands.ts";
import { endpoint } from "../endpoint.ts";
import { nameOrId } from "../name-or-id.ts";
import { requireAskingProject } from "../metric-reads/selection/asking-project.ts";
import { paginateRows } from "../metric-reads/selection/paginate-rows.ts";

const GAP_VERDICTS = ["insufficient_data", "within_noise", "gap"] as const;

const MethodGapRow = z
  .object({
    source: SourceField,
    name: z.string().describe("Display name."),
    brand: z.string(),
    brand_id: Id,
    is_my_brand: z.boolean(),
    answers: z.int().describe("Answers of each method to prompts that both answered."),
    prompts: z.int(),
    api: rateField().nullable().describe("Presence in API answers of the model, 0 to 1."),
    capture: rateField().nullable().describe("Presence in answers that a vendor captured, 0 to 1."),
    gap: z
      .number()
      .nullable()
      .describe("api minus capture; above 0, API answers name the brand more often. Null with too little data."),
    ci_low: z.number().nullable().describe("95 % confidence interval of gap."),
    ci_high: z.number().nullable(),
    p: z
      .number()
      .nullable()
      .describe("Probability of a gap this large by chance alone; for rivals, adjusted for their number."),
    verdict: z
      .enum(GAP_VERDICTS)
      .describe("gap: significant (p ≤ 0.05). insufficient_data: too little data (fewer than six prompts differ)."),
    rank_prompts: z.int().describe("Prompts in which both methods mention the brand."),
    rank_api: meanField().nullable(),
    rank_capture: meanField().nullable(),
    rank_gap: z
      .number()
      .nullable()
      .describe("rank_api minus rank_capture; below 0, API answers rank the brand better."),
    rank_ci_low: z.number().nullable().describe("95 % confidence interval of rank_gap; null below 5 prompts."),
    rank_ci_high: z.number().nullable(),
  })
  .meta({ id: "MethodGapRow" });
type MethodGapRow = z.input<typeof MethodGapRow>;

export const MethodGapsInput = z.strictObject({
  ...analysisPath,
  collect_id: Id.optional().describe("Run, from list_collects; default: latest."),
  ...dateQuery,
  sources: z.array(SourceField).max(SOURCES.length).optional().describe("Names from get_project_filters."),
  brands: z.array(nameOrId("brand")).max(1000).optional().describe("Names or ids."),
  ...listQuery,
});
export type MethodGapsInput = z.output<typeof MethodGapsInput>;

export const getMethodGaps = endpoint({
  name: "getMethodGaps",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/metrics/methods",
  group: "Metrics",
  summary: "Gap between two collection methods",
  description:
    "Test the gap of presence between API answers and answers captured from the assistant's website. Needs an analysis that collected both (methods: api and capture).",
  access: { workspace: "viewer" },
  whenEmpty: "This run asked no source by both methods, api and capture. price_search_analysis takes both in methods.",
  analysisTypes: PROMPTING_TYPES,
  input: MethodGapsInput,
  output: listSchema(MethodGapRow).extend({
    total_count: z.int(),
    note: z.string().nullable().describe("Reason for an empty result."),
    basis: Basis,
  }),
  isHeavy: () => true,
  errors: ["VALIDATION_FAILED", "UNPROCESSABLE"],
  async handle(input, { tenant }) {
    const analysis = await requireAskingProject(tenant, input.analysis_id);
    const { rows, note, basis } = await readMethodGaps(tenant, analysis, input);
    return { ...paginateRows("methods", input, rows), note, basis };
  },
});

const METHOD_GAP_LEGEND = `gap = presence in API answers (api) minus presence in answers shown to users (capture), over the prompts that both answered; ci = 95 % confidence interval for prompts like these, paired by prompt; ${CAUSE_NOTE}`;

async function readMethodGaps(tenant: Tenant, analysis: { id: string; brandId: string }, input: MethodGapsInput) {
  const collects = await chooseCollects(tenant, analysis.id, input);
  const brands = await listBrandNames(tenant);
  const { sources } = input;
  const ofSources = buildSelection(analysis.id, keywordFilter({}, ["Generic"]), { sources });
  const selection = { ...ofSources, isHeadline: true, everyMethod: true };
  const read = await readFacts(tenant.db, selection, listIds(collects.current));
  const paired = listMethodPairs(read.counted);
  const compared = await listComparedBrandIds(tenant, analysis);
  const brandIds = input.brands?.length ? input.brands : compared;
  // Naming brands filters rows but not the family of tests.
  const judged = [...new Set([...compared, ...brandIds])];
  const own = judged.flatMap((id) => brands.find((brand) => brand.id === id) ?? []);
  const prompts = read.prompts.map((prompt) => groupByCell(prompt, read.clusters));
  const found: { source: Source; brand: BrandName; gap: MethodGap }[] = [];
  for (const { source, runs } of paired) {
    const gaps = computeMethodGaps(
      runs,
      prompts,
      own.map(({ number }) => number),
    );
    for (const brand of own) {
      const gap = gaps.get(brand.number);
      if (gap && gap.answers > 0) found.push({ source, brand, gap });
    }
    await nextTurn();
  }
  const rows = buildMethodGapRows(found, analysis.brandId).filter(({ brand_id: id }) => brandIds.includes(id));
  const basis = await readBasis(
    tenant,
    METHOD_GAP_LEGEND,
    { ...collects, previous: [] },
    {
      ...read,
      sums: countAnswers(
        read.counted.map(({ facts }) => facts),
        read.prompts,
      ),
      current: read.counted,
      previousAnswers: [],
      familyCount: selectFamilies(brands).count,
      filters: namedFilters({ ...input }),
    },
  );
  return { rows, note: paired.length > 0 ? null : NO_PAIRS_NOTE, basis };
}

const NO_PAIRS_NOTE =
  "No source was asked by both methods in this collect. A setup with methods api and capture, for assistants that have a provider of each, asks the same prompts by both.";

function listMethodPairs(counted: readonly CountedFacts[]) {
  const [one, other] = CHOSEN_METHODS;
  return SOURCES.flatMap((source) => {
    const ofSource = counted.filter((part) => part.source === source && part.answers > 0);
    const runs = ofSource.flatMap(({ collectId, method, facts: firstFacts }) => {
      const theirs = ofSource.find((part) => part.collectId === collectId && part.method === other);
      return method === one && theirs ? [{ firstFacts, secondFacts: theirs.facts }] : [];
    });
    return runs.length === 0 ? [] : [{ source, runs }];
  });
}

/** The own brand is one test per source; p-values of the others are adjusted for their number. */
function buildMethodGapRows(
  sources: readonly { source: Source; brand: BrandName; gap: MethodGap }[],
  ownId: string,
): MethodGapRow[] {
  const isOwn = (index: number) => sources[index]?.brand.id === ownId;
  const adjusted = adjustPValues(sources.map(({ gap }, index) => (isOwn(index) ? null : gap.change.p)));
  return sources.map(({ source, brand, gap }, index) => {
    const p = isOwn(index) ? gap.change.p : (adjusted[index] ?? null);
    const { rank } = gap;
    return {
      source,
      name: SOURCE_NAMES[source],
      brand: brand.name,
      brand_id: brand.id,
      is_my_brand: brand.relationship === "mine" || brand.id === ownId,
      answers: gap.answers,
      prompts: gap.promptCount,
      api: roundMetric(gap.firstPresence),
      capture: roundMetric(gap.secondPresence),
      gap: p === null ? null : roundMetric(gap.change.delta),
      ci_low: roundMetric(gap.change.ci_low),
      ci_high: roundMetric(gap.change.ci_high),
      p: roundMetric(p),
      verdict: p === null ? "insufficient_data" : p <= MAX_FIRST_SIGN_P ? "gap" : "within_noise",
      rank_prompts: rank.promptCount,
      rank_api: roundMetric(rank.firstMeanRank),
      rank_capture: roundMetric(rank.secondMeanRank),
      rank_gap: roundMetric(rank.meanRankGap),
      rank_ci_low: roundMetric(rank.interval?.low ?? null),
      rank_ci_high: roundMetric(rank.interval?.high ?? null),
    };
  });
}
