import { expect, test } from "vitest";
import { PROMPTING_TYPES } from "../../core/analyses/analysis.ts";
import { insertScene, type SceneAnswer } from "../support/search-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

const idOf = (number: number) => `00000000-0000-7000-8000-000000000${100 + number}`;
const PROMPTS = 8;

/** Your brand is named in `named` of the prompts, in first place in one of two. */
function answersOf(first: number, brands: readonly [own: string, rival: string], named: number): SceneAnswer[] {
  const [own, rival] = brands;
  return Array.from({ length: PROMPTS }, (_, at) => ({
    keyword: idOf(first + at),
    source: (["ASSISTANT_A", "ASSISTANT_B"] as const)[at % 2] ?? "ASSISTANT_A",
    places: at < named ? [{ brand_id: own, rank: 1 + (at % 2) }] : [{ brand_id: rival, rank: 1 }],
  }));
}

async function summarised() {
  const w = await world({ now: () => "2026-11-21T12:00:00.000Z" });
  const { organization, workspace, owner } = await w.acme();
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  /** Analysis number `at`, with the prompts that name your brand in each run, by day of November. */
  const insert = (at: number, runs: Record<number, number>) => {
    const [projectId, own, rival] = [idOf(at), idOf(at + 1), idOf(at + 2)];
    const brands = [own, rival] as const;
    return w.store.write((db) =>
      insertScene(db, ids, {
        projectId,
        ownBrandId: own,
        competitorIds: [rival],
        brands: [
          { id: own, name: `Own ${at}`, relationship: "mine" },
          { id: rival, name: `Rival ${at}` },
        ],
        facets: [
          { id: `thematic${at}`, kind: "thematic", name: "Home" },
          { id: `topic${at}`, kind: "topic", name: "All", parentId: `thematic${at}` },
        ],
        keywords: Array.from({ length: PROMPTS }, (_, n) => {
          const labels = { thematicId: `thematic${at}`, topicId: `topic${at}` };
          const type = n === PROMPTS - 1 ? ("Brand" as const) : ("Generic" as const);
          return { id: idOf(at + 20 + n), text: `prompt ${n}`, ...labels, country: n < 4 ? "US" : "FR", type };
        }),
        collects: Object.entries(runs).map(([day, named], n) => {
          const time = `2026-11-${day.padStart(2, "0")}T08:00:00.000Z`;
          const answers = answersOf(at + 20, brands, named).map((one, nth) => ({
            ...one,
            id: idOf(at + 40 + n * PROMPTS + nth),
          }));
          return { id: idOf(at + 10 + n), number: n + 1, period: [time, time], answers };
        }),
      }),
    );
  };
  await insert(100, { 5: 2, 18: 6 });
  await insert(200, { 17: 3 });
  await insert(300, { 1: 4 });
  await w.store.write((db) => db.q.update(db.t.collects).set({ summedVersion: "1.1" }));
  return {
    ids: { organization: organization.id, workspace: workspace.id },
    summary: async (query: string) => (await owner.get(`${workspace.path}/metrics/summary?limit=100&${query}`)).body,
    visibility: async (analysis: string, query: string) =>
      (await owner.get(`${workspace.path}/analyses/${analysis}/metrics/visibility?limit=100&${query}`)).body,
    client: async () => CLIENTS["SDK 2, auto"]?.(w.config.mcpUrl, await mintToolToken(w, owner)),
    owner,
    workspace,
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

type Row = Record<string, unknown>;
const SHARED =
  /^(?:analysis|analysis_id|analysis_type|collects|previous_collects|collected_from|collected_to|collection_methods|keyword_type)$/;
const own = (at: number) => `brands=${idOf(at + 1)}`;
const numbers = (of: { number: number }[]) => of.map(({ number }) => number);
const withoutShared = (row: Row) => Object.fromEntries(Object.entries(row).filter(([key]) => !SHARED.test(key)));

test("each row is that of get_visibility of its analysis, by every group and filter", async () => {
  await using s = await summarised();
  const cases: [query: string, visibility: (at: number) => string][] = [
    ["", (at) => `group_by=brand&${own(at)}`],
    ["statistics=true", (at) => `group_by=brand&statistics=true&${own(at)}`],
    ["group_by=brand&statistics=true", () => "group_by=brand&statistics=true"],
    ["group_by=source", () => "group_by=source"],
    ["group_by=country&statistics=true", () => "group_by=country&statistics=true"],
    ["sources=ASSISTANT_B", (at) => `group_by=brand&sources=ASSISTANT_B&${own(at)}`],
    ["countries=FR", (at) => `group_by=brand&countries=FR&${own(at)}`],
    ["period=7d&statistics=true", (at) => `group_by=brand&period=7d&statistics=true&${own(at)}`],
    ["group_by=keyword_type", (at) => `group_by=brand&keyword_types=Generic&${own(at)}`],
  ];
  for (const [query, visibility] of cases) {
    const { data } = await s.summary(query);
    const found = (data as Row[]).filter((row) => row["keyword_type"] !== "Brand");
    const expected = [];
    for (const at of [100, 200, 300]) {
      const { data: rows, basis } = await s.visibility(idOf(at), visibility(at));
      for (const { citations: _, citation_rate: _rate, rank_ci_low: _low, rank_ci_high: _high, ...row } of rows)
        expected.push({
          id: idOf(at),
          collects: numbers(basis.collects),
          previous: numbers(basis.previous_collects),
          row,
        });
    }
    const rows = found.map((row) => {
      const { analysis_id: id, collects, previous_collects: previous } = row;
      return { id, collects, previous, row: withoutShared(row) };
    });
    expect([query, rows]).toEqual([query, expected]);
  }
  const types = (await s.summary("group_by=keyword_type")).data.map((row: Row) => row["keyword_type"]);
  expect(types).toEqual(["Generic", "Brand", "Generic", "Brand", "Generic", "Brand"]);
});

test("analyses without rows are named with the reason and the nearest run", async () => {
  await using s = await summarised();
  const { data, left_out: leftOut, total_count: count } = await s.summary("period=7d");
  expect([data.map(({ analysis_id: id }: Row) => id), count]).toEqual([[idOf(100), idOf(200)], 2]);
  expect(leftOut).toEqual([
    {
      analysis: "Project",
      analysis_id: idOf(300),
      reason:
        "No run of this analysis ended from 2026-11-15 to 2026-11-21 (UTC). The nearest is run 1, on 2026-11-01; list_collects has all.",
    },
  ]);
  const none = await s.summary(`sources=ASSISTANT_C&analysis_types=${PROMPTING_TYPES[1]}`);
  expect([none.data, none.left_out.map(({ reason }: Row) => reason)]).toEqual([
    [],
    Array.from({ length: 3 }, () => "Its runs have no answers in this selection."),
  ]);
  expect(await s.summary(`analysis_types=${PROMPTING_TYPES[0]}`)).toMatchObject({ data: [], left_out: [] });
});

test("the tool says why a workspace has no rows, and that answers are simulated", async () => {
  await using s = await summarised();
  await using client = await s.client();
  const notes = async (given: Record<string, unknown>) =>
    (await client?.call("get_workspace_summary", given))?.structured.notes ?? [];
  expect(await notes({})).toEqual(expect.arrayContaining([expect.stringContaining("Simulated answers")]));
  const NONE = "No analysis has such answers; left_out has the reason of each. list_analyses has the analyses.";
  expect(await notes({ since: "2026-11-10", until: "2026-11-12" })).toEqual(expect.arrayContaining([NONE]));
  expect(await notes({ sources: ["Claude"] })).toEqual(
    expect.arrayContaining([expect.stringContaining("without sources there are rows")]),
  );
  expect(await notes({ analysis_types: ["brand_analysis"] })).toEqual(
    expect.arrayContaining([expect.stringContaining("without analysis_types there are rows")]),
  );
});
