import {
  buildBrandSums,
  createBrandSums,
  createCommonSums,
  type BrandSums,
  type SumsByBrand,
  type Sums,
} from "./metrics.ts";
import { packColumns, decodeJsonColumn, unpackColumns, toIntegerColumn, type Column } from "./packed-columns.ts";

const SUM_FIELDS = Object.keys(createBrandSums()) as (keyof BrandSums)[]; // safe: the object has no other keys

/** Sums of older collects lack these fields, which count as 0. */
const OPTIONAL_FIELDS: ReadonlySet<keyof BrandSums> = new Set(["cited_keywords", "full_cited_keywords", "cc", "cn"]);
const EMPTY_COLUMN = new Uint8Array();

/** One column per sum, one row per brand with a mention. */
export function packSums({ brands, ...common }: Sums): Buffer {
  const rows = [...brands].toSorted(([a], [b]) => a - b);
  const columns = SUM_FIELDS.map((field) => toColumn(rows.map(([, sums]) => sums[field])));
  return packColumns([toIntegerColumn(rows.map(([brand]) => brand)), ...columns], JSON.stringify(common));
}

function toColumn(values: readonly number[]): Column {
  const whole = values.every((value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32);
  return whole ? toIntegerColumn(values) : Float64Array.from(values);
}

type CommonSums = Omit<Sums, "brands">;

/** Reads a brand's sums on access. Throws if a column is missing. */
export function unpackSums(packed: Uint8Array): Sums {
  const { columns, text } = unpackColumns(packed);
  const [brands, ...sums] = columns;
  if (!brands) throw new Error("packed sums lack a column");
  const each = SUM_FIELDS.map((field, at): Column => {
    const found = sums[at] ?? (OPTIONAL_FIELDS.has(field) ? EMPTY_COLUMN : undefined);
    if (!found) throw new Error(`packed sums lack ${field}`);
    return found;
  });
  // Safe cast: packSums wrote the column.
  const common = decodeJsonColumn(text) as CommonSums;
  return { ...common, brands: createSumsByBrand(brands, (row) => buildBrandSums((at) => each[at]?.[row] ?? 0)) };
}

/** `brands` must be sorted. */
function createSumsByBrand(brands: Column, valueAt: (row: number) => BrandSums): SumsByBrand {
  const findRow = (brand: number) => {
    let [from, to] = [0, brands.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((brands[middle] ?? 0) < brand) from = middle + 1;
      else to = middle;
    }
    return brands[from] === brand ? from : -1;
  };
  return {
    has: (brand) => findRow(brand) >= 0,
    get(brand) {
      const row = findRow(brand);
      return row < 0 ? undefined : valueAt(row);
    },
    *[Symbol.iterator]() {
      for (const [row, brand] of brands.entries()) yield [brand, valueAt(row)];
    },
  };
}

/** The selections must have no keyword in common. */
export function addSums(all: readonly Sums[]): Sums {
  const [collectSums, ...more] = all.filter(({ total, not_shown }) => total + not_shown > 0);
  if (!collectSums) return createSums();
  if (more.length === 0) return collectSums;
  const sum = new Map<number, BrandSums>();
  for (const { brands } of all) {
    for (const [brand, own] of brands) {
      const known = sum.get(brand);
      if (!known) sum.set(brand, { ...own });
      // Safe: both objects have the same keys.
      else for (const field of Object.keys(own) as (keyof BrandSums)[]) known[field] += own[field];
    }
  }
  return { ...addCommonSums(all), brands: sum };
}

export function addCommonSums(all: readonly (CommonSums & { brands?: unknown })[]): CommonSums {
  const sum = createCommonSums();
  for (const { brands: _brands, runs_least: least, runs_most: most, ...common } of all) {
    for (const field of Object.keys(common) as (keyof typeof common)[]) sum[field] += common[field];
    if (least > 0) sum.runs_least = sum.runs_least === 0 ? least : Math.min(sum.runs_least, least);
    sum.runs_most = Math.max(sum.runs_most, most);
  }
  return sum;
}

export function createSums(): Sums {
  return { ...createCommonSums(), brands: new Map() };
}
