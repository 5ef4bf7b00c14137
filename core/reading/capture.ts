import type { JudgedOpinions } from "../perception/judged-opinions.ts";
import type { PerceptionReading } from "../perception/perception.ts";
import type { CompetitorType } from "../sources.ts";
import type { Awareness } from "./awareness/awareness.ts";

/** A link that an answer gives as its source. `position` is 1-based, in the order of the answer. */
export interface CapturedCitation {
  url: string;
  title?: string | undefined;
  position: number;
  /** What of the text it is given for, or its marks there: UTF-16 code units of the text, end exclusive. */
  spans?: Span[] | undefined;
}

export interface Span {
  start: number;
  end: number;
}

/** A product card that an answer shows. `position` is 1-based; `price` is as it is written there. */
export interface CapturedProduct {
  position: number;
  title: string;
  url?: string | undefined;
  price?: string | undefined;
  seller?: string | undefined;
}

/** One row of a search engine's result page. `rank` is 1-based. */
export interface CapturedResult {
  rank: number;
  url: string;
  title?: string | undefined;
  snippet?: string | undefined;
}

/** What one question to one source brought back: an assistant's text with its sources, or a page of results. */
export interface Capture {
  text: string;
  citations: CapturedCitation[];
  results: CapturedResult[];
  /** Pages that the assistant read for its answer, cited or not. */
  retrieved?: CapturedCitation[] | undefined;
  /** What the assistant searched for, in its order. */
  queries?: string[] | undefined;
  /** Product cards beside the text. */
  products?: CapturedProduct[] | undefined;
  /** What a language model found in an answer of a brand analysis, where one is configured. */
  judged?: JudgedOpinions | null | undefined;
}

export interface BrandAlias {
  text: string;
  case_sensitive: boolean;
}

/** What the reading of answers needs to know of a brand of the catalog. */
export interface TrackedBrand {
  id: string;
  /** What stored rows call it: its number in the workspace. */
  number: number;
  name: string;
  aliases: BrandAlias[];
  excluded_phrases: string[];
  domains: string[];
  kind: "brand" | "sub_brand" | "product";
  parent_id: string | null;
  relationship: "mine" | "competitor" | "other";
}

/** A brand named in a text. Offsets are UTF-16 code units of the stored text, end exclusive. */
export interface Mention {
  brand_id: string;
  alias: string;
  start: number;
  end: number;
}

/**
 * A brand's place in one capture. `rank` is 1-based, 1 is best, and counts items; `brand_rank` counts different brands, so that two
 * items of one rival cost one place. `url` is the brand's own page that was linked, if any.
 */
export interface BrandPlace {
  brand_id: string;
  rank: number;
  brand_rank: number;
  mentions: number;
  url: string | null;
}

export interface Citation extends CapturedCitation {
  domain: string;
  competitor_type: CompetitorType;
  /** The catalog brand whose domain this is, if any. */
  brand_id: string | null;
}

/** Why an answer could not be read. `too_slow`: reading it exceeded its time limit. */
export const UNREAD_REASONS = ["too_slow"] as const;
export type UnreadReason = (typeof UNREAD_REASONS)[number];

const UNREAD_WORDS: Record<UnreadReason, string> = { too_slow: "reading it took too long" };

/** Says to people why an answer has no reading. */
export function unreadSentence(reason: UnreadReason): string {
  return `This answer could not be read: ${UNREAD_WORDS[reason]}. No metric counts it.`;
}

/** Everything that is read from one capture. A pure function of the capture and the catalog. */
export interface Reading {
  /** Which rules made this reading; a stored reading of an older version can be made again. */
  version: number;
  /** False where the source showed nothing: there is no answer to count. */
  shown: boolean;
  /** Names at least one brand or links to a known domain. */
  informative: boolean;
  mentions: Mention[];
  /** At most one place per brand; a sub-brand or product has its own place and also counts for its brand. */
  places: BrandPlace[];
  citations: Citation[];
  /** Pages that were read for the answer and that it does not cite. */
  retrieved: Citation[];
  /** What was searched for. */
  queries: string[];
  /** Why nothing was read; no metric counts the answer then. */
  unread?: UnreadReason | undefined;
  /** Of an answer to an aided prompt: whether it knows the name that it was asked for. */
  awareness?: Awareness | undefined;
  /** Of an answer of a brand analysis: what it says of the brands that it names. */
  perception?: Omit<PerceptionReading, "awareness"> | undefined;
}
