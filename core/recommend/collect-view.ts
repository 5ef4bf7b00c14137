import type { CollectFacts } from "../measuring/collect-facts.ts";
import type { CollectionMethod, Source } from "../sources.ts";
import type { Histogram } from "../measuring/statistics.ts";

/** Whose presence is looked for, and whose is compared with it. */
export interface Compared {
  ownId: string;
  rivalIds: ReadonlySet<string>;
}

/** What one source brought to a collect, ready to be asked about keywords by their position. */
export interface SourceView {
  source: Source;
  facts: CollectFacts;
  /** Ids of brands, by their numbers in the workspace. */
  brandIds: readonly (string | undefined)[];
  /** Models and collection methods that answered, in one text: another text is another way of measuring. */
  method: string;
}

/** A completed collect as the rules see it. */
export interface CollectView {
  id: string;
  number: number;
  sources: readonly SourceView[];
  collectionMethods: readonly CollectionMethod[];
}

export interface BrandCount {
  brandId: string;
  occurrences: number;
  rankSum: number;
}

/** Answers to some questions, and who appears in them. */
export interface CellCount {
  answers: number;
  own: BrandCount;
  /** Of the competitors the one that appears most, at the better mean rank of two equals; null if none appears. */
  rival: BrandCount | null;
}

/** One keyword, or several, over one source or several: the sums of their cells. */
export function countCells(
  sources: readonly SourceView[],
  keywords: readonly number[],
  { ownId, rivalIds }: Compared,
): CellCount {
  let answers = 0;
  const own: BrandCount = { brandId: ownId, occurrences: 0, rankSum: 0 };
  const rivals = new Map<string, BrandCount>();
  for (const { facts, brandIds } of sources) {
    for (const keyword of keywords) {
      answers += facts.answers[keyword] ?? 0;
      for (let cell = facts.starts[keyword] ?? 0; cell < (facts.starts[keyword + 1] ?? 0); cell += 1) {
        const brandId = brandIds[facts.brands[cell] ?? 0] ?? "";
        const count = brandId === ownId ? own : rivalIds.has(brandId) ? countOf(rivals, brandId) : undefined;
        if (!count) continue;
        count.occurrences += 1;
        count.rankSum += facts.ranks[cell] ?? 0;
      }
    }
  }
  return { answers, own, rival: mostPresent(rivals.values()) };
}

/** How often the own brand had each rank. */
export function ownRanks(sources: readonly SourceView[], keywords: readonly number[], ownId: string): Histogram {
  const ranks = new Map<number, number>();
  for (const { facts, brandIds } of sources) {
    const own = brandIds.indexOf(ownId);
    for (const keyword of keywords) {
      for (let cell = facts.starts[keyword] ?? 0; cell < (facts.starts[keyword + 1] ?? 0); cell += 1) {
        if (facts.brands[cell] !== own) continue;
        const rank = facts.ranks[cell] ?? 0;
        ranks.set(rank, (ranks.get(rank) ?? 0) + 1);
      }
    }
  }
  return ranks;
}

/** The count with the most appearances; of two with as many, the one that ranks better. */
export function mostPresent(counts: Iterable<BrandCount>): BrandCount | null {
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

/** Mean rank where present; null if the brand never is. */
export function meanRank({ occurrences, rankSum }: BrandCount): number | null {
  return occurrences === 0 ? null : rankSum / occurrences;
}

function countOf(counts: Map<string, BrandCount>, brandId: string): BrandCount {
  let count = counts.get(brandId);
  if (!count) counts.set(brandId, (count = { brandId, occurrences: 0, rankSum: 0 }));
  return count;
}
