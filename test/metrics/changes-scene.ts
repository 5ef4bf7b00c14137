import { insertScene, type SceneAnswer } from "../support/search-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

const PROJECT = "00000000-0000-7000-8000-000000000001";
export const idOf = (nth: number) => `00000000-0000-7000-8000-0000000001${String(nth).padStart(2, "0")}`;
export const promptId = (nth: number) => `00000000-0000-7000-8000-0000000002${String(nth).padStart(2, "0")}`;
export const COLLECTS = [idOf(50), idOf(51), idOf(52)] as const;
export const PROMPTS = 30;

/**
 * Prompts of 30 with each brand, before and after: some unchanged, some slightly, some clearly; all
 * count as a drift.
 */
export const NAMED = [
  [12, 12],
  [8, 26],
  [10, 19],
  [20, 12],
  [15, 17],
  [9, 9],
  [22, 20],
  [4, 11],
  [28, 10],
  [0, 0],
] as const;

/** One answer per prompt. Every second brand is named in other prompts than before. */
export function answersOf(side: 0 | 1): SceneAnswer[] {
  return Array.from({ length: PROMPTS }, (_, prompt) => {
    const named = NAMED.flatMap((counts, brand) => {
      const shift = brand % 2 === 1 ? 9 * side : 0;
      return (prompt * 7 + brand * 11 + shift) % PROMPTS < counts[side] ? [brand] : [];
    });
    const places = named.map((brand, at) => ({ brand_id: idOf(brand), rank: at + 1 }));
    return { keyword: promptId(prompt), source: "ASSISTANT_A", places };
  });
}

export interface Change {
  verdict: string;
  baseline: string;
  before: number | null;
  after: number | null;
  delta: number | null;
  ci_low: number | null;
  ci_high: number | null;
  p: number | null;
  left_out: { one_side_only: number };
}

export interface Row {
  brand: string;
  visibility_score: number;
  share_of_voice: number;
  citations: number;
  citation_rate: number;
  previous: number | null;
  ci_low: number;
  ci_high: number;
  change: Change | null;
  gap?: Record<string, unknown> & { verdict: string };
  keyword?: string;
  presence_rate: number;
  occurrences: number;
  previous_occurrences?: number;
}

/** Collects of an analysis, a day apart. */
export async function changed(...collects: SceneAnswer[][]) {
  const w = await world();
  const { organization, workspace, owner } = await w.acme();
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  const keywords = Array.from({ length: PROMPTS }, (_, at) => {
    return { id: promptId(at), text: `prompt ${at}`, thematicId: "thematic", topicId: "topic" };
  });
  await w.store.write(async (db) => {
    await insertScene(db, ids, {
      projectId: PROJECT,
      ownBrandId: idOf(0),
      competitorIds: NAMED.map((_, brand) => idOf(brand)).slice(1),
      brands: NAMED.map((_, brand) => ({ id: idOf(brand), name: `Brand ${brand}` })),
      facets: [
        { id: "thematic", kind: "thematic", name: "Home" },
        { id: "topic", kind: "topic", name: "All", parentId: "thematic" },
      ],
      keywords,
      collects: collects.map((answers, at) => ({ id: COLLECTS[at] ?? "", number: at + 1, answers })),
    });
    // State after a collect's completion, which the scene skips.
    await db.q.update(db.t.collects).set({ summedVersion: "1.1" });
  });
  const topBrands = `/api/v1/top-brands?client_id=${organization.id}&project_id=${PROJECT}`;
  const visibility = `${workspace.path}/analyses/${PROJECT}/metrics/visibility`;
  return {
    /** Every row of get_visibility, read in pages of `size`. */
    async rows(query: string, size = 100): Promise<Row[]> {
      const rows: Row[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const next = cursor === "" ? "" : `&cursor=${cursor}`;
        const { body } = await owner.get(`${visibility}?limit=${size}&${query}${next}`);
        rows.push(...body.data);
        cursor = body.next_cursor;
      }
      return rows;
    },
    /** list_top_brands returns equal values. */
    async topRows(query: string, size: number): Promise<Row[]> {
      const rows: Row[] = [];
      for (let page = 1; ; page += 1) {
        const { body } = await owner.get(`${topBrands}&rows_per_page=${size}&page_number=${page}&${query}`);
        rows.push(...body.data);
        if (rows.length >= body.total_count) return rows;
      }
    },
    /** Response of get_visibility. */
    visibility: (query: string) => owner.get(`${visibility}?${query}`),
    /** Result of a tool about the analysis. */
    async tool(name: string, given: Record<string, unknown> = {}) {
      const { token } = await mintToolToken(w, owner);
      await using client = await CLIENTS["SDK 2, auto"]?.(w.config.mcpUrl, { token });
      if (!client) throw new Error("no client");
      const place = name === "get_visibility" ? { workspace: workspace.id } : {};
      return await client.call(name, { organization: organization.id, ...place, analysis: PROJECT, ...given });
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}
