import { expect, test } from "vitest";
import { sumMoments, computeRateInterval, type Design } from "../../core/statistics/interval.ts";
import { computeTwoSidedP } from "../../core/statistics/student.ts";
import { brandScene } from "../support/brand-scene.ts";

// Metrics of a brand analysis with each prompt in four countries.

const PROMPTS = 6;
const COUNTRIES = ["US", "DE", "FR", "ES"];
const phone = (at: number) => `Which phone ${at}?`;

/** A collect in which Acme is named in the answers to these prompts, in every country. */
async function scene(named: readonly number[]) {
  const texts = new Map<string, string>();
  const name = (those: readonly number[]) => {
    for (let at = 0; at < PROMPTS; at += 1) texts.set(phone(at), those.includes(at) ? "1. Acme" : "None.");
  };
  const s = await brandScene(texts);
  name(named);
  const prompts = Array.from({ length: PROMPTS }, (_, at) => ({ kind: "unaided", text: phone(at) }));
  const analysis = await s.analyse(prompts, { countries: COUNTRIES, persona_ids: [] });
  const top = `/api/v1/top-brands?client_id=${s.organization.id}&project_id=${analysis.split("/").at(-1)}`;
  return {
    ...s,
    analysis,
    name,
    /** The rows of the own brand. */
    visibility: async (query: string) =>
      (await s.owner.get(`${analysis}/metrics/visibility?brands=acme&${query}`)).body,
    top: async (query: string) => (await s.owner.get(`${top}&brands=acme&${query}`)).body.data[0],
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

const times = (count: number, x: number, n: number) => Array.from({ length: count }, () => ({ x, n }));

function interval(clusters: { x: number; n: number }[], runs: number) {
  const design: Design = { runs, sourceCount: 1 };
  const { low, high } = computeRateInterval(sumMoments(clusters), design) ?? { low: NaN, high: NaN };
  return { ci_low: expect.closeTo(low, 6), ci_high: expect.closeTo(high, 6) };
}

test("fault: a prompt in four countries counted as four, so that intervals were half as wide", async () => {
  await using s = await scene([0, 1, 2]);
  const counted = { answers: 24, prompts: 6, occurrences: 12 };
  const own = { ...interval([...times(3, 4, 4), ...times(3, 0, 4)], 4), grade: "exploratory" };
  const { data, basis } = await s.visibility("statistics=true");
  expect(data).toMatchObject([{ ...counted, ...own, average_rank: 1 }]);
  expect(basis).toMatchObject({ answers: 24, prompts: 6, runs_per_prompt: { least: 1, most: 1 } });
  // Equal from stored sums, and, without statistics, from facts.
  const figures = { total: 24, nb_keywords: 3, presence_rate: 0.5 };
  expect(await s.top("statistics=true")).toMatchObject({ ...figures, prompts: 6, ...own });
  expect(await s.top("")).toMatchObject(figures);
  expect(await s.top("sources=ASSISTANT_A&sources=ASSISTANT_B")).toMatchObject(figures);
  for (const query of ["", "prompt_kinds=unaided"]) {
    const { data: rows, basis: rests } = await s.visibility(query);
    expect([rows[0], rests.prompts]).toMatchObject([counted, 6]);
  }
  // Per country, each prompt has one cell, and prompts are as many.
  const cells = { answers: 6, prompts: 6, occurrences: 3, ...interval([...times(3, 1, 1), ...times(3, 0, 1)], 1) };
  const byCountry = await s.visibility("group_by=country&statistics=true");
  expect(byCountry.data).toMatchObject(COUNTRIES.map((country) => ({ country, ...cells })));
  // All answers searched for the same: between 0.05^(1/6) and 1, by prompts and not by answers.
  const queries = (await s.owner.get(`${s.analysis}/metrics/queries?statistics=true`)).body;
  expect(queries.data).toMatchObject([{ answers: 24, prompts: 6, ...interval(times(6, 4, 4), 4) }]);
  expect(queries.data[0].ci_low).toBeCloseTo(0.05 ** (1 / 6), 6);
});

test("fault: a change in six prompts was tested as 24, so that noise was reported as a move", async () => {
  await using s = await scene([5]);
  s.name([0, 1, 2, 3, 4]);
  await s.again(s.analysis, 2);
  const delta = 4 / 6;
  // Five prompts rise by all answers and one falls: V = 6/5 · Σ(d − delta·n)² / n².
  const change = (n: number) => {
    const squares = 5 * (n - delta * n) ** 2 + (-n - delta * n) ** 2;
    const p = computeTwoSidedP(delta / Math.sqrt(((6 / 5) * squares) / (6 * n) ** 2), 5);
    return { before: 0.166667, after: 0.833333, delta: 0.666667, p: expect.closeTo(p, 6), verdict: "within_noise" };
  };
  const whole = { ...change(4), cells: 24, left_out: { one_side_only: 0, other_method: 0, other_model: 0 } };
  expect((await s.visibility("statistics=true")).data).toMatchObject([{ change: whole }]);
  expect(await s.top("statistics=true")).toMatchObject({ change: whole });
  const byCountry = await s.visibility("group_by=country&brands=acme&statistics=true");
  expect(byCountry.data).toMatchObject(COUNTRIES.map(() => ({ change: { ...change(1), cells: 6 } })));
});
