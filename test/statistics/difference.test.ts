import { expect, test } from "vitest";
import { changeOf, historyOf } from "../../core/statistics/change.ts";
import {
  pairDifference,
  pairMomentsOf,
  seriesDifference,
  seriesMomentsOf,
  sharePairDifference,
} from "../../core/statistics/difference.ts";

const differ = (count: number) => Array.from({ length: count }, (): [number, number] => [0, 3]);

/** Prompts with n answers on each side. */
function pairs(n: number, ...sides: [before: number, after: number][]) {
  return pairDifference(pairMomentsOf(sides.map(([before, after]) => ({ before, after, n }))));
}

test("a change against one collect is the paired t-test", () => {
  // Student's own data (1908, Biometrika 6, the hours of sleep gained with two drugs): mean 1.58, t = 4.0621, p = 0.00283.
  const sleep = [1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4];
  const difference = pairs(1, ...sleep.map((hours): [number, number] => [0, hours]));
  const { p } = changeOf(difference);
  expect(difference.delta).toBeCloseTo(1.58, 10);
  expect(difference.delta / Math.sqrt(difference.variance)).toBeCloseTo(4.0621, 4);
  expect(p).toBeCloseTo(0.002833, 6);
});

test("p and interval never contradict each other", () => {
  for (let after = 0; after <= 12; after += 1) {
    const up = Array.from({ length: after }, (): [number, number] => [1, 3]);
    const down = Array.from({ length: 12 - after }, (): [number, number] => [2, 1]);
    const { p, ci_low, ci_high } = changeOf(pairs(3, ...up, ...down, [3, 3], [0, 0]));
    expect((ci_low ?? 0) > 0 || (ci_high ?? 0) < 0).toBe((p ?? 1) < 0.05);
  }
});

test("a change rests on six prompts that differ; five of hundreds are insufficient", () => {
  const same = Array.from({ length: 300 }, (): [number, number] => [1, 1]);
  expect(changeOf(pairs(3, ...same, ...differ(5)))).toMatchObject({ ci_low: null, ci_high: null, p: null });
  expect(changeOf(pairs(3, ...same, ...differ(6))).p).toBeLessThan(0.05);
});

test("six prompts that all change alike are a sign and no certainty", () => {
  const { delta, p } = changeOf(pairs(1, ...Array.from({ length: 6 }, (): [number, number] => [0, 1])));
  expect(delta).toBe(1);
  expect(p).toBeGreaterThan(0.001);
  expect(p).toBeLessThan(0.05);
});

test("against the mean of earlier collects the variance is each prompt's between all of them", () => {
  // Six prompts of 2 answers, two earlier collects of 0 and 1, then 2: s² = 1 each, V = 6 · 1 · 1.5 / 12², delta 0.75.
  const sums = seriesMomentsOf(Array.from({ length: 6 }, () => ({ before: [0, 1], after: 2, n: 2 })));
  expect(seriesDifference(sums)).toEqual({ delta: 0.75, variance: 9 / 144, freedom: 12, judged: true });
  expect(seriesDifference({ ...sums, differing: 5 }).judged).toBe(false);
});

test("a share of voice with the same weights on both sides changes as a rate does", () => {
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
  const sideOf = (side: 0 | 1) => {
    const x = sides.map((pair) => pair[side]);
    const sum = x.reduce((all, value) => all + value, 0);
    return { x: sum, n: 24, xx: x.reduce((all, value) => all + value * value, 0), xn: 3 * sum, nn: 72 };
  };
  const [before, after] = [sideOf(0), sideOf(1)];
  const cross = {
    xx: sides.reduce((sum, [b, a]) => sum + a * b, 0),
    xn: 3 * before.x,
    nx: 3 * after.x,
    nn: 72,
  };
  const share = sharePairDifference({ prompts: 8, before, after, cross, differing: 7 });
  const rate = pairs(3, ...sides);
  expect(share.delta).toBeCloseTo(rate.delta, 12);
  expect(share.variance).toBeCloseTo(rate.variance, 12);
});

test("what a brand moves anyway is learnt from six earlier changes, of the last twelve, and never below 0", () => {
  const swung = { delta: 0.1, variance: 0.004 };
  expect(historyOf(Array.from({ length: 5 }, () => swung))).toBeNull();
  expect(historyOf(Array.from({ length: 6 }, () => swung))).toEqual({
    variance: expect.closeTo(0.006, 12),
    changes: 6,
  });
  expect(historyOf([...Array.from({ length: 12 }, () => swung), { delta: 1, variance: 0 }])?.changes).toBe(12);
  expect(historyOf(Array.from({ length: 6 }, () => ({ delta: 0, variance: 0.004 })))?.variance).toBe(0);
  const difference = { delta: 0.15, variance: 0.004, freedom: 39, judged: true };
  expect(changeOf(difference).p).toBeLessThan(0.05);
  expect(changeOf(difference, { variance: 0.006, changes: 6 }).p).toBeGreaterThan(0.05);
});
