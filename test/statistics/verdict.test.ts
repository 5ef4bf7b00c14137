import { expect, test } from "vitest";
import { adjustPValues, findObstacle, judgeChange } from "../../core/statistics/verdict.ts";

const stands = (values: readonly (number | null)[]) =>
  adjustPValues(values).map((value) => value !== null && value <= 0.05);

const judged = (p: number | null, delta = 0.1) => ({ p, delta });

test("calls a change a first sign at 0.05, and moved at 0.001 or when the next collect confirms it", () => {
  const nothing = { obstacle: null };
  expect(judgeChange(judged(null), nothing)).toBe("insufficient_data");
  expect(judgeChange(judged(0.051), nothing)).toBe("within_noise");
  expect(judgeChange(judged(0.05), nothing)).toBe("first_sign");
  expect(judgeChange(judged(0.001), nothing)).toBe("moved");
  expect(judgeChange(judged(0.04), { obstacle: null, neighbour: judged(0.03) })).toBe("moved");
  expect(judgeChange(judged(0.04), { obstacle: null, neighbour: judged(0.06) })).toBe("first_sign");
  expect(judgeChange(judged(0.04), { obstacle: null, neighbour: judged(0.0001, -0.1) })).toBe("first_sign");
  expect(judgeChange(judged(0.06), { obstacle: null, neighbour: judged(0.0001) })).toBe("within_noise");
});

test("attributes a move shared by rivals to the field, and gives no verdict on incomparable collects", () => {
  expect(judgeChange(judged(0.0001), { obstacle: null, withField: true })).toBe("moved_with_field");
  expect(judgeChange(judged(0.3), { obstacle: null, withField: true })).toBe("within_noise");
  expect(judgeChange(judged(0.0001), { obstacle: "model_changed" })).toBe("model_changed");
});

test("compares sides with at least half of their cells and one reading version, otherwise names the difference", () => {
  const cells = { beforeCount: 100, afterCount: 100, commonCount: 50, otherMethod: 0, otherModel: 50 };
  expect(findObstacle(cells, true)).toBeNull();
  expect(findObstacle(cells, false)).toBe("catalog_changed");
  expect(findObstacle({ ...cells, commonCount: 49, otherModel: 51 }, true)).toBe("model_changed");
  expect(findObstacle({ ...cells, commonCount: 49, otherMethod: 51, otherModel: 0 }, true)).toBe("method_changed");
  expect(findObstacle({ ...cells, commonCount: 49, otherModel: 0 }, true)).toBe("basket_changed");
  expect(findObstacle({ ...cells, afterCount: 400, commonCount: 100, otherModel: 0 }, true)).toBe("basket_changed");
});

test("selects brands by Benjamini and Hochberg, in any order", () => {
  // Example of Benjamini and Hochberg (1995, section 4): the first four of 15 p-values are
  // significant at 0.05.
  const p = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
  ];
  expect(stands(p)).toEqual(p.map((_, at) => at < 4));
  expect(stands(p.toReversed())).toEqual(p.map((_, at) => at >= 11));
  expect(adjustPValues([0.01, null, 0.04])).toEqual([0.02, null, 0.04]);
  expect(adjustPValues([])).toEqual([]);
});
