import { expect, test } from "vitest";
import { ASSUMED, powerOf } from "../../core/statistics/power.ts";
import { extent, report } from "../support/proof.ts";
import { spreadOf } from "../../core/statistics/measured-spread.ts";
import { Chance } from "./chance.ts";
import { calledChanges } from "./false-changes.ts";
import { meanOfAll, percents } from "./figures.ts";
import { seenIn, seenRuns } from "./seen-world.ts";

function points(prompts: number, runs: number, sources: number): number {
  return Math.round(100 * (powerOf({ prompts, runs, sources }).points ?? Number.NaN));
}

test("names the detectable change with a price, which more prompts shrink more than more runs", () => {
  expect([12, 40, 100, 400].map((prompts) => points(prompts, 3, 1))).toEqual([33, 17, 11, 5]);
  expect([12, 40, 100, 400].map((prompts) => points(prompts, 3, 4))).toEqual([21, 10, 6, 3]);
  expect(points(40, 1000, 1)).toBe(10);
  expect(powerOf({ prompts: 40, runs: 3, sources: 1 }).promptsForFive).toBe(437);
  expect(powerOf({ prompts: 40, runs: 3, sources: 4 }).promptsForFive).toBe(163);
});

test("says that a plan can detect no change", () => {
  expect(powerOf({ prompts: 5, runs: 10, sources: 4 }).points).toBeNull();
  expect(powerOf({ prompts: 6, runs: 1, sources: 1, spread: { ...ASSUMED, presence: 0.4 } }).points).toBeNull();
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

test("detects the named change in 75 to 85 of 100 as assumed, and in 55 in a harsher world", () => {
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

test("assumes all variance before two runs, measures run variance in one collect, and all of it in two", () => {
  const setting = { prompts: 60, presence: 0.3, spread: 4, shock: 0, sources: 1 };
  const chance = new Chance(5);
  const { restsOn, spread } = spreadOf(seenRuns(chance, setting, 3));
  expect([restsOn, spread.presence, spread.between]).toEqual(["partly_measured", ASSUMED.presence, ASSUMED.between]);
  expect(spread.within).toBeLessThan(0.6);
  expect(spreadOf(seenRuns(chance, setting, 1))).toEqual({ restsOn: "assumed", spread: ASSUMED });
  expect(spreadOf(seenIn(chance, setting, 3)).restsOn).toBe("measured");
  // A brand in hardly any prompt carries no information about variance.
  expect(spreadOf({ ...seenIn(chance, setting, 3), have: 5 })).toEqual({ restsOn: "assumed", spread: ASSUMED });
});

test("detects the change named from two collects in 75 to 85 of 100, however harsh the world", () => {
  for (const [prompts, runs, sources] of PLANS.slice(extent(1, 5), extent(7, 6))) {
    for (const [spread, shock] of extent([[1.75, 1] as const, [2.5, 2] as const], [[2.5, 2] as const])) {
      const setting = { prompts, presence: 0.3, spread, shock, sources };
      const chance = new Chance(78);
      const priced = Array.from({ length: extent(400, 60) }, () => {
        const { spread: measured } = spreadOf(seenIn(chance, setting, runs));
        // The world of which the power is simulated begins at 30 %.
        return powerOf({ prompts, runs, sources, spread: { ...measured, presence: 0.3 } }).points;
      });
      const rise = meanOfAll(priced.map((named) => named ?? 0.7));
      const sides = { name: "", before: [runs], after: runs, missing: 0 };
      const found = calledChanges(setting, sides, { pairs: extent(2000, 200), seed: 79, rise }).changes;
      const assumed = powerOf({ prompts, runs, sources }).points ?? 0;
      report(
        `${prompts} prompts, ${runs} runs, ${sources} sources, spread ${spread}, shock ${shock}: measured` +
          ` ${percents(rise)} points (assumed ${percents(assumed)}) found in ${percents(found)}`,
      );
      expect(found).toBeGreaterThanOrEqual(extent(0.75, 0.68));
      expect(found).toBeLessThanOrEqual(extent(0.85, 0.92));
    }
  }
}, 480_000);
