import type { CollectFacts, CollectionWay } from "../metrics/facts/collect-facts.ts";
import type { CollectionMethod, Source } from "../sources/sources.ts";

export interface ComparedBrands {
  ownId: string;
  rivalIds: ReadonlySet<string>;
}

export interface SourceView {
  source: Source;
  facts: CollectFacts;
  /** Brand ids by brand number. */
  brandIds: readonly (string | undefined)[];
  /** Collection ways (method and model), indexed by `wayOf` of the facts. */
  provenances: readonly CollectionWay[];
}

export interface CollectView {
  id: string;
  collectNumber: number;
  sources: readonly SourceView[];
  collectionMethods: readonly CollectionMethod[];
}

export interface BrandCount {
  brandId: string;
  occurrences: number;
  rankSum: number;
}

export interface CellCount {
  answers: number;
  ownBrand: BrandCount;
  /** Competitor with the most occurrences, ties by mean rank; null if none occurs. */
  rival: BrandCount | null;
}

export function countCells(
  sources: readonly SourceView[],
  keywords: readonly number[],
  { ownId, rivalIds }: ComparedBrands,
): CellCount {
  let answers = 0;
  const ownBrand: BrandCount = { brandId: ownId, occurrences: 0, rankSum: 0 };
  const rivals = new Map<string, BrandCount>();
  for (const { facts, brandIds } of sources) {
    for (const keyword of keywords) {
      answers += facts.answers[keyword] ?? 0;
      for (let cell = facts.rowStarts[keyword] ?? 0; cell < (facts.rowStarts[keyword + 1] ?? 0); cell += 1) {
        const brandId = brandIds[facts.brands[cell] ?? 0] ?? "";
        const count =
          brandId === ownId ? ownBrand : rivalIds.has(brandId) ? findOrAddCount(rivals, brandId) : undefined;
        if (!count) continue;
        count.occurrences += 1;
        count.rankSum += facts.ranks[cell] ?? 0;
      }
    }
  }
  return { answers, ownBrand, rival: findMostMentioned(rivals.values()) };
}

/** Brand with the most occurrences, ties by better rank. */
export function findMostMentioned(counts: Iterable<BrandCount>): BrandCount | null {
  let most: BrandCount | null = null;
  for (const count of counts) {
    if (count.occurrences === 0) continue;
    const better =
      most === null ||
      count.occurrences > most.occurrences ||
      (count.occurrences === most.occurrences && count.rankSum < most.rankSum);
    if (better) most = count;
  }
  return most;
}

export function meanRank({ occurrences, rankSum }: BrandCount): number | null {
  return occurrences === 0 ? null : rankSum / occurrences;
}

/** True if both collects answered the keyword by the same method and model. */
export function haveSameCollectionWay(one: SourceView, other: SourceView, keyword: number): boolean {
  const [way, otherWay] = [findProvenance(one, keyword), findProvenance(other, keyword)];
  return way !== undefined && way.method === otherWay?.method && way.model === otherWay.model;
}

function findProvenance({ facts, provenances }: SourceView, keyword: number): CollectionWay | undefined {
  return provenances[(facts.wayOf[keyword] ?? 0) - 1];
}

function findOrAddCount(counts: Map<string, BrandCount>, brandId: string): BrandCount {
  let count = counts.get(brandId);
  if (!count) counts.set(brandId, (count = { brandId, occurrences: 0, rankSum: 0 }));
  return count;
}
