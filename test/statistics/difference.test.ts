import { expect, test } from "vitest";
import { judgeDifference } from "../../core/statistics/change.ts";
import {
  computePairDifference,
  computeSeriesDifference,
  computeShareDifference,
} from "../../core/statistics/difference.ts";
import { sumShareMoments } from "../../core/statistics/share-moments.ts";
import { pairMomentsOf, seriesMomentsOf } from "./sums.ts";

const differ = (count: number) => Array.from({ length: count }, (): [number, number] => [0, 3]);

/** Prompts with n answers on each side. */
function pairs(n: number, ...sides: [before: number, after: number][]) {
  return computePairDifference(pairMomentsOf(sides.map(([before, after]) => ({ before, after, n }))));
}

test("compares a change with one collect like the paired t-test", () => {
  // Student's own data (1908, Biometrika 6, the hours of sleep gained with two drugs): mean 1.58, t
  // = 4.0621, p = 0.00283.
  const sleep = [1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4];
  const difference = pairs(1, ...sleep.map((hours): [number, number] => [0, hours]));
  const { p } = judgeDifference(difference);
  expect(difference.delta).toBeCloseTo(1.58, 10);
  expect(difference.delta / Math.sqrt(difference.variance)).toBeCloseTo(4.0621, 4);
  expect(p).toBeCloseTo(0.002833, 6);
});

test("p and interval never contradict each other", () => {
  for (let after = 0; after <= 12; after += 1) {
    const up = Array.from({ length: after }, (): [number, number] => [1, 3]);
    const down = Array.from({ length: 12 - after }, (): [number, number] => [2, 1]);
    const { p, ci_low, ci_high } = judgeDifference(pairs(3, ...up, ...down, [3, 3], [0, 0]));
    expect((ci_low ?? 0) > 0 || (ci_high ?? 0) < 0).toBe((p ?? 1) < 0.05);
  }
});

test("a change rests on six prompts that differ; five of hundreds are insufficient", () => {
  const same = Array.from({ length: 300 }, (): [number, number] => [1, 1]);
  expect(judgeDifference(pairs(3, ...same, ...differ(5)))).toMatchObject({ ci_low: null, ci_high: null, p: null });
  expect(judgeDifference(pairs(3, ...same, ...differ(6))).p).toBeLessThan(0.05);
});

test("six prompts that all change alike are a sign and no certainty", () => {
  const { delta, p } = judgeDifference(pairs(1, ...Array.from({ length: 6 }, (): [number, number] => [0, 1])));
  expect(delta).toBe(1);
  expect(p).toBeGreaterThan(0.001);
  expect(p).toBeLessThan(0.05);
});

test("against the mean of earlier collects the variance is each prompt's between all of them", () => {
  // Six prompts of 2 answers, two earlier collects of 0 and 1, then 2: s² = 1 each, V = 6 · 1 · 1.5
  // / 12², delta 0.75.
  const sums = seriesMomentsOf(Array.from({ length: 6 }, () => ({ before: [0, 1], after: 2, n: 2 })));
  expect(computeSeriesDifference(sums)).toEqual({
    delta: 0.75,
    variance: 9 / 144,
    degreesOfFreedom: 12,
    isJudgeable: true,
  });
  expect(computeSeriesDifference({ ...sums, differing: 5 }).isJudgeable).toBe(false);
});

test("a share of voice is a ratio of sums: with the same weights on both sides it changes as a rate does", () => {
  const sides: [number, number][] = [
    [1, 2],
    [0, 2],
    [1, 1],
    [2, 0],
    [0, 1],
    [1, 3],
    [0, 1],
    [3, 2],
  ];
  const rate = pairs(3, ...sides);
  const share = computeShareDifference(sumShareMoments(sides.map((x) => ({ x, n: [3, 3] }))));
  expect(share.delta).toBeCloseTo(rate.delta, 12);
  expect(share.variance).toBeCloseTo(rate.variance, 12);
  expect(share).toMatchObject({ degreesOfFreedom: 7, isJudgeable: true });
});

test("calls no change when share is equal and weight grows, whatever each side's sum", () => {
  const twice = Array.from({ length: 8 }, (_, at) => ({ x: [at, 2 * at], n: [9, 18] }));
  expect(computeShareDifference(sumShareMoments(twice))).toMatchObject({ delta: 0, isJudgeable: false });
  const threeTimes = Array.from({ length: 8 }, (_, at) => ({ x: [at, 2 * at, 3 * at], n: [9, 18, 27] }));
  expect(computeShareDifference(sumShareMoments(threeTimes))).toMatchObject({ delta: 0, isJudgeable: false });
});

test("against the mean of earlier collects a share of voice has each prompt's variance of the linearised ratio between all of them", () => {
  // With equal weights of all brands, z is x/n less a constant per side, so s² equals that of a
  // rate.
  const sides = [
    [0, 1, 2],
    [1, 1, 3],
    [0, 0, 1],
    [2, 1, 0],
    [0, 1, 1],
    [1, 0, 2],
    [1, 1, 1],
    [0, 2, 3],
  ];
  const delta = sides.reduce((sum, [a = 0, b = 0, c = 0]) => sum + c - (a + b) / 2, 0) / 24;
  const squares = sides.reduce((sum, [a = 0, b = 0, c = 0]) => {
    const z = [a, b, c - 3 * delta].map((x) => x / 24);
    const mean = z.reduce((all, one) => all + one, 0) / 3;
    return sum + z.reduce((all, one) => all + (one - mean) ** 2, 0) / 2;
  }, 0);
  const share = computeShareDifference(sumShareMoments(sides.map((x) => ({ x, n: [3, 3, 3] }))));
  expect(share.delta).toBeCloseTo(delta, 12);
  expect(share.variance).toBeCloseTo((8 / 7) * 1.5 * squares, 12);
  expect(share).toMatchObject({ degreesOfFreedom: 14, isJudgeable: true });
});

test("reduces the effective prompts when cells are missing: 10 prompts, one with most answers, count as about one", () => {
  const unequal = pairMomentsOf(Array.from({ length: 10 }, (_, at) => ({ before: 0, after: 1, n: at === 0 ? 91 : 1 })));
  expect(judgeDifference(computePairDifference(unequal))).toMatchObject({ delta: 0.1, p: null });
  const missing = Array.from({ length: 12 }, (_, at) => ({ before: 1, after: 2, n: at % 2 === 0 ? 12 : 4 }));
  // n² / Σ n_i² = 96² / (6 · 160) = 9.6.
  expect(computePairDifference(pairMomentsOf(missing)).degreesOfFreedom).toBe(8);
});
