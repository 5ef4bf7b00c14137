import type { Reading } from "../reading/capture.ts";

/** What is summed per brand over the eligible answers of a selection; the stored rollups have the same columns. */
export interface BrandSums {
  /** Answers in which the brand appears. */
  occurrences: number;
  /** Its mention spans. */
  total_mentions: number;
  /** Keywords in which it appears. */
  nb_keywords: number;
  rank_sum: number;
  weight_sum: number;
}

/** Sums over a selection. `total` = its eligible answers or result pages. */
export interface Sums {
  total: number;
  brands: Map<string, BrandSums>;
}

export interface KeywordReading {
  /** Whatever tells keywords apart: an id, or the text. */
  keyword: string;
  reading: Pick<Reading, "eligible" | "places">;
}

export interface BrandMetrics {
  /** 0 to 100. */
  visibility_score: number | null;
  /** 0 to 1. */
  presence_rate: number | null;
  average_rank: number | null;
  occurrences: number;
  total_mentions: number;
  nb_keywords: number;
}

/** w(r) = 1 / log2(1 + r): 1 for the first place, 0.63 for the second, 0.5 for the third (measurement.md section 2). */
export function rankWeight(rank: number): number {
  return 1 / Math.log2(1 + rank);
}

/** A reading that is not eligible adds nothing, not even to the total. */
export function sumReadings(readings: Iterable<KeywordReading>): Sums {
  const sums: Sums = { total: 0, brands: new Map() };
  const keywords = new Map<string, Set<string>>();
  for (const { keyword, reading } of readings) {
    if (!reading.eligible) continue;
    sums.total += 1;
    for (const { brand_id, rank, mentions } of reading.places) {
      const sum = sums.brands.get(brand_id) ?? noSums();
      const seen = keywords.get(brand_id) ?? new Set();
      seen.add(keyword);
      keywords.set(brand_id, seen);
      sums.brands.set(brand_id, {
        occurrences: sum.occurrences + 1,
        total_mentions: sum.total_mentions + mentions,
        nb_keywords: seen.size,
        rank_sum: sum.rank_sum + rank,
        weight_sum: sum.weight_sum + rankWeight(rank),
      });
    }
  }
  return sums;
}

export function noSums(): BrandSums {
  return { occurrences: 0, total_mentions: 0, nb_keywords: 0, rank_sum: 0, weight_sum: 0 };
}

/** occurrences / total, 0 to 1; null when nothing is eligible, never 0. */
export function presenceRate(occurrences: number, total: number): number | null {
  return total === 0 ? null : occurrences / total;
}

/** 100 · Σ w(rank) / total, 0 to 100; null when nothing is eligible. */
export function visibilityScore(weightSum: number, total: number): number | null {
  return total === 0 ? null : (100 * weightSum) / total;
}

/** Mean rank where present; null if the brand never is. */
export function averageRank(rankSum: number, occurrences: number): number | null {
  return occurrences === 0 ? null : rankSum / occurrences;
}

/** Σ w of the brand over Σ w of all tracked brands, itself among them; null without competitors or without any weight. */
export function shareOfVoice(weightSum: number, allWeightSums: number[]): number | null {
  const all = allWeightSums.reduce((sum, weight) => sum + weight, 0);
  return allWeightSums.length < 2 || all === 0 ? null : weightSum / all;
}

/** The figures of one brand, unrounded: what is displayed is rounded where it is displayed. */
export function brandMetrics(sums: BrandSums | undefined, total: number): BrandMetrics {
  const { occurrences, total_mentions, nb_keywords, rank_sum, weight_sum } = sums ?? noSums();
  return {
    visibility_score: visibilityScore(weight_sum, total),
    presence_rate: presenceRate(occurrences, total),
    average_rank: averageRank(rank_sum, occurrences),
    occurrences,
    total_mentions,
    nb_keywords,
  };
}
