import { brandSumsFrom, noBrandSums, noCommonSums, type BrandSums, type ByBrand, type Sums } from "./metrics.ts";
import { packColumns, jsonOf, unpackColumns, wholeNumbers, type Column } from "./packed-columns.ts";

/** Fields of a brand's sums in column order. */
const FIELDS = Object.keys(noBrandSums()) as (keyof BrandSums)[]; // it has no other keys

/** Fields missing in sums of older collects; they count as 0. */
const LATER: ReadonlySet<keyof BrandSums> = new Set(["cited_keywords", "full_cited_keywords", "cc", "cn"]);
const NOTHING = new Uint8Array();

/**
 * Packs the sums of a selection for storage: one column per sum, one row per brand with a mention.
 */
export function packSums({ brands, ...common }: Sums): Buffer {
  const rows = [...brands].toSorted(([a], [b]) => a - b);
  const columns = FIELDS.map((field) => numbers(rows.map(([, sums]) => sums[field])));
  return packColumns([wholeNumbers(rows.map(([brand]) => brand)), ...columns], JSON.stringify(common));
}

function numbers(values: readonly number[]): Column {
  const whole = values.every((value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32);
  return whole ? wholeNumbers(values) : Float64Array.from(values);
}

type CommonSums = Omit<Sums, "brands">;

/** Opens packed sums; a brand's sums are read on access. Throws if a column is missing. */
export function openSums(packed: Uint8Array): Sums {
  const { columns, text } = unpackColumns(packed);
  const [brands, ...sums] = columns;
  if (!brands) throw new Error("packed sums lack a column");
  const each = FIELDS.map((field, at): Column => {
    const found = sums[at] ?? (LATER.has(field) ? NOTHING : undefined);
    if (!found) throw new Error(`packed sums lack ${field}`);
    return found;
  });
  // Unchecked: written by packSums.
  const common = jsonOf(text) as CommonSums;
  return { ...common, brands: byBrand(brands, (row) => brandSumsFrom((at) => each[at]?.[row] ?? 0)) };
}

/** `brands` must be sorted. */
function byBrand(brands: Column, valueAt: (row: number) => BrandSums): ByBrand {
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

/** Adds sums of selections without common keywords. */
export function addSums(all: readonly Sums[]): Sums {
  const [one, ...more] = all.filter(({ total, not_shown }) => total + not_shown > 0);
  if (!one) return noSums();
  if (more.length === 0) return one;
  const sum = new Map<number, BrandSums>();
  for (const { brands } of all) {
    for (const [brand, own] of brands) {
      const known = sum.get(brand);
      if (!known) sum.set(brand, { ...own });
      // Both have the same keys.
      else for (const field of Object.keys(own) as (keyof BrandSums)[]) known[field] += own[field];
    }
  }
  return { ...addCommon(all), brands: sum };
}

/** Like addSums, without brands. */
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
