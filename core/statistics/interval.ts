import { studentQuantile } from "./student.ts";

export const MIN_PROMPTS = 5;

/** Fewer prompts with, or without, the brand use assumed correlations. */
const MIN_PROMPTS_FOR_SPREAD = 10;

/**
 * Sums over prompts: `x` sums a value from 0 to 1 over a prompt's `n` answers. Share of voice: `x`
 * is the brand's weight, `n` that of all brands. Average rank, over prompts with the brand: `x` is the
 * sum of ranks, `n` the answers with the brand.
 */
export interface Moments {
  promptCount: number;
  n: number;
  x: number;
  /** Sums over prompts: Σ x_i², Σ x_i·n_i, Σ n_i². */
  xx: number;
  xn: number;
  nn: number;
  /** Number of prompts with x_i > 0. */
  withValue: number;
  /** Number of prompts with x_i < n_i. */
  withoutFull: number;
}

/** `runs` is the number of runs per source. */
export interface Design {
  runs: number;
  sourceCount: number;
}

export interface Interval {
  low: number;
  high: number;
}

/** Skips prompts without an answer. */
export function sumMoments(clusters: Iterable<{ x: number; n: number }>): Moments {
  const sums: Moments = { promptCount: 0, n: 0, x: 0, xx: 0, xn: 0, nn: 0, withValue: 0, withoutFull: 0 };
  for (const { x, n } of clusters) {
    if (n <= 0) continue;
    sums.promptCount += 1;
    sums.n += n;
    sums.x += x;
    sums.xx += x * x;
    sums.xn += x * n;
    sums.nn += n * n;
    if (x > 0) sums.withValue += 1;
    if (x < n) sums.withoutFull += 1;
  }
  return sums;
}

/**
 * 95 % interval of a rate over prompts like these: Wilson's score interval (1927, JASA 22) with the
 * effective number of answers (Korn and Graubard, 1998, Survey Methodology 24) and t with prompts −
 * 1 degrees of freedom. A rate of 0 gives 0 to 1 − 0.05^(1/prompts), 1 mirrors it. Null below 5.
 */
export function computeRateInterval(sums: Moments, design: Design): Interval | null {
  const { promptCount, n, x } = sums;
  if (promptCount < MIN_PROMPTS || n <= 0) return null;
  const reach = 1 - 0.05 ** (1 / promptCount);
  if (sums.withValue === 0) return { low: 0, high: reach };
  if (sums.withoutFull === 0) return { low: 1 - reach, high: 1 };
  return computeWilsonInterval(x / n, countEffectiveAnswers(sums, design), studentQuantile(0.975, promptCount - 1));
}

/** 95 % interval of a mean rank (1 = best) over the prompts with the brand. */
export function computeRankInterval(sums: Moments): Interval | null {
  return computeMeanInterval(sums, { min: 1, max: Infinity, step: 0 });
}

/**
 * 95 % interval of a mean, r ± t·√V with t of prompts − 1 degrees of freedom, clamped to the scale.
 * Σ(x_i − r·n_i)² is at least one step squared, because one answer may have had the next value.
 * Null below 5 prompts, where intervals of a rank span 12 to 19 ranks.
 */
export function computeMeanInterval(sums: Moments, scale: { min: number; max: number; step: number }): Interval | null {
  if (sums.promptCount < MIN_PROMPTS) return null;
  const mean = sums.x / sums.n;
  const half = studentQuantile(0.975, sums.promptCount - 1) * Math.sqrt(computeRatioVariance(sums, scale.step ** 2));
  return { low: Math.max(scale.min, mean - half), high: Math.min(scale.max, mean + half) };
}

export function gradeRate(
  rate: number,
  interval: Interval | null,
  prompts: number,
): "decision" | "directional" | "exploratory" {
  if (interval === null) return "exploratory";
  const half = (interval.high - interval.low) / 2;
  if (prompts >= 20 && half <= Math.min(0.05, rate / 2)) return "decision";
  return prompts >= 12 && half <= Math.min(0.1, rate) ? "directional" : "exploratory";
}

export interface Estimate {
  share: number | null;
  interval: Interval | null;
  grade: ReturnType<typeof gradeRate>;
}

export function estimateShare(
  moments: Moments,
  {
    sourceCount,
    answers = moments.n,
    hasInterval = true,
  }: { sourceCount: number; answers?: number; hasInterval?: boolean },
): Estimate {
  const { n, x, promptCount } = moments;
  const asked = Math.max(1, sourceCount);
  const runs = Math.max(1, promptCount === 0 ? 1 : answers / promptCount / asked);
  const interval = hasInterval ? computeRateInterval(moments, { runs, sourceCount: asked }) : null;
  const share = n === 0 ? null : x / n;
  return { share, interval, grade: gradeRate(share ?? 0, interval, promptCount) };
}

/**
 * Linearised variance of the ratio x/n: P/(P − 1) · Σ(x_i − r·n_i)² / n² (Cochran, "Sampling
 * Techniques", 3rd edition, 6.13 and 9A). The sum is at least `least`.
 */
function computeRatioVariance({ promptCount, n, x, xx, xn, nn }: Moments, least = 0): number {
  const ratio = x / n;
  const squares = Math.max(least, xx - 2 * ratio * xn + ratio * ratio * nn);
  return ((promptCount / (promptCount - 1)) * squares) / (n * n);
}

/**
 * Max independent answers. If few prompts have or lack the brand, assumes correlations as in
 * recorded answers: 0.25 between runs, 0.12 between sources.
 */
export function getMaxEffectiveAnswers(sums: Moments, { runs, sourceCount }: Design): number {
  const few = Math.min(sums.withValue, sums.withoutFull) < MIN_PROMPTS_FOR_SPREAD;
  return few ? sums.n / (1 + 0.25 * (runs - 1) + 0.12 * runs * (sourceCount - 1)) : sums.n;
}

/** Number of independent answers with the same information. */
function countEffectiveAnswers(sums: Moments, design: Design): number {
  const rate = sums.x / sums.n;
  const most = getMaxEffectiveAnswers(sums, design);
  const variance = computeRatioVariance(sums);
  return variance === 0 ? most : Math.min(most, (rate * (1 - rate)) / variance);
}

/** Wilson's score interval of a rate over n answers; `t` is 1.96 for 95 %. */
export function computeWilsonInterval(rate: number, n: number, t: number): Interval {
  const scale = 1 + (t * t) / n;
  const centre = (rate + (t * t) / (2 * n)) / scale;
  const half = (t / scale) * Math.sqrt((rate * (1 - rate)) / n + (t * t) / (4 * n * n));
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}
