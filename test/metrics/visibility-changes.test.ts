import { expect, test } from "vitest";
import type { SceneAnswer } from "../support/search-scene.ts";
import { answersOf, changed, COLLECTS, idOf, NAMED, promptId, PROMPTS, type Row } from "./changes-scene.ts";

// Changes of tools/metric-reads/visibility/visibility-changes.ts, as lists of them are read.

const changesOf = (rows: Row[]) => new Map(rows.map(({ brand, change }) => [brand, change]));

test("attack: choosing rows by name, page, order, limit or only=moved until one looks real; change, p and verdict stay equal", async () => {
  await using s = await changed(answersOf(0), answersOf(1));
  const whole = changesOf(await s.rows("statistics=true"));
  expect(whole.size).toBe(NAMED.length);
  const verdicts = new Set([...whole.values()].map((change) => change?.verdict));
  expect(verdicts).toEqual(new Set(["insufficient_data", "moved_with_field", "within_noise"]));
  for (const named of [[3], [3, 5], [0], [0, 3]]) {
    const brands = named.map((brand) => `&brands=${idOf(brand)}`).join("");
    const rows = changesOf(await s.rows(`statistics=true${brands}`));
    expect([...rows]).toEqual([...whole].filter(([brand]) => rows.has(brand)));
    expect(rows.size).toBe(named.length);
  }
  const rows = await s.rows("statistics=true");
  const withoutChanges = rows.map(({ change: _change, ...row }) => ({ ...row, previous: null }));
  expect(await s.rows("statistics=true&only=intervals")).toEqual(withoutChanges);
  const found = changesOf(await s.topRows("statistics=true&search_query=Brand 3", 100));
  expect(found).toEqual(new Map([["Brand 3", changesOf(await s.topRows("statistics=true", 100)).get("Brand 3")]]));
  for (const order of ["presence&sort_direction=asc", "change", "rank", "citations"]) {
    expect(changesOf(await s.rows(`statistics=true&sort=${order}`, 4))).toEqual(whole);
  }
  const moved = await s.rows("statistics=true&only=moved", 2);
  expect(moved.length).toBeGreaterThan(1);
  for (const { brand, change } of moved) expect(change).toEqual(whole.get(brand));
  for (const order of ["brand", "presence_rate&sort_direction=asc"]) {
    expect(changesOf(await s.topRows(`statistics=true&sort_column=${order}`, 4))).toEqual(whole);
  }
});

test("fault: of cells missing on either side only the larger number was stated; each is counted", async () => {
  await using s = await changed(answersOf(0).slice(3), answersOf(1).slice(0, -4));
  const [row] = await s.rows("statistics=true");
  expect(row?.change).toMatchObject({ cells: PROMPTS - 7, left_out: { one_side_only: 7 } });
});

test("fault: a change in points was rounded too early; with all cells common it equals the metric", async () => {
  await using s = await changed(answersOf(0), answersOf(1));
  const rows = await s.rows("statistics=true&figure=visibility");
  const judged = rows.filter(({ change }) => change?.after !== null);
  expect(judged.length).toBeGreaterThan(4);
  expect(judged.map(({ change }) => change?.after)).toEqual(judged.map(({ visibility_score: score }) => score));
});

test("fault: an unjudged change had before, after and delta, and was read as a change", async () => {
  const sides = [
    [answersOf(0), answersOf(1)],
    // Two of three keywords are no longer sent.
    [answersOf(0), answersOf(1).filter((_, at) => at % 3 === 0)],
  ] as const;
  const seen = new Set<string>();
  for (const [before, after] of sides) {
    await using s = await changed([...before], [...after]);
    for (const rows of [await s.rows("statistics=true"), await s.topRows("statistics=true", 100)]) {
      for (const { change } of rows) {
        if (!change) continue;
        const { before: then, after: now, delta, ci_low, ci_high, p, verdict } = change;
        const isJudged = !["insufficient_data", "basket_changed"].includes(verdict);
        const figures = [then, now, delta, ci_low, ci_high, p];
        expect([verdict, figures.filter((one) => one === null).length]).toEqual([verdict, isJudged ? 0 : 6]);
        seen.add(verdict);
      }
    }
  }
  expect(seen).toEqual(new Set(["insufficient_data", "moved_with_field", "within_noise", "basket_changed"]));
});

test("fault: a share of voice had no change; its change is over the weights of all brands in the common cells, and judged as others are", async () => {
  await using s = await changed(answersOf(0), answersOf(1));
  const rows = await s.rows("statistics=true&figure=share_of_voice");
  const judged = rows.filter(({ change }) => change?.delta != null);
  expect(judged.length).toBeGreaterThan(4);
  expect(judged.map(({ change }) => change?.after)).toEqual(judged.map(({ share_of_voice: share }) => share));
  const before = new Map((await s.rows(`collect_ids=${COLLECTS[0]}`)).map((row) => [row.brand, row.share_of_voice]));
  expect(judged.map(({ change }) => change?.before)).toEqual(judged.map(({ brand }) => before.get(brand)));
  for (const { change } of judged) expect(change?.delta).toBeCloseTo((change?.after ?? 0) - (change?.before ?? 0), 5);
});

const cites = (prompt: number, run: number, isCited: boolean): SceneAnswer => {
  return { keyword: promptId(prompt), source: "ASSISTANT_A", run, citedBrands: isCited ? [idOf(0)] : [] };
};

test("fault: citations had no interval and change; both cover all answers, without runs of one side only", async () => {
  const prompts = Array.from({ length: PROMPTS }, (_, prompt) => prompt);
  const before = prompts.map((prompt) => cites(prompt, 1, prompt < 6));
  // The second run cites it only in one prompt where the first does not.
  const after = prompts.flatMap((prompt) => [cites(prompt, 1, prompt < 24), cites(prompt, 2, prompt === 29)]);
  await using s = await changed(before, after);
  const [row] = await s.rows(`statistics=true&figure=citations&brands=${idOf(0)}`);
  // n 60, x 25, P 30: V = 30/29 · Σ(x_i − 2·25/60)² / 60² = 0.0011973; n_eff = min(60, r(1 − r)/V)
  // = 60; t.975 of 29 degrees is 2.04523.
  expect(row).toMatchObject({
    citations: 25,
    citation_rate: 0.416667,
    ci_low: expect.closeTo(0.29612, 4),
    ci_high: expect.closeTo(0.54807, 4),
  });
  // 18 of 30 prompts differ by one: delta 0.6, V = 30/29 · (18·0.4² + 12·0.6²) / 30² = 0.0082759.
  expect(row?.change).toMatchObject({
    before: 0.2,
    after: 0.8,
    delta: 0.6,
    ci_low: expect.closeTo(0.41394, 4),
    ci_high: expect.closeTo(0.78606, 4),
    verdict: "moved",
  });
});

test("fault: the previous value of a named collect was only stated with statistics", async () => {
  await using s = await changed(answersOf(0), answersOf(1), answersOf(0));
  const query = `group_by=brand&group_by=collect&collect_ids=${COLLECTS[0]}&collect_ids=${COLLECTS[2]}`;
  const rows = await s.rows(query);
  expect(rows.map((row) => [row.brand, row.previous])).toContainEqual(["Brand 0", NAMED[0][1] / PROMPTS]);
});

test("fault: a row had a previous value and a change with another baseline; with statistics both are one", async () => {
  await using s = await changed(answersOf(0), answersOf(1), answersOf(0));
  for (const query of ["", "&group_by=brand&group_by=source", "&group_by=brand&group_by=collect&figure=visibility"]) {
    const rows = await s.rows(`statistics=true${query}`);
    expect(rows.map(({ previous }) => previous)).toEqual(rows.map(({ change }) => change?.before ?? null));
    expect(rows.filter(({ previous }) => previous !== null).length).toBeGreaterThan(0);
  }
  const visible = async (query: string) => (await s.visibility(query)).body.basis.legend as string;
  expect(await visible("statistics=true")).not.toContain("compared with");
  expect(await visible("statistics=false")).toContain("compared with run 2");
  // The value is that of the figure.
  const [before] = await s.rows(`figure=visibility&brands=${idOf(1)}&collect_ids=${COLLECTS[1]}`);
  const now = (await s.rows("figure=visibility")).find(({ brand }) => brand === "Brand 1");
  expect(now?.previous).toBe(before?.visibility_score);
});

test("fault: tools showed plain earlier values of brands; they show changes with verdict and baseline instead", async () => {
  await using s = await changed(answersOf(0), answersOf(1));
  const { structured, text } = await s.tool("list_top_brands");
  const rows = await s.topRows("statistics=true", 100);
  expect(structured.data.map(({ brand, change }: Row) => [brand, change])).toEqual(
    rows.map(({ brand, change }) => [brand, change]),
  );
  expect(JSON.stringify(structured.data)).not.toContain("prev_collect");
  expect(text).toContain("against run 1; 30 common cells");
  expect(structured.basis.legend).toContain("cause not measured");
  const fields = ["brand", "presence_rate_prev_collect"];
  expect((await s.tool("list_top_brands", { fields })).structured.data).toEqual(
    rows.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => fields.includes(key)))),
  );
});

test("fault: the rule for few prompts without a brand applied to presence only; it also applies to scores", async () => {
  const places = [{ brand_id: idOf(0), rank: 1 }];
  const runs = [1, 2, 3].flatMap((run) =>
    Array.from({ length: PROMPTS }, (_, prompt): SceneAnswer => {
      return { keyword: promptId(prompt), source: "ASSISTANT_A", run, places: prompt < 5 && run === 1 ? [] : places };
    }),
  );
  await using s = await changed(runs);
  const [presence] = await s.rows("statistics=true");
  const [score] = await s.rows("statistics=true&figure=visibility");
  expect(score?.ci_low).toBeCloseTo(100 * (presence?.ci_low ?? 0), 3);
  expect(score?.ci_high).toBeCloseTo(100 * (presence?.ci_high ?? 0), 3);
});
