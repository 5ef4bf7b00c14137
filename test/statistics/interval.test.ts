import { expect, test } from "vitest";
import {
  gradeRate,
  computeMeanInterval,
  sumMoments,
  computeRankInterval,
  computeRateInterval,
} from "../../core/statistics/interval.ts";
import { chooseExtent, report } from "../support/proof.ts";
import { simulateCoverage, PRESENCES, createSettings, type Coverage } from "./coverage.ts";
import { minOf, meanOfAll, formatPercents } from "./figures.ts";
import { measureCoverage, trueMetrics } from "./market-coverage.ts";

const ONE_RUN = { runs: 1, sourceCount: 1 };

/** Groups of `count` prompts with x of n answers each. */
function prompts(...groups: [count: number, x: number, n: number][]) {
  return sumMoments(groups.flatMap(([count, x, n]) => Array.from({ length: count }, () => ({ x, n }))));
}

test("bounds certainty by prompts: 12 of 40 prompts in every answer are as certain as 36 of 120 answers", () => {
  // V = 40/39 · (12 · 2.1² + 28 · 0.9²) / 120² = 0.0053846, effective n = 0.21 / V = 39, t of 39
  // degrees 2.02269.
  const interval = computeRateInterval(prompts([12, 3, 3], [28, 0, 3]), { runs: 3, sourceCount: 1 });
  expect(interval?.low).toBeCloseTo(0.1765, 4);
  expect(interval?.high).toBeCloseTo(0.4615, 4);
});

test("bounds a rate never seen below 1 − 0.05^(1/prompts) for any number of answers, and mirrors it for a rate always seen", () => {
  expect(computeRateInterval(prompts([40, 0, 3]), { runs: 3, sourceCount: 1 })).toEqual({
    low: 0,
    high: 1 - 0.05 ** (1 / 40),
  });
  expect(computeRateInterval(prompts([40, 0, 30]), { runs: 30, sourceCount: 1 })).toEqual({
    low: 0,
    high: 1 - 0.05 ** (1 / 40),
  });
  expect(computeRateInterval(prompts([8, 5, 5]), { runs: 5, sourceCount: 1 })).toEqual({
    low: 0.05 ** (1 / 8),
    high: 1,
  });
});

test("a brand in few prompts is not given more answers than their least correlation leaves", () => {
  // Four prompts with one of three answers each: the spread alone gives an effective n above 120;
  // the floor gives 120 / 1.5 = 80.
  const few = computeRateInterval(prompts([4, 1, 3], [36, 0, 3]), { runs: 3, sourceCount: 1 });
  const alone = computeRateInterval(prompts([4, 1, 3], [36, 0, 3]), ONE_RUN);
  expect(few?.high).toBeCloseTo(0.1017, 4);
  expect(alone?.high).toBeLessThan(few?.high ?? 0);
});

test("gives no interval for four prompts, and ignores prompts without an answer", () => {
  expect(computeRateInterval(prompts([4, 1, 2]), ONE_RUN)).toBeNull();
  expect(computeRateInterval(prompts([4, 1, 2], [9, 0, 0]), ONE_RUN)).toBeNull();
  expect(computeRateInterval(prompts([5, 1, 2]), ONE_RUN)).not.toBeNull();
});

test("widens a mean rank's interval with the prompts' spread, keeps it at or above 1, and gives none below five prompts", () => {
  // Ranks 1, 2, 3, 4, 5 with one answer each: 3 ± 2.7764 · √(5/4 · 10 / 25).
  const ranks = sumMoments([1, 2, 3, 4, 5].map((x) => ({ x, n: 1 })));
  expect(computeRankInterval(ranks)).toEqual({ low: expect.closeTo(1.0369, 3), high: expect.closeTo(4.9631, 3) });
  expect(computeRankInterval(sumMoments([1, 1, 1, 1, 9].map((x) => ({ x, n: 1 }))))?.low).toBe(1);
  expect(computeRankInterval(sumMoments([1, 2, 3, 4].map((x) => ({ x, n: 1 }))))).toBeNull();
});

test("limits the certainty of a mean on a stepped scale when all answers are equal, and stays on the scale", () => {
  const scale = { min: 0, max: 1, step: 0.1 };
  const alike = sumMoments(Array.from({ length: 6 }, () => ({ x: 1.4, n: 2 })));
  // 0.7 ± 2.5706 · √(6/5 · 0.1² / 12²)
  expect(computeMeanInterval(alike, scale)).toEqual({
    low: expect.closeTo(0.6765, 4),
    high: expect.closeTo(0.7235, 4),
  });
  const apart = sumMoments([0, 0, 0, 1, 1].map((x) => ({ x, n: 1 })));
  // 0.4 ± 2.7764 · √(5/4 · 1.2 / 5²)
  expect(computeMeanInterval(apart, scale)).toEqual({ low: 0, high: 1 });
  expect(computeMeanInterval(sumMoments([1, 1, 1, 1].map((x) => ({ x, n: 1 }))), scale)).toBeNull();
});

test("grades precision relative to the metric, so that a rare brand gets no good grade by default", () => {
  expect(gradeRate(0.3, { low: 0.26, high: 0.34 }, 20)).toBe("decision");
  expect(gradeRate(0.3, { low: 0.26, high: 0.34 }, 19)).toBe("directional");
  expect(gradeRate(0.02, { low: 0.005, high: 0.049 }, 100)).toBe("exploratory");
  expect(gradeRate(0.3, { low: 0.22, high: 0.38 }, 12)).toBe("directional");
  expect(gradeRate(0.3, { low: 0.22, high: 0.38 }, 11)).toBe("exploratory");
  expect(gradeRate(0.3, { low: 0.15, high: 0.45 }, 100)).toBe("exploratory");
  expect(gradeRate(0.3, null, 4)).toBe("exploratory");
});

const LONG = 480_000;

test(
  "covers the world's rate in 93 of 100 collects in every setting, with narrow intervals",
  () => {
    const settings = createSettings([5, 8, 12, 20, 40, 100], { oneOf: 37 });
    const rows = settings.map((setting, at) => simulateCoverage(setting, chooseExtent(2000, 200), 1000 + at));
    reportCoverage(rows);
    expect(minOf(rows.map(({ ours }) => ours.share))).toBeGreaterThanOrEqual(chooseExtent(0.93, 0.88));
    const usual = rows.filter(({ setting }) => setting.prompts >= 20 && setting.presence >= 0.1);
    const mean = meanOfAll(usual.map(({ ours }) => ours.share));
    report(
      `from 20 prompts and 10 % on: ${formatPercents(mean)}; least of all: ${formatPercents(minOf(rows.map(({ ours }) => ours.share)))}`,
    );
    expect(mean).toBeGreaterThanOrEqual(chooseExtent(0.945, 0.92));
    expect(mean).toBeLessThanOrEqual(chooseExtent(0.965, 0.985));
    const [alone, four] = [halfOf(1), halfOf(4)];
    report(
      `half-width at 40 prompts and 30 %: ${formatPercents(alone)} with one source, ${formatPercents(four)} with four`,
    );
    expect(alone).toBeLessThanOrEqual(0.115);
    expect(four).toBeLessThanOrEqual(0.08);
  },
  LONG,
);

/** Mean half-width at 40 prompts and 30 % presence. */
function halfOf(sources: number): number {
  const settings = createSettings([40], { presences: [0.3] }).filter((setting) => setting.sources === sources);
  return meanOfAll(
    settings.map((setting, at) => simulateCoverage(setting, chooseExtent(2000, 20), 5000 + at).ours.half),
  );
}

function reportCoverage(rows: readonly Coverage[]): void {
  report("coverage in %, mean (least): prompts, presence: ours; half-width in points; bootstrap; Wilson over answers");
  for (const count of new Set(rows.map(({ setting }) => setting.prompts))) {
    for (const presence of PRESENCES) {
      const of = rows.filter(({ setting }) => setting.prompts === count && setting.presence === presence);
      const words = (["ours", "bootstrap", "wilson"] as const).map((method) => {
        const shares = of.map((row) => row[method].share);
        const half = meanOfAll(of.map((row) => row[method].half));
        return `${formatPercents(meanOfAll(shares), minOf(shares))} ± ${formatPercents(half)}`;
      });
      report(`${count}, ${formatPercents(presence)}: ${words.join("; ")}`);
    }
  }
}

test(
  "covers the market's visibility, top 3 and share of voice in 92 of 100 collects, from 12 prompts on",
  () => {
    const all: number[] = [];
    const ranks: number[] = [];
    for (const spread of chooseExtent([1, 1.75, 2.5], [1.75])) {
      for (const shock of chooseExtent([0, 1, 2], [1])) {
        const truth = trueMetrics({ spread, shock }, chooseExtent(300_000, 10_000), 7);
        for (const count of chooseExtent([12, 20, 40, 100], [12])) {
          for (const sources of [1, 4]) {
            const draw = { collects: chooseExtent(2000, 60), seed: count + sources };
            const held = measureCoverage({ prompts: count, sources, spread, shock }, truth, draw);
            all.push(...held.visibility, ...held["top 3"], ...held["share of voice"]);
            ranks.push(...held.rank);
            const words = Object.entries(held).map(
              ([figure, of]) => `${figure} ${formatPercents(meanOfAll(of), minOf(of))}`,
            );
            report(`spread ${spread}, shock ${shock}, ${count} prompts, ${sources} sources: ${words.join("; ")}`);
          }
        }
      }
    }
    report(
      `${all.length} shares: ${formatPercents(meanOfAll(all), minOf(all))}; rank ${formatPercents(meanOfAll(ranks), minOf(ranks))}`,
    );
    expect(minOf(all)).toBeGreaterThanOrEqual(chooseExtent(0.92, 0.8));
  },
  LONG,
);
