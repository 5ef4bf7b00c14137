import { LEAST_DIFFERING } from "./difference.ts";
import type { Design } from "./interval.ts";
import { quantile } from "./student.ts";

/** Variation of presence: its rate p, and random shares of p(1 − p). */
export interface Spread {
  presence: number;
  /** Share between the runs of a prompt at one source. */
  within: number;
  /** Share between collects: half common to all sources, half per source. */
  between: number;
}

/** Assumed before there are answers. */
export const ASSUMED: Spread = { presence: 0.3, within: 0.65, between: 0.05 };

/** Change to detect, 5 points, and max prompts searched. */
const SOUGHT = 0.05;
const MOST_PROMPTS = 100_000;

export interface Power {
  /**
   * Smallest change, as a share, detected with 80 % power between two collects; null if none is.
   */
  points: number | null;
  /** Prompts needed to detect a change of 5 points with this design; null if runs alone cannot. */
  promptsForFive: number | null;
}

/**
 * Power of two collects of a plan: (t.975 + t.80) · √(2p(1 − p)/P · (0.65/(runs·sources) + 0.05(1 +
 * 1/sources))), with t of P − 1 degrees of freedom and p(1 − p) averaged over both ends of the
 * change.
 */
export function powerOf(plan: Design & { prompts: number; spread?: Spread }): Power {
  const { presence: rate, within, between } = plan.spread ?? ASSUMED;
  const presence = Math.min(rate, 1 - rate);
  const perPrompt = within / (plan.runs * plan.sources) + between * (1 + 1 / plan.sources);
  const points = foundIn(plan.prompts, presence, perPrompt);
  return { points, promptsForFive: promptsFor(SOUGHT, presence, perPrompt) };
}

function foundIn(prompts: number, presence: number, perPrompt: number): number | null {
  if (prompts < LEAST_DIFFERING) return null;
  // The detectable change depends on p(1 − p) at its own end, so bisect for the fixed point.
  let low = 0;
  let high = 1 - presence;
  if (needed(prompts, presence, high, perPrompt) > high) return null;
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (needed(prompts, presence, middle, perPrompt) > middle) low = middle;
    else high = middle;
  }
  return high;
}

function promptsFor(change: number, presence: number, perPrompt: number): number | null {
  let low = LEAST_DIFFERING - 1;
  let high = MOST_PROMPTS;
  if (needed(high, presence, change, perPrompt) > change) return null;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (needed(middle, presence, change, perPrompt) > change) low = middle;
    else high = middle;
  }
  return high;
}

/** Smallest detectable change if variance is taken at both ends of `change`. */
function needed(prompts: number, presence: number, change: number, perPrompt: number): number {
  const after = presence + change;
  const chance = presence * (1 - presence) + after * (1 - after);
  const t = quantile(0.975, prompts - 1) + quantile(0.8, prompts - 1);
  return t * Math.sqrt((chance * perPrompt) / prompts);
}
