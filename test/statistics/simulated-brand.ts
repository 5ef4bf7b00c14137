import type { RandomGenerator } from "./chance.ts";

/**
 * Prompts that have a brand by chance: logit p = mean + spread (half of its variance the prompt's,
 * half the prompt's in a source) + shock (the same halves, new in every collect) + drift.
 * `presence` is the average rate, for which the mean is solved.
 */
export interface World {
  presence: number;
  spread: number;
  shock: number;
  sources: number;
}

/** Persistent effects of each prompt and source: prompts × sources numbers. */
export type Prompts = Float64Array;

export function drawPrompts(chance: RandomGenerator, count: number, { spread, sources }: World): Prompts {
  const prompts = new Float64Array(count * sources);
  scatter(chance, prompts, { sources, deviation: spread });
  return prompts;
}

/**
 * Writes the rate of each prompt and source in one collect into `rates`. `mean` is `meanOf` the
 * world, shifted by a rise or drift.
 */
export function drawRates(
  chance: RandomGenerator,
  prompts: Prompts,
  world: World,
  mean: number,
  rates: Float64Array,
): void {
  rates.fill(0);
  if (world.shock > 0) scatter(chance, rates, { sources: world.sources, deviation: world.shock });
  for (let cell = 0; cell < prompts.length; cell += 1) {
    rates[cell] = 1 / (1 + Math.exp(-(mean + (prompts[cell] ?? 0) + (rates[cell] ?? 0))));
  }
}

/** Number of runs whose answer names the brand. */
export function drawAnswers(chance: RandomGenerator, rate: number, runs: number): number {
  let answers = 0;
  for (let run = 0; run < runs; run += 1) if (chance.uniform() < rate) answers += 1;
  return answers;
}

/**
 * The mean logit at which the average rate is `presence`, by bisection over the normal distribution
 * of prompts.
 */
export function solveMeanLogit({ presence, spread, shock }: Omit<World, "sources">): number {
  const deviation = Math.hypot(spread, shock);
  let low = -40;
  let high = 40;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (averageRate(middle, deviation) < presence) low = middle;
    else high = middle;
  }
  return high;
}

function averageRate(mean: number, deviation: number): number {
  let sum = 0;
  let weights = 0;
  for (let z = -8; z <= 8; z += 0.05) {
    const weight = Math.exp((-z * z) / 2);
    sum += weight / (1 + Math.exp(-(mean + deviation * z)));
    weights += weight;
  }
  return sum / weights;
}

/** Adds noise to prompts × sources; the sources of a prompt share half of the variance. */
function scatter(
  chance: RandomGenerator,
  cells: Float64Array,
  { sources, deviation }: { sources: number; deviation: number },
): void {
  const half = sources === 1 ? deviation : deviation * Math.SQRT1_2;
  for (let first = 0; first < cells.length; first += sources) {
    const shared = sources === 1 ? 0 : chance.normal() * half;
    for (let cell = first; cell < first + sources; cell += 1) {
      cells[cell] = (cells[cell] ?? 0) + shared + chance.normal() * half;
    }
  }
}
