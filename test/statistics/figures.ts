/** Averages, extremes and words for the figures that the proofs of this folder print. */
export function meanOfAll(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function minOf(values: readonly number[]): number {
  return values.reduce((low, value) => Math.min(low, value), Infinity);
}

export function maxOf(values: readonly number[]): number {
  return values.reduce((high, value) => Math.max(high, value), -Infinity);
}

/** "95.1 (93.7)": percent, the mean and the worst. */
export function formatPercents(...values: readonly number[]): string {
  const [first, ...others] = values.map((value) => (100 * value).toFixed(1));
  return others.length === 0 ? `${first}` : `${first} (${others.join(", ")})`;
}
