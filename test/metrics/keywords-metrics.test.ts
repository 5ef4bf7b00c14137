import { expect, test } from "vitest";
import { insertWorkspace } from "../../db/catalog/workspaces.ts";
import { insertScene, type Scene } from "../support/search-scene.ts";
import { world } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { listKeywordsMetrics } from "../../tools/metrics/list-keywords-metrics.ts";
import {
  BRANDS,
  COLLECTS,
  FACETS,
  HOME_PAGE,
  KEYWORDS,
  PERSONA,
  PROJECT,
  searchWorld,
  uuid,
} from "./search-metrics-scene.ts";

type World = Awaited<ReturnType<typeof searchWorld>>;
type Query = Parameters<World["keywords"]>[0];

const [BEGINNERS, CAPPUCCINO, OFFICE, GOOD, GRIND] = KEYWORDS;
const number = (id: string) => KEYWORDS.findIndex((known) => known === id);

function brandFilter(id: string, name: string, competitorType: string, more = {}) {
  return { id, name, kind: "brand", parent_id: null, is_my_brand: false, competitor_type: competitorType, ...more };
}

/** Which keywords of the scene have a row, by their place. */
async function shown(w: World, query: Query) {
  const { body } = await w.keywords(query);
  return body.data.map((row: { keyword_id: string }) => number(row.keyword_id));
}

test("each field of each row equals the main brand's measurements, by channel", async () => {
  await using w = await searchWorld();
  const { status, body } = await w.keywords();
  expect(status).toBe(200);
  expect(body).toEqual({
    data: [
      {
        keyword_id: BEGINNERS,
        keyword_text: "best machine for beginners",
        thematic_name: "Home",
        topic: "First machine",
        persona: "Beginner",
        funnel_stage: "ToFu",
        intent: ["commercial"],
        type: "Generic",
        search_volume: 8100,
        trends: [7000, 9000.5],
        score: 71.030992, // 100 × (1 + 0.5 + 0.630930) / 3
        search_a_seo_rank: 2,
        search_a_seo_url: HOME_PAGE,
        search_a_seo_main_brand_ranked: true,
        assistant_a_rank: 2, // (1 + 3) / 2
        assistant_a_previous_rank: 2,
        assistant_a_url: "https://kestrova.example/shop",
        assistant_a_main_brand_ranked: true,
        has_search_a_aio: false,
        has_search_b_aio: false,
      },
      {
        keyword_id: CAPPUCCINO,
        keyword_text: "machine for cappuccino",
        thematic_name: "Home",
        topic: "Milk drinks",
        funnel_stage: "MoFu",
        strength: "Foam",
        type: "Generic",
        score: 0,
        search_a_aio_main_brand_ranked: false,
        assistant_a_main_brand_ranked: false,
        has_search_a_aio: true,
        has_search_b_aio: false,
      },
      {
        keyword_id: OFFICE,
        keyword_text: "machine for an office",
        thematic_name: "Work",
        topic: "Offices",
        funnel_stage: "BoFu",
        weakness: "Loud",
        type: "Generic",
        score: 0,
        search_a_seo_main_brand_ranked: false,
        has_search_a_aio: false, // it was queried and showed none
        has_search_b_aio: false,
      },
      {
        keyword_id: GOOD,
        keyword_text: "is Kestrova good",
        thematic_name: "Home",
        topic: "First machine",
        type: "Brand",
        score: 100,
        assistant_a_rank: 1,
        assistant_a_main_brand_ranked: true,
        has_search_a_aio: false,
        has_search_b_aio: false,
      },
      {
        keyword_id: GRIND,
        keyword_text: "machine with grinder",
        thematic_name: "Work",
        topic: "Offices",
        related_product: "Grinder",
        sub_brand: "Pro line",
        type: "Generic",
        has_search_a_aio: false,
        has_search_b_aio: false,
      },
    ],
  });
});

const FILTERS: [string, Query, number[]][] = [
  ["a thematic by name", { thematics: "Home" }, [0, 1, 3]],
  ["a thematic by id", { thematics: FACETS.work }, [2, 4]],
  ["no thematic named", { thematics: "" }, [0, 1, 2, 3, 4]],
  ["Generic keywords", { keyword_type: "Generic" }, [0, 1, 2, 4]],
  ["Brand keywords", { keyword_type: "Brand" }, [3]],
  ["a topic", { topic_ids: FACETS.milk }, [1]],
  ["two topics", { topic_ids: [FACETS.milk, FACETS.office] }, [1, 2, 4]],
  ["a persona", { persona_ids: PERSONA }, [0]],
  ["a strength", { strength_ids: FACETS.foam }, [1]],
  ["a weakness", { weakness_ids: FACETS.loud }, [2]],
  ["a related product", { related_product_ids: FACETS.grinder }, [4]],
  ["a sub-brand", { sub_brand_ids: FACETS.line }, [4]],
  ["funnel stages", { funnel_stages: ["BoFu", "MoFu"] }, [1, 2]],
  ["a funnel stage in another case", { funnel_stages: "tofu" }, [0]],
  ["positive perception", { perception_type: "positive" }, [1]],
  ["negative perception", { perception_type: "negative" }, [2]],
  ["neutral perception", { perception_type: "neutral" }, [0, 3, 4]],
  ["a kind of site that ranked", { competitor_types: "QA_FORUM" }, [0]],
  ["a kind of site that was cited", { competitor_types: ["WIKI_ENCYCLOPEDIA", "NEWS_MEDIA"] }, [0]],
  ["the own site among the results", { competitor_types: "BRANDED_WEBSITE" }, [0]],
  ["a kind of site that is nowhere", { competitor_types: "NEWS_MEDIA" }, []],
  ["a kind of site of a source not chosen", { competitor_types: "QA_FORUM", sources: "ASSISTANT_A" }, []],
  ["filters together", { thematics: "Home", perception_type: "neutral", keyword_type: "Generic" }, [0]],
];

test("each filter selects its keywords, in setup order", async () => {
  await using w = await searchWorld();
  for (const [what, query, expected] of FILTERS) expect([what, await shown(w, query)]).toEqual([what, expected]);
});

test("only chosen sources have fields, and the score covers them only", async () => {
  await using w = await searchWorld();
  const one = async (query: Query) =>
    (await w.keywords({ topic_ids: FACETS.first, keyword_type: "Generic", ...query })).body.data[0];
  const identity = {
    keyword_id: BEGINNERS,
    keyword_text: "best machine for beginners",
    thematic_name: "Home",
    topic: "First machine",
    persona: "Beginner",
    funnel_stage: "ToFu",
    intent: ["commercial"],
    type: "Generic",
    search_volume: 8100,
    trends: [7000, 9000.5],
    has_search_a_aio: false,
    has_search_b_aio: false,
  };
  expect(await one({ sources: "SEARCH_A" })).toEqual({
    ...identity,
    score: 63.092975,
    search_a_seo_rank: 2,
    search_a_seo_url: HOME_PAGE,
    search_a_seo_main_brand_ranked: true,
  });
  expect(await one({ sources: ["ASSISTANT_D", "MARKETPLACE_ASSISTANT"] })).toEqual(identity);
});

test("a tool's rows have a flag of AI overviews only if their source is selected; REST always has both", async () => {
  // Fault: `has_search_b_aio: false` read as "no overview" where Google AI Overviews was not selected.
  await using w = await searchWorld();
  const { token } = await mintToolToken(w, w.owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(w.config.mcpUrl, { token });
  const flags = async (sources: string[]) => {
    const { structured } = (await client?.call("list_keywords_metrics", { sources, topics: ["Milk drinks"] })) ?? {};
    return structured.data.map(({ has_search_a_aio, has_search_b_aio }: Record<string, unknown>) => ({
      ...(has_search_a_aio !== undefined && { has_search_a_aio }),
      ...(has_search_b_aio !== undefined && { has_search_b_aio }),
    }));
  };
  expect(await flags(["ASSISTANT_A"])).toEqual([{}]);
  expect(await flags(["ASSISTANT_A", "SEARCH_A_AIO"])).toEqual([{ has_search_a_aio: true }]);
  expect(await flags(["SEARCH_B_AIO"])).toEqual([{ has_search_b_aio: false }]);
  expect(await flags([])).toEqual([{ has_search_a_aio: true, has_search_b_aio: false }]);
  const { body } = await w.keywords({ topic_ids: FACETS.milk, sources: ["ASSISTANT_A"] });
  expect(body.data).toMatchObject([{ has_search_a_aio: false, has_search_b_aio: false }]);
});

test.each(["simulated", "api"] as const)(
  "fault: a source without answers in the current run lost its simulated previous ranks; all are kept (%s)",
  async (method) => {
    await using w = await world();
    const { owner, organization, workspace } = await w.acme();
    const [brand, thematic, topic, keyword, projectId, first, second] = Array.from({ length: 7 }, () =>
      crypto.randomUUID(),
    ) as [string, string, string, string, string, string, string];
    const answer = { keyword, method, places: [{ brand_id: brand, rank: 2 }] };
    const scene = {
      projectId,
      ownBrandId: brand,
      brands: [{ id: brand, name: "Acme" }],
      facets: [
        { id: thematic, kind: "thematic", name: "Phones" },
        { id: topic, kind: "topic", name: "All", parentId: thematic },
      ],
      keywords: [{ id: keyword, text: "best phone", thematicId: thematic, topicId: topic }],
      collects: [
        {
          id: first,
          number: 1,
          answers: [
            { ...answer, source: "ASSISTANT_A" },
            { ...answer, source: "ASSISTANT_B" },
          ],
        },
        { id: second, number: 2, answers: [{ ...answer, source: "ASSISTANT_B" }] },
      ],
    } as Scene;
    const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
    await w.store.write((db) => insertScene(db, ids, scene));
    const of = `client_id=${organization.id}&project_id=${projectId}&thematics=&keyword_type=`;
    const { body } = await owner.get(`/api/v1/keywords-metrics?${of}&sources=ASSISTANT_A`);
    expect([body.basis.kind, body.data]).toEqual([
      method === "simulated" ? "simulated" : "collected",
      [
        {
          keyword_id: keyword,
          keyword_text: "best phone",
          thematic_name: "Phones",
          topic: "All",
          type: "Generic",
          assistant_a_previous_rank: 2,
          has_search_a_aio: false,
          has_search_b_aio: false,
        },
      ],
    ]);
  },
);

test("collects can be named, alone or as a union; the page is the most frequent one", async () => {
  await using w = await searchWorld();
  const { first, second, third } = COLLECTS;
  const ranks = async (query: Query) => {
    const row = (await w.keywords({ topic_ids: FACETS.first, keyword_type: "Generic", ...query })).body.data[0];
    return [row.assistant_a_rank, row.assistant_a_previous_rank, row.assistant_a_url, row.score];
  };
  const shop = "https://kestrova.example/shop";
  expect(await ranks({ collect_id: second })).toEqual([2, undefined, shop, 63.092975]);
  expect(await ranks({ collect_ids: [second, third], sources: "ASSISTANT_A" })).toEqual([
    2,
    undefined,
    shop,
    71.030992,
  ]);
  expect(await ranks({ prev_collect_id: third })).toEqual([2, 2, shop, 71.030992]);
  expect(await ranks({ prev_collect_ids: first })).toEqual([2, undefined, shop, 71.030992]);
});

test("rejects missing and invalid parameters by name", async () => {
  await using w = await searchWorld();
  const refused = async (query: Query) => {
    const { status, body } = await w.keywords(query);
    return [status, body.code, body.fields?.map((field: { path: string }) => field.path)];
  };
  const required = { sources: undefined, thematics: undefined, keyword_type: undefined };
  expect(await refused(required)).toEqual([400, "VALIDATION_FAILED", ["sources", "thematics", "keyword_type"]]);
  expect(await refused({ project_id: undefined })).toEqual([400, "VALIDATION_FAILED", ["project_id"]]);
  expect(await refused({ sources: "SEARCH_C" })).toEqual([400, "VALIDATION_FAILED", ["sources.0"]]);
  expect(await refused({ keyword_type: "Other" })).toEqual([400, "VALIDATION_FAILED", ["keyword_type.0"]]);
  expect(await refused({ prev_collect_id: COLLECTS.running })).toEqual([400, "VALIDATION_FAILED", ["prev_collect_id"]]);
  expect(await refused({ page: 1 })).toEqual([400, "VALIDATION_FAILED", ["page"]]);
  expect(await refused({ project_id: uuid(2) })).toEqual([404, "NOT_FOUND", undefined]);
});

test("pages of a sorted list add up to the list, missing values last in both directions", async () => {
  await using w = await searchWorld();
  type Row = Record<string, string | number | null | undefined>;
  const { data } = (await w.keywords()).body as { data: Row[] };
  const { data: counted } = (await w.keywords({ statistics: "true" })).body as { data: Row[] };
  const presenceOf = new Map(
    counted.map(({ keyword_id: id, occurrences, answers }) => [
      id,
      answers ? Number(occurrences) / Number(answers) : null,
    ]),
  );
  const values: Record<string, (row: Row) => string | number | null | undefined> = {
    prompt: (row) => row["keyword_text"],
    type: (row) => row["type"],
    topic: (row) => row["topic"],
    persona: (row) => row["persona"],
    presence: (row) => presenceOf.get(row["keyword_id"]),
    score: (row) => row["score"],
    SEARCH_A: (row) => row["search_a_seo_rank"],
    ASSISTANT_A: (row) => row["assistant_a_rank"],
  };
  for (const [column, value] of Object.entries(values)) {
    for (const way of [1, -1]) {
      const wanted = data.toSorted((a, b) => {
        const [left, right] = [value(a) ?? null, value(b) ?? null];
        if (left === null || right === null) return Number(left === null) - Number(right === null);
        return left === right ? 0 : left < right ? -way : way;
      });
      const pages: Row[] = [];
      for (const page of [1, 2, 3]) {
        const query = { sort_column: column, sort_direction: way === 1 ? "asc" : "desc", page_number: page };
        const { body } = await w.keywords({ ...query, rows_per_page: 2 });
        expect(body.total_count).toBe(data.length);
        pages.push(...(body.data as Row[]));
      }
      expect([column, way, pages]).toEqual([column, way, wanted]);
    }
  }
});

test("the default page has 1,000 rows, and the next one the others", async () => {
  await using w = await searchWorld();
  const { q, t } = openCommitted(w.store);
  const [known] = await q.select().from(t.questions);
  if (!known) throw new Error("the scene has no keyword");
  const more = Array.from({ length: 1000 }, (_, at) => ({
    ...known,
    id: uuid(10_000 + at),
    position: 100 + at,
    text: `best grinder ${at}`,
  }));
  await w.store.write((db) => db.bulkInsert(db.t.questions, more));
  const { data } = (await w.keywords()).body;
  const pages = [];
  for (const page of [1, 2, 3]) pages.push((await w.keywords({ page_number: page })).body);
  const all = { total_count: data.length };
  expect(pages).toEqual([
    { data: data.slice(0, 1000), ...all },
    { data: data.slice(1000), ...all },
    { data: [], ...all },
  ]);
  expect(data.length).toBeGreaterThan(1000);
});

test("ignores empty optional parameters", async () => {
  await using w = await searchWorld();
  const { body } = await w.keywords();
  const required = new Set(["client_id", "project_id", "sources", "thematics", "keyword_type"]);
  const optional = Object.keys(listKeywordsMetrics.input.shape).filter((field) => !required.has(field));
  expect((await w.keywords(Object.fromEntries(optional.map((field) => [field, ""])))).body).toEqual(body);
});

test("projects, their collects and filters provide all ids that metrics need", async () => {
  await using w = await searchWorld();
  const projects = await w.get("/api/v1/projects");
  expect(projects.body).toEqual({
    data: [
      {
        id: PROJECT,
        client_id: w.organization.id,
        workspace_id: w.workspace.id,
        name: "Project",
        status: "live",
        brand: { id: BRANDS.kestrova, name: "Kestrova" },
        created_at: "2026-11-21T08:00:00.000Z",
        updated_at: "2026-11-21T08:00:00.000Z",
      },
    ],
    next_cursor: null,
  });
  const collects = await w.get(`/api/v1/projects/${PROJECT}/collects`, { limit: 3 });
  expect(collects.body.data).toMatchObject([
    { id: COLLECTS.running, number: 4, status: "running", collection_methods: [] },
    { id: COLLECTS.third, number: 3, status: "completed", collection_methods: ["simulated"] },
    { id: COLLECTS.second, number: 2, status: "partial", collection_methods: ["simulated"] },
  ]);
  const rest = await w.get(`/api/v1/projects/${PROJECT}/collects`, { limit: 3, cursor: collects.body.next_cursor });
  expect(rest.body).toMatchObject({ data: [{ id: COLLECTS.first, number: 1 }], next_cursor: null });
  expect((await w.get(`/api/v1/projects/${PROJECT}/filters`)).body).toEqual({
    sources: ["SEARCH_A", "SEARCH_A_AIO", "ASSISTANT_A"],
    source_names: [
      { source: "SEARCH_A", name: "Bing" },
      { source: "SEARCH_A_AIO", name: "Bing AI answers" },
      { source: "ASSISTANT_A", name: "ChatGPT" },
    ],
    keyword_types: ["Generic", "Brand"],
    funnel_stages: ["ToFu", "MoFu", "BoFu"],
    thematics: [
      { id: FACETS.home, name: "Home" },
      { id: FACETS.work, name: "Work" },
    ],
    topics: [
      { id: FACETS.first, name: "First machine", thematic_id: FACETS.home },
      { id: FACETS.milk, name: "Milk drinks", thematic_id: FACETS.home },
      { id: FACETS.office, name: "Offices", thematic_id: FACETS.work },
    ],
    countries: [],
    personas: [{ id: PERSONA, name: "Beginner" }],
    strengths: [{ id: FACETS.foam, name: "Foam" }],
    weaknesses: [{ id: FACETS.loud, name: "Loud" }],
    related_products: [{ id: FACETS.grinder, name: "Grinder" }],
    sub_brands: [{ id: FACETS.line, name: "Pro line" }],
    brands: [
      brandFilter(BRANDS.absent, "Absent", "UNKNOWN"),
      brandFilter(uuid(15), "Elsewhere", "UNKNOWN"),
      brandFilter(BRANDS.kestrova, "Kestrova", "BRANDED_WEBSITE", { is_my_brand: true }),
      brandFilter(BRANDS.mini, "Kestrova Mini", "UNKNOWN", {
        kind: "product",
        parent_id: BRANDS.kestrova,
        is_my_brand: true,
      }),
      brandFilter(BRANDS.tavolino, "tavolino", "WIKI_ENCYCLOPEDIA"),
      brandFilter(BRANDS.eclair, "Éclair Café", "RETAIL_ECOMMERCE"),
    ],
  });
});

// Attack: a guest, or a key of one workspace, lists projects of workspaces without a role.
test("projects of a workspace that the caller has no role in are not listed, and a rival finds no organization", async () => {
  await using w = await searchWorld();
  const organizationId = w.organization.id;
  const guest = await w.signIn("guest@acme.test", { organizationId, role: "guest" });
  const address = w.address("/api/v1/projects", {});
  expect((await guest.get(address)).body).toEqual({ data: [], next_cursor: null });
  expect(await guest.get(w.address(`/api/v1/projects/${PROJECT}/filters`, {}))).toMatchObject({ status: 404 });
  const invited = { organizationId, role: "guest" as const, workspaceId: w.workspace.id };
  const reader = await w.signIn("reader@acme.test", { ...invited, workspaceRole: "viewer" });
  expect((await reader.get(address)).body.data).toMatchObject([{ id: PROJECT }]);
  const mallory = await w.signIn("mallory@rival.test");
  expect(await mallory.get(address)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
});

// Attack: a workspace key lists what its creator sees elsewhere in the organization.
test("a workspace key lists only that workspace's projects", async () => {
  await using w = await searchWorld();
  const organizationId = w.organization.id;
  const other = { id: uuid(60), name: "Other", createdAt: w.deps.now(), updatedAt: w.deps.now() };
  await w.store.write((db) => insertWorkspace({ db, organizationId }, other));
  const projects = async (workspaceId: string) => {
    const scope = { kind: "workspace", organization_id: organizationId, workspace_id: workspaceId };
    const key = await w.owner.post("/v1/api-keys", { name: "Narrow", ...scope });
    const token = await w.request("POST", "/v1/auth/token", { body: { api_key: key.body.api_key } });
    const headers = { authorization: `Bearer ${token.body.access_token}` };
    const { body } = await w.request("GET", w.address("/api/v1/projects", {}), { headers });
    return body.data.map((row: { id: string }) => row.id);
  };
  expect([await projects(w.workspace.id), await projects(other.id)]).toEqual([[PROJECT], []]);
});

test("a long response over several turns is complete, sorted, and filtered like a short one", async () => {
  await using w = await searchWorld();
  const more = Array.from({ length: 995 }, (_, index) => ({
    id: uuid(1000 + index),
    analysisId: PROJECT,
    position: KEYWORDS.length + index,
    text: `further keyword ${index}`,
    type: "Generic" as const,
    thematicId: FACETS.work,
    topicId: FACETS.office,
    intent: [],
  }));
  const few = (await w.keywords()).body.data;
  await w.store.write((db) => db.bulkInsert(db.t.questions, more));
  const answer = await w.keywords();
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(Object.keys(answer.body)).toEqual(["data"]);
  expect(answer.body.data).toEqual([
    ...few,
    ...more.map(({ id, text }) => ({
      keyword_id: id,
      keyword_text: text,
      thematic_name: "Work",
      topic: "Offices",
      type: "Generic",
      has_search_a_aio: false,
      has_search_b_aio: false,
    })),
  ]);
});
