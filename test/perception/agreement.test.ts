import { expect, test } from "vitest";
import { kappaOf } from "./agreement.ts";

function times<T>(count: number, pair: T): T[] {
  return Array.from({ length: count }, () => pair);
}

test("kappa is what Cohen's formula gives for a table of counts", () => {
  const pairs = [
    ...times(20, ["yes", "yes"] as const),
    ...times(5, ["yes", "no"] as const),
    ...times(10, ["no", "yes"] as const),
    ...times(15, ["no", "no"] as const),
  ];
  expect(kappaOf(pairs)).toBeCloseTo(0.4);
});

test("annotators who agree have 1, also where there is one label", () => {
  expect(kappaOf(times(4, ["yes", "yes"] as const))).toBe(1);
});
