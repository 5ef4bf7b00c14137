import { expect, test } from "vitest";
import { gradeOf, momentsOf, rankInterval, rateInterval } from "../../core/statistics/interval.ts";

const ONE_RUN = { runs: 1, sources: 1 };

/** So many prompts with x of n answers each. */
function prompts(...groups: [count: number, x: number, n: number][]) {
  return momentsOf(groups.flatMap(([count, x, n]) => Array.from({ length: count }, () => ({ x, n }))));
}

test("answers to one prompt are no more certain than the prompt: 12 of 40 prompts always say what 36 of 120 answers do", () => {
  // V = 40/39 · (12 · 2.1² + 28 · 0.9²) / 120² = 0.0053846, effective n = 0.21 / V = 39, t of 39 degrees 2.02269.
  const interval = rateInterval(prompts([12, 3, 3], [28, 0, 3]), { runs: 3, sources: 1 });
  expect(interval?.low).toBeCloseTo(0.1765, 4);
  expect(interval?.high).toBeCloseTo(0.4615, 4);
});

test("what was never seen is below 1 − 0.05^(1/prompts), whatever the number of answers, and what always was is above", () => {
  expect(rateInterval(prompts([40, 0, 3]), { runs: 3, sources: 1 })).toEqual({ low: 0, high: 1 - 0.05 ** (1 / 40) });
  expect(rateInterval(prompts([40, 0, 30]), { runs: 30, sources: 1 })).toEqual({ low: 0, high: 1 - 0.05 ** (1 / 40) });
  expect(rateInterval(prompts([8, 5, 5]), { runs: 5, sources: 1 })).toEqual({ low: 0.05 ** (1 / 8), high: 1 });
});

test("a brand in few prompts is not given more answers than their least correlation leaves", () => {
  // Four prompts with one of three answers each: effective n by their spread would be above 120, the floor leaves 120 / 1.5 = 80.
  const few = rateInterval(prompts([4, 1, 3], [36, 0, 3]), { runs: 3, sources: 1 });
  const alone = rateInterval(prompts([4, 1, 3], [36, 0, 3]), ONE_RUN);
  expect(few?.high).toBeCloseTo(0.1017, 4);
  expect(alone?.high).toBeLessThan(few?.high ?? 0);
});

test("four prompts say nothing of prompts like them, and prompts without an answer do not count", () => {
  expect(rateInterval(prompts([4, 1, 2]), ONE_RUN)).toBeNull();
  expect(rateInterval(prompts([4, 1, 2], [9, 0, 0]), ONE_RUN)).toBeNull();
  expect(rateInterval(prompts([5, 1, 2]), ONE_RUN)).not.toBeNull();
});

test("a mean rank is as sure as its prompts are alike, never better than 1, and nothing below five prompts", () => {
  // Ranks 1, 2, 3, 4, 5, one answer each: 3 ± 2.7764 · √(5/4 · 10 / 25).
  const ranks = momentsOf([1, 2, 3, 4, 5].map((x) => ({ x, n: 1 })));
  expect(rankInterval(ranks)).toEqual({ low: expect.closeTo(1.0369, 3), high: expect.closeTo(4.9631, 3) });
  expect(rankInterval(momentsOf([1, 1, 1, 1, 9].map((x) => ({ x, n: 1 }))))?.low).toBe(1);
  expect(rankInterval(momentsOf([1, 2, 3, 4].map((x) => ({ x, n: 1 }))))).toBeNull();
});

test("a grade is relative to the figure: a rare brand does not get a good one for nothing", () => {
  expect(gradeOf(0.3, { low: 0.26, high: 0.34 }, 20)).toBe("decision");
  expect(gradeOf(0.3, { low: 0.26, high: 0.34 }, 19)).toBe("directional");
  expect(gradeOf(0.02, { low: 0.005, high: 0.049 }, 100)).toBe("exploratory");
  expect(gradeOf(0.3, { low: 0.22, high: 0.38 }, 12)).toBe("directional");
  expect(gradeOf(0.3, { low: 0.22, high: 0.38 }, 11)).toBe("exploratory");
  expect(gradeOf(0.3, { low: 0.15, high: 0.45 }, 100)).toBe("exploratory");
  expect(gradeOf(0.3, null, 4)).toBe("exploratory");
});
