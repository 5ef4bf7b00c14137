import FIGURES from "../../lists/calibration.json" with { type: "json" };
import { computeWilsonInterval } from "../statistics/interval.ts";

/** Presence counts brands; stance, pros and cons count brands that label and extraction share. */
export const MEASURES = ["presence", "rank", "named_in_prompt", "stance", "pros", "cons"] as const;
export type CalibrationMeasure = (typeof MEASURES)[number];

export const CALIBRATION_PARTS = ["held_out", "open"] as const;
export const CALIBRATION_DIMENSIONS = ["all", "class", "provider", "language"] as const;

/** With one value per label, `found` equals `labelled`. */
export interface CalibrationCounts {
  /** `open`: labels used to write rules. `held_out`: other labels. */
  part: (typeof CALIBRATION_PARTS)[number];
  measure: CalibrationMeasure;
  dimension: (typeof CALIBRATION_DIMENSIONS)[number];
  /** Value of the dimension, such as `caveated`, `google` or `en`. */
  value: string;
  right: number;
  found: number;
  labelled: number;
}

export interface CalibrationReport {
  /** Incremented with each change of a label. */
  labels_version: number;
  labels_hash: string;
  reading_version: string;
  answers: number;
  pairs: number;
  figures: readonly CalibrationCounts[];
}

/** Written by `npm run proof -- evaluate --write` from the labels of test/reading-labels. */
export const CALIBRATION = FIGURES as CalibrationReport;

/** A share from 0 to 1 with its 95 % interval. */
export interface ShareWithInterval {
  value: number;
  ci_low: number;
  ci_high: number;
}

const Z_SCORE_95 = 1.959_964;

/** Share with Wilson's interval; null if the denominator is 0. */
export function computeShare(right: number, total: number): ShareWithInterval | null {
  if (total === 0) return null;
  const value = right / total;
  const { low, high } = computeWilsonInterval(value, total, Z_SCORE_95);
  return { value, ci_low: low, ci_high: high };
}

/** Harmonic mean of precision and recall; null without counts. */
export function computeF1({ right, found, labelled }: Pick<CalibrationCounts, "right" | "found" | "labelled">) {
  return found + labelled === 0 ? null : (2 * right) / (found + labelled);
}

export function toCalibrationMetric({ measure, value, right, found, labelled }: CalibrationCounts) {
  const [precision, recall] = [computeShare(right, found), computeShare(right, labelled)];
  return { measure, value, right, found, labelled, precision, recall, f1: computeF1({ right, found, labelled }) };
}
