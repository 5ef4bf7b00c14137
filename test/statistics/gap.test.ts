import { expect, test } from "vitest";
import { estimateGap, judgeGap } from "../../core/statistics/gap.ts";
import type { PairMoments } from "../../core/statistics/difference.ts";

/** Sums of prompts with n answers and d = value of one brand minus that of the other. */
function momentsOf(prompts: readonly { n: number; d: number }[]): PairMoments {
  const sum = (value: (prompt: { n: number; d: number }) => number) =>
    prompts.reduce((total, prompt) => total + value(prompt), 0);
  return {
    promptCount: prompts.length,
    n: sum(({ n }) => n),
    d: sum(({ d }) => d),
    dd: sum(({ d }) => d * d),
    dn: sum(({ n, d }) => n * d),
    nn: sum(({ n }) => n * n),
    differing: prompts.filter(({ d }) => d !== 0).length,
  };
}

const judge = (prompts: readonly { n: number; d: number }[]) => {
  const gap = estimateGap(momentsOf(prompts));
  return { ...gap, verdict: judgeGap(gap) };
};

test("tests a gap like the paired t-test, in both directions", () => {
  // Student's own data (1908, Biometrika 6): mean 1.58, t = 4.0621, p = 0.002833. Scaled to at most 1.
  const sleep = [1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4].map((hours) => ({ n: 1, d: hours / 10 }));
  const ahead = judge(sleep);
  expect(ahead).toMatchObject({
    delta: expect.closeTo(0.158, 10),
    p: expect.closeTo(0.002833, 6),
    // t.975 of 9 degrees is 2.26216; error 0.158 / 4.0621.
    ci_low: expect.closeTo(0.158 - (2.26216 * 0.158) / 4.0621, 5),
    ci_high: expect.closeTo(0.158 + (2.26216 * 0.158) / 4.0621, 5),
    verdict: "ahead",
  });
  const behind = judge(sleep.map(({ n, d }) => ({ n, d: -d })));
  expect(behind).toEqual({ ...ahead, verdict: "behind", delta: -ahead.delta, ...swapped(ahead) });
});

const swapped = ({ ci_low: low, ci_high: high }: { ci_low: number | null; ci_high: number | null }) => {
  return { ci_low: high === null ? null : -high, ci_high: low === null ? null : -low };
};

const differing = (count: number) => Array.from({ length: count }, () => ({ n: 3, d: 3 }));

test("a verdict needs six prompts that differ, and agrees with the interval", () => {
  const level = Array.from({ length: 300 }, () => ({ n: 3, d: 0 }));
  const none = { ci_low: null, ci_high: null, p: null, verdict: "too_little_data" };
  expect(judge([...level, ...differing(5)])).toMatchObject(none);
  expect(judge([])).toMatchObject(none);
  expect(judge([...level, ...differing(6)]).verdict).toBe("ahead");
  for (let up = 0; up <= 20; up += 1) {
    const prompts = Array.from({ length: 20 }, (_, at) => ({ n: 1 + (at % 3), d: at < up ? 1 : -1 }));
    const { ci_low: low, ci_high: high, verdict } = judge(prompts);
    const expected = (low ?? 0) > 0 ? "ahead" : (high ?? 0) < 0 ? "behind" : "no_significant_gap";
    expect([up, verdict]).toEqual([up, expected]);
  }
});

test("two brands of equal strength differ significantly in about 5 of 100 runs, and the interval covers a gap in 95", () => {
  let state = 20_261_128;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  /** Share of 3,000 runs of 30 prompts with 2 or 3 answers, each prompt favouring each brand at random. */
  const measure = (gap: number, count: (result: ReturnType<typeof judge>) => boolean) => {
    let counted = 0;
    for (let run = 0; run < 3000; run += 1) {
      const prompts = Array.from({ length: 30 }, () => {
        const n = random() < 0.5 ? 2 : 3;
        const [one, other] = [gap + random() * (1 - gap), random() * (1 - gap)];
        let d = 0;
        for (let answer = 0; answer < n; answer += 1) d += Number(random() < one) - Number(random() < other);
        return { n, d };
      });
      if (count(judge(prompts))) counted += 1;
    }
    return counted / 3000;
  };
  const isFound = measure(0, ({ verdict }) => verdict === "ahead" || verdict === "behind");
  expect(isFound).toBeGreaterThan(0.035);
  expect(isFound).toBeLessThan(0.065);
  const covered = measure(0.25, ({ ci_low: low, ci_high: high }) => (low ?? 1) <= 0.25 && (high ?? 0) >= 0.25);
  expect(covered).toBeGreaterThan(0.935);
  expect(covered).toBeLessThan(0.965);
});
