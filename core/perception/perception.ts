import { scoreAttributes } from "./attributes.ts";
import { findComparisons } from "./comparisons.ts";
import { detectOpinionLanguage } from "./languages.ts";
import { splitPassages } from "./passages.ts";
import { findPoints } from "./points.ts";
import { findStances } from "./stances.ts";
import { addVerdictOfTwo } from "./verdict-of-two.ts";
import { classifyAwareness } from "../reading/awareness/classify-awareness.ts";
import type { Capture, PerceptionReading, Reading } from "../reading/capture.ts";
import type { CompiledCatalog } from "../reading/catalog.ts";
import { readableText, type ReadingContext } from "../reading/reading.ts";

/** Increment with each change of rules that can change opinions or claims (core/claims). */
export const PERCEPTION_VERSION = 3;

export interface PerceptionContext extends ReadingContext {
  /** Attributes of the setup; the prompt's attribute is always scored. */
  attributes?: readonly string[] | undefined;
}

/** Pure. `reading` must come from the same capture and catalog. */
export function extractPerception(
  capture: Capture,
  reading: Reading,
  context: PerceptionContext,
  catalog: CompiledCatalog,
): PerceptionReading {
  const text = readableText(capture, context.source);
  const language = detectOpinionLanguage(text);
  const { mentions } = reading;
  const passages = splitPassages(text, mentions);
  const judged = language === "en";
  const points = findPoints(text, mentions, passages, judged);
  const stances = findStances(text, mentions, passages, points, context.prompt);
  return {
    version: PERCEPTION_VERSION,
    language,
    unjudged: judged ? null : "no_lexicon_for_language",
    judge: null,
    stances,
    points,
    comparisons: addVerdictOfTwo(text, findComparisons(text, mentions, passages, stances), {
      passages,
      stances,
      asked: context.asked,
    }),
    attributes: judged ? scoreAttributes(text, passages, points, stances, listAttributesToScore(context)) : [],
    awareness: extractAwareness(text, context, catalog),
  };
}

function listAttributesToScore({ asked, attributes = [] }: PerceptionContext): string[] {
  return [...new Set(asked?.attribute ? [asked.attribute, ...attributes] : attributes)];
}

function extractAwareness(text: string, { asked, category }: PerceptionContext, catalog: CompiledCatalog) {
  if (asked?.kind !== "aided") return null;
  if (asked.lookAlike !== null) return classifyAwareness(text, { name: asked.lookAlike, category });
  const brand = catalog.brands[catalog.indexById.get(asked.brandId ?? "") ?? -1];
  if (!brand) return null;
  return classifyAwareness(text, { name: brand.name, aliases: brand.aliases.map((alias) => alias.text), category });
}
