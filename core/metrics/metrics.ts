/** Increment when packed content or a stored metric changes; answers are then re-extracted. */
export const SUMS_VERSION = 1;

/**
 * A prompt is one cluster (prompt-clusters.ts). Per prompt: n answers, x of them with the brand,
 * t with rank 1 to 3, c citing the brand; w sums weights, r ranks, v the weights of all families.
 * A field of two letters is the sum of their products over prompts.
 */
export interface BrandSums {
  occurrences: number;
  total_mentions: number;
  /** Number of prompts with the brand. */
  nb_keywords: number;
  rank_sum: number;
  brand_rank_sum: number;
  /** Answers with rank 1 to 3: Σ t. */
  top_3: number;
  weight_sum: number;
  /** Answers that cite a page of the brand. */
  cited: number;
  /** Number of prompts with the brand in each answer. */
  full_keywords: number;
  /** Prompts with rank 1 to 3 in any answer, and in each answer. */
  top_3_keywords: number;
  full_top_3_keywords: number;
  /** Prompts with rank 1 in each answer, and prompts in which no other family has a rank. */
  first_keywords: number;
  only_keywords: number;
  xx: number;
  xn: number;
  tt: number;
  tn: number;
  ww: number;
  wn: number;
  wv: number;
  rr: number;
  rx: number;
  /** Prompts with a citation of the brand in any answer, and in each answer. */
  cited_keywords: number;
  full_cited_keywords: number;
  cc: number;
  cn: number;
}

export interface SumsByBrand {
  get(brand: number): BrandSums | undefined;
  has(brand: number): boolean;
  [Symbol.iterator](): Iterator<[brand: number, sums: BrandSums]>;
}

export interface AnswerCounts {
  /** Answers or result pages shown, the denominator of rates: Σ n. */
  total: number;
  not_shown: number;
  /** Answers that name a tracked brand or link to a known domain. */
  informative: number;
  keywords: number;
  /** Min and max answers of one source to one question; 0 without an answer. */
  runs_least: number;
  runs_most: number;
}

export interface Sums extends AnswerCounts {
  /** Denominator of shares of voice: Σ v. */
  voice: number;
  nn: number;
  vv: number;
  brands: SumsByBrand;
}

export interface BrandMetrics {
  visibility_score: number | null;
  presence_rate: number | null;
  average_rank: number | null;
  average_brand_rank: number | null;
  top_3_rate: number | null;
  occurrences: number;
  total_mentions: number;
  nb_keywords: number;
}

/** w(r) = 1 / log2(1 + r): 1, 0.63 and 0.5 for ranks 1 to 3 (measurement.md section 2). */
export function computeRankWeight(rank: number): number {
  return 1 / Math.log2(1 + rank);
}

const WEIGHTS_OF_RANKS = Float64Array.from({ length: 1024 }, (_, rank) => (rank === 0 ? 0 : computeRankWeight(rank)));

export function lookUpRankWeight(rank: number): number {
  return WEIGHTS_OF_RANKS[rank] ?? computeRankWeight(rank);
}

export function createAnswerCounts(): AnswerCounts {
  return { total: 0, not_shown: 0, informative: 0, keywords: 0, runs_least: 0, runs_most: 0 };
}

export function createCommonSums(): Omit<Sums, "brands"> {
  return { ...createAnswerCounts(), nn: 0, voice: 0, vv: 0 };
}

export function createBrandSums(): BrandSums {
  return buildBrandSums(() => 0);
}

/** Takes columns in packed order. One object literal for speed: a request builds thousands. */
export function buildBrandSums(column: (at: number) => number): BrandSums {
  return {
    occurrences: column(0),
    total_mentions: column(1),
    nb_keywords: column(2),
    full_keywords: column(3),
    top_3_keywords: column(4),
    full_top_3_keywords: column(5),
    first_keywords: column(6),
    only_keywords: column(7),
    rank_sum: column(8),
    brand_rank_sum: column(9),
    top_3: column(10),
    weight_sum: column(11),
    cited: column(12),
    xx: column(13),
    xn: column(14),
    tt: column(15),
    tn: column(16),
    ww: column(17),
    wn: column(18),
    wv: column(19),
    rr: column(20),
    rx: column(21),
    cited_keywords: column(22),
    full_cited_keywords: column(23),
    cc: column(24),
    cn: column(25),
  };
}

/** Null without an answer. */
export function computePresenceRate(count: number, total: number): number | null {
  return total === 0 ? null : count / total;
}

/** 0 to 100; null without an answer. */
export function computeVisibilityScore(weightSum: number, total: number): number | null {
  return total === 0 ? null : (100 * weightSum) / total;
}

/** Null without an answer that names the brand. */
export function computeAverageRank(rankSum: number, occurrences: number): number | null {
  return occurrences === 0 ? null : rankSum / occurrences;
}

/** Values are not rounded. */
export function computeBrandMetrics(sums: BrandSums | undefined, total: number): BrandMetrics {
  const { occurrences, total_mentions, nb_keywords, rank_sum, brand_rank_sum, top_3, weight_sum } =
    sums ?? createBrandSums();
  return {
    visibility_score: computeVisibilityScore(weight_sum, total),
    presence_rate: computePresenceRate(occurrences, total),
    average_rank: computeAverageRank(rank_sum, occurrences),
    average_brand_rank: computeAverageRank(brand_rank_sum, occurrences),
    top_3_rate: computePresenceRate(top_3, total),
    occurrences,
    total_mentions,
    nb_keywords,
  };
}
