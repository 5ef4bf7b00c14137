import { existsSync, readFileSync } from "node:fs";
import { BrandFileSchema } from "../../core/brands/brand-file.ts";
import { compileCatalog, listRootBrandIds, type CompiledCatalog } from "../../core/reading/catalog.ts";
import { readCapture } from "../../core/reading/reading.ts";

/** Real answers, never copied into the project; next to the repository, or absent. */
export const RECORDED_ANSWERS = "../shared/data/recorded/answers.jsonl";

export interface RecordedAnswer {
  prompt: string;
  product: string;
  run: number;
  answer: string;
}

interface Labelled {
  product: string;
  prompt: string;
  run: number;
  brands: Record<string, number>;
  /** Labelled after the rules were last changed, before they were run on it. */
  held_out: boolean;
}

export interface Agreement {
  labelled: number;
  found: number;
  right: number;
  rightRanks: number;
  precision: number;
  recall: number;
  rankShare: number;
  /** Differences for display. */
  differences: string[];
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
}

export function labelledCatalog(): CompiledCatalog {
  return compileCatalog(BrandFileSchema.parse(readJson("brands.json")));
}

export function recordedAnswers(): RecordedAnswer[] | undefined {
  if (!existsSync(RECORDED_ANSWERS)) return undefined;
  const lines = readFileSync(RECORDED_ANSWERS, "utf8").trim().split("\n");
  // Safe: the recorded file's rows have these fields (its README).
  return lines.map((line) => JSON.parse(line) as RecordedAnswer);
}

/**
 * Presence and ranks of brands (sub-brands counted for theirs) against the labels that were written
 * by hand.
 */
export function measureAgreement(answers: RecordedAnswer[], heldOut: boolean): Agreement {
  // Safe: our own file, of this shape.
  const truth = readJson("truth.json") as Labelled[];
  const catalog = labelledCatalog();
  const roots = listRootBrandIds(catalog);
  const sums = { labelled: 0, found: 0, right: 0, rightRanks: 0 };
  const differences: string[] = [];
  for (const { prompt, run, product, brands } of truth.filter(({ held_out }) => held_out === heldOut)) {
    const answer = answers.find((row) => row.prompt === prompt && row.run === run);
    if (!answer) throw new Error("A labelled answer is not among the recorded ones.");
    const capture = { text: answer.answer, citations: [], results: [] };
    const places = readCapture(capture, catalog, { prompt }).brandRanks.filter(({ brand_id }) => roots.has(brand_id));
    const ranks = new Map(places.map(({ brand_id, rank }) => [brand_id, rank]));
    sums.labelled += Object.keys(brands).length;
    sums.found += ranks.size;
    for (const [brand, rank] of Object.entries(brands)) {
      if (ranks.has(brand)) sums.right += 1;
      if (ranks.get(brand) === rank) sums.rightRanks += 1;
      else
        differences.push(
          `${product}, "${prompt}", run ${run}: ${brand} is ${rank}, read ${ranks.get(brand) ?? "absent"}`,
        );
    }
    for (const [brand, rank] of ranks) {
      if (!(brand in brands)) differences.push(`${product}, "${prompt}", run ${run}: ${brand} is absent, read ${rank}`);
    }
  }
  return {
    ...sums,
    precision: sums.right / sums.found,
    recall: sums.right / sums.labelled,
    rankShare: sums.rightRanks / sums.labelled,
    differences,
  };
}
