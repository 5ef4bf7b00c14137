import { LEAST_PROMPTS } from "./interval.ts";
import type { ShareMoments } from "./share-moments.ts";

/** Fewer prompts than this that differ cannot show a change: of five, one in 16 such samples all point the same way. */
export const LEAST_DIFFERING = 6;

/**
 * Sums over prompts asked on both sides, with n_i answers on each (the common cells, runs cut to the smaller number):
 * d_i = x_i after − x_i before.
 */
export interface PairMoments {
  prompts: number;
  n: number;
  d: number;
  /** Σ d_i², Σ d_i·n_i, Σ n_i². */
  dd: number;
  dn: number;
  nn: number;
  /** Prompts with d_i ≠ 0. */
  differing: number;
}

/** Sums over prompts asked in two to four earlier collects and in a later one, with the same n_i answers in each. */
export interface SeriesMoments {
  earlier: number;
  prompts: number;
  /** Sums over prompts, of the earlier collects together and of the later one. */
  before: { x: number; n: number };
  after: { x: number; n: number };
  /** Σ of each prompt's variance of x between all these collects. */
  xx: number;
  /** Prompts whose x is not the same in all collects. */
  varying: number;
  /** Prompts whose x after is not the mean of those before. */
  differing: number;
}

/** A difference of two sides, with its variance by sampling alone. */
export interface Difference {
  delta: number;
  variance: number;
  freedom: number;
  /** False where too few prompts differ, or were asked, to judge it. */
  judged: boolean;
}

/**
 * A rate against one collect: the mean of the differences per prompt, weighted by answers, with the variance of paired
 * data, P/(P − 1) · Σ(d_i − delta·n_i)² / n², and P − 1 degrees of freedom. P is the effective number of prompts, n² / Σ n_i²
 * (Kish, "Survey Sampling", 1965, 11.7): that of all where all have as many answers, fewer where cells are missing.
 */
export function pairDifference(sums: PairMoments): Difference {
  const { n, d, dd, dn, nn, differing } = sums;
  const delta = n === 0 ? 0 : d / n;
  const squares = dd - 2 * delta * dn + delta * delta * nn;
  // Differences that are all alike do not make a change certain: one answer might have been another.
  const spread = squares > 1e-9 * dd ? squares : 1;
  const effective = Math.floor((n * n) / nn + 1e-9);
  const variance = ((effective / (effective - 1)) * spread) / (n * n);
  return { delta, variance, ...judgedBy(effective, effective - 1, differing) };
}

/**
 * A share of voice. Each side is a ratio of sums, linearised: with z_i = (x_i − r·n_i)/n of the side after less that of the
 * side before, V = P/(P − 1) · Σ z_i². Against the mean of k ≥ 2 collects z is taken of each, with the ratio of all k, and V is
 * P/(P − 1) · (1 + 1/k) · Σ s_i², where s_i² is a prompt's variance of z between all k + 1. P is the effective number of prompts of the
 * side that has fewer: where some weigh much more than others, that of all calls up to 7.3 of 100 unchanged ones changed.
 */
export function shareDifference(sums: ShareMoments): Difference {
  const { earlier, before, after, cross, each, differing, varying } = sums;
  if (before.n === 0 || after.n === 0) return { delta: 0, variance: 0, ...judgedBy(0, 0, 0) };
  const [then, now] = [before.x / before.n, after.x / after.n];
  const delta = now - then;
  const effective = Math.floor(Math.min(before.n ** 2 / before.nn, after.n ** 2 / after.nn) + 1e-9);
  const left = effective / (effective - 1);
  // Of one earlier collect on average.
  const n = before.n / earlier;
  const crossed = (cross.xx - now * cross.xn - then * cross.nx + then * now * cross.nn) / (n * after.n);
  const [sideBefore, sideAfter] = [squaresOf(before, then) / n ** 2, squaresOf(after, now) / after.n ** 2];
  if (earlier === 1) {
    const squares = sideBefore + sideAfter - 2 * crossed;
    const scale = before.xx / n ** 2 + after.xx / after.n ** 2;
    const spread = squares > 1e-9 * scale ? squares : 1 / (n * after.n);
    return { delta, variance: left * spread, ...judgedBy(effective, effective - 1, differing) };
  }
  const collects = squaresOf(each, then) / n ** 2 + sideAfter;
  const together = (sideBefore + sideAfter + 2 * crossed) / (earlier + 1);
  const variance = left * (1 + 1 / earlier) * ((collects - together) / earlier);
  return { delta, variance, ...judgedBy(effective, earlier * varying, differing) };
}

/**
 * Against the mean of k ≥ 2 earlier collects: Σ s_i²·(1 + 1/k) / P², where s_i² is a prompt's variance between all k + 1,
 * with k · (prompts that vary) degrees of freedom, each prompt weighted by its answers. It holds for rare brands, where t of the
 * differences alone calls 8 to 12 % of unchanged ones moved, and finds more.
 */
export function seriesDifference({
  earlier,
  prompts,
  before,
  after,
  xx,
  varying,
  differing,
}: SeriesMoments): Difference {
  const delta = after.n === 0 ? 0 : after.x / after.n - before.x / before.n;
  const variance = ((1 + 1 / earlier) * xx) / (after.n * after.n);
  return { delta, variance, ...judgedBy(prompts, earlier * varying, differing) };
}

function judgedBy(prompts: number, freedom: number, differing: number) {
  return { freedom, judged: prompts >= LEAST_PROMPTS && differing >= LEAST_DIFFERING };
}

/** Σ (x − r·n)² */
function squaresOf({ xx, xn, nn }: { xx: number; xn: number; nn: number }, ratio: number): number {
  return xx - 2 * ratio * xn + ratio * ratio * nn;
}
