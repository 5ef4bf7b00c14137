import { expect, test } from "vitest";
import {
  createKeywordAnswers,
  unpackFacts,
  packFacts,
  type CollectFacts,
  type FactRow,
} from "../../core/metrics/facts/collect-facts.ts";
import { computeMethodGaps, type MethodGap } from "../../core/metrics/changes/method-gap.ts";
import { chooseExtent, report } from "../support/proof.ts";
import { RandomGenerator } from "../statistics/chance.ts";

const [BRAND, OTHER] = [1, 2];

/** Facts of one source and method: per prompt the brand's rank in each answer, null if absent. */
function factsOf(prompts: readonly (readonly (number | null)[])[], method: "api" | "capture"): CollectFacts {
  const answers = prompts.map((own) => ({
    ...createKeywordAnswers(),
    answers: own.length,
    way: { method, model: method },
  }));
  const rows = prompts.flatMap((own, keyword) =>
    own.flatMap((rank, runIndex): FactRow[] =>
      rank === null ? [] : [{ keyword, runIndex, brand: BRAND, rank, brandRank: rank, mentions: 1 }],
    ),
  );
  return unpackFacts(packFacts(answers, rows));
}

const cellsOf = (count: number) => Array.from({ length: count }, (_, at) => [[at]]);

function gapOf(found: MethodGap | undefined): MethodGap {
  if (!found) throw new Error("no gap");
  return found;
}

/** Twelve prompts with two API answers, and two or one captured answers. */
const API = [...Array.from({ length: 8 }, () => [1, 1]), [3, null], [2, null], [null, null], [null, null]];
const CAPTURE = [
  ...Array.from({ length: 5 }, () => [2, 2]),
  [4, null],
  [null, null],
  [null, null],
  [3, 3],
  [null, null],
  [1, null],
  [null],
];

test("the gap is paired by prompt over equally many answers, for any model", () => {
  const found = computeMethodGaps(
    [{ firstFacts: factsOf(API, "api"), secondFacts: factsOf(CAPTURE, "capture") }],
    cellsOf(12),
    [BRAND, OTHER],
  );
  const { change, rank, ...gap } = gapOf(found.get(BRAND));
  // The last prompt was captured once, so one answer of each counts: 23. API has the brand in 18,
  // capture in 14.
  // d by prompt: 0 five times, 1, 2, 2, −1, 1, −1, 0; n 2, at last 1. Σd = 4, Σd² = 12, Σdn = 8,
  // Σn² = 45.
  expect(gap).toEqual({ answers: 23, promptCount: 12, firstPresence: 18 / 23, secondPresence: 14 / 23 });
  // d by prompt: 0 five times, 1, 2, 2, −1, 1, −1, 0; n 2, at last 1. Σd = 4, Σd² = 12, Σdn = 8, Σn² = 45.
  const delta = 4 / 23;
  const squares = 12 - 2 * delta * 8 + delta * delta * 45;
  const effective = Math.floor((23 * 23) / 45);
  const error = Math.sqrt(((effective / (effective - 1)) * squares) / (23 * 23));
  expect(change.delta).toBeCloseTo(delta, 12);
  // t of ten degrees at 0.975 is 2.22814 (Student's table).
  expect((change.ci_high ?? 0) - (change.ci_low ?? 0)).toBeCloseTo(2 * 2.228138852 * error, 6);
  expect(change.p).toBeGreaterThan(0.05);
  // Both have the brand in seven prompts: one rank better in five, three in the sixth, and 3
  // against 3.
  expect(rank).toMatchObject({ promptCount: 7, firstMeanRank: 9 / 7, secondMeanRank: 17 / 7, meanRankGap: -8 / 7 });
  const spread = Math.sqrt(((7 / 6) * (5 * (1 / 7) ** 2 + (13 / 7) ** 2 + (8 / 7) ** 2)) / 49);
  // t of six degrees of freedom is 2.44691.
  expect((rank.interval?.high ?? 0) - (rank.interval?.low ?? 0)).toBeCloseTo(2 * 2.446911851 * spread, 6);
  // A brand in neither has no gap, and is not judged.
  expect(found.get(OTHER)).toMatchObject({
    answers: 23,
    firstPresence: 0,
    secondPresence: 0,
    change: { delta: 0, p: null },
  });
});

test("runs measured as one are paired within each run: equal runs double the answers and change nothing else", () => {
  const run = { firstFacts: factsOf(API, "api"), secondFacts: factsOf(CAPTURE, "capture") };
  const gapOver = (...runs: (typeof run)[]) => gapOf(computeMethodGaps(runs, cellsOf(12), [BRAND]).get(BRAND));
  const [one, two] = [gapOver(run), gapOver(run, run)];
  expect(two).toEqual({ ...one, answers: 2 * one.answers, change: two.change });
  for (const key of ["delta", "ci_low", "ci_high", "p"] as const)
    expect(two.change[key]).toBeCloseTo(one.change[key] ?? NaN, 12);
  // A run with one method alone adds no pairs.
  expect(gapOver(run, { ...run, secondFacts: factsOf([], "capture") })).toEqual(one);
});

test("fewer than six differing prompts are not judged, and ranks of fewer than five have no interval", () => {
  const api = Array.from({ length: 10 }, (_, at) => (at < 5 ? [1] : [null]));
  const none = Array.from({ length: 10 }, () => [null]);
  const few = computeMethodGaps(
    [{ firstFacts: factsOf(api, "api"), secondFacts: factsOf(none, "capture") }],
    cellsOf(10),
    [BRAND],
  ).get(BRAND);
  expect(few).toMatchObject({
    firstPresence: 0.5,
    secondPresence: 0,
    change: { delta: 0.5, ci_low: null, ci_high: null, p: null },
  });
  expect(few?.rank).toEqual({
    promptCount: 0,
    firstMeanRank: null,
    secondMeanRank: null,
    meanRankGap: null,
    interval: null,
  });
  const ranked = computeMethodGaps(
    [{ firstFacts: factsOf(api, "api"), secondFacts: factsOf(api.slice(0, 4), "capture") }],
    cellsOf(10),
    [BRAND],
  );
  expect(ranked.get(BRAND)?.rank).toMatchObject({ promptCount: 4, meanRankGap: 0, interval: null });
  const alike = computeMethodGaps(
    [{ firstFacts: factsOf(api, "api"), secondFacts: factsOf(api, "capture") }],
    cellsOf(10),
    [BRAND],
  ).get(BRAND);
  // Differences that are all alike do not make a gap certain.
  expect(alike?.rank.interval?.low).toBeLessThan(0);
});

const share = (logit: number) => 1 / (1 + Math.exp(-logit));

/**
 * Share of 95 % intervals that contain the true gap, with prompts and methods varying by prompt.
 */
function coverage(times: number, { prompts, runs, shift }: { prompts: number; runs: number; shift: number }) {
  const chance = new RandomGenerator(20_261_123 + prompts);
  const likely = () => {
    const [prompt, own] = [1.75 * chance.normal(), chance.normal()];
    return { api: share(-0.5 + prompt), capture: share(-0.5 + shift + prompt + own) };
  };
  const many = Array.from({ length: 200_000 }, likely);
  const truth = many.reduce((sum, { api, capture }) => sum + api - capture, 0) / many.length;
  let held = 0;
  let judged = 0;
  for (let time = 0; time < times; time += 1) {
    const drawn = Array.from({ length: prompts }, likely);
    const said = (likelihood: number) => Array.from({ length: runs }, () => (chance.uniform() < likelihood ? 1 : null));
    const firstFacts = factsOf(
      drawn.map(({ api }) => said(api)),
      "api",
    );
    const secondFacts = factsOf(
      drawn.map(({ capture }) => said(capture)),
      "capture",
    );
    const { ci_low: low, ci_high: high } =
      computeMethodGaps([{ firstFacts, secondFacts }], cellsOf(prompts), [BRAND]).get(BRAND)?.change ?? {};
    if (low == null || high == null) continue;
    judged += 1;
    if (low <= truth && truth <= high) held += 1;
  }
  return { truth, judged, share: held / judged };
}

test("95 % intervals of a gap contain the true one in 95 of 100 collects, with and without a gap", () => {
  for (const of of [
    { prompts: 20, runs: 2, shift: 0 },
    { prompts: 60, runs: 3, shift: -0.8 },
  ]) {
    const times = chooseExtent(5000, 500);
    const found = coverage(times, of);
    report(
      `${of.prompts} prompts, gap ${found.truth.toFixed(3)}: ${(100 * found.share).toFixed(1)} % of ${found.judged}`,
    );
    expect(found.judged).toBeGreaterThan(0.9 * times);
    // With 500 trials, 0.95 is within three standard errors.
    expect(Math.abs(found.share - 0.95)).toBeLessThan(0.03);
  }
});
