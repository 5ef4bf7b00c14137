import { LEAST_DIFFERING } from "./difference.ts";
import type { Design } from "./interval.ts";
import { quantile } from "./student.ts";

/** How presence varies: its rate p, and what of p(1 − p) is chance. */
export interface Spread {
  presence: number;
  /** Between the runs of a prompt at a source. */
  within: number;
  /** What a collect shifts a prompt by: half of it in all sources alike, half in each apart. */
  between: number;
}

/** What a plan assumes before there are answers. */
export const ASSUMED: Spread = { presence: 0.3, within: 0.65, between: 0.05 };

/** The difference that a customer asks to see, and how many prompts are looked for at most. */
const SOUGHT = 0.05;
const MOST_PROMPTS = 100_000;

export interface Power {
  /** The least change, as a share, that a comparison of two collects finds in 80 of 100; null if it finds none. */
  points: number | null;
  /** Prompts, each asked as often, with which a change of five points is found. Runs alone may never find it. */
  promptsForFive: number | null;
}

/**
 * What two collects of a plan would find: (t.975 + t.80) · √(2p(1 − p)/P · (0.65/(runs·sources) + 0.05(1 + 1/sources))),
 * with t of P − 1 degrees and p(1 − p) the mean of both ends of the change, which leads towards one half.
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
  // The change that is found widens with p(1 − p) of the end it leads to: from none to all, the first that reaches itself.
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

/** The least change that is found where both ends of `change` say how much chance there is. */
function needed(prompts: number, presence: number, change: number, perPrompt: number): number {
  const after = presence + change;
  const chance = presence * (1 - presence) + after * (1 - after);
  const t = quantile(0.975, prompts - 1) + quantile(0.8, prompts - 1);
  return t * Math.sqrt((chance * perPrompt) / prompts);
}
