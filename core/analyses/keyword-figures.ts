import type { RelatedQuery } from "../shared/fields.ts";
import { SOURCES, type Source } from "../sources/sources.ts";
import type { Instant } from "../shared/time.ts";

/** What is asked of keywords: how often people search for each, and how the interest in it moves, with what else they search for. */
export const WANTED_FIGURES = ["volume", "interest"] as const;
export type WantedFigures = (typeof WANTED_FIGURES)[number];

/** What a provider told is asked for again so long after. */
export const KNOWN_FOR_MS = 30 * 24 * 3_600_000;

/** What is asked of keywords here, and what tasks about them are expected to cost. */
export type KeywordPrices = readonly {
  wanted: WantedFigures;
  /** How many keywords one task takes. */
  mostKeywords: number;
  /** US dollars of a task, however many it has; null where that is not known. */
  usdPerTask: number | null;
}[];

/** What providers are paid for: answers of a source, or figures of keywords. */
export const PAID_FOR = [...SOURCES, ...WANTED_FIGURES] as const;
export type PaidFor = Source | WantedFigures;

export function isWanted(paidFor: PaidFor): paidFor is WantedFigures {
  return WANTED_FIGURES.some((wanted) => wanted === paidFor);
}

/** What is known of how people search for a keyword in one country and language; null is unknown. */
export interface KeywordFigures {
  searchVolume: number | null;
  /** Searches of each month, the oldest first. */
  trends: number[] | null;
  /** Interest in each week, from 0 to 100 at its peak, the oldest first. */
  searchInterestTrends: number[] | null;
  relatedQueries: RelatedQuery[] | null;
}

/** Where figures came from that no provider was asked for: the setup of the analysis, or imported lines. */
export const GIVEN_BY = { setup: "setup", import: "import" } as const;

/** How many months and weeks are kept, and how many queries: as many as a setup can give. */
export const MOST_KEPT = { trend: 60, related: 20 } as const;

/** Figures as they are stored apart from the setup, with where they came from and when. */
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

/** What is known of a keyword: what its setup says is a person's word, and goes before what was found. */
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

/** True where something is known of what is wanted. */
export function tells(figures: Partial<KeywordFigures>, wanted: WantedFigures): boolean {
  const { searchVolume, trends, searchInterestTrends, relatedQueries } = figures;
  const told = wanted === "volume" ? [searchVolume, trends] : [searchInterestTrends, relatedQueries];
  return told.some((one) => one != null);
}
