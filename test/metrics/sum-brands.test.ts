import { expect, test } from "vitest";
import { insertScene, type Scene, type SceneAnswer } from "../support/search-scene.ts";
import { world } from "../support/world.ts";

// Which answers tools/metric-reads/selection/sum-brands.ts counts together, through the interface.

const PROJECT = "00000000-0000-7000-8000-000000000001";
const OWN = "00000000-0000-7000-8000-000000000010";
const RIVAL = "00000000-0000-7000-8000-000000000011";

/** A collect with answers to three keywords, the last one Generic and naming the own brand. */
async function measured(answers: SceneAnswer[]) {
  const w = await world();
  const { organization, workspace, owner } = await w.acme();
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  const scene: Scene = {
    projectId: PROJECT,
    ownBrandId: OWN,
    competitorIds: [RIVAL],
    brands: [
      { id: OWN, name: "Kestrova", aliases: [{ text: "Kestro", case_sensitive: false }], relationship: "mine" },
      { id: RIVAL, name: "Tavolino", relationship: "competitor" },
    ],
    facets: [
      { id: "thematic", kind: "thematic", name: "Home" },
      { id: "topic", kind: "topic", name: "All", parentId: "thematic" },
    ],
    keywords: ["best machine", "machine for two", "kestro or another"].map((text, at) => ({
      id: `k${at}`,
      text,
      thematicId: "thematic",
      topicId: "topic",
    })),
    collects: [{ id: "00000000-0000-7000-8000-000000000051", number: 1, answers }],
  };
  await w.store.write((db) => insertScene(db, ids, scene));
  const get = async (path: string, query: string) =>
    (await owner.get(`/api/v1/${path}?client_id=${organization.id}&project_id=${PROJECT}&${query}`)).body;
  return {
    /** Row of the own brand with its basis. */
    async own(query = "") {
      const { data, basis } = await get("top-brands", query);
      const row = data.find((one: { is_my_brand: boolean }) => one.is_my_brand);
      return { total: row?.total, occurrences: row?.occurrences, rate: row?.presence_rate, basis };
    },
    get,
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

const first = { brand_id: OWN, rank: 1 };

test("fault: a brand in 5 of 50 answers was present in all, because answers without brands were excluded", async () => {
  const answers = Array.from({ length: 50 }, (_, nth): SceneAnswer => {
    return { keyword: "k0", source: "ASSISTANT_A", run: nth + 1, places: nth < 5 ? [first] : [] };
  });
  await using s = await measured(answers);
  expect(await s.own()).toMatchObject({
    total: 50,
    occurrences: 5,
    rate: 0.1,
    basis: { answers: 50, informative: 5, prompts: 1, runs_per_prompt: { least: 50, most: 50 } },
  });
});

test("fault: nine simulated sources outweighed the real one; only its answers count, and the others on request", async () => {
  const invented = (["ASSISTANT_B", "ASSISTANT_C", "ASSISTANT_D"] as const).flatMap((source) =>
    [1, 2, 3].map((run): SceneAnswer => ({ keyword: "k0", source, run, places: [first] })),
  );
  await using s = await measured([
    { keyword: "k0", source: "ASSISTANT_A", method: "api" },
    { keyword: "k1", source: "ASSISTANT_A", method: "api", places: [first] },
    ...invented,
  ]);
  const counted = {
    total: 2,
    rate: 0.5,
    basis: { kind: "collected", answers: 2, left_out: 9, collection_methods: ["api"] },
  };
  expect(await s.own()).toMatchObject(counted);
  expect((await s.own()).basis.legend).toContain("9 simulated answers are not counted");
  // Equal from packed facts.
  expect(await s.own("thematics=Home")).toMatchObject(counted);
  const simulated = { total: 9, rate: 1, basis: { kind: "simulated", left_out: 2, collection_methods: ["simulated"] } };
  expect(await s.own("kind=simulated")).toMatchObject(simulated);
  expect(await s.own("kind=simulated&thematics=Home")).toMatchObject(simulated);
  // A selection with only simulated answers counts them.
  expect(await s.own("sources=ASSISTANT_B")).toMatchObject({ total: 3, basis: { kind: "simulated", left_out: 0 } });
  const keywords = await s.get("keywords-metrics", "sources=&thematics=&keyword_type=");
  expect(keywords.basis).toMatchObject({ kind: "collected", answers: 2, left_out: 9 });
});

test("fault: a Generic keyword with the own brand counted in headline metrics; it counts only for Generic", async () => {
  await using s = await measured([
    { keyword: "k0", source: "ASSISTANT_A" },
    { keyword: "k1", source: "ASSISTANT_A" },
    { keyword: "k2", source: "ASSISTANT_A", places: [first] },
  ]);
  // From stored sums, and from packed facts.
  for (const query of ["", "thematics=Home"]) {
    expect(await s.own(query)).toMatchObject({ total: 2, occurrences: 0, basis: { prompts: 2 } });
    expect(await s.own(`${query}&keyword_type=Generic`)).toMatchObject({ total: 3, occurrences: 1 });
    expect(await s.own(`${query}&keyword_type=Generic&keyword_type=Brand`)).toMatchObject({ total: 3, occurrences: 1 });
    expect(await s.own(`${query}&keyword_type=Brand`)).toMatchObject({ total: undefined, basis: { answers: 0 } });
  }
});

test("fault: an overview that was not shown counted as an answer, or was forgotten; it is counted apart", async () => {
  await using s = await measured([
    { keyword: "k0", source: "SEARCH_A_AIO", places: [first] },
    { keyword: "k1", source: "SEARCH_A_AIO", shown: false, text: "" },
    { keyword: "k1", source: "SEARCH_A_AIO", run: 2, shown: false, text: "" },
  ]);
  expect(await s.own()).toMatchObject({ total: 1, rate: 1, basis: { answers: 1, not_shown: 2, prompts: 1 } });
  expect(await s.own("thematics=Home")).toMatchObject({ total: 1, rate: 1, basis: { answers: 1, not_shown: 2 } });
});

test("sums result pages with answers only on request, and the basis states how presence is determined", async () => {
  await using s = await measured([
    { keyword: "k0", source: "ASSISTANT_A", places: [first] },
    { keyword: "k0", source: "SEARCH_A" },
  ]);
  const byName = { source: "ASSISTANT_A", presence: "name", answers: 1 };
  const byDomain = { source: "SEARCH_A", presence: "domain", answers: 1 };
  expect(await s.own()).toMatchObject({ total: 1, rate: 1, basis: { sources: [byName] } });
  expect(await s.own("sources=SEARCH_A")).toMatchObject({ total: 1, rate: 0, basis: { sources: [byDomain] } });
  const both = "sources=SEARCH_A&sources=ASSISTANT_A";
  expect(await s.own(both)).toMatchObject({ total: 2, rate: 0.5, basis: { sources: [byDomain, byName] } });
});

test("a brand that is only cited, and named nowhere, has no row", async () => {
  await using s = await measured([
    { keyword: "k0", source: "ASSISTANT_A", citedBrands: [OWN, RIVAL], places: [first] },
  ]);
  const { data } = await s.get("top-brands", "");
  // Compared brands always have a row.
  expect(data).toMatchObject([
    { brand: "Kestrova", occurrences: 1 },
    { brand: "Tavolino", occurrences: 0, presence_rate: 0 },
  ]);
});
