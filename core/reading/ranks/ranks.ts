import type { BrandRank, Capture, Mention } from "../capture.ts";
import type { CompiledCatalog } from "../catalog.ts";
import { parseHost, lookUpHost, registrableDomain } from "../../identity/domains.ts";
import type { AnswerList } from "./list-labels.ts";
import { findLabelledLines, splitLines, findMarkedLists, findSpacedLists } from "./list-lines.ts";
import { findCardStrips, findGluedTables, findTables } from "./list-tables.ts";

/** First list of an answer whose items are about brands (docs/measurement.md). */
function findRankedList(text: string, mentions: Mention[]): AnswerList | undefined {
  if (mentions.length === 0) return undefined;
  const lines = splitLines(text);
  const lists = [
    ...findCardStrips(text, mentions),
    ...findTables(text, mentions),
    ...findMarkedLists(text, mentions, lines),
    ...findSpacedLists(text, mentions),
    ...findLabelledLines(text, mentions, lines),
    ...findGluedTables(text, mentions, lines),
  ];
  return lists.toSorted((a, b) => a.start - b.start)[0];
}

/** Counts of a brand in a capture, including its sub-brands and products. */
interface BrandCounts {
  mentionCount: number;
  first: number;
  listedRank: number | undefined;
}

/** Ranks brands in an answer: by its list if it has one, else by first mention. */
export function rankBrandsInAnswer(capture: Capture, mentions: Mention[], catalog: CompiledCatalog): BrandRank[] {
  const list = findRankedList(capture.text, mentions);
  const standings = new Map<number, BrandCounts>();
  for (const mention of mentions) {
    for (const number of catalog.lineages[catalog.indexById.get(mention.brand_id) ?? -1] ?? []) {
      const standing = standings.get(number);
      if (standing) standing.mentionCount += 1;
      else standings.set(number, { mentionCount: 1, first: mention.start, listedRank: undefined });
    }
  }
  for (const { position, subjects } of list?.items ?? []) {
    for (const subject of subjects) {
      for (const number of catalog.lineages[catalog.indexById.get(subject.brand_id) ?? -1] ?? []) {
        const standing = standings.get(number);
        if (standing) standing.listedRank = Math.min(standing.listedRank ?? position, position);
      }
    }
  }
  const urls = findFirstUrls(capture, catalog);
  const repeats = findRepeatedItems(list, catalog);
  return toBrandRanks(catalog, standings, (number, standing) => {
    const rank =
      standing.listedRank ?? (list?.length ?? 0) + 1 + countUnlistedRootsBefore(catalog, standings, number, standing);
    return {
      rank,
      brand_rank: rank - repeats.filter((position) => position < rank).length,
      url: urls.get(number) ?? null,
    };
  });
}

/** Positions of items whose brands all had an earlier item. Items without a brand never repeat. */
function findRepeatedItems(list: AnswerList | undefined, catalog: CompiledCatalog): number[] {
  const seen = new Set<number>();
  return (list?.items ?? [])
    .toSorted((a, b) => a.position - b.position)
    .flatMap(({ position, subjects }) => {
      const roots = subjects.map(({ brand_id }) => findRoot(catalog, catalog.indexById.get(brand_id) ?? -1));
      const repeats = roots.length > 0 && roots.every((root) => seen.has(root));
      for (const root of roots) seen.add(root);
      return repeats ? [position] : [];
    });
}

function findRoot({ lineages }: CompiledCatalog, index: number): number {
  return lineages[index]?.at(-1) ?? index;
}

/** Number of other root brands outside the list that are named first before this brand. */
function countUnlistedRootsBefore(
  catalog: CompiledCatalog,
  standings: Map<number, BrandCounts>,
  number: number,
  standing: BrandCounts,
): number {
  const root = catalog.lineages[number]?.at(-1);
  let before = 0;
  for (const [other, { first, listedRank }] of standings) {
    const isRoot = catalog.lineages[other]?.length === 1;
    if (isRoot && other !== root && listedRank === undefined && first < standing.first) before += 1;
  }
  return before;
}

/** First cited page per brand, on its domains or those of its sub-brands and products. */
function findFirstUrls({ citations }: Capture, catalog: CompiledCatalog): Map<number, string> {
  const urls = new Map<number, string>();
  for (const { url } of citations.toSorted((a, b) => a.position - b.position)) {
    const owner = lookUpHost(catalog.hosts, parseHost(url));
    for (const number of owner === undefined ? [] : (catalog.lineages[owner] ?? [])) {
      if (!urls.has(number)) urls.set(number, url);
    }
  }
  return urls;
}

/** By the first result on a brand's domain; mentions on other sites count but give no rank. */
export function rankBrandsInResults({ results }: Capture, mentions: Mention[], catalog: CompiledCatalog): BrandRank[] {
  const best = new Map<number, { rank: number; brand_rank: number; url: string }>();
  const seen = new Set<number | string>();
  let repeats = 0;
  for (const { rank, url } of results.toSorted((a, b) => a.rank - b.rank)) {
    const owner = lookUpHost(catalog.hosts, parseHost(url));
    for (const number of owner === undefined ? [] : (catalog.lineages[owner] ?? [])) {
      if (!best.has(number)) best.set(number, { rank, brand_rank: rank - repeats, url });
    }
    const site = owner === undefined ? registrableDomain(url) : findRoot(catalog, owner);
    if (seen.has(site)) repeats += 1;
    seen.add(site);
  }
  const counts = new Map<number, number>();
  for (const { brand_id } of mentions) {
    for (const number of catalog.lineages[catalog.indexById.get(brand_id) ?? -1] ?? []) {
      counts.set(number, (counts.get(number) ?? 0) + 1);
    }
  }
  const standings = new Map([...best.keys()].map((number) => [number, { mentionCount: counts.get(number) ?? 0 }]));
  return toBrandRanks(catalog, standings, (number) => best.get(number) ?? { rank: 0, brand_rank: 0, url: null });
}

/** Brand ranks, best first; ties in catalog order. */
function toBrandRanks<S extends { mentionCount: number }>(
  catalog: CompiledCatalog,
  standings: Map<number, S>,
  placeOf: (number: number, standing: S) => Pick<BrandRank, "rank" | "brand_rank" | "url">,
): BrandRank[] {
  return [...standings]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([number, standing]) => {
      const brand = catalog.brands[number];
      if (!brand) return [];
      return [{ brand_id: brand.id, mentions: standing.mentionCount, ...placeOf(number, standing) }];
    })
    .toSorted((a, b) => a.rank - b.rank);
}
