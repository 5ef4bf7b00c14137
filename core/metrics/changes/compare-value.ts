import {
  pairDifference,
  seriesDifference,
  shareDifference,
  type Difference,
  type PairMoments,
  type SeriesMoments,
} from "../../statistics/difference.ts";
import type { RivalChange } from "../../statistics/field.ts";
import { addBrandShare, type ShareMoments } from "../../statistics/share-moments.ts";
import type { Comparison } from "./compare-facts.ts";
import { emptyComparison, type BrandComparison } from "./comparison-sums.ts";

/** A brand's value on both sides; null if the denominator is 0. */
export interface ComparedValue {
  difference: Difference;
  before: number | null;
  after: number | null;
}

/** Compares a brand's metric over the common cells. */
export function compareValue(comparison: Comparison, brand: number): ComparedValue {
  const { earlier, n, voice } = comparison;
  if (voice) return compareShare(voice, comparison.brands.get(brand));
  const own = comparison.brands.get(brand);
  const difference: Difference =
    earlier === 1 ? pairDifference(pairMoments(comparison, brand)) : seriesDifference(seriesMoments(comparison, brand));
  return { difference, before: divide(own?.before ?? 0, earlier * n), after: divide(own?.after ?? 0, n) };
}

function compareShare(voice: ShareMoments, own: BrandComparison | undefined): ComparedValue {
  const sums = structuredClone(voice);
  for (const { x, n } of own?.weights ?? []) addBrandShare(sums, x, n);
  const { before, after } = sums;
  return {
    difference: shareDifference(sums),
    before: divide(before.x, before.n),
    after: divide(after.x, after.n),
  };
}

function divide(x: number, n: number): number | null {
  return n === 0 ? null : x / n;
}

function pairMoments({ promptCount, n, nn, brands }: Comparison, brand: number): PairMoments {
  return { prompts: promptCount, n, nn, ...(brands.get(brand)?.pairs ?? emptyComparison().pairs) };
}

function seriesMoments({ earlier, promptCount, n, brands }: Comparison, brand: number): SeriesMoments {
  const own = brands.get(brand) ?? emptyComparison();
  return {
    earlier,
    prompts: promptCount,
    before: { x: own.before, n: earlier * n },
    after: { x: own.after, n },
    ...own.series,
  };
}

/** Changes of the rivals for `isFieldMoving`, from a comparison with differences. */
export function rivalChanges({ differences }: Comparison, rivals: Iterable<number>): RivalChange[] {
  return [...rivals].flatMap((brand) => differences.get(brand) ?? []);
}
