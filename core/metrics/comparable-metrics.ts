import {
  estimateShare,
  computeRankInterval,
  type Estimate,
  type Interval,
  type Moments,
} from "../statistics/interval.ts";
import { createBrandSums, lookUpRankWeight, type BrandSums, type Sums } from "./metrics.ts";
import { scoreOfRank, SCORE_FAMILIES } from "./facts/scored-facts.ts";
import { shareOfVoiceMoments, type Families } from "./share-of-voice.ts";

export const COMPARABLE_METRICS = ["presence", "top_3", "visibility", "share_of_voice", "citations"] as const;
export type ComparableMetric = (typeof COMPARABLE_METRICS)[number];

/** Comparable values: metrics, and scores encoded as ranks (core/metrics/facts/scored-facts.ts). */
export type ComparedMetric = ComparableMetric | "score";

export interface ComparisonMethod {
  /** Value of an answer with the brand; citations count answers that cite it, at any rank. */
  valueOf: (rank: number) => number;
  /** True if the value is a share of the sum over all brand families. */
  isShare?: true;
  /** Fixed denominator, for shares that do not depend on the catalog. */
  families?: Families;
  countsCited?: true;
}

export const COMPARISON_METHODS: Readonly<Record<ComparedMetric, ComparisonMethod>> = {
  presence: { valueOf: () => 1 },
  top_3: { valueOf: (rank) => Number(rank <= 3) },
  visibility: { valueOf: lookUpRankWeight },
  share_of_voice: { valueOf: lookUpRankWeight, isShare: true },
  citations: { valueOf: () => 1, countsCited: true },
  score: { valueOf: scoreOfRank, isShare: true, families: SCORE_FAMILIES },
};

const MOMENTS_BY_METRIC: Readonly<Record<ComparableMetric, (sums: Sums, own: BrandSums) => Moments>> = {
  presence: ({ keywords: promptCount, total: n, nn }, own) => {
    const { occurrences: x, xx, xn, nb_keywords: withValue, full_keywords } = own;
    return { promptCount, n, x, xx, xn, nn, withValue, withoutFull: promptCount - full_keywords };
  },
  top_3: ({ keywords: promptCount, total: n, nn }, own) => {
    const { top_3: x, tt: xx, tn: xn, top_3_keywords: withValue, full_top_3_keywords } = own;
    return { promptCount, n, x, xx, xn, nn, withValue, withoutFull: promptCount - full_top_3_keywords };
  },
  visibility: ({ keywords: promptCount, total: n, nn }, own) => {
    const { weight_sum: x, ww: xx, wn: xn, nb_keywords: withValue, first_keywords } = own;
    return { promptCount, n, x, xx, xn, nn, withValue, withoutFull: promptCount - first_keywords };
  },
  share_of_voice: shareOfVoiceMoments,
  citations: ({ keywords: promptCount, total: n, nn }, own) => {
    const { cited: x, cc: xx, cn: xn, cited_keywords: withValue, full_cited_keywords } = own;
    return { promptCount, n, x, xx, xn, nn, withValue, withoutFull: promptCount - full_cited_keywords };
  },
};

export function estimateMetric(
  sums: Sums,
  own: BrandSums | undefined,
  figure: ComparableMetric,
  sourceCount: number,
): Estimate {
  const moments = MOMENTS_BY_METRIC[figure](sums, own ?? createBrandSums());
  // Old sums of citations lack squares and so intervals (core/metrics/packed-sums.ts).
  const hasSquares = moments.x === 0 || moments.xx > 0;
  return estimateShare(moments, { sourceCount, answers: sums.total, hasInterval: hasSquares });
}

export function estimateRank(own: BrandSums | undefined): Interval | null {
  const { nb_keywords: promptCount, occurrences: n, rank_sum: x, rr: xx, rx: xn, xx: nn } = own ?? createBrandSums();
  return computeRankInterval({ promptCount, n, x, xx, xn, nn, withValue: promptCount, withoutFull: promptCount });
}
