import { describe, expect, test } from "vitest";
import { listTopBrands } from "../../tools/metrics/list-top-brands.ts";
import { BRANDS, COLLECTS, FACETS, KEYWORDS, PERSONA, PROJECT, searchWorld, uuid } from "./search-metrics-scene.ts";

type World = Awaited<ReturnType<typeof searchWorld>>;

/** Brand, occurrences, total, and both of the previous collect, to distinguish selections. */
async function glance(w: World, query: Parameters<World["top"]>[0]) {
  const { status, body } = await w.top(query);
  if (status !== 200)
    return { status, code: body.code, fields: body.fields?.map((field: { path: string }) => field.path) };
  return body.data.map((row: Record<string, unknown>) => [
    row["brand"],
    row["occurrences"],
    row["total"],
    row["occurrences_prev_collect"],
    row["total_prev_collect"],
  ]);
}

const names = ({ body }: Awaited<ReturnType<World["top"]>>) => body.data.map((row: { brand: string }) => row.brand);

test("each field of each row follows the definitions, for the latest collect and the previous one", async () => {
  await using w = await searchWorld();
  const { status, body } = await w.top();
  expect(status).toBe(200);
  expect(body).toEqual({
    total_count: 4,
    data: [
      {
        brand: "Éclair Café",
        nb_keywords: 2,
        total_mentions: 5,
        visibility_score: 65.773244, // 100 × (0.630930 + 1 + 1) / 4
        average_rank: 1.333333, // (2 + 1 + 1) / 3
        presence_rate: 0.75,
        total: 4,
        occurrences: 3,
        is_my_brand: false,
        competitor_type: "RETAIL_ECOMMERCE",
        nb_keywords_prev_collect: 0,
        total_mentions_prev_collect: 0,
        presence_rate_prev_collect: 0,
        total_prev_collect: 2,
        occurrences_prev_collect: 0,
      },
      {
        brand: "Kestrova",
        nb_keywords: 1,
        total_mentions: 3,
        visibility_score: 37.5, // 100 × (1 + 0.5) / 4
        average_rank: 2,
        presence_rate: 0.5,
        total: 4,
        occurrences: 2,
        is_my_brand: true,
        competitor_type: "BRANDED_WEBSITE",
        nb_keywords_prev_collect: 1,
        total_mentions_prev_collect: 1,
        average_rank_prev_collect: 2,
        presence_rate_prev_collect: 0.5,
        total_prev_collect: 2,
        occurrences_prev_collect: 1,
      },
      {
        brand: "tavolino",
        nb_keywords: 1,
        total_mentions: 1,
        visibility_score: 15.773244, // 100 × 0.630930 / 4
        average_rank: 2,
        presence_rate: 0.25,
        total: 4,
        occurrences: 1,
        is_my_brand: false,
        competitor_type: "WIKI_ENCYCLOPEDIA",
        nb_keywords_prev_collect: 1,
        total_mentions_prev_collect: 1,
        average_rank_prev_collect: 1,
        presence_rate_prev_collect: 0.5,
        total_prev_collect: 2,
        occurrences_prev_collect: 1,
      },
      {
        brand: "Absent",
        nb_keywords: 0,
        total_mentions: 0,
        visibility_score: 0,
        presence_rate: 0,
        total: 4,
        occurrences: 0,
        is_my_brand: false,
        competitor_type: "UNKNOWN",
        nb_keywords_prev_collect: 0,
        total_mentions_prev_collect: 0,
        presence_rate_prev_collect: 0,
        total_prev_collect: 2,
        occurrences_prev_collect: 0,
      },
    ],
  });
});

test("sub-brands and products count for their brand, and have a row if `brands` names them", async () => {
  await using w = await searchWorld();
  expect(await glance(w, { brands: ["Kestrova Mini", "ÉCLAIR café"] })).toEqual([
    ["Éclair Café", 3, 4, 0, 2],
    ["Kestrova Mini", 1, 4, 0, 2],
  ]);
  expect(await glance(w, { brands: [BRANDS.tavolino] })).toEqual([["tavolino", 1, 4, 1, 2]]);
});

/** Rows by name. Compared brands always have one; tavolino only if it occurs. */
const all = (kestrova: number, eclair: number, tavolino: number | null, total: number) => [
  ["Absent", 0, total],
  ["Éclair Café", eclair, total],
  ["Kestrova", kestrova, total],
  ...(tavolino === null ? [] : [["tavolino", tavolino, total]]),
];

const KEYWORD_FILTERS: [string, Parameters<World["top"]>[0], ReturnType<typeof all>][] = [
  ["one source", { sources: "ASSISTANT_A" }, all(2, 3, 1, 3)],
  ["two sources", { sources: ["SEARCH_A", "ASSISTANT_A"] }, all(3, 3, 2, 5)],
  ["a source that was asked and named nobody", { sources: ["SEARCH_A", "SEARCH_A_AIO"] }, all(1, 0, 1, 3)],
  ["both keyword types", { keyword_type: ["Generic", "Brand"] }, all(3, 3, 1, 5)],
  ["Brand keywords alone", { keyword_type: "Brand" }, all(1, 0, null, 1)],
  ["both types at one source", { keyword_type: ["Brand", "Generic"], sources: "SEARCH_A" }, all(1, 0, 1, 2)],
  ["a thematic by name", { thematics: "Home" }, all(2, 3, 1, 4)],
  ["a thematic by id", { thematics: FACETS.work, sources: "SEARCH_A" }, all(0, 0, null, 1)],
  ["two thematics", { thematics: ["Home", "Work"] }, all(2, 3, 1, 4)],
  ["a topic", { topic_ids: FACETS.milk }, all(0, 1, 0, 2)],
  ["two topics", { topic_ids: [FACETS.milk, FACETS.first] }, all(2, 3, 1, 4)],
  ["a persona", { persona_ids: PERSONA }, all(2, 2, 1, 2)],
  ["a strength", { strength_ids: FACETS.foam }, all(0, 1, 0, 2)],
  ["a weakness", { weakness_ids: FACETS.loud, sources: "SEARCH_A" }, all(0, 0, null, 1)],
  ["a funnel stage", { funnel_stages: "ToFu" }, all(2, 2, 1, 2)],
  ["two funnel stages", { funnel_stages: ["MoFu", "BoFu"] }, all(0, 1, 0, 2)],
  ["neutral perception", { perception_type: "neutral" }, all(2, 2, 1, 2)],
  ["filters together", { topic_ids: FACETS.first, sources: "SEARCH_A", funnel_stages: "ToFu" }, all(1, 0, 1, 1)],
];

describe("keyword filters narrow the answers that count", () => {
  test.each(KEYWORD_FILTERS)("%s", async (_, query, expected) => {
    await using w = await searchWorld();
    const rows: [string, number, number][] = await glance(w, { ...query, sort_column: "brand", sort_direction: "asc" });
    expect(rows.map(([brand, occurrences, total]) => [brand, occurrences, total])).toEqual(expected);
  });
  test("a filter without answers has no rows", async () => {
    await using w = await searchWorld();
    const none = { status: 200, body: { total_count: 0, data: [] } };
    expect(await w.top({ related_product_ids: FACETS.grinder })).toMatchObject(none);
    expect(await w.top({ sub_brand_ids: FACETS.line })).toMatchObject(none);
    expect(await w.top({ sources: "ASSISTANT_D" })).toMatchObject(none);
    // Its only answer is a result page, counted without others; an overview was not shown.
    const loud = await w.top({ weakness_ids: FACETS.loud });
    expect(loud.body.data[0]).toMatchObject({ total: 1, occurrences: 0 });
  });
});

test("brand filters narrow the rows and leave the figures: competitor types and a search without accents", async () => {
  await using w = await searchWorld();
  expect(await glance(w, { competitor_types: ["RETAIL_ECOMMERCE", "UNKNOWN"] })).toEqual([
    ["Éclair Café", 3, 4, 0, 2],
    ["Absent", 0, 4, 0, 2],
  ]);
  expect(names(await w.top({ search_query: "ECLAIR caf" }))).toEqual(["Éclair Café"]);
  expect(names(await w.top({ search_query: "TAV" }))).toEqual(["tavolino"]);
  expect(await w.top({ search_query: "nothing", competitor_types: "UNKNOWN" })).toMatchObject({
    body: { total_count: 0, data: [] },
  });
});

test("the kind of a brand's site is that of its domains as they are now", async () => {
  await using w = await searchWorld();
  const kinds = async () => {
    const { body } = await w.top();
    return body.data.map((row: Record<string, unknown>) => [row["brand"], row["competitor_type"]]);
  };
  const others = [
    ["Kestrova", "BRANDED_WEBSITE"],
    ["tavolino", "WIKI_ENCYCLOPEDIA"],
    ["Absent", "UNKNOWN"],
  ];
  expect(await kinds()).toEqual([["Éclair Café", "RETAIL_ECOMMERCE"], ...others]);
  await w.owner.patch(`${w.workspace.path}/brands/${BRANDS.eclair}`, { domains: ["eclair.example"] });
  expect(await kinds()).toEqual([["Éclair Café", "BRANDED_WEBSITE"], ...others]);
});

const SORTS: [string, string | undefined, string[]][] = [
  ["visibility_score", undefined, ["Éclair Café", "Kestrova", "tavolino", "Absent"]],
  ["visibility_score", "asc", ["Absent", "tavolino", "Kestrova", "Éclair Café"]],
  ["brand", "asc", ["Absent", "Éclair Café", "Kestrova", "tavolino"]],
  ["brand", undefined, ["tavolino", "Kestrova", "Éclair Café", "Absent"]],
  ["nb_mentions", "desc", ["Éclair Café", "Kestrova", "tavolino", "Absent"]],
  ["nb_distinct_keywords", "desc", ["Éclair Café", "Kestrova", "tavolino", "Absent"]],
  ["nb_distinct_keywords", "asc", ["Absent", "Kestrova", "tavolino", "Éclair Café"]],
  ["average_position", "asc", ["Éclair Café", "Kestrova", "tavolino", "Absent"]],
  ["average_position", "desc", ["Kestrova", "tavolino", "Éclair Café", "Absent"]],
  ["presence_rate", "desc", ["Éclair Café", "Kestrova", "tavolino", "Absent"]],
];

test("each sort column sorts both ways; ties by name, missing values last", async () => {
  await using w = await searchWorld();
  for (const [column, direction, expected] of SORTS) {
    const answer = await w.top({ sort_column: column, ...(direction ? { sort_direction: direction } : {}) });
    expect([column, direction, names(answer)]).toEqual([column, direction, expected]);
  }
});

test("pages are counted from 1, and total_count is that of all pages", async () => {
  await using w = await searchWorld();
  const page = async (query: Parameters<World["top"]>[0]) => {
    const answer = await w.top(query);
    return [answer.body.total_count, names(answer)];
  };
  expect(await page({ rows_per_page: 3 })).toEqual([4, ["Éclair Café", "Kestrova", "tavolino"]]);
  expect(await page({ rows_per_page: 3, page_number: 2 })).toEqual([4, ["Absent"]]);
  expect(await page({ rows_per_page: 3, page_number: 3 })).toEqual([4, []]);
  expect(await page({ rows_per_page: 2, page_number: 2, sort_column: "brand", sort_direction: "asc" })).toEqual([
    4,
    ["Kestrova", "tavolino"],
  ]);
});

test("collects can be named, alone or as a union, as can those to compare with", async () => {
  await using w = await searchWorld();
  const { first, second, third } = COLLECTS;
  const kestrova = async (query: Parameters<World["top"]>[0]) => await glance(w, { brands: "Kestrova", ...query });
  expect(await kestrova({ collect_id: second })).toEqual([["Kestrova", 1, 2, 0, 0]]);
  expect(await kestrova({ collect_id: first })).toEqual([["Kestrova", 0, 1, undefined, undefined]]);
  expect(await kestrova({ collect_ids: [third, second] })).toEqual([["Kestrova", 3, 6, 0, 0]]);
  expect(await kestrova({ collect_id: third, prev_collect_ids: first })).toEqual([["Kestrova", 2, 4, 0, 0]]);
  expect(await kestrova({ prev_collect_ids: [first, second] })).toEqual([["Kestrova", 2, 4, 1, 2]]);
  expect(await kestrova({ collect_ids: [third, second], topic_ids: FACETS.first })).toEqual([["Kestrova", 3, 3, 0, 0]]);
  const union = await w.top({ collect_ids: [second, third], brands: "Kestrova" });
  expect(union.body.data[0]).toMatchObject({ nb_keywords: 1, total_mentions: 4, average_rank: 2 });
  const oldest = await w.top({ collect_id: first, brands: "Éclair Café" });
  expect(Object.keys(oldest.body.data[0]).filter((field) => field.endsWith("_prev_collect"))).toEqual([]);
});

test("absent, empty and null parameters mean the same, and an array is repeated, bracketed or single", async () => {
  await using w = await searchWorld();
  const { body } = await w.top();
  const { client_id: _client, project_id: _project, ...optional } = listTopBrands.input.shape;
  const empty = Object.fromEntries(Object.keys(optional).map((field) => [field, ""]));
  expect((await w.top(empty)).body).toEqual(body);
  const two = await w.top({ sources: ["SEARCH_A", "ASSISTANT_A"] });
  expect((await w.top({ "sources[]": ["SEARCH_A", "ASSISTANT_A"] })).body).toEqual(two.body);
  expect((await w.top({ "sources[]": "ASSISTANT_A" })).body).toEqual((await w.top({ sources: "ASSISTANT_A" })).body);
});

const WRONG: [string, Parameters<World["top"]>[0], number, string, string[] | undefined][] = [
  ["no project", { project_id: undefined }, 400, "VALIDATION_FAILED", ["project_id"]],
  ["no client", { client_id: undefined }, 400, "VALIDATION_FAILED", ["client_id"]],
  ["neither", { client_id: undefined, project_id: "" }, 400, "VALIDATION_FAILED", ["client_id", "project_id"]],
  ["an unknown project", { project_id: uuid(2) }, 404, "NOT_FOUND", undefined],
  ["an unknown source", { sources: ["SEARCH_A", "SEARCH_Z"] }, 400, "VALIDATION_FAILED", ["sources.1"]],
  ["an unknown keyword type", { keyword_type: "general" }, 400, "VALIDATION_FAILED", ["keyword_type.0"]],
  ["an unknown stage", { funnel_stages: "NoFu" }, 400, "VALIDATION_FAILED", ["funnel_stages.0"]],
  ["another perception", { perception_type: "positive" }, 400, "VALIDATION_FAILED", ["perception_type"]],
  ["an unknown competitor type", { competitor_types: "SHOP" }, 400, "VALIDATION_FAILED", ["competitor_types.0"]],
  ["an unknown sort", { sort_column: "total_mentions" }, 400, "VALIDATION_FAILED", ["sort_column"]],
  ["an unknown direction", { sort_direction: "down" }, 400, "VALIDATION_FAILED", ["sort_direction"]],
  ["page 0", { page_number: 0 }, 400, "VALIDATION_FAILED", ["page_number"]],
  ["too many rows", { rows_per_page: 101 }, 400, "VALIDATION_FAILED", ["rows_per_page"]],
  ["half a row", { rows_per_page: 1.5 }, 400, "VALIDATION_FAILED", ["rows_per_page"]],
  ["a collect that runs", { collect_id: COLLECTS.running }, 400, "VALIDATION_FAILED", ["collect_id"]],
  [
    "collects of nobody",
    { collect_ids: [COLLECTS.first, uuid(9)], prev_collect_ids: uuid(8) },
    400,
    "VALIDATION_FAILED",
    ["collect_ids.1", "prev_collect_ids.0"],
  ],
  [
    "a parameter of the other request",
    { prev_collect_id: COLLECTS.first },
    400,
    "VALIDATION_FAILED",
    ["prev_collect_id"],
  ],
];

test("rejects invalid parameters by name", async () => {
  await using w = await searchWorld();
  for (const [what, query, status, code, fields] of WRONG) {
    expect([what, await glance(w, query)]).toEqual([what, { status, code, fields }]);
  }
});

// Attack: reading a rival's figures by naming its project, or its collect under an own project.
test("returns 404 for another organization's project, whatever organization is named", async () => {
  await using w = await searchWorld();
  const rival = await w.insertTenant("Rival");
  const mallory = await w.signIn("mallory@rival.test", { organizationId: rival.organization.id, role: "owner" });
  const missing = { status: 404, body: { code: "NOT_FOUND" } };
  const named = w.address("/api/v1/top-brands", { project_id: PROJECT });
  expect(await mallory.get(named)).toMatchObject(missing);
  expect(await mallory.get(named.replace(w.organization.id, rival.organization.id))).toMatchObject(missing);
});

/** Answers that name each brand, of how many, where any do. */
function counts(rows: Record<string, unknown>[], total: string): unknown[][] {
  return rows.filter((row) => row["occurrences"] !== 0).map((row) => [row["brand"], row["occurrences"], row[total]]);
}

test("a named keyword counts for any type, by text or id, in top brands and visibility", async () => {
  // Fault: only single answers showed who is first, second and third for a keyword.
  await using w = await searchWorld();
  const path = `/v1/organizations/${w.organization.id}/workspaces/${w.workspace.id}/analyses/${PROJECT}/metrics/visibility`;
  for (const keyword of ["machine for cappuccino", "IS KESTROVA GOOD", KEYWORDS[0]]) {
    const first = await w.top({ keywords: keyword });
    const seen = await w.owner.get(`${path}?keywords=${encodeURIComponent(keyword)}`);
    expect(seen.body.basis).toMatchObject({ prompts: 1, chosen: ["keywords"] });
    const named = counts(first.body.data, "total");
    expect(named).not.toEqual([]);
    expect(new Set(counts(seen.body.data, "answers"))).toEqual(new Set(named));
  }
  expect(await glance(w, { keywords: "no such keyword" })).toEqual({
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["keywords.0"],
  });
});
