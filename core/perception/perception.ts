import { readAttributes } from "./attributes.ts";
import { readComparisons } from "./comparisons.ts";
import { languageOf } from "./languages.ts";
import { passagesOf } from "./passages.ts";
import { readPoints } from "./points.ts";
import { readStances } from "./stances.ts";
import { readAwareness } from "../reading/awareness/awareness.ts";
import type { Awareness, Capture, PerceptionReading, Reading } from "../reading/capture.ts";
import type { CompiledCatalog } from "../reading/catalog.ts";
import { readableText, type ReadingContext } from "../reading/reading.ts";

/** Grows with every change of the rules that can change what is read, those of claims (core/claims) among them. */
export const PERCEPTION_VERSION = 2;

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
