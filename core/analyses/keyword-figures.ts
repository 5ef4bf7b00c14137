import type { RelatedQuery } from "../shared/fields.ts";
import { SOURCES, type Source } from "../sources/sources.ts";
import type { Instant } from "../shared/time.ts";

/** Data requested for keywords: search volume, and search interest with related queries. */
export const WANTED_FIGURES = ["volume", "interest"] as const;
export type WantedFigures = (typeof WANTED_FIGURES)[number];

/** Time until a provider's data is requested again. */
export const KNOWN_FOR_MS = 30 * 24 * 3_600_000;

/** Requested data by kind, with expected costs. */
export type KeywordPrices = readonly {
  wanted: WantedFigures;
  /** Keywords per task. */
  mostKeywords: number;
  /** US dollars per task; null if unknown. */
  usdPerTask: number | null;
}[];

/** Items that providers charge for: answers of a source, or keyword data. */
export const PAID_FOR = [...SOURCES, ...WANTED_FIGURES] as const;
export type PaidFor = Source | WantedFigures;

export function isWanted(paidFor: PaidFor): paidFor is WantedFigures {
  return WANTED_FIGURES.some((wanted) => wanted === paidFor);
}

/** Search data of a keyword in one country and language; null if unknown. */
export interface KeywordFigures {
  searchVolume: number | null;
  /** Searches per month, oldest first. */
  trends: number[] | null;
  /** Weekly interest from 0 to 100 (peak), oldest first. */
  searchInterestTrends: number[] | null;
  relatedQueries: RelatedQuery[] | null;
}

/** Origin of data that comes from no provider. */
export const GIVEN_BY = { setup: "setup", import: "import" } as const;

/** Max stored months or weeks, and queries; equal to the limits of a setup. */
export const MOST_KEPT = { trend: 60, related: 20 } as const;

/** Data stored apart from the setup, with origin and time. */
export interface FoundFigures extends KeywordFigures {
  volumeFrom: string | null;
  volumeAt: Instant | null;
  interestFrom: string | null;
  interestAt: Instant | null;
}

const NOTHING: FoundFigures = {
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
export function knownFigures(given: KeywordFigures, found: FoundFigures | null): FoundFigures {
  const { searchVolume, trends, volumeFrom, volumeAt } = tells(given, "volume")
    ? { ...given, volumeFrom: GIVEN_BY.setup, volumeAt: null }
    : (found ?? NOTHING);
  const { searchInterestTrends, relatedQueries, interestFrom, interestAt } = tells(given, "interest")
    ? { ...given, interestFrom: GIVEN_BY.setup, interestAt: null }
    : (found ?? NOTHING);
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
export function tells(figures: Partial<KeywordFigures>, wanted: WantedFigures): boolean {
  const { searchVolume, trends, searchInterestTrends, relatedQueries } = figures;
  const told = wanted === "volume" ? [searchVolume, trends] : [searchInterestTrends, relatedQueries];
  return told.some((one) => one != null);
}
