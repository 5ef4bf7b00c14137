import { readFileSync } from "node:fs";
import { BrandFileSchema } from "../../core/brands/brand-file.ts";
import { compileCatalog, type CompiledCatalog } from "../../core/reading/catalog.ts";
import type { Disagreement, Part, Stance } from "../perception/units.ts";

/** Start and end in UTF-16 code units of the answer's text, end exclusive. */
export type TextRange = readonly [start: number, end: number];

/** An annotator's labels of a brand that is present. */
export interface BrandLabel {
  /** Counted by items, as in docs/measurement.md. */
  rank: number;
  /** The highest stance of the brand's items. */
  stance: Stance;
  pros: TextRange[];
  cons: TextRange[];
}

/** One brand in one answer. Absent brands have no rank, stance, pros or cons. */
export interface LabelledPair extends Partial<BrandLabel> {
  brand: string;
  /** Why the pair was drawn, such as `absent_tempting`. */
  classes: string[];
  present: boolean;
  named: boolean;
  /** The annotators' labels where they differ from the adjudicated label, and the cause. */
  first?: Partial<BrandLabel>;
  second?: Partial<BrandLabel>;
  why?: Partial<Record<keyof BrandLabel, Disagreement>>;
}

/** One answer with its labels: a line of `open.jsonl` or `held-out.jsonl`. */
export interface LabelledAnswer {
  /**
   * `recorded/` and where it is among the recorded answers, or a file, `#` and the path of the text
   * in it.
   */
  answer: string;
  part: Part;
  provider: string;
  language: string;
  /**
   * `verbatim` from an interface, `recorded` from a page, `reduced` or from a `source-test`
   * otherwise.
   */
  kind: "recorded" | "verbatim" | "reduced" | "source-test";
  /**
   * Origin of the prompt: the request, a search by the assistant, none, or constructed for a real
   * answer.
   */
  prompt_from: "request" | "query" | "none" | "constructed";
  prompt_at?: string[];
  prompt?: string;
  /** Hash of the text, to detect a changed answer. */
  hash: string;
  /** Ids of the brands that places are counted among. */
  brands: string[];
  /**
   * Presence and ranks were known when the rules were written, so they count in no held-out figure.
   */
  places_known?: true;
  pairs: LabelledPair[];
}

export function labelledAnswers(part: Part): LabelledAnswer[] {
  const lines = readFileSync(new URL(`${part}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n");
  // Safe: our own file, of this shape.
  return lines.map((line) => JSON.parse(line) as LabelledAnswer);
}

/** The catalog of the brands tracked in one answer. */
export function catalogOf({ brands }: LabelledAnswer): CompiledCatalog {
  return compileCatalog(BRANDS.filter(({ id }) => brands.includes(id)));
}

const BRANDS = ["../measurement/brands.json", "brands.json"].flatMap((file) =>
  BrandFileSchema.parse(JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"))),
);
