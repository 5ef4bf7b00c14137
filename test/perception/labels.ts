import { readFileSync } from "node:fs";
import { shortHash, type IdentifiedAnswer } from "./recorded.ts";
import type { LabelledUnit, Part, UnitOf } from "./units.ts";

/** Labelled units of one half, from `open.jsonl` or `held-out.jsonl`. */
export function labelledUnits(part: Part): LabelledUnit[] {
  const lines = readFileSync(new URL(`${part}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n");
  // Safe: our own file, of this shape.
  return lines.map((line) => JSON.parse(line) as LabelledUnit);
}

export function unitsOf<K extends LabelledUnit["kind"]>(units: readonly LabelledUnit[], kind: K): UnitOf<K>[] {
  return units.filter((unit): unit is UnitOf<K> => unit.kind === kind);
}

/** Labelled units whose answer is missing or whose text changed since labelling. */
export function findDrifted(units: readonly LabelledUnit[], answers: readonly IdentifiedAnswer[]): string[] {
  const texts = new Map(answers.map(({ id, text }) => [id, text]));
  return units
    .filter(({ answer, start, end, hash }) => shortHash((texts.get(answer) ?? "").slice(start, end)) !== hash)
    .map(({ id }) => id);
}
