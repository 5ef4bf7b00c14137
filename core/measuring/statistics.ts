/** Below this many answers on either side nothing is called a change (measurement.md section 3). */
export const LEAST_FOR_CHANGE = 10;

/** The chance below which a difference is not put down to chance. */
export const SIGNIFICANCE = 0.05;

/** Share of `total` in which something was seen. */
export interface Proportion {
  occurrences: number;
  total: number;
}

/**
 * Interval that holds the true share in 95 of 100 such samples (E. B. Wilson, 1927, JASA 22, formula of the score
 * interval). Null for an empty sample. Both ends are between 0 and 1.
 */
export function wilsonInterval({ occurrences, total }: Proportion): { low: number; high: number } | null {
  if (total === 0) return null;
  const z = 1.959963984540054;
  const share = occurrences / total;
  const scale = 1 + (z * z) / total;
  const centre = (share + (z * z) / (2 * total)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total));
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/**
 * Two-sided p-value of the difference of two shares: z-test with the pooled share (Fleiss, Levin, Paik, "Statistical
 * Methods for Rates and Proportions", 3rd edition, section 3.1, without continuity correction). Null for an empty sample.
 */
export function twoProportionPValue(before: Proportion, after: Proportion): number | null {
  if (before.total === 0 || after.total === 0) return null;
  const pooled = (before.occurrences + after.occurrences) / (before.total + after.total);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / before.total + 1 / after.total));
  if (error === 0) return 1;
  return twoSided((after.occurrences / after.total - before.occurrences / before.total) / error);
}

/** How often each value was seen. */
export type Histogram = ReadonlyMap<number, number>;

/**
 * Two-sided p-value that two samples of ranks come from one distribution: rank-sum test of Wilcoxon, Mann and Whitney
 * with the normal approximation and the correction for ties (Lehmann, "Nonparametrics", 1975, section 1.4). Null for an
 * empty sample.
 */
export function rankSumPValue(before: Histogram, after: Histogram): number | null {
  const [n, m] = [sizeOf(before), sizeOf(after)];
  if (n === 0 || m === 0) return null;
  const values = [...new Set([...before.keys(), ...after.keys()])].toSorted((a, b) => a - b);
  let below = 0;
  let rankSum = 0;
  let ties = 0;
  for (const value of values) {
    const [first, second] = [before.get(value) ?? 0, after.get(value) ?? 0];
    const same = first + second;
    rankSum += second * (below + (same + 1) / 2);
    ties += same ** 3 - same;
    below += same;
  }
  const all = n + m;
  const expected = (m * (all + 1)) / 2;
  const variance = ((n * m) / 12) * (all + 1 - ties / (all * (all - 1)));
  if (variance <= 0) return 1;
  return twoSided((rankSum - expected) / Math.sqrt(variance));
}

/**
 * Which of many tests stand when their false discoveries are to stay under `rate`: the step-up procedure of Benjamini
 * and Hochberg (1995, JRSS B 57). In the order of the p-values given.
 */
export function discoveries(pValues: readonly number[], rate = SIGNIFICANCE): boolean[] {
  const sorted = pValues.toSorted((a, b) => a - b);
  let limit = -1;
  for (const [at, p] of sorted.entries()) if (p <= (rate * (at + 1)) / sorted.length) limit = p;
  return pValues.map((p) => p <= limit);
}

function sizeOf(histogram: Histogram): number {
  let size = 0;
  for (const times of histogram.values()) size += times;
  return size;
}

function twoSided(z: number): number {
  return Math.min(1, erfc(Math.abs(z) / Math.SQRT2));
}

/** Complementary error function for x ≥ 0, relative error below 1.2e-7 (Press et al., "Numerical Recipes", section 6.2). */
function erfc(x: number): number {
  const t = 1 / (1 + x / 2);
  const terms = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
    0.17087277,
  ];
  return t * Math.exp(-x * x + terms.reduceRight((sum, term) => sum * t + term, 0));
}
