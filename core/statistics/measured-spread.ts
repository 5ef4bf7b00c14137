import { LEAST_DIFFERING, type Difference } from "./difference.ts";
import type { Design } from "./interval.ts";
import { ASSUMED, type Spread } from "./power.ts";

/** What an analysis has seen of a brand: in its latest collect, and of that beside the one before. */
export interface Seen extends Design {
  /** Answers, and those with the brand; prompts that have it in one, and those that lack it in one. */
  n: number;
  x: number;
  have: number;
  lack: number;
  /** Σ over the cells that were asked twice or more of the variance between their runs, unbiased, and how many there are. */
  runsVariance: number;
  cells: number;
  /** How it differs between the two collects, over so many prompts; null where they cannot be compared. */
  change: { difference: Difference; prompts: number } | null;
}

/** What a plan rests on: what such worlds have, the runs of one collect, or two collects. */
export const RESTS_ON = ["assumed", "partly_measured", "measured"] as const;
export interface MeasuredSpread {
  spread: Spread;
  restsOn: (typeof RESTS_ON)[number];
}

/** As shares of p(1 − p), which a brand that hardly any prompt has or lacks does not tell. */
export function spreadOf(seen: Seen): MeasuredSpread {
  const presence = seen.n === 0 ? 0 : seen.x / seen.n;
  const chance = presence * (1 - presence);
  if (Math.min(seen.have, seen.lack) < LEAST_DIFFERING) return { spread: ASSUMED, restsOn: "assumed" };
  const hasRuns = seen.cells >= LEAST_DIFFERING;
  const within = hasRuns ? seen.runsVariance / seen.cells / chance : ASSUMED.within;
  if (!seen.change?.difference.judged) {
    return { spread: { ...ASSUMED, within }, restsOn: hasRuns ? "partly_measured" : "assumed" };
  }
  // Of a prompt's rate, by all that changes between two collects of this design.
  const { difference, prompts } = seen.change;
  const between = (difference.variance * prompts) / 2 / chance;
  const asked = seen.runs * seen.sources;
  const left = between - within / asked;
  const spread =
    left > 0 ? { within, between: left / (1 + 1 / seen.sources) } : { within: between * asked, between: 0 };
  return { spread: { presence, ...spread }, restsOn: "measured" };
}
