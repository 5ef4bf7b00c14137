import { brandSumsFrom, noBrandSums, noCommonSums, type BrandSums, type Sums } from "./metrics.ts";
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

/** Packed sums without the brands. */
export function openCommon(packed: Uint8Array): Omit<Sums, "brands"> {
  return jsonOf(unpackColumns(packed).text) as Omit<Sums, "brands">; // as packSums wrote it
}

/** Opens packed sums, of the brands in `only` where it is given. */
export function openSums(packed: Uint8Array, only?: ReadonlySet<number>): Sums {
  const { columns } = unpackColumns(packed);
  const [brands, ...sums] = columns;
  if (!brands || sums.length !== FIELDS.length) throw new Error("packed sums lack a column");
  const each = new Map<number, BrandSums>();
  for (const [row, brand] of brands.entries()) {
    if (only && !only.has(brand)) continue;
    each.set(
      brand,
      brandSumsFrom((at) => sums[at]?.[row] ?? 0),
    );
  }
  return { ...openCommon(packed), brands: each };
}

/** Sums over several selections that share no keyword. */
export function addSums(all: readonly Sums[]): Sums {
  const [one = noSums(), ...more] = all.filter(({ total, not_shown }) => total + not_shown > 0);
  if (more.length === 0) return one;
  const sum = noSums();
  for (const { brands, runs_least: least, runs_most: most, ...common } of all) {
    for (const field of Object.keys(common) as (keyof typeof common)[]) sum[field] += common[field];
    if (least > 0) sum.runs_least = sum.runs_least === 0 ? least : Math.min(sum.runs_least, least);
    sum.runs_most = Math.max(sum.runs_most, most);
    for (const [brand, own] of brands) {
      const known = sum.brands.get(brand);
      if (!known) sum.brands.set(brand, { ...own });
      else for (const field of FIELDS) known[field] += own[field];
    }
  }
  return sum;
}

export function noSums(): Sums {
  return { ...noCommonSums(), brands: new Map() };
}
