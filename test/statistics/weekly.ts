import { judgeDifference } from "../../core/statistics/change.ts";
import type { Difference } from "../../core/statistics/difference.ts";
import { judgeScheduledChange } from "../../core/statistics/schedule.ts";
import { judgeChange } from "../../core/statistics/verdict.ts";
import { RandomGenerator } from "./chance.ts";
import { differenceOf } from "./false-changes.ts";
import { drawAnswers, drawPrompts, drawRates, solveMeanLogit, type World } from "./simulated-brand.ts";

const PROMPTS = 40;
const RUNS = 3;
const WORLD: World = { presence: 0.3, spread: 1.75, shock: 1, sources: 1 };

/** A brand collected weekly, with a source drift in logits and a lasting rise in one week. */
export interface BrandHistory {
  drift?: number;
  rise?: { week: number; by: number };
  /** The weeks whose verdicts count. */
  from: number;
  to: number;
}

export interface WeeklyVerdicts {
  /** Verdicts `moved` of a brand, per 52 weeks. */
  moved: number;
  /** Share of brands with at least one. */
  anyMoved: number;
  /** By the weekly paired test at 0.05. */
  weekOnWeek: number;
  anyWeekOnWeek: number;
}

export function simulateWeeks(life: BrandHistory, brands: number, seed: number): WeeklyVerdicts {
  const chance = new RandomGenerator(seed);
  const weeks: WeeklyVerdicts = { moved: 0, anyMoved: 0, weekOnWeek: 0, anyWeekOnWeek: 0 };
  const year = 52 / (life.to - life.from) / brands;
  for (let brand = 0; brand < brands; brand += 1) {
    const compare = comparing(drawHistory(chance, life));
    let [moved, weekOnWeek] = [0, 0];
    for (let week = life.from; week < life.to; week += 1) {
      const { change, neighbour } = judgeScheduledChange(week, compare);
      if (judgeChange(change, { obstacle: null, neighbour }) === "moved") moved += 1;
      if ((judgeDifference(compare(week, [week - 1])).p ?? 1) <= 0.05) weekOnWeek += 1;
    }
    weeks.moved += moved * year;
    weeks.weekOnWeek += weekOnWeek * year;
    weeks.anyMoved += moved > 0 ? 1 / brands : 0;
    weeks.anyWeekOnWeek += weekOnWeek > 0 ? 1 / brands : 0;
  }
  return weeks;
}

/** Answers with the brand, by week and prompt. */
function drawHistory(chance: RandomGenerator, { drift = 0, rise, to }: BrandHistory): Uint8Array[] {
  const prompts = drawPrompts(chance, PROMPTS, WORLD);
  const rates = new Float64Array(PROMPTS);
  const [mean, risen] = [
    solveMeanLogit(WORLD),
    rise ? solveMeanLogit({ ...WORLD, presence: WORLD.presence + rise.by }) : 0,
  ];
  return Array.from({ length: to }, (_, week) => {
    const logit = rise && week >= rise.week ? risen : mean;
    drawRates(chance, prompts, WORLD, logit + drift * chance.normal(), rates);
    return Uint8Array.from(rates, (rate) => drawAnswers(chance, rate, RUNS));
  });
}

/** Caches comparisons, because those of the history recur every week. */
function comparing(weeks: readonly Uint8Array[]): (after: number, reference: readonly number[]) => Difference {
  const known = new Map<string, Difference>();
  return (after, reference) => {
    const key = [after, ...reference].join();
    const difference = known.get(key) ?? differenceOf(promptsOf(weeks, after, reference));
    known.set(key, difference);
    return difference;
  };
}

function promptsOf(weeks: readonly Uint8Array[], after: number, reference: readonly number[]) {
  return Array.from({ length: PROMPTS }, (_, prompt) => ({
    before: reference.map((week) => weeks[week]?.[prompt] ?? 0),
    after: weeks[after]?.[prompt] ?? 0,
    n: RUNS,
  }));
}
