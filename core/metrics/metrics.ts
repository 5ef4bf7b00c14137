/** Grows where packed facts or sums hold more than before. */
export const SUMS_VERSION = 1;

/**
 * Sums of a brand over selected answers, from which its figures and intervals follow. The answers to a prompt are one cluster
 * (prompt-clusters.ts). Of prompt i, n is the number of answers, x of those with the brand, t of those with rank 1 to 3, and c of
 * those that cite a page of the brand; w sums its weights, r its ranks, and v the weights of all families. A field of two letters
 * sums their products over the prompts.
 */
export interface BrandSums {
  occurrences: number;
  /** Its mention spans. */
  total_mentions: number;
  /** Prompts in which it appears. */
  nb_keywords: number;
  rank_sum: number;
  brand_rank_sum: number;
  /** Answers in which its rank is 1 to 3: Σ t. */
  top_3: number;
  weight_sum: number;
  /** Answers that cite a page of its own. */
  cited: number;
  /** Prompts in all of whose answers it appears. */
  full_keywords: number;
  /** Prompts in which its rank is 1 to 3 in some answer, and in all. */
  top_3_keywords: number;
  full_top_3_keywords: number;
  /** Prompts in all of whose answers its rank is 1, and those in which it alone of all families has a place. */
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
  /** Prompts in some of whose answers a page of its own is cited, and those in all of whose answers one is. */
  cited_keywords: number;
  full_cited_keywords: number;
  cc: number;
  cn: number;
}

export interface ByBrand {
  get(brand: number): BrandSums | undefined;
  has(brand: number): boolean;
  [Symbol.iterator](): Iterator<[brand: number, sums: BrandSums]>;
}

export interface AnswerCounts {
  /** Answers or result pages that were shown: Σ n. Every rate divides by it. */
  total: number;
  /** Times that a source showed nothing. */
  not_shown: number;
  /** Answers that name a tracked brand or link to a known domain. */
  informative: number;
  keywords: number;
  /** The fewest and the most answers of one source to one question, over questions with an answer from it; 0 without any. */
  runs_least: number;
  runs_most: number;
}

export interface Sums extends AnswerCounts {
  /** The denominator of shares of voice: Σ v. */
  voice: number;
  nn: number;
  vv: number;
  brands: ByBrand;
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

/** w(r) = 1 / log2(1 + r): 1 for the first place, 0.63 for the second, 0.5 for the third (measurement.md section 2). */
export function rankWeight(rank: number): number {
  return 1 / Math.log2(1 + rank);
}

const WEIGHTS_OF_RANKS = Float64Array.from({ length: 1024 }, (_, rank) => (rank === 0 ? 0 : rankWeight(rank)));

/** `rankWeight` from a table. */
export function weightOf(rank: number): number {
  return WEIGHTS_OF_RANKS[rank] ?? rankWeight(rank);
}

export function noAnswerCounts(): AnswerCounts {
  return { total: 0, not_shown: 0, informative: 0, keywords: 0, runs_least: 0, runs_most: 0 };
}

export function noCommonSums(): Omit<Sums, "brands"> {
  return { ...noAnswerCounts(), nn: 0, voice: 0, vv: 0 };
}

export function noBrandSums(): BrandSums {
  return brandSumsFrom(() => 0);
}

/** Sums of a brand from their columns, in the order in which they are packed. One literal: thousands are made for one request. */
export function brandSumsFrom(column: (at: number) => number): BrandSums {
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

/** count / total, 0 to 1; null without an answer, never 0. */
export function presenceRate(count: number, total: number): number | null {
  return total === 0 ? null : count / total;
}

/** 100 · Σ w(rank) / total, 0 to 100; null without an answer. */
export function visibilityScore(weightSum: number, total: number): number | null {
  return total === 0 ? null : (100 * weightSum) / total;
}

/** Mean rank where present; null if the brand never is. */
export function averageRank(rankSum: number, occurrences: number): number | null {
  return occurrences === 0 ? null : rankSum / occurrences;
}

/** The figures of one brand, unrounded: what is displayed is rounded where it is displayed. */
export function brandMetrics(sums: BrandSums | undefined, total: number): BrandMetrics {
  const { occurrences, total_mentions, nb_keywords, rank_sum, brand_rank_sum, top_3, weight_sum } =
    sums ?? noBrandSums();
  return {
    visibility_score: visibilityScore(weight_sum, total),
    presence_rate: presenceRate(occurrences, total),
    average_rank: averageRank(rank_sum, occurrences),
    average_brand_rank: averageRank(brand_rank_sum, occurrences),
    top_3_rate: presenceRate(top_3, total),
    occurrences,
    total_mentions,
    nb_keywords,
  };
}
