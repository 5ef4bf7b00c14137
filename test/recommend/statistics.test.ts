import { expect, test } from "vitest";
import { discoveries, rankSumPValue, twoProportionPValue, wilsonInterval } from "../../core/measuring/statistics.ts";

test("Wilson's interval is the published one at the ends, in the middle and for nothing", () => {
  // Newcombe (1998), Statistics in Medicine 17, table I: 81/263, 15/148, 0/20, 1/29 by the score method.
  const cases: [number, number, number, number][] = [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ];
  for (const [occurrences, total, low, high] of cases) {
    const interval = wilsonInterval({ occurrences, total });
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  }
  expect(wilsonInterval({ occurrences: 0, total: 0 })).toBeNull();
});

const pOf = (a: number, n: number, b: number, m: number) =>
  twoProportionPValue({ occurrences: a, total: n }, { occurrences: b, total: m });

test("the two-proportion test gives the z-test's p-value, 1 for no difference and null for nothing", () => {
  // 30/100 against 45/100: pooled 0.375, z = 0.15 / sqrt(0.375 · 0.625 / 50) = 2.1909, p = 0.02846.
  expect(pOf(30, 100, 45, 100)).toBeCloseTo(0.02846, 4);
  expect(pOf(45, 100, 30, 100)).toBeCloseTo(0.02846, 4);
  // 9/10 against 4/10: pooled 0.65, z = 2.3440, p = 0.01908.
  expect(pOf(9, 10, 4, 10)).toBeCloseTo(0.01908, 4);
  expect(pOf(5, 10, 5, 10)).toBeCloseTo(1, 6);
  expect(pOf(10, 10, 12, 12)).toBe(1);
  expect(pOf(0, 0, 1, 2)).toBeNull();
});

const ranks = (...values: number[]) => {
  const histogram = new Map<number, number>();
  for (const value of values) histogram.set(value, (histogram.get(value) ?? 0) + 1);
  return histogram;
};

test("the rank-sum test corrects for ties and needs both samples", () => {
  // U = 0 of 5 against 5 without ties: z = 12.5 / sqrt(25 · 11 / 12) = 2.6112, p = 0.00902.
  expect(rankSumPValue(ranks(1, 2, 3, 4, 5), ranks(6, 7, 8, 9, 10))).toBeCloseTo(0.00902, 4);
  // 1 1 2 against 2 3 3: ranks 1.5 1.5 3.5 | 3.5 5.5 5.5, sum 14.5, expected 10.5,
  // variance 0.75 · (7 − 18 / 30) = 4.8, z = 1.8257, p = 0.0679.
  expect(rankSumPValue(ranks(1, 1, 2), ranks(2, 3, 3))).toBeCloseTo(0.0679, 4);
  expect(rankSumPValue(ranks(1, 1), ranks(1, 1, 1))).toBe(1);
  expect(rankSumPValue(ranks(), ranks(1))).toBeNull();
});

test("of many tests those stand that Benjamini and Hochberg let stand", () => {
  // The example of their paper (1995, section 4): of 15 p-values the first four stand at 0.05.
  const p = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
  ];
  expect(discoveries(p)).toEqual(p.map((_, at) => at < 4));
  expect(discoveries(p.toReversed())).toEqual(p.map((_, at) => at >= 11));
  expect(discoveries([])).toEqual([]);
  expect(discoveries([0.06])).toEqual([false]);
});
