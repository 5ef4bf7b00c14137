import { expect, test } from "vitest";
import { powerOf } from "../../core/statistics/power.ts";

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
