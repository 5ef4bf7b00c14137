import type { BrandName } from "../../../db/analyses/projects.ts";
import {
  computeAverageRank,
  createBrandSums,
  computePresenceRate,
  computeVisibilityScore,
  type BrandSums,
} from "../../../core/metrics/metrics.ts";
import { foldText } from "../../../core/reading/aliases/text-folding.ts";
import { roundMetric } from "../../../core/metrics/metric-fields.ts";

export const SORT_COLUMNS = [
  "brand",
  "visibility_score",
  "nb_mentions",
  "nb_distinct_keywords",
  "average_position",
  "presence_rate",
] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

const SORT_VALUES: Record<Exclude<SortColumn, "brand">, (counts: BrandSums, total: number) => number | null> = {
  visibility_score: ({ weight_sum: weights }, total) => computeVisibilityScore(weights, total),
  nb_mentions: (counts) => counts.total_mentions,
  nb_distinct_keywords: (counts) => counts.nb_keywords,
  average_position: ({ rank_sum: ranks, occurrences }) => computeAverageRank(ranks, occurrences),
  presence_rate: ({ occurrences }, total) => computePresenceRate(occurrences, total),
};

export interface SortedBrand {
  brand: BrandName;
  /** Undefined if the value cannot be computed or rows are sorted by name. */
  value: number | undefined;
}

export function toSortValue(column: SortColumn, total: number): (counts: BrandSums | undefined) => number | undefined {
  if (column === "brand") return () => undefined;
  const [figure, nothing] = [SORT_VALUES[column], createBrandSums()];
  return (counts) => {
    const value = figure(counts ?? nothing, total);
    return value === null ? undefined : roundMetric(value);
  };
}

/** Ties sort by brand name, then id, in both directions. */
export function compareBrandsBy(column: SortColumn, direction: "asc" | "desc") {
  const names = new Map<SortedBrand, string>();
  // Folds case and accents lazily: most rows need no name comparison.
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
