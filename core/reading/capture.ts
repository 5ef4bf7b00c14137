import { z } from "zod";
import type { PerceptionLanguage } from "../perception/languages.ts";
import type { CompetitorType } from "../sources/sources.ts";

/** A link an answer gives as its source. `position` is 1-based, in answer order. */
export interface CapturedCitation {
  url: string;
  title?: string | undefined;
  position: number;
  /** Cited passages or citation marks in the text: UTF-16 code units, end exclusive. */
  spans?: Span[] | undefined;
}

export interface Span {
  start: number;
  end: number;
}

/** A product card in an answer. `position` is 1-based; `price` is the text as shown. */
export interface CapturedProduct {
  position: number;
  title: string;
  url?: string | undefined;
  price?: string | undefined;
  seller?: string | undefined;
}

/** Result on a search engine's result page. `rank` is 1-based. */
export interface CapturedResult {
  rank: number;
  url: string;
  title?: string | undefined;
  snippet?: string | undefined;
}

const MAX_FINDINGS = 100;
const QuoteSchema = z.string().min(1).max(1000);
const findingListSchema = <Finding extends z.ZodType>(finding: Finding) => z.array(finding).max(MAX_FINDINGS);

/** Stored with the answer, so that re-parsing needs no model. */
export const JudgedOpinions = z.object({
  judge: z.string(),
  points: findingListSchema(z.object({ brand: z.string(), polarity: z.enum(["pro", "con"]), quote: QuoteSchema })),
  comparisons: findingListSchema(
    z.object({ better: z.string(), worse: z.string(), aspect: z.string().max(100).nullable(), quote: QuoteSchema }),
  ),
  attributes: findingListSchema(
    z.object({
      brand: z.string(),
      attribute: z.string().max(100),
      score: z.number().min(-5).max(5),
      quote: QuoteSchema,
    }),
  ),
});
export type JudgedOpinions = z.output<typeof JudgedOpinions>;

/** An assistant's answer with its sources, or a result page. */
export interface Capture {
  text: string;
  citations: CapturedCitation[];
  results: CapturedResult[];
  /** Pages the assistant opened for its answer, cited or not. */
  retrieved?: CapturedCitation[] | undefined;
  /** Search queries the assistant sent, in order. */
  queries?: string[] | undefined;
  products?: CapturedProduct[] | undefined;
  /** Opinions found by the configured language model; brand analyses only. */
  judged?: JudgedOpinions | null | undefined;
}

export interface BrandAlias {
  text: string;
  case_sensitive: boolean;
}

export interface TrackedBrand {
  id: string;
  /** Number of the brand in its workspace, used in stored rows. */
  number: number;
  name: string;
  aliases: BrandAlias[];
  excluded_phrases: string[];
  domains: string[];
  kind: "brand" | "sub_brand" | "product";
  parent_id: string | null;
  relationship: "mine" | "competitor" | "other";
}

/** A brand mention. Offsets are UTF-16 code units of the stored text, end exclusive. */
export interface Mention {
  brand_id: string;
  alias: string;
  start: number;
  end: number;
}

/** `rank` (1 = best) counts items, `brand_rank` distinct brands; `url`: first link to its domain. */
export interface BrandRank {
  brand_id: string;
  rank: number;
  brand_rank: number;
  mentions: number;
  url: string | null;
}

export interface Citation extends CapturedCitation {
  domain: string;
  competitor_type: CompetitorType;
  /** Catalog brand that owns the domain, if any. */
  brand_id: string | null;
}

/** Reasons why an answer could not be extracted. `too_slow`: extraction exceeded its time limit. */
export const UNREAD_REASONS = ["too_slow"] as const;
export type UnreadReason = (typeof UNREAD_REASONS)[number];

const UNREAD_TEXTS: Record<UnreadReason, string> = { too_slow: "reading it took too long" };

export function describeUnread(reason: UnreadReason): string {
  return `This answer could not be read: ${UNREAD_TEXTS[reason]}. No metric counts it.`;
}

export const AWARENESS_VERDICTS = ["recognised", "not_recognised", "confused"] as const;
export type AwarenessVerdict = (typeof AWARENESS_VERDICTS)[number];

/**
 * `recognised`: the answer says what the name is. `not_recognised`: the answer does not know the
 * name, or guesses. `confused`: the answer takes it for another name, for several things, or for
 * another kind of thing.
 */
export interface Awareness {
  verdict: AwarenessVerdict;
  /** Sentence behind the verdict, in UTF-16 code units; empty if no sentence describes the name. */
  start: number;
  end: number;
}

/** Data extracted from one capture; a pure function of capture and catalog. */
export interface Reading {
  /** READING_VERSION of the rules used; readings of older versions can be recomputed. */
  version: number;
  /** False if the source showed nothing, so that no answer counts. */
  isShown: boolean;
  /** True if the answer names a brand or links to a brand's domain. */
  isInformative: boolean;
  mentions: Mention[];
  /** One entry per brand; a sub-brand or product also counts for its ancestors. */
  brandRanks: BrandRank[];
  citations: Citation[];
  /** Pages the assistant opened for its answer but did not cite. */
  retrieved: Citation[];
  queries: string[];
  /** Reason for a failed extraction; no metric counts such an answer. */
  unread?: UnreadReason | undefined;
  /** Verdict on whether the answer knows the name; set for aided prompts only. */
  awareness?: Awareness | undefined;
  /** Opinions; set for brand analyses only. */
  perception?: Omit<PerceptionReading, "awareness"> | undefined;
}

/** Stances towards a brand, best first. */
export const STANCES = ["winner", "recommended", "caveated", "mentioned", "discouraged"] as const;
export type Stance = (typeof STANCES)[number];

/** Stance towards a brand at one mention; the span is the mention. */
export interface MentionStance extends Span {
  brandId: string;
  stance: Stance;
}

/** `head` clusters points: "battery life" for "Longer battery life". */
export interface OpinionPoint extends Span {
  brandId: string;
  polarity: "pro" | "con";
  head: string;
}

/** The span is the sentence; `aspect` is quoted from the answer. */
export interface BrandPreference extends Span {
  better: string;
  worse: string;
  aspect: string | null;
  /** True if the answer calls the two brands equal. */
  isDraw?: true;
}

/** Score of a brand's attribute in one clause, from -5 to 5. The span is the clause. */
export interface AttributeClause extends Span {
  brandId: string;
  attribute: string;
  score: number;
}

export interface PerceptionReading {
  version: number;
  /** Language of the answer; null if not detected. */
  language: PerceptionLanguage | null;
  /**
   * Reason why clauses were not judged. Then points come from headings and columns, stances from
   * these and label words, and there are no attributes.
   */
  unjudged: "no_lexicon_for_language" | null;
  /** Language model that also judged the answer; null if only rules did. */
  judge: string | null;
  /** One stance per mention, in text order. */
  stances: MentionStance[];
  points: OpinionPoint[];
  comparisons: BrandPreference[];
  attributes: AttributeClause[];
  /** Verdict on an aided prompt; null for other prompts. */
  awareness: Awareness | null;
}
