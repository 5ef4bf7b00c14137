import { judgeDifference } from "../../statistics/change.ts";
import { computePairDifference, type PairMoments } from "../../statistics/difference.ts";
import { MIN_PROMPTS } from "../../statistics/interval.ts";

/** Answers of one source to the prompts of one template, in one country and persona. */
export interface PairedCell {
  template: string;
  brand: { asked: number; recognisedCount: number };
  lookAlikes: { asked: number; recognisedCount: number };
}

export interface DecoyDifference {
  /** Number of templates used for both the brand and its look-alikes. */
  templates: number;
  /** Null without a common template. */
  delta: number | null;
  /** 95 % interval of the difference; null below five templates. */
  ci_low: number | null;
  ci_high: number | null;
}

/** Weights cells by the answers of the smaller side, and clusters them by template. */
export function computeDecoyDifference(cells: Iterable<PairedCell>): DecoyDifference {
  const templates = new Map<string, { n: number; d: number }>();
  for (const { template, brand, lookAlikes } of cells) {
    const n = Math.min(brand.asked, lookAlikes.asked);
    if (n === 0) continue;
    const own = templates.get(template) ?? { n: 0, d: 0 };
    own.n += n;
    own.d += n * (brand.recognisedCount / brand.asked - lookAlikes.recognisedCount / lookAlikes.asked);
    templates.set(template, own);
  }
  const sums: PairMoments = { promptCount: templates.size, n: 0, d: 0, dd: 0, dn: 0, nn: 0, differing: 0 };
  for (const { n, d } of templates.values()) {
    sums.n += n;
    sums.d += d;
    sums.dd += d * d;
    sums.dn += d * n;
    sums.nn += n * n;
    if (d !== 0) sums.differing += 1;
  }
  if (sums.n === 0) return { templates: 0, delta: null, ci_low: null, ci_high: null };
  const difference = computePairDifference(sums);
  // Uses the minimum of a rate's interval, since only the interval is read and not the test.
  const { delta, ci_low, ci_high } = judgeDifference({
    ...difference,
    isJudgeable: difference.degreesOfFreedom + 1 >= MIN_PROMPTS,
  });
  return { templates: templates.size, delta, ci_low, ci_high };
}
