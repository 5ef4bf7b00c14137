import type { Difference } from "./difference.ts";
import { quantile, twoSided } from "./student.ts";

/** From as many earlier changes on, what the brand moves anyway from collect to collect can be told from them. */
const LEAST_HISTORY = 6;

/** No more of the past than this is looked at: what moved a brand two years ago says little of today. */
export const MOST_HISTORY = 12;

/** What a brand moves from collect to collect beyond sampling, learnt from so many earlier changes. */
export interface History {
  variance: number;
  changes: number;
}

/** A change with its interval and the chance of one as large where nothing changed; null where it cannot be judged. */
export interface Change {
  delta: number;
  ci_low: number | null;
  ci_high: number | null;
  p: number | null;
}

/**
 * Judges a difference: p, interval and so the verdict come from one Student's t, which is why they never contradict each
 * other. With a history its variance is added, and its degrees of freedom, number − 1, are those of the test.
 */
export function changeOf({ delta, variance, freedom, judged }: Difference, history: History | null = null): Change {
  if (!judged) return { delta, ci_low: null, ci_high: null, p: null };
  const added = history?.variance ?? 0;
  const degrees = history && added > 0 ? Math.min(freedom, history.changes - 1) : freedom;
  const error = Math.sqrt(variance + added);
  const half = quantile(0.975, degrees) * error;
  return {
    delta,
    ci_low: Math.max(-1, delta - half),
    ci_high: Math.min(1, delta + half),
    p: twoSided(delta / error, degrees),
  };
}

/**
 * What earlier changes, the latest first, tell of later ones: the mean of delta² − V over at most twelve, not below 0.
 * Each is a collect's against its own reference. Null for fewer than six.
 */
export function historyOf(earlier: readonly Pick<Difference, "delta" | "variance">[]): History | null {
  const told = earlier.slice(0, MOST_HISTORY);
  if (told.length < LEAST_HISTORY) return null;
  const beyond = told.reduce((sum, { delta, variance }) => sum + delta * delta - variance, 0) / told.length;
  return { variance: Math.max(0, beyond), changes: told.length };
}
