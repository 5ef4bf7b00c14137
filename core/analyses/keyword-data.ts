import type { RelatedQuery } from "../shared/fields.ts";
import { SOURCES, type Source } from "../sources/sources.ts";
import type { Instant } from "../shared/time.ts";

/** Data requested for keywords: search volume, and search interest with related queries. */
export const KEYWORD_DATA_KINDS = ["volume", "interest"] as const;
export type KeywordDataKind = (typeof KEYWORD_DATA_KINDS)[number];

export const KEYWORD_DATA_LIFETIME_MS = 30 * 24 * 3_600_000;

export type KeywordDataPrices = readonly {
  dataKind: KeywordDataKind;
  /** Keywords per task. */
  maxKeywords: number;
  /** US dollars per task; null if unknown. */
  usdPerTask: number | null;
}[];

export const PAID_ITEMS = [...SOURCES, ...KEYWORD_DATA_KINDS] as const;
export type PaidItem = Source | KeywordDataKind;

export function isKeywordDataKind(paidFor: PaidItem): paidFor is KeywordDataKind {
  return KEYWORD_DATA_KINDS.some((wanted) => wanted === paidFor);
}

/** Search data of a keyword in one country and language; null if unknown. */
export interface KeywordData {
  searchVolume: number | null;
  /** Searches per month, oldest first. */
  trends: number[] | null;
  /** Weekly interest from 0 to 100 (peak), oldest first. */
  searchInterestTrends: number[] | null;
  relatedQueries: RelatedQuery[] | null;
}

/** Origin of data that comes from no provider. */
export const KEYWORD_DATA_ORIGINS = { setup: "setup", import: "import" } as const;

/** Max stored months or weeks, and queries; equal to the limits of a setup. */
export const MAX_KEYWORD_DATA = { trend: 60, related: 20 } as const;

/** Data stored apart from the setup, with origin and time. */
export interface FoundKeywordData extends KeywordData {
  volumeFrom: string | null;
  volumeAt: Instant | null;
  interestFrom: string | null;
  interestAt: Instant | null;
}

const EMPTY_KEYWORD_DATA: FoundKeywordData = {
  searchVolume: null,
  trends: null,
  volumeFrom: null,
  volumeAt: null,
  searchInterestTrends: null,
  relatedQueries: null,
  interestFrom: null,
  interestAt: null,
};

/** Merges keyword data; values from the setup override those found. */
export function mergeKeywordData(given: KeywordData, found: FoundKeywordData | null): FoundKeywordData {
  const { searchVolume, trends, volumeFrom, volumeAt } = hasKeywordData(given, "volume")
    ? { ...given, volumeFrom: KEYWORD_DATA_ORIGINS.setup, volumeAt: null }
    : (found ?? EMPTY_KEYWORD_DATA);
  const { searchInterestTrends, relatedQueries, interestFrom, interestAt } = hasKeywordData(given, "interest")
    ? { ...given, interestFrom: KEYWORD_DATA_ORIGINS.setup, interestAt: null }
    : (found ?? EMPTY_KEYWORD_DATA);
  return {
    searchVolume,
    trends,
    volumeFrom,
    volumeAt,
    searchInterestTrends,
    relatedQueries,
    interestFrom,
    interestAt,
  };
}

/** True if any of the wanted data is known. */
export function hasKeywordData(figures: Partial<KeywordData>, wanted: KeywordDataKind): boolean {
  const { searchVolume, trends, searchInterestTrends, relatedQueries } = figures;
  const values = wanted === "volume" ? [searchVolume, trends] : [searchInterestTrends, relatedQueries];
  return values.some((one) => one != null);
}
