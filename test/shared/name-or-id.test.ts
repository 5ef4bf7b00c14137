import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createNameResolver, createNameSuggester } from "../../core/shared/names.ts";
import { listNamedFields, nameOrId } from "../../tools/name-or-id.ts";
import { listTopBrands } from "../../tools/metrics/list-top-brands.ts";
import { z } from "zod";
import { COLLECTS, FACETS, PERSONA, PROJECT, searchWorld, uuid } from "../metrics/search-metrics-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";

type World = Awaited<ReturnType<typeof searchWorld>>;
type Query = Parameters<World["top"]>[0];

test("resolves an id first, then an exact name, then a name in another case; several can share a name", () => {
  const among = [
    { id: "a", name: "Offices" },
    { id: "b", name: "offices" },
    { id: "c", name: "OFFICES " },
    { id: "d", name: "a" },
    { id: "e", name: "Café" },
    { id: "f", name: "Café" },
  ];
  const ids = (value: string) => createNameResolver(among)(value).map(({ id }) => id);
  expect(ids("a")).toEqual(["a"]);
  expect(ids("offices")).toEqual(["b"]);
  expect(ids("OFFICES")).toEqual(["a", "b"]);
  expect(ids("CAFÉ")).toEqual(["e", "f"]);
  expect(ids("office")).toEqual([]);
});

test("lists allowed values from the nearest spelling, at most twenty", () => {
  const among = Array.from({ length: 30 }, (_, at) => ({ id: `${at}`, name: `Brand number ${at}` }));
  const near = createNameSuggester([...among, { id: "x", name: "Kestrova" }, { id: "y", name: "Brindlecup" }]);
  expect(near("kestrowa").allowed[0]).toBe("Kestrova");
  expect(near("brindel cup").allowed[0]).toBe("Brindlecup");
  expect(near("estro").allowed[0]).toBe("Kestrova");
  expect(near("zzz")).toMatchObject({ allowed_count: 32, allowed: { length: 20 } });
});

test("suggests the nearest days for a day, and no days for other values", () => {
  const days = ["2026-10-01", "2026-11-30", "2026-11-04", "2025-11-05"];
  const near = createNameSuggester(["latest", "1", "2", ...days].map((name) => ({ id: name, name })));
  expect(near("2026-11-05")).toEqual({
    allowed: ["2026-11-04", "2026-11-30", "2026-10-01", "2025-11-05"],
    allowed_count: 4,
  });
  expect(near("last")).toEqual({ allowed: ["latest", "1", "2"], allowed_count: 3 });
});

test("accepts the day of a run wherever a run is accepted, and names the nearest days of other runs", async () => {
  await using w = await searchWorld();
  const client = await CLIENTS["SDK 2, auto"]?.(w.config.mcpUrl, { token: (await mintToolToken(w, w.owner)).token });
  await using assistant = client;
  const days: [string, Partial<Record<"collectedFrom" | "collectedTo" | "startedAt" | "finishedAt", string | null>>][] =
    [
      [COLLECTS.first, { collectedFrom: "2026-10-02T09:00:00.000Z", collectedTo: "2026-10-30T09:00:00.000Z" }],
      [COLLECTS.second, { startedAt: "2026-11-04T23:50:00.000Z", finishedAt: "2026-11-05T00:10:00.000Z" }],
      [COLLECTS.third, { startedAt: "2026-11-12T06:00:00.000Z", finishedAt: "2026-11-12T07:00:00.000Z" }],
    ];
  for (const [id, change] of days)
    await w.store.write(({ q, t }) =>
      q
        .update(t.collects)
        .set({ collectedFrom: null, collectedTo: null, ...change })
        .where(eq(t.collects.id, id)),
    );
  const answer = async (tool: string, given: Record<string, unknown>) => {
    const { isError, text, structured } = (await assistant?.call(tool, given)) ?? { text: "{}", isError: true };
    return isError ? JSON.parse(text) : structured;
  };
  const same: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ["list_answers", { collect: "2026-11-05" }, { collect: COLLECTS.second }],
    ["list_answers", { run: "2026-11-04" }, { collect: COLLECTS.second }],
    [
      "list_top_brands",
      { collects: ["2026-11-12"], previous_collects: "2026-11-04" },
      { collects: ["3"], previous_collects: ["2"] },
    ],
    ["get_visibility", { runs: ["2026-10-02", "2026-10-30"] }, { collects: [COLLECTS.first, COLLECTS.first] }],
    ["get_collect", { collect: "2026-10-30" }, { collect: COLLECTS.first }],
  ];
  for (const [tool, byDay, byId] of same) {
    const expected = await answer(tool, byId);
    expect([tool, expected.code]).toEqual([tool, undefined]);
    expect([tool, await answer(tool, byDay)]).toEqual([tool, expected]);
  }
  expect((await answer("get_collect", { collect: "2026-11-07" })).fields).toEqual([
    {
      path: "collect",
      message: "matches no collect; use one of allowed",
      allowed: ["2026-11-05", "2026-11-04", "2026-11-12", "2026-10-30", "2026-11-21", "2026-10-02"],
      allowed_count: 6,
    },
  ]);
  const again = { startedAt: "2026-11-05T20:00:00.000Z", finishedAt: "2026-11-05T21:00:00.000Z" };
  await w.store.write(({ q, t }) => q.update(t.collects).set(again).where(eq(t.collects.id, COLLECTS.third)));
  expect(await answer("get_collect", { collect: "2026-11-05" })).toMatchObject({
    code: "AMBIGUOUS",
    fields: [{ path: "collect", allowed: [COLLECTS.third, COLLECTS.second] }],
  });
});

test("an ambiguous prompt names the country and persona of each candidate", async () => {
  await using w = await searchWorld();
  const client = await CLIENTS["SDK 2, auto"]?.(w.config.mcpUrl, { token: (await mintToolToken(w, w.owner)).token });
  if (!client) throw new Error("no client");
  await using assistant = client;
  const twins = await w.store.write(async ({ q, t }) => {
    const rows = await q.select().from(t.questions).where(eq(t.questions.analysisId, PROJECT)).limit(2);
    const [first, second] = rows;
    if (!first || !second) throw new Error("no prompts");
    const text = "twin prompt";
    await q.update(t.questions).set({ text, country: "US", personaId: null }).where(eq(t.questions.id, first.id));
    await q.update(t.questions).set({ text, country: "DE", personaId: PERSONA }).where(eq(t.questions.id, second.id));
    return [first.id, second.id];
  });
  const { text } = await assistant.call("list_answers", { analysis: PROJECT, keyword: "Twin prompt" });
  expect(text).toContain("AMBIGUOUS");
  expect(text).toContain(`${twins[0]} (US)`);
  expect(text).toContain(`${twins[1]} (DE, Beginner)`);
});

test("finds a declared name through lists, null and descriptions", () => {
  const input = z.object({
    one: nameOrId("brand").describe("Brand."),
    more: z.array(nameOrId("topic").describe("Topic.")).nullish().describe("Topics."),
    other: z.string(),
  });
  expect(listNamedFields(input)).toEqual([
    { field: "one", kind: "brand" },
    { field: "more", kind: "topic" },
  ]);
  expect(listNamedFields(listTopBrands.input).map(({ field }) => field)).toContain("brands");
});

test("accepts names in any case in filters that take ids", async () => {
  // Fault: a topic's name in topic_ids, and a thematic in another case, gave 200 and no rows.
  await using w = await searchWorld();
  const same: [Query, Query][] = [
    [{ topic_ids: "milk DRINKS" }, { topic_ids: FACETS.milk }],
    [{ topic_ids: FACETS.milk.toUpperCase() }, { topic_ids: FACETS.milk }],
    [{ thematics: "home" }, { thematics: FACETS.home }],
    [{ persona_ids: "beginner" }, { persona_ids: PERSONA }],
    [{ strength_ids: "foam" }, { strength_ids: FACETS.foam }],
    [{ weakness_ids: "Loud" }, { weakness_ids: FACETS.loud }],
    [{ related_product_ids: "grinder" }, { related_product_ids: FACETS.grinder }],
    [{ sub_brand_ids: ["pro line", FACETS.line] }, { sub_brand_ids: FACETS.line }],
  ];
  for (const [named, byId] of same) {
    expect(await w.top(named)).toMatchObject({ status: 200, body: (await w.top(byId)).body });
    const all = { thematics: "" };
    expect((await w.keywords({ ...all, ...named })).body).toEqual((await w.keywords({ ...all, ...byId })).body);
  }
});

const UNKNOWN: [Query, string, string[]][] = [
  [{ topic_ids: "Milk drink" }, "topic_ids.0", ["Milk drinks", "Offices", "First machine"]],
  [{ topic_ids: [FACETS.milk, uuid(999)] }, "topic_ids.1", ["First machine", "Milk drinks", "Offices"]],
  // A thematic is no topic.
  [{ topic_ids: FACETS.home }, "topic_ids.0", ["First machine", "Milk drinks", "Offices"]],
  [{ thematics: "Hone" }, "thematics.0", ["Home", "Work"]],
  [{ persona_ids: "Beginer" }, "persona_ids.0", ["Beginner"]],
  [{ sub_brand_ids: "Lite" }, "sub_brand_ids.0", ["Pro line"]],
];

test("rejects an unknown filter value with the allowed values, only in fields", async () => {
  // Fault: 200 with 0 rows, which an assistant reports as "no data".
  await using w = await searchWorld();
  for (const [query, path, allowed] of UNKNOWN) {
    for (const { status, body } of [await w.top(query), await w.keywords(query)]) {
      expect([path, status, body.code]).toEqual([path, 400, "VALIDATION_FAILED"]);
      expect(body.fields).toMatchObject([{ path, allowed_count: allowed.length }]);
      expect(body.fields[0].allowed.toSorted()).toEqual(allowed.toSorted());
      expect(body.fields[0].allowed[0]).toBe(allowed[0]);
      for (const value of allowed) expect(body.message).not.toContain(value);
    }
  }
  const stages = ["ToFu", "MoFu", "BoFu"];
  expect((await w.keywords({ funnel_stages: "Nowhere" })).body.fields[0].allowed.toSorted()).toEqual(stages.toSorted());
  expect((await w.top({ funnel_stages: "Nowhere" })).body.fields[0]).toMatchObject({
    allowed: stages,
    allowed_count: 3,
  });
  expect((await w.keywords({ perception_type: "mixed" })).body.fields[0].allowed_count).toBe(3);
  expect((await w.top({ brands: ["Kestrova", "Tavolin"] })).body.fields).toMatchObject([
    { path: "brands.1", allowed: expect.arrayContaining(["tavolino"]), allowed_count: 6 },
  ]);
  expect((await w.top({ brands: "Tavolin" })).body.fields[0].allowed[0]).toBe("tavolino");
  expect((await w.top({ sources: "YAHOO" })).body.fields[0]).toMatchObject({ allowed_count: 10 });
  expect((await w.top({ collect_id: uuid(999) })).body.fields[0]).toMatchObject({ allowed_count: 3 });
});

test("rejects a name that several share, with their ids", async () => {
  await using w = await searchWorld();
  const other = {
    id: uuid(29),
    analysisId: PROJECT,
    kind: "topic",
    parentId: FACETS.work,
    name: "Milk drinks",
    position: 9,
  };
  await w.store.write(async ({ q, t }) => {
    await q.insert(t.facets).values(other as typeof t.facets.$inferInsert);
  });
  const { status, body } = await w.top({ topic_ids: "milk drinks" });
  expect([status, body.code]).toEqual([409, "AMBIGUOUS"]);
  expect(body.fields).toMatchObject([{ path: "topic_ids.0", allowed: [FACETS.milk, uuid(29)], allowed_count: 2 }]);
});

test("hides names of another organization's analysis from the allowed values", async () => {
  // Attack: read another organization's keywords from the allowed values.
  await using w = await searchWorld();
  const rival = await w.insertTenant("Rival");
  const mallory = await w.signIn("mallory@rival.test", { organizationId: rival.organization.id, role: "owner" });
  const path = `/v1/organizations/${rival.organization.id}/workspaces/${rival.workspace.id}/analyses/${PROJECT}`;
  const { status, body } = await mallory.get(`${path}/answers?keyword_id=machine`);
  expect([status, body.code, body.fields]).toEqual([404, "NOT_FOUND", undefined]);
});

test("a tool takes names too, closed lists in any case, and sources by the names that people know", async () => {
  // Fault: "ChatGPT" and "tofu" were rejected, so brands had to be looked up first.
  await using w = await searchWorld();
  const { token } = await mintToolToken(w, w.owner);
  const place = { organization_id: w.organization.id, workspace_id: w.workspace.id, analysis_id: PROJECT };
  const project = { client_id: w.organization.id, project_id: PROJECT };
  for (const connect of Object.values(CLIENTS)) {
    await using client = await connect(w.config.mcpUrl, { token });
    const top = await client.call("list_top_brands", {
      ...project,
      sources: ["ChatGPT", "bing"],
      funnel_stages: ["tofu"],
      brands: ["KESTROVA"],
    });
    expect(top.structured.data).toMatchObject([{ brand: "Kestrova", occurrences: 3, total: 3 }]);
    const { text, isError } = await client.call("list_answers", { ...place, brand_id: "Kestrowa" });
    expect(isError).toBe(true);
    expect(JSON.parse(text).fields[0].allowed[0]).toBe("Kestrova");
  }
});

test("accepts countries by code or name, for prompts by their own country and for keywords by the setup's", async () => {
  await using w = await searchWorld();
  const all = { thematics: "" };
  const whole = await w.top({});
  // Keywords have the country of their setup.
  for (const countries of ["US", "us", "United States"]) {
    expect((await w.top({ countries })).body).toMatchObject({ data: whole.body.data });
    expect((await w.keywords({ ...all, countries })).body.data).toEqual((await w.keywords(all)).body.data);
  }
  const refused = await w.top({ countries: "Germny" });
  const allowed = { allowed: ["US", "United States"], allowed_count: 2 };
  expect(refused).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  expect(refused.body.fields[0]).toMatchObject({
    path: "countries.0",
    allowed: expect.arrayContaining(allowed.allowed),
  });
});
