import { expect, test } from "vitest";
import { judgeScheduledChange } from "../../core/statistics/schedule.ts";
import { chooseExtent, report } from "../support/proof.ts";
import { formatPercents } from "./figures.ts";
import { simulateWeeks, type WeeklyVerdicts } from "./weekly.ts";

const LONG = 480_000;

/**
 * Unchanged collects, except those at `signs`, which differ by 0.2 with p just above 0.01 from any
 * reference.
 */
function comparedWith(signs: readonly number[]) {
  const asked: string[] = [];
  const compare = (after: number, reference: readonly number[]) => {
    asked.push(`${after} with ${reference.join(" ")}`);
    return { delta: signs.includes(after) ? 0.2 : 0, variance: 0.006, degreesOfFreedom: 100, isJudgeable: true };
  };
  return { asked, compare };
}

test("compares a collect with up to four earlier ones, and after a first sign with the same reference", () => {
  const { compare } = comparedWith([9]);
  expect(judgeScheduledChange(1, compare)).toMatchObject({ reference: [0], neighbour: null });
  expect(judgeScheduledChange(9, compare)).toMatchObject({ reference: [5, 6, 7, 8], neighbour: null });
  expect(judgeScheduledChange(10, compare)).toMatchObject({ reference: [5, 6, 7, 8], neighbour: { delta: 0.2 } });
  expect(judgeScheduledChange(11, compare)).toMatchObject({ reference: [7, 8, 9, 10], neighbour: null });
});

test("limits the history to the twelve collects before the sign", () => {
  const { asked, compare } = comparedWith([19]);
  judgeScheduledChange(20, compare);
  expect(asked).toContain("20 with 15 16 17 18");
  expect(asked).toContain("7 with 3 4 5 6");
  expect(asked).not.toContain("6 with 2 3 4 5");
});

test(
  "moves an unchanged brand at most 0.3 times a year of weekly collects, 0.4 with source drift, and finds a lasting rise",
  () => {
    const still = simulateWeeks({ from: 1, to: 53 }, chooseExtent(2000, 20), 1);
    const drifting = simulateWeeks({ drift: 0.3, from: 16, to: 68 }, chooseExtent(2000, 20), 2);
    const risen = simulateWeeks({ rise: { week: 30, by: 0.15 }, from: 30, to: 35 }, chooseExtent(2000, 40), 3);
    reportWeeks({ still, drifting });
    report(
      `a rise of 15 points is moved within five collects in ${formatPercents(risen.anyMoved)}, week on week in` +
        ` ${formatPercents(risen.anyWeekOnWeek)}`,
    );
    expect(still.moved).toBeLessThanOrEqual(chooseExtent(0.3, 0.6));
    expect(drifting.moved).toBeLessThanOrEqual(chooseExtent(0.4, 0.9));
    expect(risen.anyMoved).toBeGreaterThanOrEqual(chooseExtent(0.75, 0.5));
  },
  LONG,
);

function reportWeeks(lives: Record<string, WeeklyVerdicts>): void {
  for (const [life, { moved, anyMoved, weekOnWeek, anyWeekOnWeek }] of Object.entries(lives)) {
    report(
      `${life}: moved ${moved.toFixed(2)} times a year, ${formatPercents(anyMoved)} % of brands; week on week at 0.05` +
        ` ${weekOnWeek.toFixed(2)} times, ${formatPercents(anyWeekOnWeek)} %`,
    );
  }
}
