import { judgeDifference } from "../../core/statistics/change.ts";
import { computeShareDifference } from "../../core/statistics/difference.ts";
import { sumMoments, computeRateInterval } from "../../core/statistics/interval.ts";
import { sumShareMoments } from "../../core/statistics/share-moments.ts";
import { judgeChange } from "../../core/statistics/verdict.ts";
import { chooseExtent } from "../support/proof.ts";
import { RandomGenerator } from "./chance.ts";
import { drawPrompts, drawRates, solveMeanLogit, type World } from "./simulated-brand.ts";

// A metric of the answers that name a brand, such as the share with a con; which answers name it is
// random per prompt. The truth is the world's rate over answers that name the brand, for prompts
// like these.

const RUNS = 3;

export interface ScoredSetting extends World {
  prompts: number;
  /** Share of the answers that name the brand. */
  named: number;
  /** Share of answers that count half: as many pros as cons. */
  ties: number;
}

/** One of `oneOf` settings in `npm test`. */
export function scoredSettings(prompts: readonly number[], oneOf: number): ScoredSetting[] {
  const settings = prompts.flatMap((count) =>
    [0.5, 0.95].flatMap((named) =>
      [0.1, 0.3, 0.6].flatMap((presence) =>
        [1, 1.75, 2.5].flatMap((spread) =>
          [0, 1, 2].flatMap((shock) =>
            [1, 4].map((sources) => ({ prompts: count, named, presence, spread, shock, sources, ties: 0.1 })),
          ),
        ),
      ),
    ),
  );
  return settings.filter((_, at) => at % chooseExtent(1, oneOf) === 0);
}

/**
 * Collects of an unchanged world on the same prompts: counted answers and the sum of their values
 * per prompt.
 */
class ScoredCollects {
  readonly #chance: RandomGenerator;
  readonly #setting: ScoredSetting;
  readonly #mean: number;
  readonly #meanNamed: number;

  constructor(setting: ScoredSetting, seed: number) {
    this.#chance = new RandomGenerator(seed);
    this.#setting = setting;
    // A tie counts half, so the remaining answers compensate.
    this.#mean = solveMeanLogit({ ...setting, presence: (setting.presence - setting.ties / 2) / (1 - setting.ties) });
    this.#meanNamed = solveMeanLogit({ ...setting, presence: setting.named });
  }

  draw(collects: number): { x: number; n: number }[][] {
    const { prompts, sources } = this.#setting;
    const [naming, judging] = [
      drawPrompts(this.#chance, prompts, this.#setting),
      drawPrompts(this.#chance, prompts, this.#setting),
    ];
    return Array.from({ length: collects }, () => this.#collect(naming, judging, prompts, sources));
  }

  #collect(naming: Float64Array, judging: Float64Array, prompts: number, sources: number) {
    const [named, rates] = [new Float64Array(prompts * sources), new Float64Array(prompts * sources)];
    drawRates(this.#chance, naming, this.#setting, this.#meanNamed, named);
    drawRates(this.#chance, judging, this.#setting, this.#mean, rates);
    return Array.from({ length: prompts }, (_, prompt) => {
      const sums = { x: 0, n: 0 };
      for (let cell = prompt * sources; cell < (prompt + 1) * sources; cell += 1) {
        for (let run = 0; run < RUNS; run += 1) {
          if (this.#chance.uniform() >= (named[cell] ?? 0)) continue;
          sums.n += 1;
          sums.x += this.#value(rates[cell] ?? 0);
        }
      }
      return sums;
    });
  }

  #value(rate: number): number {
    if (this.#chance.uniform() < this.#setting.ties) return 0.5;
    return this.#chance.uniform() < rate ? 1 : 0;
  }
}

/** Coverage over the collects of a setting that have an interval. */
export function scoredCoverage(setting: ScoredSetting, collects: number, seed: number): number {
  const world = new ScoredCollects(setting, seed);
  let [held, all] = [0, 0];
  for (let at = 0; at < collects; at += 1) {
    const [prompts = []] = world.draw(1);
    const sums = sumMoments(prompts);
    const runs = Math.max(1, sums.n / Math.max(1, sums.promptCount) / setting.sources);
    const interval = computeRateInterval(sums, { runs, sourceCount: setting.sources });
    if (interval === null) continue;
    all += 1;
    if (interval.low <= setting.presence && setting.presence <= interval.high) held += 1;
  }
  return held / all;
}

/**
 * Share of later collects of an unchanged world that are called changed against `earlier` collects.
 */
export function scoredFalseChanges(setting: ScoredSetting, earlier: number, pairs: number, seed: number): number {
  const world = new ScoredCollects(setting, seed);
  let called = 0;
  for (let at = 0; at < pairs; at += 1) {
    const collects = world.draw(earlier + 1);
    const prompts = Array.from({ length: setting.prompts }, (_, prompt) => {
      const own = collects.map((one) => one[prompt] ?? { x: 0, n: 0 });
      return { x: own.map(({ x }) => x), n: own.map(({ n }) => n) };
    });
    const verdict = judgeChange(judgeDifference(computeShareDifference(sumShareMoments(prompts))), { obstacle: null });
    if (verdict === "first_sign" || verdict === "moved") called += 1;
  }
  return called / pairs;
}
