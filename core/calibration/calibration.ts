import FIGURES from "../../lists/calibration.json" with { type: "json" };
import { wilsonInterval } from "../statistics/interval.ts";

/** What is measured of the reading. Presence counts brands of answers; stance, pros and cons those that both have. */
export const MEASURES = ["presence", "rank", "named_in_prompt", "stance", "pros", "cons"] as const;
export type Measure = (typeof MEASURES)[number];

export const PARTS = ["held_out", "open"] as const;
export const DIMENSIONS = ["all", "class", "provider", "language"] as const;

/** Counts of one measure over one group of labels. A measure with one answer to each label has as many found as labelled. */
export interface CalibrationCounts {
  /** `open`: rules were written from these labels. `held_out`: they were not. */
  part: (typeof PARTS)[number];
  measure: Measure;
  dimension: (typeof DIMENSIONS)[number];
  /** Of the dimension, such as `caveated`, `google` or `en`; `all` of `all`. */
  value: string;
  right: number;
  found: number;
  labelled: number;
}

/** How well the reading of a build agrees with labels. */
export interface Calibration {
  /** Of the labels: grows with each change of one. */
  labels_version: number;
  labels_hash: string;
  reading_version: string;
  answers: number;
  pairs: number;
  figures: readonly CalibrationCounts[];
}

/** Agreement of this build's reading with the labels of test/reading-labels, written by `npm run proof -- evaluate --write`. */
export const CALIBRATION = FIGURES as Calibration;

/** A share between 0 and 1 with its 95 % interval. */
export interface Share {
  value: number;
  ci_low: number;
  ci_high: number;
}

const Z = 1.959_964;

/** A share with Wilson's interval; null of nothing. */
export function shareOf(right: number, of: number): Share | null {
  if (of === 0) return null;
  const value = right / of;
  const { low, high } = wilsonInterval(value, of, Z);
  return { value, ci_low: low, ci_high: high };
}

/** The harmonic mean of precision and recall; null of nothing. */
export function f1Of({
  right,
  found,
  labelled,
}: Pick<CalibrationCounts, "right" | "found" | "labelled">): number | null {
  return found + labelled === 0 ? null : (2 * right) / (found + labelled);
}

/** What is published of a row: counts, shares with intervals, F1. */
export function figureOf({ measure, value, right, found, labelled }: CalibrationCounts) {
  const [precision, recall] = [shareOf(right, found), shareOf(right, labelled)];
  return { measure, value, right, found, labelled, precision, recall, f1: f1Of({ right, found, labelled }) };
}
