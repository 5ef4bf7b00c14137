import { extractPerception } from "../../core/perception/perception.ts";
import type { PerceptionReading as Read } from "../../core/reading/capture.ts";
import { readCapture } from "../../core/reading/reading.ts";
import { labelledCatalog } from "../measurement/truth.ts";
import { claimOf } from "./product-claims.ts";
import type { PerceptionReading } from "./perception-reading.ts";
import type { IdentifiedAnswer } from "./recorded.ts";

const catalog = labelledCatalog();
const known = new Map<string, Read>();

function readingOf({ id, text, prompt }: IdentifiedAnswer): Read {
  const capture = { text, citations: [], results: [] };
  const read =
    known.get(id) ?? extractPerception(capture, readCapture(capture, catalog, { prompt }), { prompt }, catalog);
  known.set(id, read);
  return read;
}

export const PRODUCT_READING: PerceptionReading = {
  name: "the product",
  stance(answer, mention) {
    return readingOf(answer).stances.find(({ start }) => start === mention.start)?.stance ?? "mentioned";
  },
  prosAndCons: (answer) => readingOf(answer).points,
  comparisons: (answer) => readingOf(answer).comparisons,
  claim: claimOf,
};
