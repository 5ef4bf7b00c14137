import { computeShare } from "../../core/calibration/calibration.ts";
import { RandomGenerator } from "../statistics/chance.ts";
import type { Stretch } from "./windows.ts";

export interface Range {
  low: number;
  high: number;
}

/** How many were found, how many of these are right, and how many there are. */
export interface Counts {
  found: number;
  right: number;
  there: number;
}

/** Counts per class in one answer; units of one answer are not independent. */
export interface Tally {
  answer: string;
  counts: ReadonlyMap<string, Counts>;
}

export interface Score {
  /** Mean of the F1 of the classes. */
  f1: number;
  interval: Range;
  classes: Map<string, Counts & { precision: number; recall: number; f1: number }>;
}

const DRAWS = 1_000;

/** Wilson interval of a share; 0 to 1 when the sample is empty. */
export function wilsonInterval(right: number, of: number): Range {
  const { ci_low: low, ci_high: high } = computeShare(right, of) ?? { ci_low: 0, ci_high: 1 };
  return { low, high };
}

/**
 * Precision, recall and F1 of each class, and the mean F1 with its interval: 1,000 draws of
 * answers, from a seed.
 */
export function computeScore(tallies: readonly Tally[], classes: readonly string[]): Score {
  const perClass = new Map(
    classes.map((name) => {
      const counts = sumOf(tallies, name);
      const precision = counts.found === 0 ? 0 : counts.right / counts.found;
      const recall = counts.there === 0 ? 0 : counts.right / counts.there;
      return [name, { ...counts, precision, recall, f1: f1Of(counts) }] as const;
    }),
  );
  return { f1: meanF1(tallies, classes), interval: drawnInterval(tallies, classes), classes: new Map(perClass) };
}

function sumOf(tallies: readonly Tally[], name: string): Counts {
  const sum = { found: 0, right: 0, there: 0 };
  for (const { counts } of tallies) {
    const own = counts.get(name);
    if (!own) continue;
    sum.found += own.found;
    sum.right += own.right;
    sum.there += own.there;
  }
  return sum;
}

/** 0 for a class that is labelled but never found; NaN when it is neither labelled nor found. */
function f1Of({ found, right, there }: Counts): number {
  return found + there === 0 ? Number.NaN : (2 * right) / (found + there);
}

function meanF1(tallies: readonly Tally[], classes: readonly string[]): number {
  const values = classes.map((name) => f1Of(sumOf(tallies, name))).filter((value) => !Number.isNaN(value));
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function drawnInterval(tallies: readonly Tally[], classes: readonly string[]): Range {
  const groups = new Map<string, Tally[]>();
  for (const tally of tallies) groups.set(tally.answer, [...(groups.get(tally.answer) ?? []), tally]);
  const byAnswer = [...groups.values()];
  const chance = new RandomGenerator(20_261_123);
  const values = Array.from({ length: DRAWS }, () => {
    const drawn = byAnswer.flatMap(() => byAnswer[Math.floor(chance.uniform() * byAnswer.length)] ?? []);
    return meanF1(drawn, classes);
  }).toSorted((one, other) => one - other);
  return { low: values[DRAWS * 0.025] ?? 0, high: values[DRAWS * 0.975 - 1] ?? 1 };
}

/** True if two spans overlap by at least half of the shorter one. */
export function doOverlap(one: Stretch, other: Stretch): boolean {
  const common = Math.min(one.end, other.end) - Math.max(one.start, other.start);
  return common > 0 && 2 * common >= Math.min(one.end - one.start, other.end - other.start);
}

/**
 * Counts the found items that match a labelled item; each label matches once, greedily in order.
 */
export function countMatched<F, T>(
  found: readonly F[],
  there: readonly T[],
  matches: (one: F, other: T) => boolean,
): number {
  const left = [...there];
  return found.filter((one) => {
    const at = left.findIndex((other) => matches(one, other));
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  }).length;
}
