import {
  computePairDifference,
  computeSeriesDifference,
  computeShareDifference,
  type Difference,
  type PairMoments,
  type SeriesMoments,
} from "../../statistics/difference.ts";
import type { RivalChange } from "../../statistics/field.ts";
import { addBrandShare, type ShareMoments } from "../../statistics/share-moments.ts";
import type { Comparison } from "./compare-facts.ts";
import { createEmptyComparison, type BrandComparison } from "./comparison-sums.ts";

/** Values are null if the denominator is 0. */
export interface ComparedValue {
  difference: Difference;
  valueBefore: number | null;
  valueAfter: number | null;
}

export function compareValue(comparison: Comparison, brand: number): ComparedValue {
  const { earlier, n, voice } = comparison;
  if (voice) return compareShare(voice, comparison.brands.get(brand));
  const own = comparison.brands.get(brand);
  const difference: Difference =
    earlier === 1
      ? computePairDifference(buildPairMoments(comparison, brand))
      : computeSeriesDifference(buildSeriesMoments(comparison, brand));
  return {
    difference,
    valueBefore: divide(own?.sumBefore ?? 0, earlier * n),
    valueAfter: divide(own?.sumAfter ?? 0, n),
  };
}

function compareShare(voice: ShareMoments, own: BrandComparison | undefined): ComparedValue {
  const sums = structuredClone(voice);
  for (const { x, n } of own?.promptWeights ?? []) addBrandShare(sums, x, n);
  const { before, after } = sums;
  return {
    difference: computeShareDifference(sums),
    valueBefore: divide(before.x, before.n),
    valueAfter: divide(after.x, after.n),
  };
}

function divide(x: number, n: number): number | null {
  return n === 0 ? null : x / n;
}

function buildPairMoments({ promptCount, n, nn, brands }: Comparison, brand: number): PairMoments {
  return {
    promptCount: promptCount,
    n,
    nn,
    ...(brands.get(brand)?.pairMoments ?? createEmptyComparison().pairMoments),
  };
}

function buildSeriesMoments({ earlier, promptCount, n, brands }: Comparison, brand: number): SeriesMoments {
  const own = brands.get(brand) ?? createEmptyComparison();
  return {
    earlier,
    promptCount: promptCount,
    before: { x: own.sumBefore, n: earlier * n },
    after: { x: own.sumAfter, n },
    ...own.seriesMoments,
  };
}

/** Needs a comparison that keeps the difference of each prompt. */
export function listRivalChanges({ differences }: Comparison, rivals: Iterable<number>): RivalChange[] {
  return [...rivals].flatMap((brand) => differences.get(brand) ?? []);
}
