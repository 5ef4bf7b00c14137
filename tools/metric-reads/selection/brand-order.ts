import type { BrandName } from "../../../db/analyses/projects.ts";
import {
  averageRank,
  noBrandSums,
  presenceRate,
  visibilityScore,
  type BrandSums,
} from "../../../core/metrics/metrics.ts";
import { foldText } from "../../../core/reading/aliases/text-folding.ts";
import { rounded } from "../../../core/metrics/figure-fields.ts";

export const SORT_COLUMNS = [
  "brand",
  "visibility_score",
  "nb_mentions",
  "nb_distinct_keywords",
  "average_position",
  "presence_rate",
] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

/** What rows are sorted by. */
const FIGURES: Record<Exclude<SortColumn, "brand">, (counts: BrandSums, total: number) => number | null> = {
  visibility_score: ({ weight_sum: weights }, total) => visibilityScore(weights, total),
  nb_mentions: (counts) => counts.total_mentions,
  nb_distinct_keywords: (counts) => counts.nb_keywords,
  average_position: ({ rank_sum: ranks, occurrences }) => averageRank(ranks, occurrences),
  presence_rate: ({ occurrences }, total) => presenceRate(occurrences, total),
};

export interface SortedBrand {
  brand: BrandName;
  /** Undefined where nothing can be computed, or names are compared. */
  value: number | undefined;
}

/** The figure that rows are sorted by, as it is shown: of what is counted of a brand in `total` answers. */
export function sortValueOf(column: SortColumn, total: number): (counts: BrandSums | undefined) => number | undefined {
  if (column === "brand") return () => undefined;
  const [figure, nothing] = [FIGURES[column], noBrandSums()];
  return (counts) => {
    const value = figure(counts ?? nothing, total);
    return value === null ? undefined : rounded(value);
  };
}

/** Ties go by the brand's name, then its id, whatever the direction. */
export function brandOrder(column: SortColumn, direction: "asc" | "desc") {
  const names = new Map<SortedBrand, string>();
  // Without case and accents. Most are never compared by it.
  const sortName = (row: SortedBrand) => {
    const known = names.get(row) ?? foldText(row.brand.name).lower;
    names.set(row, known);
    return known;
  };
  const sign = direction === "asc" ? 1 : -1;
  return (a: SortedBrand, b: SortedBrand): number => {
    const byName = () => compareTexts(sortName(a), sortName(b));
    if (column === "brand") return sign * byName() || compareTexts(a.brand.id, b.brand.id);
    const [left, right] = [a.value, b.value];
    if (left === undefined || right === undefined) {
      if (left !== right) return left === undefined ? 1 : -1;
    } else if (left !== right) return sign * (left - right);
    return byName() || compareTexts(a.brand.id, b.brand.id);
  };
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
