import { z } from "zod";
import { Id, InstantField, outsideTextSchema } from "../../core/shared/fields.ts";
import {
  meanField,
  namedMetricField,
  rateField,
  intervalColumns,
  roundMetric,
} from "../../core/metrics/metric-fields.ts";
import { estimateMetric, estimateRank, type ComparableMetric } from "../../core/metrics/comparable-metrics.ts";
import { computeBrandMetrics, computePresenceRate, type BrandSums, type Sums } from "../../core/metrics/metrics.ts";
import { SHARE_OF_VOICE, computeShareOfVoice, type Families } from "../../core/metrics/share-of-voice.ts";
import type { BrandName } from "../../db/analyses/projects.ts";
import { GapField } from "../../core/metrics/brand-gaps.ts";
import { ChangeField } from "../../core/metrics/changes/change-row.ts";
import { rowNames } from "../metric-reads/selection/prompt-groups.ts";
import type { Group } from "../metric-reads/visibility/visibility-groups.ts";

const INTERVAL = ["ci_low", "ci_high"] as const;
const COUNTS = { count: "occurrences", total: "answers", noun: "answers", prompts: "prompts" };

export const FIGURE_COLUMNS = {
  presence: "presence_rate",
  top_3: "top_3_rate",
  visibility: "visibility_score",
  share_of_voice: "share_of_voice",
  citations: "citation_rate",
} as const satisfies Record<ComparableMetric, string>;

export const VisibilityRow = z
  .object({
    brand: z.string(),
    brand_id: Id,
    is_my_brand: z.boolean(),
    source: z.string().optional(),
    method: z.string().optional(),
    channel: z.string().optional(),
    collect: z.int().optional().describe("Number of the run."),
    collect_id: Id.optional(),
    collected_to: InstantField.nullable().optional().describe("Time of the run's last answer."),
    topic: z.string().optional(),
    thematic: z.string().optional(),
    keyword: outsideTextSchema().optional(),
    keyword_id: Id.optional(),
    persona: z.string().optional(),
    country: z.string().optional(),
    funnel_stage: z.string().optional(),
    prompt_kind: z.string().optional(),
    answers: z.int().describe("Counted answers, the denominator of the rates."),
    prompts: z.int(),
    occurrences: z.int().describe("Answers that name the brand, and search result pages that list its site."),
    presence_rate: rateField({ of: COUNTS, interval: INTERVAL }).nullable().describe("occurrences / answers: 0 to 1."),
    average_rank: meanField({ interval: ["rank_ci_low", "rank_ci_high"] })
      .nullable()
      .describe("Average rank in the answers that mention the brand; 1 is best."),
    top_3_rate: rateField({ interval: INTERVAL }).nullable().describe("Share of answers with rank 1 to 3."),
    visibility_score: meanField({ interval: INTERVAL })
      .nullable()
      .describe("100 × mean of 1 / log2(1 + rank), 0 where absent."),
    share_of_voice: rateField({ interval: INTERVAL }).nullable().describe(`${SHARE_OF_VOICE.words}: 0 to 1.`),
    citations: z.int().describe("Answers that cite a page of the brand."),
    citation_rate: rateField({ of: { ...COUNTS, count: "citations" }, interval: INTERVAL })
      .nullable()
      .describe("citations / answers: 0 to 1."),
    previous: namedMetricField()
      .nullable()
      .describe(
        "Earlier value of the metric named by figure: change.before; without change, the value in the previous run.",
      ),
    previous_answers: z.int().optional().describe("For prompts: answers of the previous run."),
    previous_occurrences: z.int().optional(),
    ci_low: z
      .number()
      .nullable()
      .optional()
      .describe("95 % confidence interval of the metric named by figure, for prompts like these."),
    ci_high: z.number().nullable().optional(),
    rank_ci_low: z
      .number()
      .nullable()
      .optional()
      .describe("95 % confidence interval of average_rank; null below 5 prompts."),
    rank_ci_high: z.number().nullable().optional(),
    grade: z.enum(["decision", "directional", "exploratory"]).optional(),
    change: ChangeField.nullable().optional(),
    gap: GapField.nullable().optional().describe("With versus: gap to that brand, of the metric named by figure."),
  })
  .meta({ id: "VisibilityRow" });
export type VisibilityRow = z.input<typeof VisibilityRow>;

function computeFigures(sums: Sums, own: BrandSums | undefined, families: Families) {
  const figures = computeBrandMetrics(own, sums.total);
  return {
    answers: sums.total,
    prompts: sums.keywords,
    occurrences: figures.occurrences,
    presence_rate: roundMetric(figures.presence_rate),
    average_rank: roundMetric(figures.average_rank),
    top_3_rate: roundMetric(figures.top_3_rate),
    visibility_score: roundMetric(figures.visibility_score),
    share_of_voice: roundMetric(computeShareOfVoice(own, sums, families)),
    citations: own?.cited ?? 0,
    citation_rate: roundMetric(computePresenceRate(own?.cited ?? 0, sums.total)),
  };
}

export function buildRow(options: {
  group: Group;
  brand: BrandName;
  sums: Sums;
  /** Undefined if there are none, or if the row's change has the earlier value. */
  previousSums: Sums | undefined;
  brandFamilies: Families;
  sourceCount: number;
  input: { statistics: boolean; figure: ComparableMetric };
  analysis: { brandId: string };
}): VisibilityRow {
  const { group, brand, sums, previousSums, brandFamilies, sourceCount, input, analysis } = options;
  const own = sums.brands.get(brand.number);
  const previous = previousSums && computeFigures(previousSums, previousSums.brands.get(brand.number), brandFamilies);
  return {
    ...rowNames(group, brand, analysis),
    ...(group.keywordId === null ? {} : { keyword_id: group.keywordId, ...countPrevious(previous) }),
    ...computeFigures(sums, own, brandFamilies),
    previous: previous?.[FIGURE_COLUMNS[input.figure]] ?? null,
    ...(input.statistics ? computeIntervals(sums, own, input.figure, sourceCount) : {}),
  };
}

function countPrevious(previous: ReturnType<typeof computeFigures> | undefined) {
  return previous && { previous_answers: previous.answers, previous_occurrences: previous.occurrences };
}

function computeIntervals(sums: Sums, own: BrandSums | undefined, figure: ComparableMetric, sources: number) {
  const scale = figure === "visibility" ? 100 : 1;
  const rank = estimateRank(own);
  return {
    ...intervalColumns(estimateMetric(sums, own, figure, sources), (share) => scale * share),
    rank_ci_low: rank && roundMetric(rank.low),
    rank_ci_high: rank && roundMetric(rank.high),
  };
}
