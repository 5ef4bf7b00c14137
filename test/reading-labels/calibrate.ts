import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { CalibrationReport } from "../../core/calibration/calibration.ts";
import { PERCEPTION_VERSION } from "../../core/perception/perception.ts";
import { READING_VERSION } from "../../core/reading/reading.ts";
import type { Part } from "../perception/units.ts";
import { countByGroup } from "./evaluate.ts";
import { labelledAnswers } from "./label-lines.ts";
import { readTexts } from "./texts.ts";

/** Grows with each change of a label. */
const LABELS_VERSION = 2;

const PARTS: readonly Part[] = ["held-out", "open"];
const FILES = ["open.jsonl", "held-out.jsonl", "brands.json"];

/**
 * Compares this build's reading with the labels, and returns the figures of the given halves.
 * Needs the data folder next to the repository (`missingTextsReason`).
 */
export function calibrate(measured: readonly Part[] = PARTS): CalibrationReport {
  const halves = PARTS.map((part) => ({ part, answers: labelledAnswers(part) }));
  const all = halves.flatMap(({ answers }) => answers);
  return {
    labels_version: LABELS_VERSION,
    labels_hash: hashLabels(),
    reading_version: `${READING_VERSION}.${PERCEPTION_VERSION}`,
    answers: new Set(all.map(({ answer }) => answer.replace("#constructed", ""))).size,
    pairs: all.reduce((sum, { pairs }) => sum + pairs.length, 0),
    figures: halves
      .filter(({ part }) => measured.includes(part))
      .flatMap(({ part, answers }) => countByGroup(part === "open" ? "open" : "held_out", answers, readTexts(answers))),
  };
}

export function hashLabels(): string {
  const hash = createHash("sha256");
  for (const file of FILES) hash.update(readFileSync(new URL(file, import.meta.url)));
  return hash.digest("hex").slice(0, 16);
}

/** The published data file: one line per row, so that a changed figure changes one line. */
export function dataFile(calibration: CalibrationReport): string {
  const { figures, ...of } = calibration;
  const fields = Object.entries(of).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  const rows = figures.map((row) => JSON.stringify(row)).join(",\n");
  return ["{", ...fields, `"figures": [`, rows, "]", "}", ""].join("\n");
}
