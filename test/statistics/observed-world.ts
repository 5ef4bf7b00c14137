import type { BrandObservations } from "../../core/statistics/measured-spread.ts";
import { computePairDifference } from "../../core/statistics/difference.ts";
import type { RandomGenerator } from "./chance.ts";
import type { Setting } from "./coverage.ts";
import { drawAnswers, drawPrompts, drawRates, solveMeanLogit } from "./simulated-brand.ts";
import { pairMomentsOf } from "./sums.ts";

/** Variance observed in one simulated collect. */
export function observeRuns(chance: RandomGenerator, setting: Setting, runs: number): BrandObservations {
  return { ...observeCollects(chance, setting, runs), change: null };
}

/**
 * Variance observed in two simulated collects, as the sums that the product computes from its
 * facts.
 */
export function observeCollects(chance: RandomGenerator, setting: Setting, runs: number): BrandObservations {
  const { prompts: count, sources: sourceCount } = setting;
  const prompts = drawPrompts(chance, count, setting);
  const rates = new Float64Array(count * sourceCount);
  const [before = [], after = []] = [0, 1].map(() => {
    drawRates(chance, prompts, setting, solveMeanLogit(setting), rates);
    return Array.from(rates, (rate) => drawAnswers(chance, rate, runs));
  });
  const ofPrompt = (cells: number[], at: number) =>
    cells.slice(at * sourceCount, (at + 1) * sourceCount).reduce((sum, x) => sum + x, 0);
  const n = runs * sourceCount;
  const pairs = Array.from({ length: count }, (_, at) => ({
    before: ofPrompt(before, at),
    after: ofPrompt(after, at),
    n,
  }));
  return {
    runs,
    sourceCount,
    n: n * count,
    x: after.reduce((sum, x) => sum + x, 0),
    withValue: pairs.filter((pair) => pair.after > 0).length,
    withoutFull: pairs.filter((pair) => pair.after < n).length,
    runsVariance: runs < 2 ? 0 : after.reduce((sum, x) => sum + (x * (runs - x)) / (runs * (runs - 1)), 0),
    cells: runs < 2 ? 0 : after.length,
    change: { difference: computePairDifference(pairMomentsOf(pairs)), promptCount: count },
  };
}
