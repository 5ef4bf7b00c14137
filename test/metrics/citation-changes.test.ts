import { expect, test } from "vitest";
import { insertScene, type SceneAnswer } from "../support/search-scene.ts";
import { world } from "../support/world.ts";

const uuid = (kind: number, nth: number) => `00000000-0000-7000-800${kind}-${String(nth).padStart(12, "0")}`;
const [PROJECT, OWN, THEMATIC, TOPIC] = [uuid(0, 1), uuid(0, 2), uuid(0, 3), uuid(0, 4)];
/** Brand and site that are in the same answers. */
const PAIRS = [
  { brandId: uuid(1, 1), name: "Steady", site: "steady.example" },
  { brandId: uuid(1, 2), name: "Rising", site: "rising.example" },
] as const;
const [STEADY, RISING] = PAIRS;
const PROMPTS = Array.from({ length: 24 }, (_, at) => ({ id: uuid(2, at), text: `prompt ${at}`, at }));

/** All answers cite a page; `Rising` and its site are in 2 of 24 prompts before, and in 20 after. */
function answersOf(run: number): SceneAnswer[] {
  return PROMPTS.map(({ id: keyword, at }) => {
    const pairs = [...(at % 3 === 0 ? [STEADY] : []), ...(at < (run === 1 ? 2 : 20) ? [RISING] : [])];
    return {
      id: uuid(3, run * 100 + at),
      keyword,
      source: "ASSISTANT_A",
      places: pairs.map(({ brandId }, index) => ({ brand_id: brandId, rank: index + 1 })),
      urls: ["https://common.example/best-tools", ...pairs.map(({ site }) => `https://${site}/`)],
      read: at === 1 ? ["https://steady.example/", "https://read.example/docs/a"] : [],
    };
  });
}

async function scene() {
  const w = await world();
  const { organization, workspace, owner } = await w.acme();
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  await w.store.write(async (db) => {
    await insertScene(db, ids, {
      projectId: PROJECT,
      ownBrandId: OWN,
      competitorIds: PAIRS.map(({ brandId }) => brandId),
      brands: [{ id: OWN, name: "Own" }, ...PAIRS.map(({ brandId: id, name }) => ({ id, name }))],
      facets: [
        { id: THEMATIC, kind: "thematic", name: "All" },
        { id: TOPIC, kind: "topic", name: "All", parentId: THEMATIC },
      ],
      keywords: PROMPTS.map(({ id, text }) => ({ id, text, thematicId: THEMATIC, topicId: TOPIC })),
      collects: [1, 2].map((number) => ({ id: uuid(4, number), number, answers: answersOf(number) })),
    });
    // State after a run's completion, which the scene skips.
    await db.q.update(db.t.collects).set({ summedVersion: "1.1" });
  });
  const path = `${workspace.path}/analyses/${PROJECT}/metrics`;
  const rows = async (query: string) => (await owner.get(`${path}/${query}`)).body.data as Record<string, unknown>[];
  return { rows, [Symbol.asyncDispose]: () => w[Symbol.asyncDispose]() };
}

test("the change of a site's share is that of a brand in the same answers, verdict included", async () => {
  await using s = await scene();
  const brands = await s.rows(
    `visibility?statistics=true&${PAIRS.map(({ brandId }) => `brands=${brandId}`).join("&")}`,
  );
  const changes = new Map(brands.map(({ brand_id, change }) => [brand_id, change]));
  expect(changes.get(RISING.brandId)).toMatchObject({ verdict: "moved", before: 0.083333, after: 0.833333 });
  const pairs = "&competitor_types=UNKNOWN";
  for (const query of [`citations?statistics=true${pairs}`, `citations?statistics=true&group_by=page${pairs}`]) {
    const rows = await s.rows(query);
    for (const { site, brandId } of PAIRS) {
      const row = rows.find(({ domain }) => domain === site);
      // A third row, without differences, is judged too.
      expect([site, withoutP(row?.["change"])]).toEqual([site, withoutP(changes.get(brandId))]);
    }
  }
  const [unjudged] = await s.rows("citations?statistics=true&group_by=keyword&group_by=domain");
  expect(unjudged).toMatchObject({ keyword: expect.any(String), change: null });
  const series = await s.rows(`citations?statistics=true&group_by=collect&domain=${RISING.site}`);
  expect(series.map(({ collect, answers, change }) => [collect, answers, change && (change as Change).delta])).toEqual([
    [1, 2, null],
    [2, 20, 0.75],
  ]);
});

interface Change {
  delta: number;
}

function withoutP(change: unknown): object {
  const { p: _, ...rest } = change as Record<string, unknown>;
  return rest;
}

test("the role says whether a site is cited, read without being cited, or both", async () => {
  await using s = await scene();
  const roles = async (query: string) =>
    (await s.rows(`citations?${query}`)).map(({ domain, answers, role, position }) => [
      domain,
      answers,
      role,
      position,
    ]);
  expect(await roles("")).toEqual([
    ["common.example", 24, "cited", 1],
    ["rising.example", 20, "cited", 2.35],
    ["steady.example", 8, "both", 2],
  ]);
  expect(await roles("pages=retrieved")).toEqual([
    ["read.example", 1, "retrieved", 2],
    ["steady.example", 1, "both", 1],
  ]);
  const single = await s.rows("citations?pages=retrieved&group_by=none");
  expect(single.map(({ domain, page_type, role, position }) => [domain, page_type, role, position])).toEqual([
    ["steady.example", "home_page", "retrieved", 1],
    ["read.example", "how_to", "retrieved", 2],
  ]);
});
