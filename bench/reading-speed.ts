import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { TrackedBrand } from "../core/reading/capture.ts";
import { labelledCatalog, recordedAnswers, type RecordedAnswer } from "../test/measurement/truth.ts";
import { median, nameThatBeginsAlike, otherBrand, ownName } from "./reading.ts";

// MB of recorded answers read per second with 2,000 and 20,000 aliases: brand detection alone, and
// full reading. `--beside DIR` reads with another checkout in the same rounds.

interface Reader {
  compileCatalog: (brands: readonly TrackedBrand[]) => unknown;
  findMentions: (text: string, catalog: unknown, prompt: string) => unknown;
  readCapture: (capture: unknown, catalog: unknown, context: { prompt: string }) => unknown;
}

const SIZES = [2_000, 20_000];
const ROUNDS = 9;
const ROOT = join(import.meta.dirname, "..");

const { values } = parseArgs({ options: { beside: { type: "string" } } });
const answers = recordedAnswers();
if (answers === undefined) {
  console.info("Skipped: the folder of recorded answers does not stand beside the repository.");
} else {
  const readers = [
    await readerOf(ROOT),
    ...(values.beside === undefined ? [] : [await readerOf(resolve(values.beside))]),
  ];
  const megabytes = answers.reduce((sum, { answer }) => sum + Buffer.byteLength(answer), 0) / 1e6;
  console.info(`${answers.length} recorded answers, ${megabytes.toFixed(2)} MB; MB/s, medians of ${ROUNDS} rounds`);
  for (const [what, nameOf] of [
    ["own names", ownName],
    ["names that begin alike", nameThatBeginsAlike],
  ] as const) {
    for (const size of SIZES) {
      const seconds = timesOf(readers, answers, brandsWith(size, nameOf));
      for (const [work, [now = Number.NaN, beside]] of Object.entries(seconds)) {
        const other =
          beside === undefined ? "" : `, beside ${(megabytes / beside).toFixed(1)}, ratio ${(beside / now).toFixed(2)}`;
        console.info(
          `  ${`${size} aliases, ${what}, ${work}`.padEnd(58)} ${(megabytes / now).toFixed(1).padStart(6)}${other}`,
        );
      }
    }
  }
}

/** The reading functions of a checkout, in this layout or version 0.1.0's. */
async function readerOf(root: string): Promise<Reader> {
  const folder = ["core/reading", "src/core"]
    .map((path) => join(root, path))
    .find((path) => existsSync(`${path}/reading.ts`));
  if (folder === undefined) throw new Error(`${root} holds no checkout of the service.`);
  const modules = await Promise.all(
    ["catalog", "find-mentions", "reading"].map((name) => import(`${folder}/${name}.ts`)),
  );
  // Safe: these modules export these functions in every version.
  return Object.assign({}, ...modules) as Reader;
}

/** The labelled brands, padded with others to this number of names and aliases. */
function brandsWith(aliases: number, nameOf: (nth: number) => string): TrackedBrand[] {
  const labelled = [...labelledCatalog().brands];
  const known = labelled.reduce((sum, brand) => sum + 1 + brand.aliases.length, 0);
  const others = Array.from({ length: (aliases - known) >> 1 }, (_, nth) => otherBrand(nth, nameOf(nth)));
  return [...labelled, ...others];
}

/**
 * Median seconds of each reader over all answers. Readers alternate in going first, so that none
 * benefits from warm caches.
 */
function timesOf(readers: readonly Reader[], rows: readonly RecordedAnswer[], brands: TrackedBrand[]) {
  const catalogs = readers.map(({ compileCatalog }) => compileCatalog(brands));
  const works: Record<string, (reader: Reader, catalog: unknown, row: RecordedAnswer) => unknown> = {
    "finding brands": ({ findMentions }, catalog, { answer, prompt }) => findMentions(answer, catalog, prompt),
    "whole reading": ({ readCapture }, catalog, { answer, prompt }) =>
      readCapture({ text: answer, citations: [], results: [] }, catalog, { prompt }),
  };
  return Object.fromEntries(
    Object.entries(works).map(([what, work]) => {
      const times = readers.map((): number[] => []);
      for (let round = 0; round < ROUNDS; round += 1) {
        for (let turn = 0; turn < readers.length; turn += 1) {
          const at = (round + turn) % readers.length;
          const reader = readers[at];
          if (reader === undefined) continue;
          const began = performance.now();
          for (const row of rows) work(reader, catalogs[at], row);
          times[at]?.push((performance.now() - began) / 1000);
        }
      }
      return [what, times.map(median)];
    }),
  );
}
