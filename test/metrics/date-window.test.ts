import { expect, test } from "vitest";
import { endpoints } from "../../tools/index.ts";
import { toToolName } from "../../tools/endpoint.ts";
import { dateQuery } from "../../tools/metric-reads/selection/date-window.ts";
import { insertScene, type SceneCollect } from "../support/search-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

const PROJECT = "00000000-0000-7000-8000-000000000001";
const OWN = "00000000-0000-7000-8000-000000000010";
const RIVAL = "00000000-0000-7000-8000-000000000011";
const idOf = (number: number) => `00000000-0000-7000-8000-0000000000${50 + number}`;
const PROMPTS = Array.from({ length: 8 }, (_, at) => idOf(20 + at));
const TODAY = "2026-11-21";

/** Each run asks one prompt more, names your brand in other prompts, and cites other pages. */
function answersOf(run: number): SceneCollect["answers"] {
  return PROMPTS.slice(0, run + 2).flatMap((keyword, at) =>
    (["ASSISTANT_A", "ASSISTANT_B"] as const).map((source, number) => ({
      id: `00000000-0000-7000-8000-00000001${run}${at}${number}0`,
      keyword,
      source,
      method: "api" as const,
      places: (at + run) % 3 === 0 ? [{ brand_id: RIVAL, rank: 1 }] : [{ brand_id: OWN, rank: 1 + (at % 2) }],
      cited: (at + run) % 2 === 0 ? (["QA_FORUM"] as const).slice() : [],
    })),
  );
}

const ownRun = (day: string): Partial<SceneCollect> => ({ period: [`${day}T07:00:00.000Z`, `${day}T08:00:00.000Z`] });
const RUNS: Partial<SceneCollect>[] = [
  ownRun("2026-10-10"),
  ownRun("2026-10-25"),
  ownRun("2026-11-02"),
  ownRun("2026-11-10"),
  ownRun("2026-11-16"),
  ownRun(TODAY),
  { ...ownRun("2026-11-18"), isImported: true },
  { period: null, isImported: true },
];

async function dated(runs = RUNS) {
  const w = await world({ now: () => `${TODAY}T12:00:00.000Z` });
  const { organization, workspace, owner } = await w.acme();
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  await w.store.write(async (db) => {
    await insertScene(db, ids, {
      projectId: PROJECT,
      ownBrandId: OWN,
      competitorIds: [RIVAL],
      brands: [
        { id: OWN, name: "Kestrova", relationship: "mine" },
        { id: RIVAL, name: "Tavolino" },
      ],
      facets: [
        { id: "thematic", kind: "thematic", name: "Home" },
        { id: "topic", kind: "topic", name: "All", parentId: "thematic" },
      ],
      keywords: PROMPTS.map((id) => ({ id, text: `prompt ${id}`, thematicId: "thematic", topicId: "topic" })),
      collects: runs.map((run, at) => ({ answers: answersOf(at), ...run, id: idOf(at + 1), number: at + 1 })),
    });
    await db.q.update(db.t.collects).set({ summedVersion: "1.1" });
  });
  const paths: Record<string, string> = {
    organization_id: organization.id,
    workspace_id: workspace.id,
    analysis_id: PROJECT,
    project_id: PROJECT,
  };
  const get = async (name: string, query: string) => {
    const { path = "" } = endpoints.find((one) => one.name === name) ?? {};
    const address = path.replaceAll(/:(\w+)/g, (_, key: string) => paths[key] ?? "");
    const target = path.startsWith("/api/") ? `client_id=${organization.id}&project_id=${PROJECT}&` : "";
    const lists = name === "listKeywordsMetrics" ? "sources=&thematics=&keyword_type=&" : "";
    return owner.get(`${address}?${target}${lists}${query}`);
  };
  return {
    get,
    data: async (name: string, query: string) => (await get(name, query)).body.data,
    client: async () => CLIENTS["SDK 2, auto"]?.(w.config.mcpUrl, await mintToolToken(w, owner)),
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

const numbersOf = (rows: { number: number }[]) => rows.map(({ number }) => number);

test("dates choose the runs by their last answer, and compare with the period right before", async () => {
  await using s = await dated();
  const chosen = async (query: string) => {
    const { basis } = (await s.get("listTopBrands", query)).body;
    return [numbersOf(basis.collects), numbersOf(basis.previous_collects), basis.chosen];
  };
  const cases: [string, number[], number[]][] = [
    ["period=7d", [5, 6], [4]],
    ["period=30d", [2, 3, 4, 5, 6], [1]],
    ["period=90d", [1, 2, 3, 4, 5, 6], []],
    ["period=month", [3, 4, 5, 6], [1, 2]],
    ["since=2026-11-10&until=2026-11-16", [4, 5], []],
    ["since=2026-11-10", [4, 5, 6], [3]],
    ["until=2026-11-02", [1, 2, 3], []],
    ["since=2026-11-21&until=2026-11-21", [6], []],
    ["since=2026-11-10T08:00:00.001Z", [5, 6], [3, 4]],
    ["since=2026-11-10T09:00:00%2B01:00&until=2026-11-16T07:59:59Z", [4], []],
    ["date_start=2026-11-10&end_date=2026-11-16", [4, 5], []],
    ["start_date=2026-11-10&date_end=2026-11-16", [4, 5], []],
  ];
  for (const [query, current, previous] of cases)
    expect([query, await chosen(query)]).toEqual([query, [current, previous, ["dates"]]]);
  expect(await chosen("since=&until=&period=")).toEqual([[6], [5], []]);
});

test("imports count for dates only without own runs, and never without dates of their answers", async () => {
  await using s = await dated(RUNS.slice(6));
  const { basis } = (await s.get("listTopBrands", "period=90d")).body;
  expect(numbersOf(basis.collects)).toEqual([1]);
});

test("dates with named runs, with a period, in the wrong order or unreadable are rejected by name", async () => {
  await using s = await dated();
  const message = "cannot be combined with dates: name runs, or since, until or period";
  const cases: [string, string, string][] = [
    [`since=2026-11-10&collect_ids=${idOf(6)}`, "collect_ids", message],
    [`period=7d&collect_id=${idOf(6)}`, "collect_id", message],
    [`until=2026-11-10&prev_collect_ids=${idOf(1)}`, "prev_collect_ids", message],
    ["period=7d&until=2026-11-10", "period", "cannot be combined with since or until: use one of them"],
    ["since=2026-11-16&until=2026-11-10", "since", "must not be later than until, which is today by default"],
    ["since=2026-12-01", "since", "must not be later than until, which is today by default"],
    ["since=2026-02-30", "since", "must be a date such as 2026-11-21, or an ISO 8601 time"],
    ["since=2026-11-10&date_start=2026-11-10", "since", "is given twice, under two names; use one of them"],
  ];
  for (const [query, path, text] of cases) {
    const { status, body } = await s.get("listTopBrands", query);
    expect([query, status, body.fields]).toEqual([query, 400, [{ path, message: text }]]);
  }
});

test("each endpoint that selects runs of prompts takes the dates, and measures the runs in them", async () => {
  const dating = endpoints.filter(({ input }) => Object.hasOwn(input.shape, "since"));
  for (const { input } of dating)
    expect(Object.keys(input.shape)).toEqual(expect.arrayContaining(Object.keys(dateQuery)));
  const selecting = endpoints.filter(({ method, path, input, group }) => {
    const selects = Object.keys(input.shape).some((key) => /^(?:prev_)?collect_ids?$/.test(key));
    return method === "GET" && selects && !path.includes(":collect_id") && group !== "GEO Audits";
  });
  expect(selecting.filter((one) => !dating.includes(one)).map(({ name }) => name)).toEqual([]);
  await using s = await dated();
  const measuring = dating.filter(({ output }) => Object.hasOwn(output.shape, "basis"));
  for (const { name } of measuring) {
    const { basis } = (await s.get(name, "since=2026-11-10&until=2026-11-16")).body;
    expect([name, numbersOf(basis.collects), basis.chosen]).toEqual([name, [4, 5], ["dates"]]);
  }
});

const numbersOfRuns = (rows: readonly { collect: number }[]) => rows.map(({ collect }) => collect);

test("runs of the dates are measured as one: values equal those of the same runs named", async () => {
  await using s = await dated();
  const named = [4, 5, 6].map((run) => `collect_ids=${idOf(run)}`).join("&");
  const both = [`since=2026-11-10`, `${named}&prev_collect_ids=${idOf(3)}`];
  for (const name of ["getVisibility", "listTopBrands", "listKeywordsMetrics"]) {
    const [byDate, byName] = await Promise.all(both.map((query) => s.data(name, query)));
    expect(byDate.length).toBeGreaterThan(0);
    expect(byDate).toEqual(byName);
  }
  const bySource = await Promise.all(both.map((query) => s.data("getVisibility", `group_by=source&${query}`)));
  expect(bySource[0]).toEqual(bySource[1]);
  const sites = async (query: string) => (await s.data("listCitations", query))[0];
  const each = await Promise.all([4, 5, 6].map((run) => sites(`collect_id=${idOf(run)}`)));
  const sum = each.reduce((total, { answers }) => total + answers, 0);
  expect(await sites("since=2026-11-10")).toMatchObject({ answers: sum, citations: sum, share: 1 });
  // Fault: single citations of dates were none.
  const single = await s.data("listCitations", "since=2026-11-10&group_by=none&limit=100");
  expect(single.length).toBe(sum);
  expect(new Set(numbersOfRuns(single))).toEqual(new Set([4, 5, 6]));
});

test("lists narrow to the dates: runs, their answers, and the prompts that they asked", async () => {
  await using s = await dated();
  const query = "since=2026-10-20&until=2026-11-02&limit=100";
  expect(numbersOf(await s.data("listCollects", query))).toEqual([3, 2]);
  const answers: { collect_id: string }[] = await s.data("listAnswers", query);
  expect(answers.map((one) => one.collect_id).toSorted()).toEqual([
    ...answersOf(1).map(() => idOf(2)),
    ...answersOf(2).map(() => idOf(3)),
  ]);
  expect((await s.get("listAnswers", query)).body.total_count).toBe(answers.length);
  const texts = (await s.data("listKeywords", query)).map(({ text }: { text: string }) => text);
  expect(texts).toEqual(PROMPTS.slice(0, 4).map((id) => `prompt ${id}`));
  expect(await s.data("listKeywords", "since=2026-10-20&limit=100")).toHaveLength(7);
});

test("a trend has each run of the dates, compared with the runs before it", async () => {
  await using s = await dated();
  const trend = async (query: string) => {
    const rows = await s.data("getVisibility", `group_by=collect&statistics=true&${query}`);
    return rows.map(({ collect, previous, change }: Record<string, unknown>) => ({ collect, previous, change }));
  };
  const all = await trend("");
  expect(await trend("period=month")).toEqual(all.slice(2));
});

test("a single run of the dates is judged against the period before, at most as an early signal", async () => {
  await using s = await dated();
  const query = "since=2026-11-15&until=2026-11-20&statistics=true";
  const rows = await s.data("getVisibility", query);
  expect(rows.map(({ change }: { change: { compared_with: number[] } }) => change.compared_with)).toEqual([[4], [4]]);
  const alone = await s.data("getVisibility", "since=2026-11-21&until=2026-11-21&statistics=true");
  expect(alone.map(({ change, previous }: Record<string, unknown>) => [change, previous])).toEqual([
    [null, null],
    [null, null],
  ]);
});

test("dates without a run have no rows, and name the nearest run", async () => {
  await using s = await dated();
  const reason =
    "No run of this analysis ended from 2026-11-11 to 2026-11-14 (UTC). The nearest is run 4, on 2026-11-10; list_collects has all.";
  const { data, basis } = (await s.get("getVisibility", "since=2026-11-11&until=2026-11-14")).body;
  expect([data, basis.collects, basis.previous_collects]).toEqual([[], [], []]);
  expect(basis.legend).toContain(reason);
  const later = (await s.get("getVisibility", "since=2026-11-15&until=2026-11-15")).body.basis.legend;
  expect(later).toContain(
    "No run of this analysis ended on 2026-11-15 (UTC). The nearest is run 5, on 2026-11-16; list_collects has all.",
  );
  const dating = endpoints.filter(({ input: { shape }, analysisTypes }) => {
    const isOfSearches = analysisTypes?.includes("search_analysis") ?? true;
    return "since" in shape && ("analysis_id" in shape || "project_id" in shape) && isOfSearches;
  });
  await using client = await s.client();
  for (const endpoint of dating) {
    const answer = await client?.call(toToolName(endpoint), { since: "2026-11-11", end_date: "2026-11-14" });
    expect([endpoint.name, answer?.structured.data, answer?.structured.notes?.[0]]).toEqual([
      endpoint.name,
      [],
      reason,
    ]);
  }
});
