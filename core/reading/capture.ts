import { z } from "zod";
import type { PerceptionLanguage } from "../perception/languages.ts";
import type { CompetitorType } from "../sources/sources.ts";

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

const MOST_FINDINGS = 100;
const Quote = z.string().min(1).max(1000);
const list = <Finding extends z.ZodType>(finding: Finding) => z.array(finding).max(MOST_FINDINGS);

/** Opinions that a language model found in an answer. Stored with the answer, so that re-parsing needs no model. */
export const JudgedOpinions = z.object({
  judge: z.string(),
  points: list(z.object({ brand: z.string(), polarity: z.enum(["pro", "con"]), quote: Quote })),
  comparisons: list(
    z.object({ better: z.string(), worse: z.string(), aspect: z.string().max(100).nullable(), quote: Quote }),
  ),
  attributes: list(
    z.object({ brand: z.string(), attribute: z.string().max(100), score: z.number().min(-5).max(5), quote: Quote }),
  ),
});
export type JudgedOpinions = z.output<typeof JudgedOpinions>;

/** What one question to one source brought back: an assistant's text with its sources, or a page of results. */
export interface Capture {
  text: string;
  citations: CapturedCitation[];
  results: CapturedResult[];
  /** Pages that the assistant read for its answer, cited or not. */
  retrieved?: CapturedCitation[] | undefined;
  /** What the assistant searched for, in its order. */
  queries?: string[] | undefined;
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

export const AWARENESS_VERDICTS = ["recognised", "not_recognised", "confused"] as const;
export type AwarenessVerdict = (typeof AWARENESS_VERDICTS)[number];

/**
 * `recognised`: the answer says what the name is. `not_recognised`: it does not know it, or guesses. `confused`: it takes it for another
 * name, for several things, or for something of another kind.
 */
export interface Awareness {
  verdict: AwarenessVerdict;
  /** The sentence that the verdict rests on, in UTF-16 code units of the text; empty where no sentence says anything of the name. */
  start: number;
  end: number;
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
  queries: string[];
  /** Why nothing was read; no metric counts the answer then. */
  unread?: UnreadReason | undefined;
  /** Of an answer to an aided prompt: whether it knows the name that it was asked for. */
  awareness?: Awareness | undefined;
  /** Of an answer of a brand analysis: what it says of the brands that it names. */
  perception?: Omit<PerceptionReading, "awareness"> | undefined;
}

/** Best first. */
export const STANCES = ["winner", "recommended", "caveated", "mentioned", "discouraged"] as const;
export type Stance = (typeof STANCES)[number];

/** Stance towards a brand at one mention; the span is the mention's. */
export interface ReadStance extends Span {
  brandId: string;
  stance: Stance;
}

/** A pro or a con. `head` is what it is about, by which points are clustered: "battery life" of "Longer battery life". */
export interface ReadPoint extends Span {
  brandId: string;
  polarity: "pro" | "con";
  head: string;
}

/** One brand preferred to another; the place is the sentence. `aspect` is in the words of the answer. */
export interface ReadComparison extends Span {
  better: string;
  worse: string;
  aspect: string | null;
}

/** Score that a clause gives a brand's attribute, from -5 to 5; the span is the clause's. */
export interface ReadAttribute extends Span {
  brandId: string;
  attribute: string;
  score: number;
}

export interface PerceptionReading {
  version: number;
  /** Language of the answer; null if it cannot be detected. */
  language: PerceptionLanguage | null;
  /**
   * Why clauses were not judged, or null where they were. Then points come from headings and columns alone, stances from label words and
   * those, and there are no attributes.
   */
  unjudged: "no_lexicon_for_language" | null;
  /** The language model that read it too; null where only rules did. */
  judge: string | null;
  /** One of each mention, in their order. */
  stances: ReadStance[];
  points: ReadPoint[];
  comparisons: ReadComparison[];
  attributes: ReadAttribute[];
  /** For an aided prompt: does the answer recognise the brand? Null for other prompts. */
  awareness: Awareness | null;
}
