import { listsResults } from "../sources/sources.ts";
import type { Capture, Reading } from "../reading/capture.ts";
import type { CompiledCatalog } from "../reading/catalog.ts";
import { READING_VERSION, readableText, readCapture } from "../reading/reading.ts";
import { SUMS_VERSION } from "../metrics/metrics.ts";
import { withJudged } from "./judged-opinions.ts";
import { PERCEPTION_VERSION, readPerception, type PerceptionContext } from "./perception.ts";

/** What stands for all rules that answers are read by, and for what is summed of them. Where it is another one, stored answers are read again. */
export const RULES_VERSION = `${READING_VERSION}.${PERCEPTION_VERSION}.${SUMS_VERSION}`;

/** Reads an answer of a brand analysis: all that is read of any answer, and what it says of the brands. Pure. */
export function readBrandAnswer(capture: Capture, catalog: CompiledCatalog, context: PerceptionContext): Reading {
  const reading = readCapture(capture, catalog, context);
  // What a page of results lists is no opinion.
  if (!reading.shown || (context.source && listsResults(context.source))) return reading;
  const { awareness, ...rules } = readPerception(capture, reading, context, catalog);
  const text = readableText(capture, context.source);
  const perception = capture.judged ? withJudged(rules, capture.judged, { text, catalog }) : rules;
  return { ...reading, perception, ...(awareness === null ? {} : { awareness }) };
}
