import { expect, test } from "vitest";
import { powerOf } from "../../core/statistics/power.ts";
import { extent, report } from "../proof.ts";
import { calledChanges } from "./false-changes.ts";
import { percents } from "./figures.ts";

function points(prompts: number, runs: number, sources: number): number {
  return Math.round(100 * (powerOf({ prompts, runs, sources }).points ?? Number.NaN));
}

test("a price names the change that is found, and prompts rather than runs find less", () => {
  expect([12, 40, 100, 400].map((prompts) => points(prompts, 3, 1))).toEqual([33, 17, 11, 5]);
  expect([12, 40, 100, 400].map((prompts) => points(prompts, 3, 4))).toEqual([21, 10, 6, 3]);
  expect(points(40, 1000, 1)).toBe(10);
  expect(powerOf({ prompts: 40, runs: 3, sources: 1 }).promptsForFive).toBe(437);
  expect(powerOf({ prompts: 40, runs: 3, sources: 4 }).promptsForFive).toBe(163);
});

test("a plan with which no change can be found says so", () => {
  expect(powerOf({ prompts: 5, runs: 10, sources: 4 }).points).toBeNull();
  expect(powerOf({ prompts: 6, runs: 1, sources: 1, presence: 0.6 }).points).toBeNull();
});

/** Prompts, runs and sources of plans. */
const PLANS = [
  [12, 3, 4],
  [20, 3, 1],
  [40, 1, 1],
  [40, 3, 4],
  [100, 3, 1],
  [100, 3, 4],
  [40, 3, 1],
] as const;

test("the change that a price names is found in 75 to 85 of 100 where the world is as it assumes, and in 55 where it is harsher", () => {
  for (const [prompts, runs, sources] of PLANS.slice(extent(0, 6))) {
    const rise = powerOf({ prompts, runs, sources }).points ?? 0;
    const sides = { name: "", before: [runs], after: runs, missing: 0 };
    const draw = { pairs: extent(2000, 200), seed: 77 };
    const [assumed, harsher] = [[1.75, 1] as const, [2.5, 2] as const].map(([spread, shock]) => {
      const setting = { prompts, presence: 0.3, spread, shock, sources };
      return { found: calledChanges(setting, sides, { ...draw, rise }), false: calledChanges(setting, sides, draw) };
    });
    if (!assumed || !harsher) throw new Error("both worlds are drawn");
    report(
      `${prompts} prompts, ${runs} runs, ${sources} sources: ${percents(rise)} points found in` +
        ` ${percents(assumed.found.changes)}, harsher ${percents(harsher.found.changes)}; two proportions` +
        ` ${percents(assumed.found.proportions)}, harsher ${percents(harsher.found.proportions)}, false` +
        ` ${percents(assumed.false.proportions)}, harsher ${percents(harsher.false.proportions)}`,
    );
    expect(assumed.found.changes).toBeGreaterThanOrEqual(extent(0.75, 0.68));
    expect(assumed.found.changes).toBeLessThanOrEqual(extent(0.85, 0.92));
    expect(harsher.found.changes).toBeGreaterThanOrEqual(extent(0.55, 0.45));
  }
}, 480_000);
