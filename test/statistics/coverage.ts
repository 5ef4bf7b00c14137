import { sumMoments, computeRateInterval, type Interval } from "../../core/statistics/interval.ts";
import { chooseExtent } from "../support/proof.ts";
import { RandomGenerator } from "./chance.ts";
import { drawAnswers, drawPrompts, drawRates, solveMeanLogit, type World } from "./simulated-brand.ts";

const RUNS = 3;
const RESAMPLES = 400;

export interface Setting extends World {
  prompts: number;
}

/**
 * Coverage of the true rate over the collects of a setting, and the mean half width of the
 * interval.
 */
interface IntervalCoverage {
  share: number;
  half: number;
}

export interface Coverage {
  setting: Setting;
  ours: IntervalCoverage;
  bootstrap: IntervalCoverage;
  wilson: IntervalCoverage;
}

export const PRESENCES = [0.02, 0.1, 0.3, 0.6];

/**
 * Settings of every presence, spread, shock and source count per prompt count; one of `oneOf` in
 * `npm test`.
 */
export function createSettings(all: readonly number[], { presences = PRESENCES, oneOf = 1 } = {}): Setting[] {
  const settings = all.flatMap((prompts) =>
    presences.flatMap((presence) =>
      [1, 1.75, 2.5].flatMap((spread) =>
        [0, 1, 2].flatMap((shock) => [1, 4].map((sources) => ({ prompts, presence, spread, shock, sources }))),
      ),
    ),
  );
  return settings.filter((_, at) => at % chooseExtent(1, oneOf) === 0);
}

/**
 * Simulated collects of a setting, each with new prompts. The truth is the world's rate for such
 * prompts. Every fourth collect is also bootstrapped, which dominates the cost.
 */
export function simulateCoverage(setting: Setting, collects: number, seed: number): Coverage {
  const chance = new RandomGenerator(seed);
  const mean = solveMeanLogit(setting);
  const n = RUNS * setting.sources;
  const clusters = Array.from({ length: setting.prompts }, () => ({ x: 0, n }));
  const resampled = resamples(chance, setting.prompts);
  const rates = new Float64Array(setting.prompts * setting.sources);
  const counts = { ours: new Count(setting), bootstrap: new Count(setting), wilson: new Count(setting) };
  for (let collect = 0; collect < collects; collect += 1) {
    drawRates(chance, drawPrompts(chance, setting.prompts, setting), setting, mean, rates);
    for (const cluster of clusters) cluster.x = 0;
    for (const [cell, rate] of rates.entries()) {
      const cluster = clusters[Math.floor(cell / setting.sources)];
      if (cluster) cluster.x += drawAnswers(chance, rate, RUNS);
    }
    const sums = sumMoments(clusters);
    counts.ours.add(computeRateInterval(sums, { runs: RUNS, sourceCount: setting.sources }));
    counts.wilson.add(wilson(sums.x, sums.n));
    if (collect % 4 === 0)
      counts.bootstrap.add(
        percentiles(
          resampled,
          Float64Array.from(clusters, ({ x }) => x / n),
        ),
      );
  }
  return { setting, ours: counts.ours.held(), bootstrap: counts.bootstrap.held(), wilson: counts.wilson.held() };
}

class Count {
  #collects = 0;
  #held = 0;
  #width = 0;
  readonly #truth: number;

  constructor({ presence }: Setting) {
    this.#truth = presence;
  }

  add(interval: Interval | null): void {
    if (interval === null) return;
    this.#collects += 1;
    this.#width += interval.high - interval.low;
    if (interval.low <= this.#truth && this.#truth <= interval.high) this.#held += 1;
  }

  held(): IntervalCoverage {
    return { share: this.#held / this.#collects, half: this.#width / this.#collects / 2 };
  }
}

/** Which prompts each resample takes, the same for all collects of a setting. */
function resamples(chance: RandomGenerator, prompts: number): Uint8Array {
  return Uint8Array.from({ length: RESAMPLES * prompts }, () => Math.floor(chance.uniform() * prompts));
}

/** The percentile bootstrap by prompt (Efron, 1979). */
function percentiles(resampled: Uint8Array, shares: Float64Array): Interval {
  const means = new Float64Array(RESAMPLES);
  for (let resample = 0; resample < RESAMPLES; resample += 1) {
    let sum = 0;
    const end = (resample + 1) * shares.length;
    for (let at = resample * shares.length; at < end; at += 1) sum += shares[resampled[at] ?? 0] ?? 0;
    means[resample] = sum / shares.length;
  }
  means.sort();
  return { low: means[Math.round(0.025 * RESAMPLES)] ?? 0, high: means[Math.round(0.975 * RESAMPLES) - 1] ?? 1 };
}

/** Wilson's interval with every answer taken for independent. */
function wilson(x: number, n: number): Interval {
  const z = 1.959964;
  const scale = 1 + (z * z) / n;
  const centre = (x / n + (z * z) / (2 * n)) / scale;
  const half = (z / scale) * Math.sqrt(((x / n) * (1 - x / n)) / n + (z * z) / (4 * n * n));
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}
