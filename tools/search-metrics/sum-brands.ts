import { setImmediate as nextTurn } from "node:timers/promises";
import {
  listBrandRollups,
  listCollectTotals,
  listFacts,
  listKeywordPositions,
  type KeywordFilter,
} from "../../db/measuring/search-metrics.ts";
import type { Db } from "../../db/engine/store.ts";
import { openFacts, type CollectFacts } from "../../core/measuring/collect-facts.ts";
import type { CountedAnswers } from "./basis.ts";
import type { BrandSums, Sums } from "../../core/measuring/metrics.ts";
import { ALL_SOURCES, KEYWORD_TYPES, type Source, type SummedSource } from "../../core/sources.ts";
import { sumFactsInParts, type KeywordMask } from "../../core/measuring/sum-facts.ts";

export interface BrandSelection {
  projectId: string;
  filter: KeywordFilter;
  sources: readonly Source[];
}

/** Sums over one group of collects, and which answers they count. */
export interface CountedSums extends Sums {
  counted: CountedAnswers[];
}

/**
 * Sums of every brand over each group of collects: from stored rollups where the selection is one collect with one or
 * all of its sources, in one pass over packed facts otherwise.
 */
export async function sumBrands(
  db: Db,
  selection: BrandSelection,
  groups: readonly string[][],
): Promise<CountedSums[]> {
  let mask: KeywordMask | undefined;
  const sums: CountedSums[] = [];
  for (const collectIds of groups) {
    let sum = await sumRollups(db, selection, collectIds);
    if (!sum) {
      if (mask === undefined) mask = await keywordMask(db, selection);
      sum = await sumPacked(db, { collectIds, sources: selection.sources, mask });
    }
    sums.push(sum);
  }
  return sums;
}

/** In parts, with turns for others in between. */
async function sumPacked(
  db: Db,
  { collectIds, sources, mask }: { collectIds: readonly string[]; sources: readonly Source[]; mask: KeywordMask },
): Promise<CountedSums> {
  const facts: CollectFacts[] = [];
  const counted: CountedAnswers[] = [];
  for (const collectId of collectIds) {
    for (const { source, facts: packed } of await listFacts(db, collectId, sources)) {
      const opened = openFacts(packed);
      facts.push(opened);
      counted.push({ collectId, source, answers: countMasked(opened.answers, mask) });
    }
    await nextTurn();
  }
  const summing = sumFactsInParts(facts, mask);
  for (;;) {
    const part = summing.next();
    if (part.done) return { ...part.value, counted };
    await nextTurn();
  }
}

/** Undefined if the rollups do not have the sums. */
async function sumRollups(
  db: Db,
  { filter, sources }: BrandSelection,
  collectIds: readonly string[],
): Promise<CountedSums | undefined> {
  const [collectId] = collectIds;
  if (collectId === undefined) return { total: 0, brands: new Map(), counted: [] };
  if (collectIds.length > 1 || narrowsBeyondType(filter)) return undefined;
  const totals = await listCollectTotals(db, collectId);
  const source = rollupSource(
    totals.map((row) => row.source),
    sources,
  );
  if (source === undefined) return undefined;
  const sums: CountedSums = { total: 0, brands: new Map(), counted: [] };
  for (const row of totals) {
    if (!filter.types.includes(row.keywordType)) continue;
    if (row.source === source) sums.total += row.total;
    const { source: own, total: answers } = row;
    if (own !== ALL_SOURCES && sources.includes(own)) sums.counted.push({ collectId, source: own, answers });
  }
  for (const keywordType of filter.types) {
    for (const { brandId, ...row } of await listBrandRollups(db, { collectId, source, keywordType })) {
      const sum = sums.brands.get(brandId);
      sums.brands.set(brandId, sum ? added(sum, row) : row);
    }
  }
  return sums;
}

function added(one: BrandSums, other: BrandSums): BrandSums {
  return {
    occurrences: one.occurrences + other.occurrences,
    total_mentions: one.total_mentions + other.total_mentions,
    nb_keywords: one.nb_keywords + other.nb_keywords,
    rank_sum: one.rank_sum + other.rank_sum,
    weight_sum: one.weight_sum + other.weight_sum,
  };
}

/** The stored source that stands for the chosen ones: one of them, or ALL where they are all that was asked. */
function rollupSource(stored: readonly SummedSource[], chosen: readonly Source[]): SummedSource | undefined {
  const asked = new Set(stored.filter((source) => source !== ALL_SOURCES));
  const common = chosen.filter((source) => asked.has(source));
  if (common.length === asked.size) return ALL_SOURCES;
  return common.length === 1 ? common[0] : undefined;
}

/** True for a filter that the rollups do not know: they are by collect, source and keyword type. */
export function narrowsBeyondType({ types: _types, perception, ...lists }: KeywordFilter): boolean {
  return perception !== null || Object.values(lists).some((list) => list.length > 0);
}

function countMasked(answers: CollectFacts["answers"] | readonly number[], mask: KeywordMask): number {
  let sum = 0;
  for (const [keyword, count] of answers.entries()) if (!mask || mask[keyword] === 1) sum += count;
  return sum;
}

async function keywordMask(db: Db, { projectId, filter }: BrandSelection): Promise<KeywordMask> {
  if (filter.types.length === KEYWORD_TYPES.length && !narrowsBeyondType(filter)) return null;
  const positions = await listKeywordPositions(db, projectId, filter);
  const mask = new Uint8Array((positions.at(-1) ?? -1) + 1);
  for (const position of positions) mask[position] = 1;
  return mask;
}
