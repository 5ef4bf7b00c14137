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

/** Increment with each change of rules that can change opinions or claims (core/claims). */
export const PERCEPTION_VERSION = 2;

export interface PerceptionContext extends ReadingContext {
  /** Attributes of the setup; the prompt's attribute is always scored. */
  attributes?: readonly string[] | undefined;
}

/**
 * Extracts opinions on the brands in an answer. Pure. `reading` must come from the same capture and
 * catalog.
 */
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
