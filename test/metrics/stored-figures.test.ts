import { expect, test } from "vitest";
import type { Source } from "../../core/sources/sources.ts";
import { insertScene, type SceneAnswer, type SceneCollect } from "../support/search-scene.ts";
import { world } from "../support/world.ts";

// tools/metric-reads/visibility/stored-figures.ts reads from stored sums what packed facts say,
// checked through the interface.

const idOf = (kind: number, at: number) => `00000000-0000-7000-8000-00000${kind}00000${at}`;
const PROJECT = idOf(9, 1);
const BRANDS = [1, 2, 3].map((at) => ({ id: idOf(1, at), name: ["Kestrova", "Morvane", "Zintel"][at - 1] ?? "" }));
const SOURCES: readonly Source[] = ["ASSISTANT_A", "ASSISTANT_B", "SEARCH_A"];

/** Answers of all sources to a collect's keywords, with one to three brands. */
function answersTo(keywords: readonly number[], collect: number): SceneAnswer[] {
  return keywords.flatMap((keyword) =>
    SOURCES.map((source, at) => ({
      keyword: idOf(2, keyword),
      source,
      method: "api" as const,
      places: BRANDS.slice(0, (keyword + at + collect) % 4).map(({ id }, place) => ({ brand_id: id, rank: place + 1 })),
    })),
  );
}

/** An analysis whose keyword 4 names the own brand. */
async function analysisWith(collects: Pick<SceneCollect, "answers">[]) {
  const w = await world();
  const { organization, workspace, owner } = await w.acme();
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  await w.store.write((db) =>
    insertScene(db, ids, {
      projectId: PROJECT,
      ownBrandId: BRANDS[0]?.id ?? "",
      brands: BRANDS,
      facets: [{ id: "all", kind: "topic", name: "All" }],
      keywords: [1, 2, 3, 4].map((at) => ({
        id: idOf(2, at),
        text: at === 4 ? "is Kestrova any good" : `best machine ${at}`,
        thematicId: "all",
        topicId: "all",
      })),
      collects: collects.map((collect, at) => ({ id: idOf(3, at + 1), number: at + 1, ...collect })),
    }),
  );
  const get = async (query: string) => {
    const { status, body } = await owner.get(`${workspace.path}/analyses/${PROJECT}/metrics/visibility?${query}`);
    expect(status).toBe(200);
    return body as { data: Record<string, unknown>[]; basis: { legend: string } };
  };
  return {
    get,
    /** Response from packed facts, which gaps between brands need. */
    async packed(query: string) {
      const { data, basis, ...rest } = await get(`${query}&versus=${BRANDS[1]?.id}`);
      return {
        ...rest,
        basis: { ...basis, legend: basis.legend.replace(/; gap = .*? cause not measured/, "") },
        data: data.map(({ gap: _gap, ...row }) => row),
      };
    },
    /** Removes everything but stored sums. */
    loseFacts: () => w.store.write(({ q, t }) => q.update(t.collectFacts).set({ facts: Buffer.alloc(0) })),
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

const GROUPS = ["source", "collect", "source&group_by=brand", "collect&group_by=source"];
const FILTERS = ["", "&sources=ASSISTANT_B", "&keyword_types=Generic"];

test("stored sums give the rows and basis of packed facts, even if collects have different keywords", async () => {
  // Fault: every request unpacked the places of all its answers, and of every collect of a series.
  const complete = [1, 2, 3].map((collect) => ({ answers: answersTo([1, 2, 3, 4], collect) }));
  const partial = [[1, 2], [2, 3, 4], [3]].map((keywords, at) => ({ answers: answersTo(keywords, at) }));
  const byDomain = [complete[0], { answers: answersTo([1, 2], 5).filter(({ source }) => source === "SEARCH_A") }];
  for (const collects of [complete, partial, byDomain.flatMap((one) => one ?? [])]) {
    await using analysis = await analysisWith(collects);
    const expected = new Map<string, unknown>();
    for (const group of GROUPS) {
      for (const filter of FILTERS) {
        const query = `group_by=${group}${filter}`;
        const packed = await analysis.packed(query);
        expect({ query, ...(await analysis.get(query)) }).toEqual({ query, ...packed });
        if (collects === complete) expected.set(query, packed);
      }
    }
    await analysis.loseFacts();
    for (const [query, packed] of expected) expect(await analysis.get(query)).toEqual(packed);
  }
});
