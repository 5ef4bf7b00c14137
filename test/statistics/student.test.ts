import { expect, test } from "vitest";
import { studentQuantile, computeTwoSidedP } from "../../core/statistics/student.ts";

test("matches the published table of Student's quantiles", () => {
  // Pearson and Hartley, "Biometrika Tables for Statisticians", volume 1, table 12; the last row is
  // the normal distribution's.
  const table: [number, number, number, number][] = [
    [1, 1.376, 12.706, 636.619],
    [4, 0.941, 2.776, 8.61],
    [5, 0.92, 2.571, 6.869],
    [11, 0.876, 2.201, 4.437],
    [30, 0.854, 2.042, 3.646],
    [120, 0.845, 1.98, 3.373],
    [1_000_000, 0.842, 1.96, 3.291],
  ];
  for (const [freedom, t80, t975, t9995] of table) {
    expect(studentQuantile(0.8, freedom)).toBeCloseTo(t80, 3);
    expect(studentQuantile(0.975, freedom)).toBeCloseTo(t975, 3);
    expect(studentQuantile(0.9995, freedom)).toBeCloseTo(t9995, 3);
  }
});

test("gives p = 1 at t = 0, exact p for one and two degrees of freedom, and inverts the quantile for any", () => {
  expect(computeTwoSidedP(0, 7)).toBe(1);
  expect(computeTwoSidedP(Infinity, 7)).toBe(0);
  for (const t of [0.1, 1, 3, -3, 40]) {
    expect(computeTwoSidedP(t, 1)).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(Math.abs(t)), 12);
    expect(computeTwoSidedP(t, 2)).toBeCloseTo(1 - Math.abs(t) / Math.sqrt(2 + t * t), 12);
  }
  for (const freedom of [3, 17, 400, 20_000])
    expect(computeTwoSidedP(studentQuantile(0.975, freedom), freedom)).toBeCloseTo(0.05, 10);
});
