import type { CollectFacts } from "./collect-facts.ts";
import { rankWeight, type BrandSums, type Sums } from "./metrics.ts";

/** Which keywords count: 1 at the position of each that does. Null if all do. */
export type KeywordMask = Uint8Array | null;

/** Keywords whose presence is kept in the bits of one number per brand. */
const KEYWORDS_AT_ONCE = 32;

interface RunningSums {
  total: number;
  occurrences: Float64Array;
  mentions: Float64Array;
  ranks: Float64Array;
  weights: Float64Array;
  keywords: Uint32Array;
  /** Per brand a bit for each keyword of the current block in which it appears. */
  seen: Uint32Array;
}

/** Blocks of one collect and source after which others can have their turn: a few milliseconds of work. */
const BLOCKS_AT_ONCE = 400;

/**
 * Sums facts of several sources and collects of one analysis in one pass over the cells of the chosen keywords. A
 * keyword counts once for a brand, in however many of them the brand appears.
 */
export function sumFacts(all: readonly CollectFacts[], mask: KeywordMask): Sums {
  const summing = sumFactsInParts(all, mask);
  for (;;) {
    const part = summing.next();
    if (part.done) return part.value;
  }
}

/** The same, yielding where others can have their turn. */
export function* sumFactsInParts(all: readonly CollectFacts[], mask: KeywordMask): Generator<undefined, Sums> {
  const { ids, places } = commonBrands(all);
  const sums: RunningSums = {
    total: 0,
    occurrences: new Float64Array(ids.length),
    mentions: new Float64Array(ids.length),
    ranks: new Float64Array(ids.length),
    weights: new Float64Array(ids.length),
    keywords: new Uint32Array(ids.length),
    seen: new Uint32Array(ids.length),
  };
  let blocks = 0;
  const keywords = Math.max(0, ...all.map((facts) => facts.answers.length));
  for (let first = 0; first < keywords; first += KEYWORDS_AT_ONCE) {
    for (const [index, facts] of all.entries()) {
      addBlock(facts, first, { mask, places: places[index] ?? new Uint32Array(), sums });
    }
    countSeen(sums);
    blocks += all.length;
    if (blocks < BLOCKS_AT_ONCE) continue;
    blocks = 0;
    yield;
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
  return { total: sums.total, brands };
}

// The loop of every filtered request. Indices stay inside the columns, so `?? 0` never applies.
function addBlock(
  facts: CollectFacts,
  first: number,
  to: { mask: KeywordMask; places: Uint32Array; sums: RunningSums },
): void {
  const { mask, places, sums } = to;
  const { answers, starts } = facts;
  const { occurrences, mentions, ranks, weights, seen } = sums;
  const end = Math.min(first + KEYWORDS_AT_ONCE, answers.length);
  for (let keyword = first; keyword < end; keyword += 1) {
    if (mask && mask[keyword] !== 1) continue;
    const bit = 1 << (keyword - first);
    sums.total += answers[keyword] ?? 0;
    const last = starts[keyword + 1] ?? 0;
    for (let cell = starts[keyword] ?? 0; cell < last; cell += 1) {
      const brand = places[facts.brands[cell] ?? 0] ?? 0;
      const times = facts.occurrences[cell] ?? 0;
      const rank = facts.ranks[cell] ?? 0;
      occurrences[brand] = (occurrences[brand] ?? 0) + times;
      mentions[brand] = (mentions[brand] ?? 0) + (facts.mentions[cell] ?? 0);
      ranks[brand] = (ranks[brand] ?? 0) + times * rank;
      weights[brand] = (weights[brand] ?? 0) + times * weightOf(rank);
      seen[brand] = (seen[brand] ?? 0) | bit;
    }
  }
}

function countSeen({ seen, keywords }: RunningSums): void {
  for (let brand = 0; brand < seen.length; brand += 1) {
    for (let bits = seen[brand] ?? 0; bits !== 0; bits &= bits - 1) keywords[brand] = (keywords[brand] ?? 0) + 1;
    seen[brand] = 0;
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
