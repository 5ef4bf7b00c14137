import type { Difference } from "./difference.ts";
import { studentQuantile, computeTwoSidedP } from "./student.ts";

/** Min earlier changes needed to estimate a brand's usual change between collects. */
const MIN_HISTORY = 6;

/** Max earlier changes used; older ones say little about today. */
export const MAX_HISTORY = 12;

/** Variance of a brand's changes beyond sampling. */
export interface ChangeHistory {
  variance: number;
  changeCount: number;
}

/** A change with its 95 % interval and p-value; nulls if it cannot be judged. */
export interface Change {
  delta: number;
  ci_low: number | null;
  ci_high: number | null;
  p: number | null;
}

/**
 * Judges a difference with one Student's t test, so that p, interval and verdict agree. A history
 * adds its variance and limits the degrees of freedom to its number of changes − 1.
 */
export function judgeDifference(
  { delta, variance, degreesOfFreedom, isJudgeable }: Difference,
  history: ChangeHistory | null = null,
): Change {
  if (!isJudgeable) return { delta, ci_low: null, ci_high: null, p: null };
  const added = history?.variance ?? 0;
  const degrees = history && added > 0 ? Math.min(degreesOfFreedom, history.changeCount - 1) : degreesOfFreedom;
  const error = Math.sqrt(variance + added);
  const half = studentQuantile(0.975, degrees) * error;
  return {
    delta,
    ci_low: Math.max(-1, delta - half),
    ci_high: Math.min(1, delta + half),
    p: computeTwoSidedP(delta / error, degrees),
  };
}

/**
 * Variance beyond sampling from earlier changes, latest first: the mean of delta² − variance over
 * at most 12, at least 0. Each change is a collect against its own reference. Null below 6.
 */
export function estimateHistory(earlier: readonly Pick<Difference, "delta" | "variance">[]): ChangeHistory | null {
  const usable = earlier.slice(0, MAX_HISTORY);
  if (usable.length < MIN_HISTORY) return null;
  const beyond = usable.reduce((sum, { delta, variance }) => sum + delta * delta - variance, 0) / usable.length;
  return { variance: Math.max(0, beyond), changeCount: usable.length };
}
