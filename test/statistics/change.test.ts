import { expect, test } from "vitest";
import { judgeDifference, estimateHistory } from "../../core/statistics/change.ts";
import { chooseExtent, report } from "../support/proof.ts";
import { PRESENCES, createSettings } from "./coverage.ts";
import { detectChanges, CELLS_MISSING, MEAN_OF_FOUR, ONE_AGAINST_FIVE, TWICE_THREE } from "./false-changes.ts";
import { meanOfAll, maxOf, formatPercents } from "./figures.ts";

test("estimates a brand's usual movement from at least six of the last twelve changes, never below 0", () => {
  const swung = { delta: 0.1, variance: 0.004 };
  expect(estimateHistory(Array.from({ length: 5 }, () => swung))).toBeNull();
  expect(estimateHistory(Array.from({ length: 6 }, () => swung))).toEqual({
    variance: expect.closeTo(0.006, 12),
    changeCount: 6,
  });
  expect(estimateHistory([...Array.from({ length: 12 }, () => swung), { delta: 1, variance: 0 }])?.changeCount).toBe(
    12,
  );
  expect(estimateHistory(Array.from({ length: 6 }, () => ({ delta: 0, variance: 0.004 })))?.variance).toBe(0);
  const difference = { delta: 0.15, variance: 0.004, degreesOfFreedom: 39, isJudgeable: true };
  expect(judgeDifference(difference).p).toBeLessThan(0.05);
  expect(judgeDifference(difference, { variance: 0.006, changeCount: 6 }).p).toBeGreaterThan(0.05);
});

test.for([TWICE_THREE, ONE_AGAINST_FIVE, CELLS_MISSING, MEAN_OF_FOUR])(
  "calls at most 6 of 100 unchanged pairs changed in any setting, $name, and p and interval agree",
  { timeout: 480_000 },
  (sides) => {
    const presences = sides === MEAN_OF_FOUR ? [0.02, 0.05] : PRESENCES;
    const settings = createSettings([8, 12, 20, 40, 100], { presences, oneOf: 67 });
    const called = settings.map((setting, at) =>
      detectChanges(setting, sides, { pairs: chooseExtent(5000, 300), seed: at }),
    );
    const changes = called.map((of) => of.changes);
    const proportions = called.map((of) => of.proportions);
    report(
      `${sides.name}, ${settings.length} settings, called changed in %, mean (most): ${formatPercents(meanOfAll(changes), maxOf(changes))};` +
        ` two proportions ${formatPercents(meanOfAll(proportions), maxOf(proportions))}`,
    );
    expect(maxOf(changes)).toBeLessThanOrEqual(chooseExtent(0.06, 0.09));
    expect(meanOfAll(changes)).toBeLessThanOrEqual(0.05);
    expect(called.filter(({ contradictions }) => contradictions > 0)).toEqual([]);
  },
);
