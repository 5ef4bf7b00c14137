import { listsResults } from "../sources.ts";
import type { Capture, Reading } from "../reading/capture.ts";
import type { CompiledCatalog } from "../reading/catalog.ts";
import { readCapture } from "../reading/reading.ts";
import { readPerception, type PerceptionContext } from "./perception.ts";

/** Reads an answer of a brand analysis: all that is read of any answer, and what it says of the brands. Pure. */
export function readBrandAnswer(capture: Capture, catalog: CompiledCatalog, context: PerceptionContext): Reading {
  const reading = readCapture(capture, catalog, context);
  // What a page of results lists is no opinion.
  if (!reading.shown || (context.source && listsResults(context.source))) return reading;
  const { awareness } = readPerception(capture, reading, context, catalog);
  return awareness === null ? reading : { ...reading, awareness };
}
