import { LEAST_DIFFERING, type Difference } from "./difference.ts";
import type { Design } from "./interval.ts";
import { ASSUMED, type Spread } from "./power.ts";

/** Observations of a brand: its latest collect, and the change since the one before. */
export interface Seen extends Design {
  /** Answers, answers with the brand, prompts with it in any answer, prompts without it in any. */
  n: number;
  x: number;
  have: number;
  lack: number;
  /** Σ of the unbiased variance between runs over `cells` cells with at least two runs. */
  runsVariance: number;
  cells: number;
  /** Change since the previous collect over `prompts` prompts; null if not comparable. */
  change: { difference: Difference; prompts: number } | null;
}

/** Basis of a plan: assumptions, the runs of one collect, or two collects. */
export const RESTS_ON = ["assumed", "partly_measured", "measured"] as const;
export interface MeasuredSpread {
  spread: Spread;
  restsOn: (typeof RESTS_ON)[number];
}

/**
 * Estimates the spread as shares of p(1 − p). Falls back to assumptions if few prompts have or lack
 * the brand.
 */
export function spreadOf(seen: Seen): MeasuredSpread {
  const presence = seen.n === 0 ? 0 : seen.x / seen.n;
  const chance = presence * (1 - presence);
  if (Math.min(seen.have, seen.lack) < LEAST_DIFFERING) return { spread: ASSUMED, restsOn: "assumed" };
  const hasRuns = seen.cells >= LEAST_DIFFERING;
  const within = hasRuns ? seen.runsVariance / seen.cells / chance : ASSUMED.within;
  if (!seen.change?.difference.judged) {
    return { spread: { ...ASSUMED, within }, restsOn: hasRuns ? "partly_measured" : "assumed" };
  }
  // Variance of a prompt's rate between two collects of this design.
  const { difference, prompts } = seen.change;
  const between = (difference.variance * prompts) / 2 / chance;
  const asked = seen.runs * seen.sources;
  const left = between - within / asked;
  const spread =
    left > 0 ? { within, between: left / (1 + 1 / seen.sources) } : { within: between * asked, between: 0 };
  return { spread: { presence, ...spread }, restsOn: "measured" };
}
