import { brandSumsFrom, noBrandSums, noCommonSums, type BrandSums, type ByBrand, type Sums } from "./metrics.ts";
import { packColumns, jsonOf, unpackColumns, wholeNumbers, type Column } from "./packed-columns.ts";

/** Names of a brand's sums, in the order of their columns. */
const FIELDS = Object.keys(noBrandSums()) as (keyof BrandSums)[]; // it has no other keys

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
  const { columns, text } = unpackColumns(packed);
  const [brands, ...sums] = columns;
  if (!brands || sums.length !== FIELDS.length) throw new Error("packed sums lack a column");
  // As packSums wrote it.
  return { ...(jsonOf(text) as Omit<Sums, "brands">), brands: byBrand(brands, sums) };
}

/** `brands` are sorted. Their sums are laid side by side: thousands are read for one request. */
function byBrand(brands: Column, sums: readonly Column[]): ByBrand<BrandSums> {
  const table = new Float64Array(brands.length * sums.length);
  for (const [at, column] of sums.entries()) {
    for (let row = 0; row < column.length; row += 1) table[row * sums.length + at] = column[row] ?? 0;
  }
  const sumsAt = (row: number) => brandSumsFrom((at) => table[row * sums.length + at] ?? 0);
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
      return row < 0 ? undefined : sumsAt(row);
    },
    *[Symbol.iterator]() {
      for (const [row, brand] of brands.entries()) yield [brand, sumsAt(row)];
    },
  };
}

/** Sums over several selections that share no keyword. */
export function addSums(all: readonly Sums[]): Sums {
  const [one, ...more] = all.filter(({ total, not_shown }) => total + not_shown > 0);
  if (!one) return noSums();
  if (more.length === 0) return one;
  const sum = new Map<number, BrandSums>();
  for (const { brands } of all) {
    for (const [brand, own] of brands) {
      const known = sum.get(brand);
      if (!known) sum.set(brand, { ...own });
      else for (const field of FIELDS) known[field] += own[field];
    }
  }
  return { ...addCommon(all), brands: sum };
}

/** The same without the brands. */
export function addCommon(all: readonly Sums[]): Omit<Sums, "brands"> {
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
