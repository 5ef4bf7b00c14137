import { isResultPageSource } from "../sources/sources.ts";
import type { Capture, Reading } from "../reading/capture.ts";
import type { CompiledCatalog } from "../reading/catalog.ts";
import { READING_VERSION, readableText, readCapture } from "../reading/reading.ts";
import { SUMS_VERSION } from "../metrics/metrics.ts";
import { mergeJudgedOpinions } from "./merge-judged-opinions.ts";
import { PERCEPTION_VERSION, extractPerception, type PerceptionContext } from "./perception.ts";

/** Combined version of extraction rules and sums. A change re-extracts stored answers. */
export const RULES_VERSION = `${READING_VERSION}.${PERCEPTION_VERSION}.${SUMS_VERSION}`;

/** Extracts an answer of a brand analysis: the general reading, and opinions. Pure. */
export function readBrandAnswer(capture: Capture, catalog: CompiledCatalog, context: PerceptionContext): Reading {
  const reading = readCapture(capture, catalog, context);
  // Skips opinions of result pages, which have none.
  if (!reading.isShown || (context.source && isResultPageSource(context.source))) return reading;
  const { awareness, ...rules } = extractPerception(capture, reading, context, catalog);
  const text = readableText(capture, context.source);
  const perception = capture.judged ? mergeJudgedOpinions(rules, capture.judged, { text, catalog }) : rules;
  return { ...reading, perception, ...(awareness === null ? {} : { awareness }) };
}
