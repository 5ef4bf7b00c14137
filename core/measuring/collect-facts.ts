import { packColumns, unpackColumns, wholeNumbers, type Column } from "./packed-columns.ts";

/** A brand at one rank in the answers to one keyword from one source. `keyword` is the keyword's position. */
export interface FactRow {
  keyword: number;
  brandId: string;
  rank: number;
  /** Eligible answers in which the brand has this rank. */
  occurrences: number;
  mentions: number;
}

/**
 * Facts of one collect and source, ordered by keyword. Cells of keyword k are `starts[k]` to `starts[k + 1]`. Whole
 * numbers per rank instead of sums of weights: a sum over any filter is then exact up to the last addition.
 */
export interface CollectFacts {
  starts: Column;
  /** Eligible answers per keyword. */
  answers: Column;
  brands: Column;
  ranks: Column;
  occurrences: Column;
  mentions: Column;
  /** Ids of the brands that `brands` counts, as JSON bytes: the same bytes in every source of a collect. */
  brandIds: Uint8Array;
}

/** Packs rows of one collect and source. Every brand of a row stands in `brandIds`. Rows may repeat and come in any order. */
export function packFacts(
  answersPerKeyword: readonly number[],
  rows: readonly FactRow[],
  brandIds: readonly string[],
): Buffer {
  const places = new Map(brandIds.map((id, place) => [id, place]));
  const ranks = 1 + rows.reduce((most, row) => Math.max(most, row.rank), 0);
  // A cell's key sorts by keyword, then brand, then rank, and holds all three.
  const cells = new Map<number, { occurrences: number; mentions: number }>();
  for (const { keyword, brandId, rank, occurrences, mentions } of rows) {
    const brand = places.get(brandId);
    if (brand === undefined) throw new Error("a fact of a brand that is not listed");
    const key = (keyword * brandIds.length + brand) * ranks + rank;
    const cell = cells.get(key);
    if (!cell) cells.set(key, { occurrences, mentions });
    else {
      cell.occurrences += occurrences;
      cell.mentions += mentions;
    }
  }
  const keys = Float64Array.from(cells.keys()).toSorted();
  const column = (read: (key: number) => number) => wholeNumbers(Array.from(keys, read));
  const columns = [
    startsOf(
      answersPerKeyword.length,
      Array.from(keys, (key) => Math.floor(key / ranks / brandIds.length)),
    ),
    wholeNumbers(answersPerKeyword),
    column((key) => Math.floor(key / ranks) % brandIds.length),
    column((key) => key % ranks),
    column((key) => cells.get(key)?.occurrences ?? 0),
    column((key) => cells.get(key)?.mentions ?? 0),
  ];
  return packColumns(columns, JSON.stringify(brandIds));
}

/** Where the cells of each keyword start, and where the last end. */
function startsOf(keywords: number, keywordOfCells: readonly number[]): Uint32Array {
  const starts = new Uint32Array(keywords + 1);
  for (const keyword of keywordOfCells) starts[keyword + 1] = (starts[keyword + 1] ?? 0) + 1;
  for (let k = 1; k < starts.length; k += 1) starts[k] = (starts[k] ?? 0) + (starts[k - 1] ?? 0);
  return starts;
}

export function openFacts(packed: Uint8Array): CollectFacts {
  const { columns, text } = unpackColumns(packed);
  const [starts, answers, brands, ranks, occurrences, mentions] = columns;
  if (!starts || !answers || !brands || !ranks || !occurrences || !mentions)
    throw new Error("packed facts lack a column");
  return { starts, answers, brands, ranks, occurrences, mentions, brandIds: text };
}
