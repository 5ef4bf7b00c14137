import { MIN_PROMPTS } from "./interval.ts";
import type { ShareMoments } from "./share-moments.ts";

/** Five differing prompts all change in the same direction by chance in one of 16 samples. */
export const MIN_DIFFERING = 6;

/** Sums over prompts sent on both sides, cut to n_i answers each. d_i = x_i after − x_i before. */
export interface PairMoments {
  promptCount: number;
  n: number;
  d: number;
  /** Sums over prompts: Σ d_i², Σ d_i·n_i, Σ n_i². */
  dd: number;
  dn: number;
  nn: number;
  differing: number;
}

/** Sums over prompts sent in two to four earlier collects and a later one, n_i answers in each. */
export interface SeriesMoments {
  earlier: number;
  promptCount: number;
  /** Sums over prompts: all earlier collects together, and the later one. */
  before: { x: number; n: number };
  after: { x: number; n: number };
  /** Σ of each prompt's variance of x across the collects. */
  xx: number;
  /** Number of prompts whose x differs between any two collects. */
  varying: number;
  /** Number of prompts whose later x differs from the mean of the earlier ones. */
  differing: number;
}

export interface Difference {
  delta: number;
  variance: number;
  degreesOfFreedom: number;
  /** False if too few prompts were sent or differ. */
  isJudgeable: boolean;
}

/**
 * Change of a rate against one collect: mean difference per prompt, weighted by answers. The
 * variance is P/(P − 1) · Σ(d_i − delta·n_i)² / n² for paired data; P, the effective number of
 * prompts, is n² / Σ n_i² (Kish, "Survey Sampling", 1965, 11.7).
 */
export function computePairDifference(sums: PairMoments): Difference {
  const { n, d, dd, dn, nn, differing } = sums;
  const delta = n === 0 ? 0 : d / n;
  const squares = dd - 2 * delta * dn + delta * delta * nn;
  // Assumes that one answer differs, because equal differences do not prove a change.
  const spread = squares > 1e-9 * dd ? squares : 1;
  const effective = Math.floor((n * n) / nn + 1e-9);
  const variance = ((effective / (effective - 1)) * spread) / (n * n);
  return { delta, variance, ...judgeCounts(effective, effective - 1, differing) };
}

/**
 * Change of a share of voice, a ratio of sums, linearised. With z_i = (x_i − r·n_i)/n after minus
 * before, V = P/(P − 1) · Σ z_i².
 * Against k ≥ 2 collects, r is the ratio over all k. Then V = P/(P − 1) · (1 + 1/k) · Σ s_i²; s_i² is a
 * prompt's variance of z over all k + 1. P is the effective number of prompts of the smaller side:
 * with unequal weights, the plain number reports up to 7.3 % of unchanged brands as changed.
 */
export function computeShareDifference(sums: ShareMoments): Difference {
  const { earlier, before, after, cross, each, differingPromptCount, varying } = sums;
  if (before.n === 0 || after.n === 0) return { delta: 0, variance: 0, ...judgeCounts(0, 0, 0) };
  const [then, now] = [before.x / before.n, after.x / after.n];
  const delta = now - then;
  const effective = Math.floor(Math.min(before.n ** 2 / before.nn, after.n ** 2 / after.nn) + 1e-9);
  const rest = effective / (effective - 1);
  // Denominator of the earlier side per collect.
  const n = before.n / earlier;
  const crossed = (cross.xx - now * cross.xn - then * cross.nx + then * now * cross.nn) / (n * after.n);
  const [sideBefore, sideAfter] = [sumSquares(before, then) / n ** 2, sumSquares(after, now) / after.n ** 2];
  if (earlier === 1) {
    const squares = sideBefore + sideAfter - 2 * crossed;
    const scale = before.xx / n ** 2 + after.xx / after.n ** 2;
    const spread = squares > 1e-9 * scale ? squares : 1 / (n * after.n);
    return { delta, variance: rest * spread, ...judgeCounts(effective, effective - 1, differingPromptCount) };
  }
  const collects = sumSquares(each, then) / n ** 2 + sideAfter;
  const together = (sideBefore + sideAfter + 2 * crossed) / (earlier + 1);
  const variance = rest * (1 + 1 / earlier) * ((collects - together) / earlier);
  return { delta, variance, ...judgeCounts(effective, earlier * varying, differingPromptCount) };
}

/**
 * Change of a rate against the mean of k ≥ 2 collects, by answers: V = Σ s_i²·(1 + 1/k) / P²
 * with k · (varying prompts) degrees of freedom; s_i² is a prompt's variance over all k + 1.
 * A t test of the differences alone reports 8 to 12 % of unchanged rare brands as changed.
 */
export function computeSeriesDifference({
  earlier,
  promptCount,
  before,
  after,
  xx,
  varying,
  differing,
}: SeriesMoments): Difference {
  const delta = after.n === 0 ? 0 : after.x / after.n - before.x / before.n;
  const variance = ((1 + 1 / earlier) * xx) / (after.n * after.n);
  return { delta, variance, ...judgeCounts(promptCount, earlier * varying, differing) };
}

function judgeCounts(
  prompts: number,
  degreesOfFreedom: number,
  differing: number,
): Pick<Difference, "degreesOfFreedom" | "isJudgeable"> {
  return { degreesOfFreedom, isJudgeable: prompts >= MIN_PROMPTS && differing >= MIN_DIFFERING };
}

/** Σ (x − r·n)² over prompts. */
function sumSquares({ xx, xn, nn }: { xx: number; xn: number; nn: number }, ratio: number): number {
  return xx - 2 * ratio * xn + ratio * ratio * nn;
}
