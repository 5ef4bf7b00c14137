import { z } from "zod";
import { Id, InstantField, outsideText } from "../../core/fields.ts";
import { meanField, rateField } from "../../core/figure-fields.ts";
import {
  brandMetrics,
  citationRate,
  noBrandSums,
  shareOfVoice,
  type BrandCounts,
  type BrandSums,
  type Counts,
  type Sums,
} from "../../core/measuring/metrics.ts";
import { gradeOf, rankInterval, rateInterval, type Interval, type Moments } from "../../core/statistics/interval.ts";
import { rounded } from "../search-metrics/selection.ts";
import type { BrandName } from "../../db/measuring/projects.ts";
import { ChangeField } from "./change-row.ts";
import { namesOf } from "./prompt-groups.ts";
import type { Group } from "./visibility-groups.ts";

/** Which figure intervals, changes and the order are of. */
export const FIGURES = ["presence", "top_3", "visibility", "share_of_voice", "citations"] as const;
export type Figure = (typeof FIGURES)[number];

/** The interval is of the figure that the request asks for. */
const INTERVAL = ["ci_low", "ci_high"] as const;
const COUNTS = { count: "occurrences", total: "answers", noun: "answers", prompts: "prompts" };

/** The column of each figure. */
export const FIGURE_COLUMNS = {
  presence: "presence_rate",
  top_3: "top_3_rate",
  visibility: "visibility_score",
  share_of_voice: "share_of_voice",
  citations: "citation_rate",
} as const satisfies Record<Figure, string>;

export const VisibilityRow = z
  .object({
    brand: z.string(),
    brand_id: Id,
    is_my_brand: z.boolean(),
    source: z.string().optional(),
    method: z.string().optional(),
    channel: z.string().optional(),
    collect: z.int().optional().describe("Its number."),
    collect_id: Id.optional(),
    collected_to: InstantField.nullable().optional().describe("When its last answer was collected."),
    topic: z.string().optional(),
    thematic: z.string().optional(),
    keyword: outsideText().optional(),
    keyword_id: Id.optional(),
    persona: z.string().optional(),
    country: z.string().optional(),
    funnel_stage: z.string().optional(),
    prompt_kind: z.string().optional(),
    answers: z.int().describe("Answers that the rates are rates of."),
    prompts: z.int(),
    occurrences: z.int().describe("Answers that name the brand; of result pages those that list its site."),
    presence_rate: rateField({ of: COUNTS, interval: INTERVAL }).nullable().describe("occurrences / answers: 0 to 1."),
    average_rank: meanField({ interval: ["rank_ci_low", "rank_ci_high"] })
      .nullable()
      .describe("Mean rank where present; 1 is best."),
    top_3_rate: rateField({ interval: INTERVAL }).nullable().describe("Share of answers with rank 1 to 3."),
    visibility_score: meanField({ interval: INTERVAL })
      .nullable()
      .describe("100 × mean of 1 / log2(1 + rank), 0 where absent."),
    share_of_voice: rateField({ interval: INTERVAL })
      .nullable()
      .describe("The brand's weights / those of all tracked brands."),
    citations: z.int().describe("Answers that cite a page of its own."),
    citation_rate: rateField({ of: { ...COUNTS, count: "citations" }, interval: INTERVAL })
      .nullable()
      .describe("citations / answers: 0 to 1."),
    previous: rateField().nullable().describe("presence_rate in the previous collect."),
    ci_low: z.number().nullable().optional().describe("95 % interval of the figure asked for, for prompts like these."),
    ci_high: z.number().nullable().optional(),
    rank_ci_low: z.number().nullable().optional().describe("95 % interval of average_rank; null below 5 prompts."),
    rank_ci_high: z.number().nullable().optional(),
    grade: z.enum(["decision", "directional", "exploratory"]).optional(),
    change: ChangeField.nullable().optional(),
  })
  .meta({ id: "VisibilityRow" });
export type VisibilityRow = z.input<typeof VisibilityRow>;

function shown(value: number | null): number | null {
  return value === null ? null : rounded(value);
}

/** The figures of a brand in a selection, rounded. */
export function figuresOf(sums: Counts, own: BrandCounts | undefined, families: number) {
  const figures = brandMetrics(own, sums.total);
  const share = shareOfVoice(own?.weight_sum ?? 0, sums.voice, families);
  return {
    answers: sums.total,
    prompts: sums.keywords,
    occurrences: figures.occurrences,
    presence_rate: shown(figures.presence_rate),
    average_rank: shown(figures.average_rank),
    top_3_rate: shown(figures.top_3_rate),
    visibility_score: shown(figures.visibility_score),
    share_of_voice: shown(share),
    citations: own?.cited ?? 0,
    citation_rate: shown(citationRate(own?.cited ?? 0, sums.total)),
  };
}

/** Interval and grade of one figure of a brand, as it is shown: of a visibility score 0 to 100. */
export function uncertaintyOf(sums: Sums, own: BrandSums | undefined, figure: Figure, sources: number) {
  const moments = momentsFor(sums, own ?? noBrandSums(), figure);
  const runs = sums.keywords === 0 ? 1 : sums.total / sums.keywords / Math.max(1, sources);
  const interval =
    moments.n > 0 && !lacksSquares(moments)
      ? rateInterval(moments, { runs: Math.max(1, runs), sources: Math.max(1, sources) })
      : null;
  const scale = figure === "visibility" ? 100 : 1;
  return {
    ci_low: ended(interval, "low", scale),
    ci_high: ended(interval, "high", scale),
    grade: gradeOf(moments.n === 0 ? 0 : moments.x / moments.n, interval, moments.prompts),
  };
}

/** True of citations in sums that are older than their intervals (core/measuring/packed-sums.ts). */
function lacksSquares({ x, xx }: Moments): boolean {
  return x > 0 && xx === 0;
}

/** Interval of a brand's mean rank, over the prompts that have it. */
export function rankUncertainty(own: BrandSums | undefined) {
  const { nb_keywords: prompts, occurrences: n, rank_sum: x, rr: xx, rx: xn, xx: nn } = own ?? noBrandSums();
  const interval = rankInterval({ prompts, n, x, xx, xn, nn, have: prompts, lack: prompts });
  return { rank_ci_low: ended(interval, "low", 1), rank_ci_high: ended(interval, "high", 1) };
}

function ended(interval: Interval | null, end: keyof Interval, scale: number): number | null {
  return interval === null ? null : rounded(interval[end] * scale);
}

/** Sums over prompts, of which intervals are made (core/statistics). */
export function momentsFor(sums: Sums, own: BrandSums, figure: Figure): Moments {
  const { keywords: prompts, total: n, nn } = sums;
  const { nb_keywords: have, full_keywords: full } = own;
  if (figure === "presence") {
    return { prompts, n, x: own.occurrences, xx: own.xx, xn: own.xn, nn, have, lack: prompts - full };
  }
  if (figure === "top_3") {
    const lack = prompts - own.full_top_3_keywords;
    return { prompts, n, x: own.top_3, xx: own.tt, xn: own.tn, nn, have: own.top_3_keywords, lack };
  }
  if (figure === "citations") {
    const lack = prompts - own.full_cited_keywords;
    return { prompts, n, x: own.cited, xx: own.cc, xn: own.cn, nn, have: own.cited_keywords, lack };
  }
  const weights = { prompts, x: own.weight_sum, xx: own.ww, have };
  if (figure === "visibility") return { ...weights, n, xn: own.wn, nn, lack: prompts - own.first_keywords };
  return { ...weights, n: sums.voice, xn: own.wv, nn: sums.vv, lack: prompts - own.only_keywords };
}

/** A row of a group and a brand, without its change. */
export function rowOf(of: {
  group: Group;
  brand: BrandName;
  sums: Counts | Sums;
  previous: Counts | undefined;
  families: number;
  /** How many of its sources have answers in its collects. */
  sources: number;
  input: { statistics: boolean; figure: Figure };
  project: { brandId: string };
}): VisibilityRow {
  const { group, brand, sums, previous, families, sources, input, project } = of;
  const own = sums.brands.get(brand.number);
  const before =
    previous && previous.total > 0 ? figuresOf(previous, previous.brands.get(brand.number), families) : null;
  return {
    ...namesOf(group, brand, project),
    ...(group.keywordId === null ? {} : { keyword_id: group.keywordId }),
    ...figuresOf(sums, own, families),
    previous: before?.presence_rate ?? null,
    ...(input.statistics && "nn" in sums ? intervalsOf(sums, { brand, figure: input.figure, sources }) : {}),
  };
}

function intervalsOf(sums: Sums, of: { brand: BrandName; figure: Figure; sources: number }) {
  const own = sums.brands.get(of.brand.number);
  return { ...uncertaintyOf(sums, own, of.figure, of.sources), ...rankUncertainty(own) };
}
