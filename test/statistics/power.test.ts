import { expect, test } from "vitest";
import { ASSUMED_SPREAD, computePower } from "../../core/statistics/power.ts";
import { chooseExtent, report } from "../support/proof.ts";
import { measureSpread } from "../../core/statistics/measured-spread.ts";
import { RandomGenerator } from "./chance.ts";
import { detectChanges } from "./false-changes.ts";
import { meanOfAll, formatPercents } from "./figures.ts";
import { observeCollects, observeRuns } from "./observed-world.ts";

function points(promptCount: number, runs: number, sourceCount: number): number {
  return Math.round(100 * (computePower({ promptCount, runs, sourceCount }).detectableChange ?? Number.NaN));
}

test("names the detectable change with a price, which more prompts shrink more than more runs", () => {
  expect([12, 40, 100, 400].map((prompts) => points(prompts, 3, 1))).toEqual([33, 17, 11, 5]);
  expect([12, 40, 100, 400].map((prompts) => points(prompts, 3, 4))).toEqual([21, 10, 6, 3]);
  expect(points(40, 1000, 1)).toBe(10);
  expect(computePower({ promptCount: 40, runs: 3, sourceCount: 1 }).promptsForFivePoints).toBe(437);
  expect(computePower({ promptCount: 40, runs: 3, sourceCount: 4 }).promptsForFivePoints).toBe(163);
});

test("says that a plan can detect no change", () => {
  expect(computePower({ promptCount: 5, runs: 10, sourceCount: 4 }).detectableChange).toBeNull();
  expect(
    computePower({ promptCount: 6, runs: 1, sourceCount: 1, spread: { ...ASSUMED_SPREAD, presenceRate: 0.4 } })
      .detectableChange,
  ).toBeNull();
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
  for (const [promptCount, runs, sourceCount] of PLANS.slice(chooseExtent(0, 6))) {
    const rise = computePower({ promptCount, runs, sourceCount }).detectableChange ?? 0;
    const sides = { name: "", before: [runs], after: runs, missing: 0 };
    const draw = { pairs: chooseExtent(2000, 200), seed: 77 };
    const [assumed, harsher] = [[1.75, 1] as const, [2.5, 2] as const].map(([spread, shock]) => {
      const setting = { prompts: promptCount, presence: 0.3, spread, shock, sources: sourceCount };
      return { found: detectChanges(setting, sides, { ...draw, rise }), false: detectChanges(setting, sides, draw) };
    });
    if (!assumed || !harsher) throw new Error("both worlds are drawn");
    report(
      `${promptCount} prompts, ${runs} runs, ${sourceCount} sources: ${formatPercents(rise)} points found in` +
        ` ${formatPercents(assumed.found.changes)}, harsher ${formatPercents(harsher.found.changes)}; two proportions` +
        ` ${formatPercents(assumed.found.proportions)}, harsher ${formatPercents(harsher.found.proportions)}, false` +
        ` ${formatPercents(assumed.false.proportions)}, harsher ${formatPercents(harsher.false.proportions)}`,
    );
    expect(assumed.found.changes).toBeGreaterThanOrEqual(chooseExtent(0.75, 0.68));
    expect(assumed.found.changes).toBeLessThanOrEqual(chooseExtent(0.85, 0.92));
    expect(harsher.found.changes).toBeGreaterThanOrEqual(chooseExtent(0.55, 0.45));
  }
}, 480_000);

test("assumes all variance before two runs, measures run variance in one collect, and all of it in two", () => {
  const setting = { prompts: 60, presence: 0.3, spread: 4, shock: 0, sources: 1 };
  const chance = new RandomGenerator(5);
  const { basis, spread } = measureSpread(observeRuns(chance, setting, 3));
  expect([basis, spread.presenceRate, spread.between]).toEqual([
    "partly_measured",
    ASSUMED_SPREAD.presenceRate,
    ASSUMED_SPREAD.between,
  ]);
  expect(spread.within).toBeLessThan(0.6);
  expect(measureSpread(observeRuns(chance, setting, 1))).toEqual({ basis: "assumed", spread: ASSUMED_SPREAD });
  expect(measureSpread(observeCollects(chance, setting, 3)).basis).toBe("measured");
  // A brand in hardly any prompt carries no information about variance.
  expect(measureSpread({ ...observeCollects(chance, setting, 3), withValue: 5 })).toEqual({
    basis: "assumed",
    spread: ASSUMED_SPREAD,
  });
});

test("detects the change named from two collects in 75 to 85 of 100, however harsh the world", () => {
  for (const [promptCount, runs, sourceCount] of PLANS.slice(chooseExtent(1, 5), chooseExtent(7, 6))) {
    for (const [spread, shock] of chooseExtent([[1.75, 1] as const, [2.5, 2] as const], [[2.5, 2] as const])) {
      const setting = { prompts: promptCount, presence: 0.3, spread, shock, sources: sourceCount };
      const chance = new RandomGenerator(78);
      const priced = Array.from({ length: chooseExtent(400, 60) }, () => {
        const { spread: measured } = measureSpread(observeCollects(chance, setting, runs));
        // The world of which the power is simulated begins at 30 %.
        return computePower({ promptCount, runs, sourceCount, spread: { ...measured, presenceRate: 0.3 } })
          .detectableChange;
      });
      const rise = meanOfAll(priced.map((named) => named ?? 0.7));
      const sides = { name: "", before: [runs], after: runs, missing: 0 };
      const found = detectChanges(setting, sides, { pairs: chooseExtent(2000, 200), seed: 79, rise }).changes;
      const assumed = computePower({ promptCount, runs, sourceCount }).detectableChange ?? 0;
      report(
        `${promptCount} prompts, ${runs} runs, ${sourceCount} sources, spread ${spread}, shock ${shock}: measured` +
          ` ${formatPercents(rise)} points (assumed ${formatPercents(assumed)}) found in ${formatPercents(found)}`,
      );
      expect(found).toBeGreaterThanOrEqual(chooseExtent(0.75, 0.68));
      expect(found).toBeLessThanOrEqual(chooseExtent(0.85, 0.92));
    }
  }
}, 480_000);
