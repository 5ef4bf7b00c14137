import { readAttributes } from "./attributes.ts";
import { readComparisons } from "./comparisons.ts";
import { languageOf } from "./languages.ts";
import type { PerceptionLanguage } from "./languages.ts";
import { passagesOf } from "./passages.ts";
import { readPoints } from "./points.ts";
import { readStances } from "./stances.ts";
import { readAwareness } from "../reading/awareness/awareness.ts";
import type { Awareness } from "../reading/awareness/awareness.ts";
import type { Capture, Reading } from "../reading/capture.ts";
import type { CompiledCatalog } from "../reading/catalog.ts";
import { readableText } from "../reading/reading.ts";
import type { ReadingContext } from "../reading/reading.ts";

/** Grows with every change of the rules that can change what is read, those of claims (core/claims) among them. */
export const PERCEPTION_VERSION = 2;

/** Best first. */
export const STANCES = ["winner", "recommended", "caveated", "mentioned", "discouraged"] as const;
export type Stance = (typeof STANCES)[number];

/** A stretch of the text that mentions refer to, in UTF-16 code units, end exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** What the answer makes of a brand where it names it: the place is the mention's. */
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

/** What a clause says of a brand's attribute, from -5 to 5; the place is the clause. */
export interface ReadAttribute extends Span {
  brandId: string;
  attribute: string;
  score: number;
}

export interface PerceptionReading {
  version: number;
  /** What the answer is written in; null where it cannot be told. */
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
  /** Of an aided prompt: whether the answer knows the name that it asks for. */
  awareness: Awareness | null;
}

export interface PerceptionContext extends ReadingContext {
  /** The setup's attributes; that of the prompt is read in any case. */
  attributes?: readonly string[] | undefined;
}

/** Reads what an answer says about the brands that it names. Pure: `reading` is that of the same capture and catalog. */
export function readPerception(
  capture: Capture,
  reading: Reading,
  context: PerceptionContext,
  catalog: CompiledCatalog,
): PerceptionReading {
  const text = readableText(capture, context.source);
  const language = languageOf(text);
  const { mentions } = reading;
  const passages = passagesOf(text, mentions);
  const judged = language === "en";
  const points = readPoints(text, mentions, passages, judged);
  const stances = readStances(text, mentions, passages, points, context.prompt);
  return {
    version: PERCEPTION_VERSION,
    language,
    unjudged: judged ? null : "no_lexicon_for_language",
    judge: null,
    stances,
    points,
    comparisons: readComparisons(text, mentions, passages, stances),
    attributes: judged ? readAttributes(text, passages, points, stances, attributesIn(context)) : [],
    awareness: awarenessIn(text, context, catalog),
  };
}

function attributesIn({ asked, attributes = [] }: PerceptionContext): string[] {
  return [...new Set(asked?.attribute ? [asked.attribute, ...attributes] : attributes)];
}

function awarenessIn(text: string, { asked, category }: PerceptionContext, catalog: CompiledCatalog): Awareness | null {
  if (asked?.kind !== "aided") return null;
  if (asked.lookAlike !== null) return readAwareness(text, { name: asked.lookAlike, category });
  const brand = catalog.brands[catalog.places.get(asked.brandId ?? "") ?? -1];
  if (!brand) return null;
  return readAwareness(text, { name: brand.name, aliases: brand.aliases.map((alias) => alias.text), category });
}
