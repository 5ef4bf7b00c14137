import { quantile } from "./student.ts";

/** Fewer prompts than this say nothing about prompts like them. */
export const LEAST_PROMPTS = 5;

/** Where fewer prompts than this have the brand, or lack it, their spread cannot be told from so few. */
const FEW_PROMPTS = 10;

/**
 * Sums over prompts, with all that was asked of each, of one brand's figure in one selection: `x` is a prompt's sum of a
 * value between 0 and 1 over its `n` answers. Of a share of voice `x` is the brand's weight and `n` that of all brands; of
 * an average rank `x` is the sum of ranks and `n` the answers that have the brand, over the prompts that have it.
 */
export interface Moments {
  prompts: number;
  n: number;
  x: number;
  /** Σ x_i², Σ x_i·n_i, Σ n_i². */
  xx: number;
  xn: number;
  nn: number;
  /** Prompts with x_i > 0. */
  have: number;
  /** Prompts with x_i < n_i. */
  lack: number;
}

/** How often each prompt was asked: runs per source, and sources. */
export interface Design {
  runs: number;
  sources: number;
}

export interface Interval {
  low: number;
  high: number;
}

/** The sums of prompts one by one. Those without an answer do not count. */
export function momentsOf(clusters: Iterable<{ x: number; n: number }>): Moments {
  const sums: Moments = { prompts: 0, n: 0, x: 0, xx: 0, xn: 0, nn: 0, have: 0, lack: 0 };
  for (const { x, n } of clusters) {
    if (n <= 0) continue;
    sums.prompts += 1;
    sums.n += n;
    sums.x += x;
    sums.xx += x * x;
    sums.xn += x * n;
    sums.nn += n * n;
    if (x > 0) sums.have += 1;
    if (x < n) sums.lack += 1;
  }
  return sums;
}

/**
 * Holds the rate of prompts like these, in a collect like this one, in 95 of 100 collects: Wilson's score interval (1927,
 * JASA 22) with the effective number of answers (Korn and Graubard, 1998, Survey Methodology 24) and t of prompts − 1
 * degrees. A brand that was never seen has 0 to 1 − 0.05^(1/prompts), by prompts; one that always was, the mirror of it.
 * Null below five prompts.
 */
export function rateInterval(sums: Moments, design: Design): Interval | null {
  const { prompts, n, x } = sums;
  if (prompts < LEAST_PROMPTS || n <= 0) return null;
  const reach = 1 - 0.05 ** (1 / prompts);
  if (sums.have === 0) return { low: 0, high: reach };
  if (sums.lack === 0) return { low: 1 - reach, high: 1 };
  return wilsonInterval(x / n, effectiveAnswers(sums, design), quantile(0.975, prompts - 1));
}

/** Mean rank over the prompts that have the brand, of which the sums are; best is 1. */
export function rankInterval(sums: Moments): Interval | null {
  return meanInterval(sums, { least: 1, most: Infinity, step: 0 });
}

/**
 * A mean, r ± t·√V with t of prompts − 1 degrees, over prompts with `n` values that sum up to `x` each, within the ends of its scale. Null
 * below five prompts: two to four would give intervals of a rank of 12 to 19 places. Where the values of a scale with steps are nearly all
 * alike, Σ(x_i − r·n_i)² counts as that of one step: one answer might have been the next value.
 */
export function meanInterval(sums: Moments, scale: { least: number; most: number; step: number }): Interval | null {
  if (sums.prompts < LEAST_PROMPTS) return null;
  const mean = sums.x / sums.n;
  const half = quantile(0.975, sums.prompts - 1) * Math.sqrt(ratioVariance(sums, scale.step ** 2));
  return { low: Math.max(scale.least, mean - half), high: Math.min(scale.most, mean + half) };
}

/** What a rate, 0 to 1, with its interval is good for: to decide, to see a direction, or to look further. */
export function gradeOf(
  rate: number,
  interval: Interval | null,
  prompts: number,
): "decision" | "directional" | "exploratory" {
  if (interval === null) return "exploratory";
  const half = (interval.high - interval.low) / 2;
  if (prompts >= 20 && half <= Math.min(0.05, rate / 2)) return "decision";
  return prompts >= 12 && half <= Math.min(0.1, rate) ? "directional" : "exploratory";
}

/** A share with its interval and grade. */
export interface Estimate {
  /** x / n; null where n is 0. */
  share: number | null;
  interval: Interval | null;
  grade: ReturnType<typeof gradeOf>;
}

/** The share of prompts that `sources` sources answered, `answers` times in all; without an interval unless `isTold`. */
export function estimateOf(
  moments: Moments,
  { sources, answers = moments.n, isTold = true }: { sources: number; answers?: number; isTold?: boolean },
): Estimate {
  const { n, x, prompts } = moments;
  const asked = Math.max(1, sources);
  const runs = Math.max(1, prompts === 0 ? 1 : answers / prompts / asked);
  const interval = isTold ? rateInterval(moments, { runs, sources: asked }) : null;
  const share = n === 0 ? null : x / n;
  return { share, interval, grade: gradeOf(share ?? 0, interval, prompts) };
}

/**
 * Variance of x/n, a ratio of sums over prompts, linearised: P/(P − 1) · Σ(x_i − r·n_i)² / n² (Cochran, "Sampling
 * Techniques", 3rd edition, 6.13 and 9A). The sum is at least `least`.
 */
function ratioVariance({ prompts, n, x, xx, xn, nn }: Moments, least = 0): number {
  const ratio = x / n;
  const squares = Math.max(least, xx - 2 * ratio * xn + ratio * ratio * nn);
  return ((prompts / (prompts - 1)) * squares) / (n * n);
}

/**
 * How many independent answers would tell as much. Never more than there are, and where few prompts have the brand, or
 * lack it, at most what a correlation of 0.25 between runs and 0.12 between sources leaves, as recorded answers have it.
 */
function effectiveAnswers(sums: Moments, { runs, sources }: Design): number {
  const rate = sums.x / sums.n;
  const few = Math.min(sums.have, sums.lack) < FEW_PROMPTS;
  const most = few ? sums.n / (1 + 0.25 * (runs - 1) + 0.12 * runs * (sources - 1)) : sums.n;
  const variance = ratioVariance(sums);
  return variance === 0 ? most : Math.min(most, (rate * (1 - rate)) / variance);
}

/** Wilson's score interval of a rate, 0 to 1, of n; `t` is the quantile of its level, 1.96 for 95 %. */
export function wilsonInterval(rate: number, n: number, t: number): Interval {
  const scale = 1 + (t * t) / n;
  const centre = (rate + (t * t) / (2 * n)) / scale;
  const half = (t / scale) * Math.sqrt((rate * (1 - rate)) / n + (t * t) / (4 * n * n));
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}
