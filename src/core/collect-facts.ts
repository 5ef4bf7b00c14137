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
  rows: Iterable<FactRow>,
  brandIds: readonly string[],
): Buffer {
  const places = new Map(brandIds.map((id, place) => [id, place]));
  const cells = new Map<string, FactRow & { brand: number }>();
  for (const row of rows) {
    const brand = places.get(row.brandId);
    if (brand === undefined) throw new Error("a fact of a brand that is not listed");
    const key = `${row.keyword} ${brand} ${row.rank}`;
    const cell = cells.get(key);
    if (!cell) cells.set(key, { ...row, brand });
    else {
      cell.occurrences += row.occurrences;
      cell.mentions += row.mentions;
    }
  }
  const ordered = [...cells.values()].toSorted((a, b) => a.keyword - b.keyword || a.brand - b.brand || a.rank - b.rank);
  const starts = Array.from({ length: answersPerKeyword.length + 1 }, () => 0);
  for (const { keyword } of ordered) starts[keyword + 1] = (starts[keyword + 1] ?? 0) + 1;
  for (let k = 1; k < starts.length; k += 1) starts[k] = (starts[k] ?? 0) + (starts[k - 1] ?? 0);
  const columns = [
    Uint32Array.from(starts),
    wholeNumbers(answersPerKeyword),
    wholeNumbers(ordered.map((cell) => cell.brand)),
    wholeNumbers(ordered.map((cell) => cell.rank)),
    wholeNumbers(ordered.map((cell) => cell.occurrences)),
    wholeNumbers(ordered.map((cell) => cell.mentions)),
  ];
  return packColumns(columns, JSON.stringify(brandIds));
}

export function openFacts(packed: Uint8Array): CollectFacts {
  const { columns, text } = unpackColumns(packed);
  const [starts, answers, brands, ranks, occurrences, mentions] = columns;
  if (!starts || !answers || !brands || !ranks || !occurrences || !mentions)
    throw new Error("packed facts lack a column");
  return { starts, answers, brands, ranks, occurrences, mentions, brandIds: text };
}
