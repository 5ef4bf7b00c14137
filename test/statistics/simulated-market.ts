import type { RandomGenerator } from "./chance.ts";

/** Brands of the market, from the strongest to one that is hardly ever named. */
export const BRANDS = 25;

const STRENGTHS = Array.from({ length: BRANDS }, (_, brand) => 2.6 - (5 * brand) / (BRANDS - 1));

/**
 * A market in which every answer lists 4 to 12 of 25 brands, chosen and ranked by a logit model:
 * strength + spread by prompt and brand + shock by prompt, brand and collect. The sources of a
 * prompt share half of each variance.
 */
export interface Market {
  prompts: number;
  sources: number;
  spread: number;
  shock: number;
}

/** Sums of one collect by prompt and brand: prompts × brands numbers. */
export interface MarketSums {
  present: Float64Array;
  top3: Float64Array;
  weights: Float64Array;
  ranks: Float64Array;
}

/** Persistent effects of each prompt, source and brand. */
export function drawMarket(chance: RandomGenerator, { prompts, sources, spread }: Market): Float64Array {
  const cells = new Float64Array(prompts * sources * BRANDS);
  scatter(chance, cells, sources, spread);
  return cells;
}

/** One collect with this number of runs. `shifts` are moves or drifts of brands, in logits. */
export function drawMarketSums(
  chance: RandomGenerator,
  { cells, market, runs }: { cells: Float64Array; market: Market; runs: number },
  shifts?: readonly number[],
): MarketSums {
  const size = market.prompts * BRANDS;
  const listed: MarketSums = {
    present: new Float64Array(size),
    top3: new Float64Array(size),
    weights: new Float64Array(size),
    ranks: new Float64Array(size),
  };
  const strengths = new Float64Array(cells.length);
  if (market.shock > 0) scatter(chance, strengths, market.sources, market.shock);
  for (let cell = 0; cell < cells.length; cell += 1) {
    const brand = cell % BRANDS;
    strengths[cell] = Math.exp(
      (STRENGTHS[brand] ?? 0) + (shifts?.[brand] ?? 0) + (cells[cell] ?? 0) + (strengths[cell] ?? 0),
    );
  }
  const waits = new Float64Array(BRANDS);
  for (let first = 0; first < cells.length; first += BRANDS) {
    const prompt = Math.floor(first / BRANDS / market.sources);
    for (let run = 0; run < runs; run += 1) addAnswer(chance, listed, { strengths, first, prompt, waits });
  }
  return listed;
}

/**
 * Ranks brands by exponential waiting times at their strength, which equals a choice by the logit
 * model.
 */
function addAnswer(
  chance: RandomGenerator,
  listed: MarketSums,
  { strengths, first, prompt, waits }: { strengths: Float64Array; first: number; prompt: number; waits: Float64Array },
): void {
  for (let brand = 0; brand < BRANDS; brand += 1) {
    waits[brand] = -Math.log(1 - chance.uniform()) / (strengths[first + brand] ?? 1);
  }
  const length = 4 + Math.floor(chance.uniform() * 9);
  for (let rank = 1; rank <= length; rank += 1) {
    let next = 0;
    for (let brand = 1; brand < BRANDS; brand += 1) if ((waits[brand] ?? 0) < (waits[next] ?? 0)) next = brand;
    waits[next] = Infinity;
    const at = prompt * BRANDS + next;
    add(listed.present, at, 1);
    if (rank <= 3) add(listed.top3, at, 1);
    add(listed.weights, at, 1 / Math.log2(1 + rank));
    add(listed.ranks, at, rank);
  }
}

function add(sums: Float64Array, at: number, value: number): void {
  sums[at] = (sums[at] ?? 0) + value;
}

function scatter(chance: RandomGenerator, cells: Float64Array, sources: number, deviation: number): void {
  const half = sources === 1 ? deviation : deviation * Math.SQRT1_2;
  for (let first = 0; first < cells.length; first += sources * BRANDS) {
    for (let brand = 0; brand < BRANDS; brand += 1) {
      const shared = sources === 1 ? 0 : chance.normal() * half;
      for (let source = 0; source < sources; source += 1) {
        add(cells, first + source * BRANDS + brand, shared + chance.normal() * half);
      }
    }
  }
}
