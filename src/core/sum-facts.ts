import type { CollectFacts } from "./collect-facts.ts";
import { rankWeight, type BrandSums, type Sums } from "./metrics.ts";

/** Which keywords count: 1 at the position of each that does. Null where all do. */
export type KeywordMask = Uint8Array | null;

/**
 * Sums facts of several sources and collects of one analysis in one pass over the cells of the chosen keywords. A
 * keyword counts once for a brand, in however many of them the brand appears.
 */
export function sumFacts(all: readonly CollectFacts[], mask: KeywordMask): Sums {
  const { ids, places } = commonBrands(all);
  const sums = {
    occurrences: new Float64Array(ids.length),
    mentions: new Float64Array(ids.length),
    keywords: new Uint32Array(ids.length),
    ranks: new Float64Array(ids.length),
    weights: new Float64Array(ids.length),
    lastKeyword: new Int32Array(ids.length).fill(-1),
  };
  const keywords = Math.max(0, ...all.map((facts) => facts.answers.length));
  let total = 0;
  for (let keyword = 0; keyword < keywords; keyword += 1) {
    if (mask && mask[keyword] !== 1) continue;
    for (const [index, facts] of all.entries()) {
      total += facts.answers[keyword] ?? 0;
      addCells(facts, keyword, places[index] ?? new Uint32Array(), sums);
    }
  }
  const brands = new Map<string, BrandSums>();
  for (const [brand, id] of ids.entries()) {
    if (sums.occurrences[brand] === 0) continue;
    brands.set(id, {
      occurrences: sums.occurrences[brand] ?? 0,
      total_mentions: sums.mentions[brand] ?? 0,
      nb_keywords: sums.keywords[brand] ?? 0,
      rank_sum: sums.ranks[brand] ?? 0,
      weight_sum: sums.weights[brand] ?? 0,
    });
  }
  return { total, brands };
}

interface RunningSums {
  occurrences: Float64Array;
  mentions: Float64Array;
  keywords: Uint32Array;
  ranks: Float64Array;
  weights: Float64Array;
  lastKeyword: Int32Array;
}

// The loop of every filtered request: indices stay inside the columns, so `?? 0` never applies and costs nothing.
function addCells(facts: CollectFacts, keyword: number, places: Uint32Array, sums: RunningSums): void {
  const end = facts.starts[keyword + 1] ?? 0;
  for (let cell = facts.starts[keyword] ?? end; cell < end; cell += 1) {
    const brand = places[facts.brands[cell] ?? 0] ?? 0;
    const occurrences = facts.occurrences[cell] ?? 0;
    const rank = facts.ranks[cell] ?? 0;
    sums.occurrences[brand] = (sums.occurrences[brand] ?? 0) + occurrences;
    sums.mentions[brand] = (sums.mentions[brand] ?? 0) + (facts.mentions[cell] ?? 0);
    sums.ranks[brand] = (sums.ranks[brand] ?? 0) + occurrences * rank;
    sums.weights[brand] = (sums.weights[brand] ?? 0) + occurrences * weightOf(rank);
    if (sums.lastKeyword[brand] !== keyword) {
      sums.lastKeyword[brand] = keyword;
      sums.keywords[brand] = (sums.keywords[brand] ?? 0) + 1;
    }
  }
}

const WEIGHTS = Float64Array.from({ length: 1024 }, (_, rank) => (rank === 0 ? 0 : rankWeight(rank)));

function weightOf(rank: number): number {
  return WEIGHTS[rank] ?? rankWeight(rank);
}

/** One numbering of brands for all facts. Sources of one collect share their list, so it is decoded once. */
function commonBrands(all: readonly CollectFacts[]): { ids: string[]; places: Uint32Array[] } {
  const ids: string[] = [];
  const known = new Map<string, number>();
  let last: { bytes: Uint8Array; places: Uint32Array } | undefined;
  const places = all.map(({ brandIds }) => {
    if (last && Buffer.compare(last.bytes, brandIds) === 0) return last.places;
    const own = JSON.parse(new TextDecoder().decode(brandIds)) as string[]; // as packFacts wrote it
    const numbered = Uint32Array.from(own, (id) => {
      const place = known.get(id) ?? ids.push(id) - 1;
      known.set(id, place);
      return place;
    });
    last = { bytes: brandIds, places: numbered };
    return numbered;
  });
  return { ids, places };
}
