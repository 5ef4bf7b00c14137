import { computeWilsonInterval, getMaxEffectiveAnswers, MIN_PROMPTS, sumMoments, type Interval } from "./interval.ts";
import { studentQuantile } from "./student.ts";

/** Answers to a prompt in one country and as one persona: `x` of `n` have the brand. */
export interface AskedCell {
  x: number;
  n: number;
}

export interface SpotCheck {
  /** Share of people who see the brand at least once; null if no cell was asked twice. */
  chance: number | null;
  interval: Interval | null;
}

/** Groups of prompts for the jackknife: more would hardly change the variance. */
const MAX_GROUPS = 100;

/**
 * Chance that a person who asks a prompt `asks` times sees the brand: 1 − (1 − p)^asks, averaged
 * over cells and then prompts, with the posterior of each cell's p (docs/measurement.md, section 6).
 */
export function estimateSpotCheck(prompts: readonly (readonly AskedCell[])[], asks: number): SpotCheck {
  const chance = averageChance(prompts, asks);
  if (chance === null) return { chance, interval: null };
  return { chance, interval: computeInterval(prompts, asks, chance) };
}

function averageChance(prompts: readonly (readonly AskedCell[])[], asks: number): number | null {
  const prior = fitPrior(prompts);
  if (prompts.length === 0 || (asks > 1 && prior.correlation === null)) return null;
  let sum = 0;
  for (const cells of prompts) {
    let own = 0;
    for (const cell of cells) own += 1 - computeMissChance(cell, prior, asks);
    sum += own / cells.length;
  }
  return sum / prompts.length;
}

interface Prior {
  rate: number;
  /** Correlation of answers within a cell, 0 to 1; null if no cell has two answers. */
  correlation: number | null;
}

/**
 * Beta prior of p by moments: the rate, and the analysis of variance estimator of the correlation
 * (Ridout, Demétrio and Firth, 1999, Biometrics 55). At least one answer may have been different.
 */
function fitPrior(prompts: readonly (readonly AskedCell[])[]): Prior {
  let [cells, answers, x, squares] = [0, 0, 0, 0];
  for (const prompt of prompts) {
    for (const cell of prompt) {
      cells += 1;
      answers += cell.n;
      x += cell.x;
      squares += cell.n * cell.n;
    }
  }
  const rate = x / answers;
  if (cells < 2 || answers === cells) return { rate, correlation: null };
  let [between, within] = [0, 0];
  for (const prompt of prompts) {
    for (const cell of prompt) {
      between += cell.n * (cell.x / cell.n - rate) ** 2;
      within += cell.x * (1 - cell.x / cell.n);
    }
  }
  const size = (answers - squares / answers) / (cells - 1);
  const meanBetween = between / (cells - 1);
  const meanWithin = Math.max(within, 1 - cells / answers) / (answers - cells);
  const correlation = (meanBetween - meanWithin) / (meanBetween + (size - 1) * meanWithin);
  return { rate, correlation: Math.max(0, correlation) };
}

/** Posterior mean of (1 − p)^asks. */
function computeMissChance({ x, n }: AskedCell, { rate, correlation }: Prior, asks: number): number {
  if (correlation === 0) return (1 - rate) ** asks;
  // Without repeats, the mean over cells is the rate for any prior.
  const strength = correlation === null ? 0 : 1 / correlation - 1;
  let product = 1;
  for (let at = 0; at < asks; at += 1) product *= (strength * (1 - rate) + n - x + at) / (strength + n + at);
  return product;
}

/** Wilson's interval with the jackknife variance of the estimate over groups of prompts. */
function computeInterval(prompts: readonly (readonly AskedCell[])[], asks: number, chance: number): Interval | null {
  if (prompts.length < MIN_PROMPTS) return null;
  const totals = prompts.map((cells) => ({ x: sumOf(cells, "x"), n: sumOf(cells, "n") }));
  const moments = sumMoments(totals);
  const reach = 1 - 0.05 ** (1 / prompts.length);
  if (moments.withValue === 0) return { low: 0, high: 1 - (1 - reach) ** asks };
  if (moments.withoutFull === 0) return { low: 1 - reach, high: 1 };
  const groups = Math.min(prompts.length, MAX_GROUPS);
  const estimates = Array.from({ length: groups }, (_, group) =>
    averageChance(
      prompts.filter((__, at) => at % groups !== group),
      asks,
    ),
  ).filter((one) => one !== null);
  const mean = estimates.reduce((sum, one) => sum + one, 0) / estimates.length;
  const squares = estimates.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const variance = ((estimates.length - 1) / estimates.length) * squares;
  const most = getMaxEffectiveAnswers(moments, { runs: moments.n / prompts.length, sourceCount: 1 });
  const effective = variance === 0 ? most : Math.min(most, Math.max(1, (chance * (1 - chance)) / variance));
  return computeWilsonInterval(chance, effective, studentQuantile(0.975, groups - 1));
}

function sumOf(cells: readonly AskedCell[], key: keyof AskedCell): number {
  return cells.reduce((sum, cell) => sum + cell[key], 0);
}
