import { expect, test } from "vitest";
import { readPerception } from "../../core/perception/perception.ts";
import type { PerceptionContext, PerceptionReading } from "../../core/perception/perception.ts";
import { readCapture } from "../../core/reading/reading.ts";
import { brand, catalogOf } from "../measurement/brands.ts";

const catalog = catalogOf(brand("Acme"), "Bolt", "Civet");

function read(text: string, context: Partial<PerceptionContext> = {}): PerceptionReading {
  const capture = { text, citations: [], results: [] };
  const full = { prompt: "", ...context };
  return readPerception(capture, readCapture(capture, catalog, full), full, catalog);
}

/** "pro acme: long battery life", in the words of the text, so that offsets are exact. */
function points(text: string): string[] {
  return read(text).points.map(
    ({ brandId, polarity, start, end }) => `${polarity} ${brandId}: ${text.slice(start, end)}`,
  );
}

test("points stand under headings that say so", () => {
  const text =
    "## Acme One\n\n**Pros:**\n- long battery life\n- bright screen\n\n**Cons:**\n- loud fan\n- the app is slow\n";
  expect(points(text)).toEqual([
    "pro Acme: long battery life",
    "pro Acme: bright screen",
    "con Acme: loud fan",
    "con Acme: the app is slow",
  ]);
});
