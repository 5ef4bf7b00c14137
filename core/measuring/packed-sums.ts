import {
  brandSumsFrom,
  noBrandSums,
  noCommonSums,
  type BrandCounts,
  type BrandSums,
  type ByBrand,
  type Counts,
  type Sums,
} from "./metrics.ts";
import { packColumns, jsonOf, unpackColumns, wholeNumbers, type Column } from "./packed-columns.ts";

/** Names of a brand's sums, in the order of their columns. */
const FIELDS = Object.keys(noBrandSums()) as (keyof BrandSums)[]; // it has no other keys

/** Those that sums of collects lack which ended before there were any, as they were shown then: each is 0 there. */
const LATER: ReadonlySet<keyof BrandSums> = new Set(["cited_keywords", "full_cited_keywords", "cc", "cn"]);
const NOTHING = new Uint8Array();

/** Sums of a selection that is asked for often, as it is stored: a column for each sum, a row for each brand that appears. */
export function packSums({ brands, ...common }: Sums): Buffer {
  const rows = [...brands].toSorted(([a], [b]) => a - b);
  const columns = FIELDS.map((field) => numbers(rows.map(([, sums]) => sums[field])));
  return packColumns([wholeNumbers(rows.map(([brand]) => brand)), ...columns], JSON.stringify(common));
}

function numbers(values: readonly number[]): Column {
  const whole = values.every((value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32);
  return whole ? wholeNumbers(values) : Float64Array.from(values);
}

/** Opens packed sums. A brand's are read from their columns when it is asked for. */
export function openSums(packed: Uint8Array): Sums {
  const { common, brands, column } = openPacked(packed);
  const columns = FIELDS.map(column);
  return { ...common, brands: byBrand(brands, (row) => brandSumsFrom((at) => columns[at]?.[row] ?? 0)) };
}

/** The same without what only intervals take of a brand. */
export function openCounts(packed: Uint8Array): StoredCounts {
  const { common, brands, column } = openPacked(packed);
  const [occurrences, mentions, keywords] = [column("occurrences"), column("total_mentions"), column("nb_keywords")];
  const [ranks, brandRanks, top3] = [column("rank_sum"), column("brand_rank_sum"), column("top_3")];
  const [weights, cited] = [column("weight_sum"), column("cited")];
  const countsAt = (row: number): BrandCounts => ({
    occurrences: occurrences[row] ?? 0,
    total_mentions: mentions[row] ?? 0,
    nb_keywords: keywords[row] ?? 0,
    rank_sum: ranks[row] ?? 0,
    brand_rank_sum: brandRanks[row] ?? 0,
    top_3: top3[row] ?? 0,
    weight_sum: weights[row] ?? 0,
    cited: cited[row] ?? 0,
  });
  return { ...common, brands: byBrand(brands, countsAt) };
}

type CommonSums = Omit<Sums, "brands">;
/** Stored sums of which counts are wanted. */
export type StoredCounts = CommonSums & Counts;

function openPacked(packed: Uint8Array) {
  const { columns, text } = unpackColumns(packed);
  const [brands, ...sums] = columns;
  if (!brands) throw new Error("packed sums lack a column");
  const column = (field: keyof BrandSums): Column => {
    const found = sums[FIELDS.indexOf(field)] ?? (LATER.has(field) ? NOTHING : undefined);
    if (!found) throw new Error(`packed sums lack ${field}`);
    return found;
  };
  // As packSums wrote it.
  return { common: jsonOf(text) as CommonSums, brands, column };
}

/** `brands` are sorted. */
function byBrand<Value>(brands: Column, valueAt: (row: number) => Value): ByBrand<Value> {
  const rowOf = (brand: number) => {
    let [from, to] = [0, brands.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((brands[middle] ?? 0) < brand) from = middle + 1;
      else to = middle;
    }
    return brands[from] === brand ? from : -1;
  };
  return {
    has: (brand) => rowOf(brand) >= 0,
    get(brand) {
      const row = rowOf(brand);
      return row < 0 ? undefined : valueAt(row);
    },
    *[Symbol.iterator]() {
      for (const [row, brand] of brands.entries()) yield [brand, valueAt(row)];
    },
  };
}

/** Sums over several selections that share no keyword, or counts. */
export function addSums(all: readonly Sums[]): Sums;
export function addSums(all: readonly StoredCounts[]): StoredCounts;
export function addSums(all: readonly StoredCounts[]): StoredCounts {
  const [one, ...more] = all.filter(({ total, not_shown }) => total + not_shown > 0);
  if (!one) return noSums();
  if (more.length === 0) return one;
  const sum = new Map<number, BrandCounts>();
  for (const { brands } of all) {
    for (const [brand, own] of brands) {
      const known = sum.get(brand);
      if (!known) sum.set(brand, { ...own });
      // Both have the same keys.
      else for (const field of Object.keys(own) as (keyof BrandCounts)[]) known[field] += own[field];
    }
  }
  return { ...addCommon(all), brands: sum };
}

/** The same without the brands. */
export function addCommon(all: readonly (CommonSums & { brands?: unknown })[]): CommonSums {
  const sum = noCommonSums();
  for (const { brands: _brands, runs_least: least, runs_most: most, ...common } of all) {
    for (const field of Object.keys(common) as (keyof typeof common)[]) sum[field] += common[field];
    if (least > 0) sum.runs_least = sum.runs_least === 0 ? least : Math.min(sum.runs_least, least);
    sum.runs_most = Math.max(sum.runs_most, most);
  }
  return sum;
}

export function noSums(): Sums {
  return { ...noCommonSums(), brands: new Map() };
}
