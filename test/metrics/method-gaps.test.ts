import { afterAll, beforeAll, expect, test } from "vitest";
import { collectScene } from "../collecting/scene.ts";
import { methodsScene } from "./methods-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";

/**
 * Ten prompts: API answers name Acme in eight, first. Captures name it in two, after Rival,
 * which is in all.
 */
const PROMPTS = Array.from({ length: 10 }, (_, at) => `best phone ${at}`);
const numberOf = (prompt: string) => Number(prompt.split(" ").at(-1));
const said = (prompt: string, method: "api" | "capture") => {
  if (method === "api") return numberOf(prompt) < 8 ? "Acme is fine." : "None is.";
  return numberOf(prompt) < 2 ? "Rival leads. Acme follows." : "Rival leads.";
};

let s: Awaited<ReturnType<typeof methodsScene>>;
let analysis: string;
beforeAll(async () => {
  s = await methodsScene(said);
  const rivals = (await s.owner.get(`${s.workspace.path}/brands`)).body.data as { id: string; name: string }[];
  const competitor_ids = rivals.filter(({ name }) => name === "Rival").map(({ id }) => id);
  analysis = await s.create(PROMPTS, { methods: ["api", "capture"], runs_per_prompt: 2, competitor_ids });
  await s.ended(analysis);
});
afterAll(() => s[Symbol.asyncDispose]());

const gapsOf = async (query = "") => (await s.owner.get(`${analysis}/metrics/methods?${query}`)).body;

test("the gap between API and capture by source and brand has interval, verdict and both presences", async () => {
  const { data, total_count, note, basis } = await gapsOf();
  const own = {
    source: "ASSISTANT_A",
    name: "ChatGPT",
    brand: "Acme",
    brand_id: s.brandId,
    is_my_brand: true,
    answers: 20,
    prompts: 10,
    api: 0.8,
    capture: 0.2,
    // d is 2 in six prompts and 0 in four: Σ(d − 0.6·2)² = 9.6, V = 10/9 · 9.6 / 20², t of nine
    // degrees 2.262157, p by its table.
    gap: 0.6,
    ci_low: 0.230591,
    ci_high: 0.969409,
    p: 0.005121,
    verdict: "gap",
    rank_prompts: 2,
    rank_api: 1,
    rank_capture: 2,
    rank_gap: -1,
    rank_ci_low: null,
    rank_ci_high: null,
  };
  expect(data[0]).toEqual(own);
  // The capture always names the rival: prompts differ equally, so one answer may have differed.
  expect(data[1]).toMatchObject({ brand: "Rival", api: 0, capture: 1, gap: -1, verdict: "gap", rank_prompts: 0 });
  expect([total_count, note]).toEqual([2, null]);
  expect(basis).toMatchObject({ answers: 40, collection_methods: ["api", "capture"], left_out: 0 });
  expect(basis.other_methods).toBeUndefined();
  // Filters restrict rows only.
  const named = await gapsOf(`brands=Acme&sources=ASSISTANT_A`);
  expect(named.data).toEqual([own]);
});

test("the tool returns the same", async () => {
  const { token } = await mintToolToken(s, s.owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(s.config.mcpUrl, { token });
  const { structured } =
    (await client?.call("get_method_gaps", {
      organization_id: s.organization.id,
      workspace_id: s.workspace.id,
      analysis: "Phones",
      sources: ["ChatGPT"],
    })) ?? {};
  expect(structured).toMatchObject({ data: [{ brand: "Acme", gap: 0.6, verdict: "gap" }, { brand: "Rival" }] });
});

test("an analysis with one method has no gap, with the reason", async () => {
  await using one = await collectScene();
  const alone = await one.create(["best phone"], {});
  await one.ended(alone);
  const { status, body } = await one.owner.get(`${alone}/metrics/methods`);
  expect([status, body.data, body.total_count]).toEqual([200, [], 0]);
  expect(body.note).toContain("No source was asked by both methods in this collect.");
});

function rowsOf(data: { brand: string; method: string; answers: number; occurrences: number }[]) {
  return data.map(({ brand, method, answers, occurrences }) => [method, brand, answers, occurrences]);
}

test("visibility grouped by method has a row per method, judged separately, with both in the basis", async () => {
  const by = async (query: string) => (await s.owner.get(`${analysis}/metrics/visibility?${query}`)).body;
  const own = await by("group_by=method");
  expect(rowsOf(own.data)).toEqual([
    ["api", "Acme", 20, 16],
    ["capture", "Acme", 20, 4],
  ]);
  expect(own.basis).toMatchObject({ answers: 40, collection_methods: ["api", "capture"] });
  const brands = await by("group_by=brand&group_by=method&statistics=true");
  expect(rowsOf(brands.data)).toEqual([
    ["capture", "Rival", 20, 20],
    ["api", "Acme", 20, 16],
    ["capture", "Acme", 20, 4],
    ["api", "Rival", 20, 0],
  ]);
  // Each row equals that of its method alone.
  for (const method of ["api", "capture"]) {
    const { data } = await by(`group_by=brand&method=${method}&statistics=true`);
    const grouped = (brands.data as { method: string }[]).filter((row) => row.method === method);
    expect(grouped).toEqual((data as object[]).map((row) => ({ ...row, method })));
  }
  const published = await s.owner.get(`${analysis}/metrics/visibility?as_published=true&method=capture`);
  expect([published.status, published.body.fields[0].path]).toEqual([400, "as_published"]);
});
