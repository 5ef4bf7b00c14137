import { afterAll, beforeAll, expect, test } from "vitest";
import { sumMoments, computeRateInterval } from "../../core/statistics/interval.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { claimScene, claimCounts, FOUNDED, RIGHT, WEIGHT, WIKI, WRONG } from "./scene.ts";

type Row = Record<string, unknown>;

/** Shared by tests that change nothing. */
let shared: Awaited<ReturnType<typeof claimScene>>;
beforeAll(async () => {
  shared = await claimScene();
});
afterAll(() => shared[Symbol.asyncDispose]());

test("answers that name the brand agree with a fact, contradict it or leave it out, with the sentence and its page", async () => {
  const s = shared;
  const { data, total_count, unread, basis } = await s.claims("statistics=true");
  const counts = [...Array.from({ length: 5 }, () => ({ x: 0, n: 4 })), { x: 4, n: 4 }, { x: 4, n: 4 }];
  const { low = NaN, high = NaN } = computeRateInterval(sumMoments(counts), { runs: 4, sourceCount: 1 }) ?? {};
  const own = { brand: "Acme", brand_id: s.brandId, is_my_brand: true };
  expect([total_count, unread, basis.is_rereading, basis.answers]).toEqual([3, 0, false, 36]);
  expect(data[0]).toEqual({
    ...own,
    attribute: "founded",
    value: "2012",
    as_of: "2026-11-01",
    source_url: null,
    answers: 32,
    agreed: 20,
    contradicted: 8,
    not_mentioned: 4,
    said: 28,
    prompts: 7,
    contradicted_rate: 0.285714,
    ci_low: expect.closeTo(low, 6),
    ci_high: expect.closeTo(high, 6),
    grade: "exploratory",
    change: null,
    pages: [{ url: WIKI, contradicted: 8, agreed: 0 }],
    quotations: [
      {
        answer_id: expect.any(String),
        source: "ASSISTANT_A",
        verdict: "contradicted",
        start: 6,
        end: 6 + WRONG.length,
        text: WRONG,
        url: WIKI,
      },
      {
        answer_id: expect.any(String),
        source: "ASSISTANT_A",
        verdict: "agreed",
        start: 0,
        end: RIGHT.length,
        text: RIGHT,
        url: null,
      },
    ],
  });
  // Four answers to one prompt give no rate.
  expect(data[1]).toMatchObject({
    attribute: "weight",
    value: "249 g",
    contradicted: 4,
    said: 4,
    contradicted_rate: null,
    ci_low: null,
  });
  expect(data[2]).toMatchObject({
    attribute: "leather case",
    value: "yes",
    not_mentioned: 32,
    contradicted_rate: null,
  });
  expect(data[2]).toMatchObject({ pages: [], quotations: [] });
});

test("a quotation leads to the answer, which shows the same claims", async () => {
  const s = shared;
  const { data } = await s.claims("verdict=contradicted");
  for (const { attribute, quotations } of data) {
    for (const { answer_id, verdict, start, end, text, url } of quotations) {
      const { body } = await s.owner.get(`${s.analysis}/answers/${answer_id}`);
      expect(body.claims).toEqual([{ brand_id: s.brandId, brand: "Acme", attribute, verdict, start, end, url }]);
      expect(body.text.slice(start, end)).toBe(text);
    }
  }
  expect(data).toHaveLength(2);
});

test("filters rows by verdict, and groups them by source, country, persona and collect", async () => {
  await using s = await claimScene();
  const rows = async (query: string) => (await s.claims(query)).data.map(claimCounts);
  expect(await rows("verdict=contradicted")).toEqual([
    ["founded", 32, 20, 8, 4],
    ["weight", 32, 0, 4, 28],
  ]);
  const [{ quotations }] = (await s.claims("verdict=contradicted")).data;
  expect(quotations.map(({ verdict }: Row) => verdict)).toEqual(["contradicted"]);
  expect(await rows("verdict=agreed")).toEqual([["founded", 32, 20, 8, 4]]);
  expect(await rows("verdict=not_mentioned")).toEqual([["leather case", 32, 0, 0, 32]]);
  expect(await rows("verdict=agreed&group_by=country&group_by=persona")).toEqual(
    Array.from({ length: 4 }, () => ["founded", 8, 5, 2, 1]),
  );
  expect(await rows("verdict=agreed&personas=ben")).toEqual([["founded", 16, 10, 4, 2]]);
  s.texts.set("Which phone 0?", WRONG);
  await s.again(s.analysis, 2);
  const byCollect = (await s.claims("verdict=agreed&group_by=collect")).data;
  expect(byCollect.map((row: Row) => [row["collect"], ...claimCounts(row)])).toEqual([
    [2, "founded", 32, 16, 12, 4],
    [1, "founded", 32, 20, 8, 4],
  ]);
  expect(await rows("brands=rival")).toEqual([]);
  expect((await s.claims("brands=nobody")).code).toBe("VALIDATION_FAILED");
});

test("compares changes over all cells that both collects completed, with or without the brand", async () => {
  await using s = await claimScene([FOUNDED]);
  for (let at = 0; at < 5; at += 1) s.texts.set(`Which phone ${at}?`, WRONG);
  for (let at = 5; at < 8; at += 1) s.texts.set(`Which phone ${at}?`, RIGHT);
  await s.again(s.analysis, 2);
  const { data, basis } = await s.claims("statistics=true");
  expect(data[0]).toMatchObject({ contradicted: 20, agreed: 12, contradicted_rate: 0.625 });
  expect(data[0].change).toMatchObject({ before: 0.285714, after: 0.625, delta: 0.339286, verdict: "within_noise" });
  expect(data[0].change).toMatchObject({ cells: 36, left_out: { one_side_only: 0 }, compared_with: [1] });
  expect(basis.previous_collects).toMatchObject([{ number: 1 }]);
});

test("a declared, changed or deleted fact is checked against stored answers", async () => {
  await using s = await claimScene([]);
  expect(await s.claims()).toMatchObject({ data: [], total_count: 0, unread: 0 });
  const { body: fact } = await s.owner.post(s.path, FOUNDED);
  await s.owner.post(s.path, WEIGHT);
  expect((await s.settled()).data.map(claimCounts)).toEqual([
    ["founded", 32, 20, 8, 4],
    ["weight", 32, 0, 4, 28],
  ]);
  await s.owner.patch(`${s.path}/${fact.id}`, { value: { kind: "date", date: "1999" } });
  expect((await s.settled()).data.map(claimCounts)).toEqual([
    ["founded", 32, 8, 20, 4],
    ["weight", 32, 0, 4, 28],
  ]);
  await s.owner.delete(`${s.path}/${fact.id}`);
  expect((await s.settled()).data.map(claimCounts)).toEqual([["weight", 32, 0, 4, 28]]);
  expect(await s.store.read(({ q, t }) => q.$count(t.claims))).toBe(4);
});

test("a fact of another revision than answers were held against is in no row, and is counted", async () => {
  await using s = await claimScene();
  await s.store.write(async ({ q, t }) => void (await q.update(t.brandFacts).set({ revision: 2 })));
  expect(await s.claims()).toMatchObject({ data: [], total_count: 0, unread: 3 });
});

test("answers that are read again with a new alias are held against the facts again", async () => {
  await using s = await claimScene();
  s.texts.set("Which phone 8?", "Akme was founded in 1999.");
  await s.again(s.analysis, 2);
  expect(claimCounts((await s.claims()).data[0])).toEqual(["founded", 32, 20, 8, 4]);
  const aliases = [{ text: "Akme", case_sensitive: false }];
  await s.owner.patch(`${s.workspace.path}/brands/${s.brandId}`, { aliases });
  expect(claimCounts((await s.settled()).data[0])).toEqual(["founded", 36, 20, 12, 4]);
});

test("another workspace sees nothing, and its facts do not count here", async () => {
  await using s = await claimScene();
  const { body: other } = await s.owner.post(`${s.organization.path}/workspaces`, { name: "Other" });
  const path = `${s.organization.path}/workspaces/${other.id}`;
  const { body: brand } = await s.owner.post(`${path}/brands`, { name: "Acme", relationship: "mine" });
  await s.owner.post(`${path}/brands/${brand.id}/facts`, { ...FOUNDED, value: { kind: "date", date: "1999" } });
  const [, id] = s.analysis.split("/analyses/");
  expect((await s.owner.get(`${path}/analyses/${id}/metrics/claims`)).status).toBe(404);
  expect((await s.settled("verdict=agreed")).data.map(claimCounts)).toEqual([["founded", 32, 20, 8, 4]]);
});

test("an assistant asks once which facts are wrong and where from", async () => {
  const s = shared;
  const { token } = await mintToolToken(s, s.owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(s.config.mcpUrl, { token });
  const { text, structured } =
    (await client?.call("list_claims", {
      organization_id: s.organization.id,
      workspace_id: s.workspace.id,
      analysis: "Opinion",
      verdict: "contradicted",
    })) ?? {};
  if (!structured) throw new Error(text);
  expect(structured.data[0]).toMatchObject({ attribute: "founded", value: "2012", contradicted: 8, said: 28 });
  expect(text).toContain("29 % (8 of 28 answers to 7 prompts");
});
