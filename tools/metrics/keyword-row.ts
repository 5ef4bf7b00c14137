import { z } from "zod";
import type { KeywordMetrics as Figures } from "../../core/metrics/keyword-metrics.ts";
import type { KeywordOutline, MatchingKeyword } from "../../db/metrics/search-metrics.ts";
import { outsideTextSchema, RelatedQueryField } from "../../core/shared/fields.ts";
import type { Source } from "../../core/sources/sources.ts";
import { roundMetric } from "../../core/metrics/metric-fields.ts";
import { computePresenceRate } from "../../core/metrics/metrics.ts";

const labelField = (what: string) => z.string().optional().describe(what);
const countField = (what: string) => z.number().optional().describe(what);

/** Field prefixes (interface.md 2.5). Marketplace assistants count only in the score. */
export const CHANNEL_PREFIXES = {
  SEARCH_A: "search_a_seo",
  SEARCH_A_AIO: "search_a_aio",
  SEARCH_B: "search_b_seo",
  SEARCH_B_AIO: "search_b_aio",
  SEARCH_B_AI_MODE: "search_b_ai_mode",
  ASSISTANT_A: "assistant_a",
  ASSISTANT_B: "assistant_b",
  ASSISTANT_C: "assistant_c",
  ASSISTANT_D: "assistant_d",
} as const satisfies Partial<Record<Source, string>>;
type Prefix = (typeof CHANNEL_PREFIXES)[keyof typeof CHANNEL_PREFIXES];

const FLAGGED_CHANNELS = [
  "search_b_seo",
  "search_b_aio",
  "search_a_seo",
  "search_a_aio",
  "assistant_d",
  "assistant_b",
  "assistant_a",
] as const satisfies readonly Prefix[];

const rankField = z.number().optional().describe("Average rank of your brand in the answers that mention it.");
const previousRankField = z.number().optional().describe("Average rank in the previous run.");
const answerCountField = z.number().optional().describe("With statistics: answers of the source.");
const previousAnswerCountField = z
  .number()
  .optional()
  .describe("With statistics: answers of the source in the previous run.");
const urlField = outsideTextSchema().optional().describe("Page of your brand that ranked or was cited most often.");
const isRankedField = z.boolean().optional().describe("true: your brand appears. Absent without an answer.");

type ChannelFields = {
  [P in Prefix as `${P}_rank`]: typeof rankField;
} & { [P in Prefix as `${P}_previous_rank`]: typeof previousRankField } & {
  [P in Prefix as `${P}_url`]: typeof urlField;
} & {
  [P in Prefix as `${P}_answers`]: typeof answerCountField;
} & {
  [P in Prefix as `${P}_previous_answers`]: typeof previousAnswerCountField;
};
type FlagFields = { [P in (typeof FLAGGED_CHANNELS)[number] as `${P}_main_brand_ranked`]: typeof isRankedField };

const channelFields = Object.fromEntries(
  Object.values(CHANNEL_PREFIXES).flatMap((prefix) => [
    [`${prefix}_rank`, rankField],
    [`${prefix}_previous_rank`, previousRankField],
    [`${prefix}_url`, urlField],
    [`${prefix}_answers`, answerCountField],
    [`${prefix}_previous_answers`, previousAnswerCountField],
  ]),
) as ChannelFields; // safe: fromEntries loses the key types
const flagFields = Object.fromEntries(
  FLAGGED_CHANNELS.map((prefix) => [`${prefix}_main_brand_ranked`, isRankedField]),
) as FlagFields;

/** See interface.md 2.5. Omits values that are unknown or not measured in the selection. */
export const KeywordMetricsSchema = z
  .object({
    keyword_id: labelField("Keyword."),
    keyword_text: labelField("What was asked."),
    thematic_name: labelField("Its thematic."),
    topic: labelField("Its topic."),
    persona: labelField("Who asks."),
    funnel_stage: labelField("ToFu, MoFu or BoFu."),
    strength: labelField("Strength of the brand that it is about."),
    weakness: labelField("Weakness of the brand that it is about."),
    related_product: labelField("Product that it is about."),
    sub_brand: labelField("Sub-brand that it is about."),
    intent: z.array(z.string()).optional(),
    type: labelField("Generic or Brand."),
    search_volume: countField("Monthly searches."),
    trends: z.array(z.number()).optional().describe("Monthly search volumes, oldest first."),
    search_interest_trends: z.array(z.number()).optional().describe("Search interest over time, oldest first."),
    score: countField("Visibility score of the main brand on this keyword over the chosen sources, 0 to 100."),
    related_queries: z.array(RelatedQueryField).optional(),
    answers: countField("With statistics: answers over these sources. A keyword alone has too few for a verdict."),
    occurrences: countField("With statistics: those that have the main brand."),
    previous_answers: countField("With statistics: answers in the previous run."),
    previous_occurrences: countField("With statistics: answers with the main brand in the previous run."),
    ...channelFields,
    ...flagFields,
    has_search_b_aio: z
      .boolean()
      .default(false)
      .describe("true: the answers include an AI overview of search engine B."),
    has_search_a_aio: z
      .boolean()
      .default(false)
      .describe("true: the answers include an AI overview of search engine A."),
  })
  .meta({ id: "KeywordMetrics" });
export function isSourceCount(column: string): boolean {
  return Object.values(CHANNEL_PREFIXES).some((prefix) => column.startsWith(prefix)) && column.endsWith("_answers");
}

type KeywordRow = z.input<typeof KeywordMetricsSchema>;

export function shapeKeywordMetrics(
  keyword: MatchingKeyword,
  figures: Figures,
  { labelsById, includesCounts }: { labelsById: ReadonlyMap<string, string>; includesCounts: boolean },
): KeywordRow {
  const row: KeywordRow = { keyword_id: keyword.id, keyword_text: keyword.text };
  const named = {
    thematic_name: keyword.thematicId,
    topic: keyword.topicId,
    persona: keyword.personaId,
    strength: keyword.strengthId,
    weakness: keyword.weaknessId,
    related_product: keyword.relatedProductId,
    sub_brand: keyword.subBrandId,
  } as const;
  for (const [field, id] of Object.entries(named) as [keyof typeof named, string | null][]) {
    const text = id === null ? undefined : labelsById.get(id);
    if (text !== undefined) row[field] = text;
  }
  if (keyword.funnelStage !== null) row.funnel_stage = keyword.funnelStage;
  if (keyword.intent.length > 0) row.intent = keyword.intent;
  row.type = keyword.type;
  if (keyword.searchVolume !== null) row.search_volume = keyword.searchVolume;
  if (keyword.trends !== null) row.trends = keyword.trends;
  if (keyword.searchInterestTrends !== null) row.search_interest_trends = keyword.searchInterestTrends;
  if (keyword.relatedQueries !== null) row.related_queries = keyword.relatedQueries;
  if (figures.score !== null) row.score = roundMetric(figures.score);
  if (includesCounts) {
    const { now, before } = figures;
    Object.assign(row, now, { previous_answers: before.answers, previous_occurrences: before.occurrences });
  }
  for (const [source, channel] of figures.channels) {
    if (source === "MARKETPLACE_ASSISTANT") continue;
    const prefix = CHANNEL_PREFIXES[source];
    if (channel.rank !== null) row[`${prefix}_rank`] = roundMetric(channel.rank);
    if (channel.previousRank !== null) row[`${prefix}_previous_rank`] = roundMetric(channel.previousRank);
    if (channel.url !== null) row[`${prefix}_url`] = channel.url;
    if (includesCounts && channel.answers > 0) row[`${prefix}_answers`] = channel.answers;
    if (includesCounts && channel.previousAnswerCount > 0)
      row[`${prefix}_previous_answers`] = channel.previousAnswerCount;
    if (channel.answers > 0 && isFlagged(prefix)) row[`${prefix}_main_brand_ranked`] = channel.rank !== null;
  }
  for (const [flag, source] of Object.entries(OVERVIEW_FLAGS))
    Object.assign(row, { [flag]: (figures.channels.get(source)?.answers ?? 0) > 0 });
  return row;
}

const OVERVIEW_FLAGS = {
  has_search_b_aio: "SEARCH_B_AIO",
  has_search_a_aio: "SEARCH_A_AIO",
} as const satisfies Partial<Record<keyof KeywordRow, Source>>;

/** `sources` is null for all. */
export function listUnselectedFlags(sources: readonly Source[] | null): string[] {
  return Object.entries(OVERVIEW_FLAGS).flatMap(([flag, source]) =>
    (sources?.includes(source) ?? true) ? [] : [flag],
  );
}

function isFlagged(prefix: Prefix): prefix is (typeof FLAGGED_CHANNELS)[number] {
  return FLAGGED_CHANNELS.some((flagged) => flagged === prefix);
}

type RankedSource = keyof typeof CHANNEL_PREFIXES;

const OUTLINE_SORTS = ["prompt", "type", "topic", "persona"] as const;
type OutlineSort = (typeof OUTLINE_SORTS)[number];

export const KEYWORD_SORTS = [
  ...OUTLINE_SORTS,
  "presence",
  "score",
  "change",
  // Safe: the keys of CHANNEL_PREFIXES are the sources with ranks.
  ...(Object.keys(CHANNEL_PREFIXES) as RankedSource[]),
] as const;
export type KeywordSort = (typeof KEYWORD_SORTS)[number];

export interface KeywordToSort {
  setupPosition: number;
  value: string | number | null | undefined;
}

export function isOutlineSort(by: KeywordSort): by is OutlineSort {
  return OUTLINE_SORTS.some((one) => one === by);
}

export function getOutlineValue(
  by: OutlineSort,
  { text, type, topicId, personaId }: KeywordOutline,
  labels: ReadonlyMap<string, string>,
): string | null {
  if (by === "prompt") return text;
  if (by === "type") return type;
  return labels.get((by === "topic" ? topicId : personaId) ?? "") ?? null;
}

export function getMetricValue(by: Exclude<KeywordSort, OutlineSort>, { now, before, score, channels }: Figures) {
  const presence = computePresenceRate(now.occurrences, now.answers);
  if (by === "presence") return presence;
  if (by === "change") {
    const earlier = computePresenceRate(before.occurrences, before.answers);
    return presence === null || earlier === null ? null : presence - earlier;
  }
  return by === "score" ? score : (channels.get(by)?.rank ?? null);
}

/** Keywords without a value come last in both directions; ties keep setup order. */
export function sortKeywords(rows: readonly KeywordToSort[], direction: "asc" | "desc"): KeywordToSort[] {
  const way = direction === "asc" ? 1 : -1;
  const collator = new Intl.Collator("en");
  return rows.toSorted(({ value: a = null }, { value: b = null }) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === "string" && typeof b === "string") return way * collator.compare(a, b);
    return way * (Number(a) - Number(b));
  });
}
