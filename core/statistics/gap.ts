import { judgeDifference, type Change } from "./change.ts";
import { computePairDifference, type PairMoments } from "./difference.ts";

/** Max p of a significant gap. */
const MAX_GAP_P = 0.05;

export const GAP_VERDICTS = ["ahead", "behind", "no_significant_gap", "too_little_data"] as const;
export type GapVerdict = (typeof GAP_VERDICTS)[number];

/**
 * Gap between two brands over the same answers, paired by prompt: gap = Σ d_i / Σ n_i, where d_i is
 * one brand's value minus the other's. It is the ratio estimator over clusters (Cochran, "Sampling
 * Techniques", 1977, 6.4), with the variance of `computePairDifference`.
 */
export function estimateGap(moments: PairMoments): Change {
  return judgeDifference(computePairDifference(moments));
}

export function judgeGap({ delta, p }: Pick<Change, "delta" | "p">): GapVerdict {
  if (p === null) return "too_little_data";
  if (p > MAX_GAP_P) return "no_significant_gap";
  return delta > 0 ? "ahead" : "behind";
}
