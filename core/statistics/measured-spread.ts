import { MIN_DIFFERING, type Difference } from "./difference.ts";
import type { Design } from "./interval.ts";
import { ASSUMED_SPREAD, type Spread } from "./power.ts";

export interface BrandObservations extends Design {
  /** Answers, answers with the brand, prompts with it in any answer, prompts without it in any. */
  n: number;
  x: number;
  withValue: number;
  withoutFull: number;
  /** Σ of the unbiased variance between runs over cells with at least two runs. */
  runsVariance: number;
  cells: number;
  /** Change since the previous collect; null if not comparable. */
  change: { difference: Difference; promptCount: number } | null;
}

/** Basis of a plan: assumptions, the runs of one collect, or two collects. */
export const SPREAD_BASES = ["assumed", "partly_measured", "measured"] as const;
export interface MeasuredSpread {
  spread: Spread;
  basis: (typeof SPREAD_BASES)[number];
}

/** Estimates shares of p(1 − p); assumes them if few prompts have or lack the brand. */
export function measureSpread(observed: BrandObservations): MeasuredSpread {
  const presenceRate = observed.n === 0 ? 0 : observed.x / observed.n;
  const chance = presenceRate * (1 - presenceRate);
  if (Math.min(observed.withValue, observed.withoutFull) < MIN_DIFFERING)
    return { spread: ASSUMED_SPREAD, basis: "assumed" };
  const hasRuns = observed.cells >= MIN_DIFFERING;
  const within = hasRuns ? observed.runsVariance / observed.cells / chance : ASSUMED_SPREAD.within;
  if (!observed.change?.difference.isJudgeable) {
    return { spread: { ...ASSUMED_SPREAD, within }, basis: hasRuns ? "partly_measured" : "assumed" };
  }
  // Variance of a prompt's rate between two collects of this design.
  const { difference, promptCount } = observed.change;
  const between = (difference.variance * promptCount) / 2 / chance;
  const asked = observed.runs * observed.sourceCount;
  const left = between - within / asked;
  const spread: Pick<Spread, "within" | "between"> =
    left > 0 ? { within, between: left / (1 + 1 / observed.sourceCount) } : { within: between * asked, between: 0 };
  return { spread: { presenceRate, ...spread }, basis: "measured" };
}
