import { MIN_DIFFERING } from "./difference.ts";
import type { Design } from "./interval.ts";
import { studentQuantile } from "./student.ts";

/** Variation of presence: its rate p, and random shares of p(1 − p). */
export interface Spread {
  presenceRate: number;
  /** Share of the variation between the runs of a prompt at one source. */
  within: number;
  /** Share of the variation between collects: half common to all sources, half per source. */
  between: number;
}

/** Spread assumed before there are answers. */
export const ASSUMED_SPREAD: Spread = { presenceRate: 0.3, within: 0.65, between: 0.05 };

const TARGET_CHANGE = 0.05;
const MAX_PROMPTS = 100_000;

export interface StatisticalPower {
  /** A share, detected with 80 % power between two collects; null if none is. */
  detectableChange: number | null;
  /** Null if more prompts cannot detect 5 points with this design. */
  promptsForFivePoints: number | null;
}

/**
 * Power of two collects of a plan: (t.975 + t.80) · √(2p(1 − p)/P · (0.65/(runs·sources) + 0.05(1 +
 * 1/sources))), with t of P − 1 degrees of freedom and p(1 − p) averaged over both ends of the
 * change.
 */
export function computePower(plan: Design & { promptCount: number; spread?: Spread }): StatisticalPower {
  const { presenceRate: rate, within, between } = plan.spread ?? ASSUMED_SPREAD;
  const presence = Math.min(rate, 1 - rate);
  const perPrompt = within / (plan.runs * plan.sourceCount) + between * (1 + 1 / plan.sourceCount);
  const detectableChange = computeDetectableChange(plan.promptCount, presence, perPrompt);
  return { detectableChange, promptsForFivePoints: countPromptsNeeded(TARGET_CHANGE, presence, perPrompt) };
}

function computeDetectableChange(prompts: number, presence: number, perPrompt: number): number | null {
  if (prompts < MIN_DIFFERING) return null;
  // The detectable change depends on p(1 − p) at its own end, so bisect for the fixed point.
  let low = 0;
  let high = 1 - presence;
  if (computeSmallestChange(prompts, presence, high, perPrompt) > high) return null;
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (computeSmallestChange(prompts, presence, middle, perPrompt) > middle) low = middle;
    else high = middle;
  }
  return high;
}

function countPromptsNeeded(change: number, presence: number, perPrompt: number): number | null {
  let low = MIN_DIFFERING - 1;
  let high = MAX_PROMPTS;
  if (computeSmallestChange(high, presence, change, perPrompt) > change) return null;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (computeSmallestChange(middle, presence, change, perPrompt) > change) low = middle;
    else high = middle;
  }
  return high;
}

/** Smallest detectable change if variance is taken at both ends of `change`. */
function computeSmallestChange(prompts: number, presence: number, change: number, perPrompt: number): number {
  const after = presence + change;
  const chance = presence * (1 - presence) + after * (1 - after);
  const t = studentQuantile(0.975, prompts - 1) + studentQuantile(0.8, prompts - 1);
  return t * Math.sqrt((chance * perPrompt) / prompts);
}
