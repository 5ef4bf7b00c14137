import { expect, test } from "vitest";
import { kappaOf } from "./agreement.ts";

function times<T>(count: number, pair: T): T[] {
  return Array.from({ length: count }, () => pair);
}

test("kappa equals Cohen's formula for a table of counts", () => {
  const pairs = [
    ...times(20, ["yes", "yes"] as const),
    ...times(5, ["yes", "no"] as const),
    ...times(10, ["no", "yes"] as const),
    ...times(15, ["no", "no"] as const),
  ];
  expect(kappaOf(pairs)).toBeCloseTo(0.4);
});

test("agreeing annotators have kappa 1, even with a single label", () => {
  expect(kappaOf(times(4, ["yes", "yes"] as const))).toBe(1);
});
