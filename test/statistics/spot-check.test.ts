import { expect, test } from "vitest";
import { randomFrom } from "../../proofs/recompute/selections.ts";
import { estimateSpotCheck, type AskedCell } from "../../core/statistics/spot-check.ts";

const asked = (...cells: [x: number, n: number][]): AskedCell[] => cells.map(([x, n]) => ({ x, n }));

test("prompts that differ are averaged after the chance of each, not before", () => {
  // Half of the prompts always have the brand, so further asks show hardly more.
  const prompts = Array.from({ length: 20 }, (_, at) => asked([at % 2 === 0 ? 40 : 0, 40]));
  const [once, three, five] = [1, 3, 5].map((asks) => estimateSpotCheck(prompts, asks).chance ?? 0);
  expect(once).toBeCloseTo(0.5, 6);
  expect([three, five].every((chance) => (chance ?? 0) > 0.5 && (chance ?? 0) < 0.52)).toBe(true);
  // Prompts that are alike have 1 − (1 − p)^k.
  const alike = Array.from({ length: 20 }, () => asked([20, 40]));
  expect([1, 3, 5].map((asks) => estimateSpotCheck(alike, asks).chance)).toEqual([0.5, 0.875, 0.96875]);
});

test("the chance equals the posterior mean of the beta prior by moments", () => {
  // Worked by hand: rate 5/12, between 11/24 over 5 cells, within 1 over 6, size 2.
  const prompts = [asked([2, 2]), asked([0, 2]), asked([1, 2]), asked([0, 2]), asked([2, 2]), asked([0, 2])];
  const rate = 5 / 12;
  const between = prompts.flat().reduce((sum, { x, n }) => sum + n * (x / n - rate) ** 2, 0) / 5;
  const within = 0.5 / 6;
  const correlation = (between - within) / (between + within);
  const strength = 1 / correlation - 1;
  const miss = (x: number, n: number, asks: number) =>
    Array.from({ length: asks }, (_, at) => (strength * (1 - rate) + n - x + at) / (strength + n + at)).reduce(
      (product, one) => product * one,
      1,
    );
  for (const asks of [1, 3, 5]) {
    const expected = prompts.flat().reduce((sum, { x, n }) => sum + 1 - miss(x, n, asks), 0) / 6;
    expect(estimateSpotCheck(prompts, asks).chance).toBeCloseTo(expected, 12);
  }
});

test("countries and personas of a prompt are averaged, and a person stays in one of them", () => {
  const split = Array.from({ length: 12 }, () => asked([30, 30], [0, 30]));
  const pooled = Array.from({ length: 12 }, () => asked([30, 60]));
  expect(estimateSpotCheck(split, 1).chance).toBeCloseTo(0.5, 6);
  expect(estimateSpotCheck(split, 5).chance).toBeLessThan(0.53);
  expect(estimateSpotCheck(pooled, 5).chance).toBeGreaterThan(0.96);
});

test("says nothing about several asks without repeats, and has no interval below five prompts", () => {
  const single = Array.from({ length: 10 }, (_, at) => asked([at % 2, 1]));
  expect(estimateSpotCheck(single, 1)).toMatchObject({ chance: 0.5, interval: { low: expect.any(Number) } });
  expect(estimateSpotCheck(single, 3)).toEqual({ chance: null, interval: null });
  expect(estimateSpotCheck([], 1)).toEqual({ chance: null, interval: null });
  expect(estimateSpotCheck(single.slice(0, 4), 1)).toEqual({ chance: 0.5, interval: null });
  const never = Array.from({ length: 10 }, () => asked([0, 3]));
  const reach = 1 - 0.05 ** (1 / 10);
  expect(estimateSpotCheck(never, 1)).toEqual({ chance: 0, interval: { low: 0, high: reach } });
  const three = estimateSpotCheck(never, 3);
  expect([three.chance, three.interval?.low, three.interval?.high]).toEqual([0, 0, 1 - (1 - reach) ** 3]);
  const always = Array.from({ length: 10 }, () => asked([3, 3]));
  expect(estimateSpotCheck(always, 5)).toEqual({ chance: 1, interval: { low: 1 - reach, high: 1 } });
});

test("the interval covers the true share of people in about 95 of 100 simulated runs", () => {
  const random = randomFrom(20_261_128);
  // Chances of a prompt spread evenly: the share after k asks is 1 − 1/(k + 1).
  for (const [asks, truth] of [
    [1, 1 / 2],
    [3, 3 / 4],
    [5, 5 / 6],
  ] as const) {
    let [covered, bias] = [0, 0];
    for (let run = 0; run < 300; run += 1) {
      const prompts = Array.from({ length: 30 }, () => {
        const chance = random();
        return asked([[1, 2, 3].filter(() => random() < chance).length, 3]);
      });
      const { chance, interval } = estimateSpotCheck(prompts, asks);
      bias += ((chance ?? 0) - truth) / 300;
      if (interval && interval.low <= truth && truth <= interval.high) covered += 1;
    }
    expect([asks, covered / 300 > 0.91, Math.abs(bias) < 0.02]).toEqual([asks, true, true]);
  }
});
