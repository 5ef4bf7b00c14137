import { judgeDifference } from "../../core/statistics/change.ts";
import { computePairDifference, computeSeriesDifference, type Difference } from "../../core/statistics/difference.ts";
import { judgeChange } from "../../core/statistics/verdict.ts";
import { RandomGenerator } from "./chance.ts";
import type { Setting } from "./coverage.ts";
import { drawAnswers, drawPrompts, drawRates, solveMeanLogit, type Prompts } from "./simulated-brand.ts";
import { pairMomentsOf, seriesMomentsOf } from "./sums.ts";

/** How the sides of a comparison were collected. */
export interface Sides {
  name: string;
  /** Share of cells missing on a side, and of failed runs. */
  before: readonly number[];
  after: number;
  /** Share of cells that a side lacks, and of runs that fail. */
  missing: number;
}

export const TWICE_THREE: Sides = { name: "3 runs twice", before: [3], after: 3, missing: 0 };
export const ONE_AGAINST_FIVE: Sides = { name: "1 run against 5", before: [1], after: 5, missing: 0 };
export const CELLS_MISSING: Sides = { name: "20 % of cells missing", before: [3], after: 3, missing: 0.2 };
export const MEAN_OF_FOUR: Sides = { name: "mean of four", before: [3, 3, 3, 3], after: 3, missing: 0 };

/**
 * The share of pairs that a verdict calls a first sign or moved, and that the two-proportion test
 * does.
 */
export interface DetectedChanges {
  changes: number;
  proportions: number;
  /** Pairs whose p-value and interval disagree. */
  contradictions: number;
}

/** Compares collects of a setting; the later one has `rise` more presence, 0 for no change. */
export function detectChanges(setting: Setting, sides: Sides, { pairs, seed, rise = 0 }: Draw): DetectedChanges {
  const chance = new RandomGenerator(seed);
  const means = [...sides.before.map(() => 0), rise].map((more) =>
    solveMeanLogit({ ...setting, presence: setting.presence + more }),
  );
  const collects = [...sides.before, sides.after].map((runs) => new Collect(setting, runs, sides.missing));
  const compared = Array.from({ length: setting.prompts }, () => ({
    before: sides.before.map(() => 0),
    after: 0,
    n: 0,
  }));
  const called: DetectedChanges = { changes: 0, proportions: 0, contradictions: 0 };
  for (let pair = 0; pair < pairs; pair += 1) {
    const prompts = drawPrompts(chance, setting.prompts, setting);
    for (const [at, collect] of collects.entries()) collect.draw(chance, prompts, means[at] ?? 0);
    compare(collects, compared, setting.sources);
    const change = judgeDifference(differenceOf(compared));
    const verdict = judgeChange(change, { obstacle: null });
    const isCalled = verdict === "first_sign" || verdict === "moved";
    if (isCalled) called.changes += 1 / pairs;
    if (isCalled !== ((change.ci_low ?? 0) > 0 || (change.ci_high ?? 0) < 0)) called.contradictions += 1;
    if (proportionsDiffer(compared)) called.proportions += 1 / pairs;
  }
  return called;
}

interface Draw {
  pairs: number;
  seed: number;
  rise?: number;
}

/** A prompt's answers that name the brand, per earlier collect and in the later one, of n each. */
export interface ComparedPrompt {
  before: number[];
  after: number;
  n: number;
}

export function differenceOf(prompts: readonly ComparedPrompt[]): Difference {
  return (prompts[0]?.before.length ?? 0) > 1
    ? computeSeriesDifference(seriesMomentsOf(prompts))
    : computePairDifference(
        pairMomentsOf(prompts.map(({ before, after, n }) => ({ before: before[0] ?? 0, after, n }))),
      );
}

/** Answers of one collect by cell: one bit per run, in order, set if the brand is named. */
class Collect {
  readonly answers: Uint8Array;
  readonly completed: Uint8Array;
  readonly #rates: Float64Array;
  readonly #setting: Setting;
  readonly #runs: number;
  readonly #missing: number;

  constructor(setting: Setting, runs: number, missing: number) {
    this.#setting = setting;
    this.#runs = runs;
    this.#missing = missing;
    const cells = setting.prompts * setting.sources;
    this.answers = new Uint8Array(cells);
    this.completed = new Uint8Array(cells).fill(runs);
    this.#rates = new Float64Array(cells);
  }

  draw(chance: RandomGenerator, prompts: Prompts, mean: number): void {
    drawRates(chance, prompts, this.#setting, mean, this.#rates);
    for (let cell = 0; cell < prompts.length; cell += 1) {
      if (this.#missing > 0) this.completed[cell] = this.#completedRuns(chance);
      const rate = this.#rates[cell] ?? 0;
      let bits = 0;
      for (let run = this.completed[cell] ?? 0; run > 0; run -= 1) bits = 2 * bits + (chance.uniform() < rate ? 1 : 0);
      this.answers[cell] = bits;
    }
  }

  /** One run in ten fails in cells with missing runs. */
  #completedRuns(chance: RandomGenerator): number {
    if (chance.uniform() < this.#missing) return 0;
    return drawAnswers(chance, 0.9, this.#runs);
  }
}

/** Sums cells by prompt, each cut to the fewest runs that a side has, in their order. */
function compare(collects: readonly Collect[], compared: readonly ComparedPrompt[], sources: number): void {
  for (const [at, prompt] of compared.entries()) {
    prompt.n = 0;
    prompt.after = 0;
    prompt.before.fill(0);
    for (let cell = at * sources; cell < (at + 1) * sources; cell += 1) {
      let runs = 8;
      for (const { completed } of collects) runs = Math.min(runs, completed[cell] ?? 0);
      prompt.n += runs;
      for (const [collect, { answers }] of collects.entries()) {
        const count = bitsOf((answers[cell] ?? 0) & (2 ** runs - 1));
        if (collect === prompt.before.length) prompt.after += count;
        else prompt.before[collect] = (prompt.before[collect] ?? 0) + count;
      }
    }
  }
}

function bitsOf(value: number): number {
  let bits = 0;
  for (let rest = value; rest > 0; rest >>= 1) bits += rest & 1;
  return bits;
}

/** The z-test of two proportions at 0.05, with every answer taken for independent. */
function proportionsDiffer(prompts: readonly ComparedPrompt[]): boolean {
  let [before, after, n, m] = [0, 0, 0, 0];
  for (const prompt of prompts) {
    before += prompt.before.reduce((sum, x) => sum + x, 0);
    n += prompt.n * prompt.before.length;
    after += prompt.after;
    m += prompt.n;
  }
  const pooled = (before + after) / (n + m);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m));
  return Math.abs(after / m - before / n) > 1.959964 * error;
}
