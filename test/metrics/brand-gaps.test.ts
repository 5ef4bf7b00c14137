import { expect, test } from "vitest";
import { computeTwoSidedP, studentQuantile } from "../../core/statistics/student.ts";
import type { SceneAnswer } from "../support/search-scene.ts";
import { answersOf, changed, COLLECTS, idOf, NAMED, promptId, PROMPTS, type Row } from "./changes-scene.ts";

// Gaps between brands (core/metrics/brand-gaps.ts), recomputed from single answers.

const rankIn = ({ places = [] }: SceneAnswer, brand: number) =>
  places.find(({ brand_id }) => brand_id === idOf(brand))?.rank;

/** Value of each metric in one answer, and the denominator; all brands are tracked. */
interface Metric {
  value: (rank: number) => number;
  weighs?: true;
  scale?: number;
}
type Figure = "presence" | "top_3" | "visibility" | "share_of_voice";
const METRICS: Record<Figure, Metric> = {
  presence: { value: () => 1 },
  top_3: { value: (rank) => Number(rank <= 3) },
  visibility: { value: (rank) => 1 / Math.log2(1 + rank), scale: 100 },
  share_of_voice: { value: (rank) => 1 / Math.log2(1 + rank), weighs: true },
};

/** Matches a number within rounding, or null. */
const near = (value: number | null): unknown => (value === null ? value : closeTo(value));
const closeTo = (value: number): unknown => expect.closeTo(value, 5);
const round = (value: number) => Math.round(value * 1e6) / 1e6;

/** Gap of a brand to another over answers to one prompt each; p is not adjusted. */
function gapOf(answers: readonly SceneAnswer[], brand: number, versus: number, figure: Figure) {
  const { value, weighs, scale = 1 } = METRICS[figure];
  const valueIn = (answer: SceneAnswer, of: number) => {
    const rank = rankIn(answer, of);
    return rank === undefined ? 0 : value(rank);
  };
  const prompts = answers.map((answer) => {
    const all = NAMED.reduce((sum, _, of) => sum + valueIn(answer, of), 0);
    return { d: valueIn(answer, brand) - valueIn(answer, versus), n: weighs ? all : 1, other: valueIn(answer, versus) };
  });
  const sum = (of: (prompt: (typeof prompts)[number]) => number) => prompts.reduce((total, one) => total + of(one), 0);
  const n = sum(({ n: own }) => own);
  const gap = sum(({ d }) => d) / n;
  const clusters = Math.floor((n * n) / sum(({ n: own }) => own * own) + 1e-9);
  const variance = ((clusters / (clusters - 1)) * sum(({ d, n: own }) => (d - gap * own) ** 2)) / n ** 2;
  const half = studentQuantile(0.975, clusters - 1) * Math.sqrt(variance);
  const isJudged = prompts.filter(({ d }) => Math.abs(d) > 1e-9).length >= 6;
  const shown = (one: number) => near(isJudged ? scale * one : null);
  return {
    p: isJudged ? computeTwoSidedP(gap / Math.sqrt(variance), clusters - 1) : null,
    row: {
      versus: `Brand ${versus}`,
      versus_value: expect.closeTo((scale * sum(({ other }) => other)) / n, 5),
      gap: shown(gap),
      ci_low: shown(Math.max(-1, gap - half)),
      ci_high: shown(Math.min(1, gap + half)),
      n: answers.length,
      prompts: answers.length,
    },
    isAhead: gap > 0,
  };
}

/** Gaps of all brands; p adjusted over all rows but that of the own brand. */
function expectedGaps(answers: readonly SceneAnswer[], versus: number, figure: Figure) {
  const all = NAMED.map((_, brand) => (brand === versus ? null : gapOf(answers, brand, versus, figure)));
  const family = all.flatMap((one, brand) => (one?.p == null || brand === 0 ? [] : [one.p])).toSorted((a, b) => a - b);
  return all.map((one, brand) => {
    if (one === null) return null;
    const raised = family.flatMap((p, at) => (one.p !== null && p >= one.p ? [(p * family.length) / (at + 1)] : []));
    const p = brand === 0 || one.p === null ? one.p : Math.min(...raised);
    const verdict = p === null ? "too_little_data" : p > 0.05 ? "no_significant_gap" : one.isAhead ? "ahead" : "behind";
    return { ...one.row, p: near(p), verdict };
  });
}

const gapsOf = (rows: Row[]) => new Map(rows.map(({ brand, gap }) => [brand, gap]));

test("the gap of each brand to another equals the paired t test over single answers, for every metric", async () => {
  const answers = answersOf(1);
  await using s = await changed(answersOf(0), answers);
  const verdicts = new Set<string>();
  for (const figure of ["presence", "top_3", "visibility", "share_of_voice"] as const) {
    for (const versus of [1, 5]) {
      const rows = gapsOf(await s.rows(`figure=${figure}&versus=${idOf(versus)}`));
      const expected = expectedGaps(answers, versus, figure);
      // Brand 9 is named nowhere, and still compared.
      expect([figure, versus, new Map(rows)]).toEqual([
        figure,
        versus,
        new Map(expected.map((gap, brand) => [`Brand ${brand}`, gap])),
      ]);
      for (const gap of rows.values()) verdicts.add(gap?.verdict ?? "itself");
    }
  }
  expect(verdicts).toEqual(new Set(["ahead", "behind", "no_significant_gap", "too_little_data", "itself"]));
});

test("attack: naming brands, statistics, order or pages until a gap looks real; p and verdict stay equal", async () => {
  await using s = await changed(answersOf(0), answersOf(1));
  const versus = `versus=${idOf(5)}`;
  const whole = gapsOf(await s.rows(versus));
  for (const named of [[3], [3, 8], [0], [0, 3]]) {
    const rows = gapsOf(await s.rows(`${versus}${named.map((brand) => `&brands=${idOf(brand)}`).join("")}`));
    expect([...rows.keys()].toSorted()).toEqual(named.map((brand) => `Brand ${brand}`));
    expect([...rows]).toEqual([...whole].filter(([brand]) => rows.has(brand)));
  }
  for (const more of ["&statistics=true&sort=change", "&sort=rank", "&statistics=true&only=intervals"]) {
    expect(gapsOf(await s.rows(`${versus}${more}`, 3))).toEqual(whole);
  }
  const [own] = await s.rows(`group_by=source&${versus}`);
  const single = whole.get("Brand 0");
  // The own brand at one source is in a family of tests, here of one.
  expect(own?.gap).toEqual(single);
});

test("a gap to citations counts answers that cite each brand; a prompt lies in one cluster over all runs", async () => {
  const answers = Array.from({ length: PROMPTS * 2 }, (_, at): SceneAnswer => {
    const prompt = at % PROMPTS;
    const citedBrands = [...(prompt < 20 ? [idOf(0)] : []), ...(prompt % 5 === 0 ? [idOf(1)] : [])];
    return { keyword: promptId(prompt), source: "ASSISTANT_A", run: at < PROMPTS ? 1 : 2, citedBrands };
  });
  await using s = await changed(answers);
  const [row] = await s.rows(`figure=citations&brands=${idOf(0)}&versus=${idOf(1)}`);
  // Per prompt d is 2 in 16 of 30, 0 in 12 and -2 in 2, with 2 answers each: gap 28/60, P 30,
  // V = 30/29 · (16·(2 − 28/30)² + 12·(28/30)² + 2·(2 + 28/30)²) / 60² = 0.0131545.
  const error = Math.sqrt(((30 / 29) * (16 * (32 / 30) ** 2 + 12 * (28 / 30) ** 2 + 2 * (88 / 30) ** 2)) / 3600);
  expect(row?.gap).toEqual({
    versus: "Brand 1",
    versus_value: 0.2,
    gap: round(28 / 60),
    ci_low: expect.closeTo(28 / 60 - 2.04523 * error, 4),
    ci_high: expect.closeTo(28 / 60 + 2.04523 * error, 4),
    p: expect.closeTo(computeTwoSidedP(28 / 60 / error, 29), 5),
    verdict: "ahead",
    n: 60,
    prompts: 30,
  });
});

test("a tool takes names, shows the gap in words with all facts, and rejects brands that cannot be compared", async () => {
  await using s = await changed(answersOf(0), answersOf(1));
  const given = { brands: ["Brand 1"], versus: "brand 8", figure: "visibility" };
  const { text, structured } = await s.tool("get_visibility", given);
  const [{ gap }] = structured.data;
  expect(gap).toMatchObject({ versus_value: 12.778644, gap: 64.04615, ci_low: 44.953484, ci_high: 83.138816 });
  expect(text).toContain("+64 points on Brand 8 (13; 45 to 83, p 0.000001): ahead; 30 answers to 30 prompts");
  expect(structured.basis.legend).toContain("gap = value minus that of versus over the same answers, paired by prompt");
  const rejected = async (query: string) => {
    const { status, body } = await s.visibility(query);
    return [status, body.fields ?? body.error?.fields];
  };
  expect(await rejected(`versus=${idOf(77)}`)).toMatchObject([
    400,
    [{ path: "versus", message: "matches no brand; use one of allowed" }],
  ]);
  expect(await rejected(`versus=${idOf(1)}&as_published=true&collect_ids=${COLLECTS[0]}`)).toEqual([
    400,
    [{ path: "versus", message: "cannot be tested on published values: leave out as_published" }],
  ]);
});
