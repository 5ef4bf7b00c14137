import { expect, test } from "vitest";
import type { ChangeRow } from "../../core/metrics/changes/change-row.ts";
import { notePlainDifference } from "../../core/metrics/changes/plain-difference.ts";

// Fault: a source fell since the last run, and its row only said that it had risen against earlier runs.

const change = (delta: number | null): ChangeRow => ({
  before: 0.4,
  after: 0.9,
  delta,
  ci_low: 0.3,
  ci_high: 0.7,
  p: 0.001,
  verdict: "moved",
  cells: 20,
  left_out: { one_side_only: 0, other_method: 0, other_model: 0 },
  compared_with: [1, 2, 3],
  baseline: "mean of runs 1, 2 and 3",
});

const noted = (delta: number | null, before: number | null, after: number | null, run: number | undefined = 4) =>
  notePlainDifference(change(delta), { run, before, after }, 100)?.baseline;

test("names the difference to the previous run if the change has another baseline", () => {
  const baseline = "mean of runs 1, 2 and 3";
  expect(noted(0.5, 1, 0.944)).toBe(`${baseline}; since run 4 alone −5.6 points, not tested`);
  expect(noted(0.5, 0.4, 0.9)).toBe(`${baseline}; since run 4 alone +50.0 points, not tested`);
  expect(noted(0, 0.9, 0.9)).toBe(`${baseline}; since run 4 alone +0.0 points, not tested`);
  expect(notePlainDifference(change(-0.5), { run: 2, before: 40, after: 42.25 }, 1)?.baseline).toBe(
    `${baseline}; since run 2 alone +2.3 points, not tested`,
  );
});

test("leaves a change against that run, without a previous run, or without values as it is", () => {
  const alone = { ...change(0.5), compared_with: [4], baseline: "run 4" };
  expect(notePlainDifference(alone, { run: 4, before: 1, after: 0.9 }, 100)).toEqual(alone);
  for (const [delta, before, after] of [
    [null, 0.9, 0.8],
    [0.5, null, 0.8],
    [0.5, 0.9, null],
  ] as const)
    expect(noted(delta, before, after)).toBe(change(delta).baseline);
  expect(notePlainDifference(change(0.5), { run: undefined, before: 1, after: 0.9 }, 100)).toEqual(change(0.5));
  expect(notePlainDifference(null, { run: 4, before: 1, after: 0.9 }, 100)).toBe(null);
});
