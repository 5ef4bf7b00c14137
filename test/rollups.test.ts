import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { and, eq, inArray } from "drizzle-orm";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openFacts, packFacts } from "../core/measuring/collect-facts.ts";
import { rankWeight, type Sums } from "../core/measuring/metrics.ts";
import { KEYWORD_TYPES, type Source } from "../core/sources.ts";
import { sumFacts, sumFactsInParts } from "../core/measuring/sum-facts.ts";
import { writeRollups } from "../db/measuring/rollups.ts";
import { openStore } from "../db/engine/open-store.ts";
import type { Store } from "../db/engine/store.ts";
import { insertOwner, insertScene, type Scene, type SceneAnswer } from "./search-scene.ts";
import { committed } from "./committed.ts";

const SOURCES = ["SEARCH_A", "ASSISTANT_A", "ASSISTANT_B"] as const;
const BRANDS = ["b0", "b1", "b2", "b3"];
const KEYWORDS = 7;
const OWNER = { organizationId: "o", workspaceId: "w", userId: "u" };

const place = fc.record({ brand_id: fc.constantFrom(...BRANDS), rank: fc.integer({ min: 1, max: 12 }) });
const answer = fc.record({
  keyword: fc.integer({ min: 0, max: KEYWORDS - 1 }).map((index) => `k${index}`),
  source: fc.constantFrom(...SOURCES),
  run: fc.integer({ min: 1, max: 3 }),
  eligible: fc.boolean(),
  places: fc.uniqueArray(
    place.chain((at) => fc.integer({ min: 1, max: 300 }).map((mentions) => ({ ...at, mentions }))),
    { selector: (at) => at.brand_id },
  ),
});
const answers = fc.uniqueArray(answer, {
  maxLength: 60,
  selector: ({ keyword, source, run }) => `${keyword} ${source} ${run}`,
});

function sceneOf(collects: SceneAnswer[][]): Scene {
  return {
    projectId: "p",
    ownBrandId: "b0",
    brands: BRANDS.map((id) => ({ id, name: id })),
    facets: [
      { id: "thematic", kind: "thematic", name: "Thematic" },
      { id: "topic", kind: "topic", name: "Topic" },
    ],
    keywords: Array.from({ length: KEYWORDS }, (_, index) => ({
      id: `k${index}`,
      text: `keyword ${index}`,
      thematicId: "thematic",
      topicId: "topic",
      type: index % 3 === 0 ? "Brand" : "Generic",
    })),
    collects: collects.map((own, index) => ({ id: `c${index + 1}`, number: index + 1, answers: own })),
  };
}

/** The definitions of measurement.md section 2, read off the answers themselves. */
function naiveSums(selected: SceneAnswer[]): Sums {
  const eligible = selected.filter((one) => one.eligible);
  const brands: Sums["brands"] = new Map();
  for (const id of BRANDS) {
    const seen = eligible.flatMap(({ keyword, places }) =>
      (places ?? []).filter(({ brand_id }) => brand_id === id).map((at) => ({ ...at, keyword })),
    );
    if (seen.length === 0) continue;
    brands.set(id, {
      occurrences: seen.length,
      total_mentions: seen.reduce((sum, { mentions = 0 }) => sum + mentions, 0),
      nb_keywords: new Set(seen.map(({ keyword }) => keyword)).size,
      rank_sum: seen.reduce((sum, { rank }) => sum + rank, 0),
      weight_sum: seen.reduce((sum, { rank }) => sum + rankWeight(rank), 0),
    });
  }
  return { total: eligible.length, brands };
}

async function storedSums(store: Store, collectId: string, source: Source | "ALL"): Promise<Sums> {
  const { q, t } = committed(store);
  const totals = await q
    .select()
    .from(t.collectTotals)
    .where(and(eq(t.collectTotals.collectId, collectId), eq(t.collectTotals.source, source)));
  const rows = await q
    .select()
    .from(t.brandRollups)
    .where(and(eq(t.brandRollups.collectId, collectId), eq(t.brandRollups.source, source)));
  const brands: Sums["brands"] = new Map();
  for (const row of rows) {
    const sum = brands.get(row.brandId);
    brands.set(row.brandId, {
      occurrences: row.occurrences + (sum?.occurrences ?? 0),
      total_mentions: row.totalMentions + (sum?.total_mentions ?? 0),
      nb_keywords: row.keywordCount + (sum?.nb_keywords ?? 0),
      rank_sum: row.rankSum + (sum?.rank_sum ?? 0),
      weight_sum: row.weightSum + (sum?.weight_sum ?? 0),
    });
  }
  return { total: totals.reduce((sum, row) => sum + row.total, 0), brands };
}

async function packedSums(store: Store, collectIds: string[], sources: Source[], keywords: Set<string>) {
  const { q, t } = committed(store);
  const rows = await q
    .select({ facts: t.collectFacts.facts })
    .from(t.collectFacts)
    .where(and(inArray(t.collectFacts.collectId, collectIds), inArray(t.collectFacts.source, sources)));
  const mask = Uint8Array.from({ length: KEYWORDS }, (_, index) => (keywords.has(`k${index}`) ? 1 : 0));
  return sumFacts(
    rows.map((row) => openFacts(row.facts)),
    mask,
  );
}

/** Sums of weights differ in their last digits with the order of addition. */
function comparable({ total, brands }: Sums) {
  const rows = [...brands].map(([id, sum]) => ({ id, ...sum, weight_sum: sum.weight_sum.toFixed(9) }));
  return { total, brands: rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
}

test("rollups, packed facts and the answers themselves give the same sums, for any selection", async () => {
  await fc.assert(
    fc.asyncProperty(
      answers,
      answers,
      fc.subarray([...SOURCES], { minLength: 1 }),
      fc.uniqueArray(fc.integer({ min: 0, max: KEYWORDS - 1 }).map((index) => `k${index}`)),
      async (first, second, sources, keywords) => {
        await using opened = await openTemporaryStore();
        const { store } = opened;
        await store.write(async (db) => {
          await insertOwner(db, OWNER);
          await insertScene(db, OWNER, sceneOf([first, second]));
        });
        for (const source of SOURCES) {
          const expected = naiveSums(first.filter((one) => one.source === source));
          expect(comparable(await storedSums(store, "c1", source))).toEqual(comparable(expected));
        }
        expect(comparable(await storedSums(store, "c1", "ALL"))).toEqual(comparable(naiveSums(first)));

        const chosen = new Set(keywords);
        const inSelection = (one: SceneAnswer) =>
          chosen.has(one.keyword) && sources.some((name) => name === one.source);
        const union = await packedSums(store, ["c1", "c2"], sources, chosen);
        expect(comparable(union)).toEqual(comparable(naiveSums([...first, ...second].filter(inSelection))));
      },
    ),
    { seed: 20_261_121, numRuns: 25 },
  );
});

test("writing the rollups of a collect again changes nothing, and only that collect is touched", async () => {
  await using opened = await openTemporaryStore();
  const { store } = opened;
  const [first = [], second = []] = fc.sample(answers, { seed: 7, numRuns: 2 });
  await store.write(async (db) => {
    await insertOwner(db, OWNER);
    await insertScene(db, OWNER, sceneOf([first, second]));
  });
  const everything = async () => {
    const { q, t } = committed(store);
    return {
      totals: await q.select().from(t.collectTotals),
      rollups: await q.select().from(t.brandRollups),
      facts: await q.select().from(t.collectFacts),
      channels: await q.select().from(t.keywordChannels),
    };
  };
  const before = await everything();
  expect(before.totals.map(({ keywordType }) => keywordType)).toEqual(expect.arrayContaining([...KEYWORD_TYPES]));
  await store.write(async (db) => writeRollups(db, { id: "c1", analysisId: "p" }));
  const after = await everything();
  for (const table of ["totals", "rollups", "facts", "channels"] as const) {
    expect(sorted(after[table])).toEqual(sorted(before[table]));
  }
});

function sorted(rows: object[]): string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

async function openTemporaryStore() {
  const folder = await mkdtemp(join(tmpdir(), "rollups-"));
  const store = await openStore(folder);
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

test("sums over several collects give others their turn, and are the same in parts as at once", () => {
  // Attack: have years of collects summed as one, while nothing else is answered.
  const rows = Array.from({ length: 3000 }, (_, keyword) => {
    return { keyword, brandId: `b${keyword % 7}`, rank: 1 + (keyword % 5), occurrences: 1, mentions: 2 };
  });
  const brandIds = Array.from({ length: 7 }, (_, nth) => `b${nth}`);
  const facts = openFacts(
    packFacts(
      rows.map(() => 1),
      rows,
      brandIds,
    ),
  );
  const all = Array.from({ length: 48 }, () => facts);
  const summing = sumFactsInParts(all, null);
  let turns = 0;
  let part = summing.next();
  for (; !part.done; part = summing.next()) turns++;
  expect(turns).toBeGreaterThanOrEqual(10);
  expect(part.value).toEqual(sumFacts(all, null));
});
