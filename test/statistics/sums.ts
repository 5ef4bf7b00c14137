import type { PairMoments, SeriesMoments } from "../../core/statistics/difference.ts";

// Sums of one brand from its prompts; the product computes those of all brands in one pass.

/** Prompts have `n` answers on each side. */
export function pairMomentsOf(pairs: Iterable<{ before: number; after: number; n: number }>): PairMoments {
  const sums: PairMoments = { promptCount: 0, n: 0, d: 0, dd: 0, dn: 0, nn: 0, differing: 0 };
  for (const { before, after, n } of pairs) {
    if (n <= 0) continue;
    const d = after - before;
    sums.promptCount += 1;
    sums.n += n;
    sums.d += d;
    sums.dd += d * d;
    sums.dn += d * n;
    sums.nn += n * n;
    if (d !== 0) sums.differing += 1;
  }
  return sums;
}

/** Prompts have `n` answers per collect and the same number of earlier collects. */
export function seriesMomentsOf(
  prompts: Iterable<{ before: readonly number[]; after: number; n: number }>,
): SeriesMoments {
  const sums = {
    earlier: 0,
    promptCount: 0,
    before: { x: 0, n: 0 },
    after: { x: 0, n: 0 },
    xx: 0,
    varying: 0,
    differing: 0,
  };
  for (const { before, after, n } of prompts) {
    if (n <= 0) continue;
    const k = before.length;
    const sum = before.reduce((all, x) => all + x, 0);
    const mean = (sum + after) / (k + 1);
    const squares = before.reduce((all, x) => all + (x - mean) ** 2, (after - mean) ** 2);
    sums.earlier = k;
    sums.promptCount += 1;
    sums.before.x += sum;
    sums.before.n += k * n;
    sums.after.x += after;
    sums.after.n += n;
    sums.xx += squares / k;
    if (squares > 1e-9) sums.varying += 1;
    if (Math.abs(after - sum / k) > 1e-9) sums.differing += 1;
  }
  return sums;
}
