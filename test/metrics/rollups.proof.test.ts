import { createFamilies } from "../../core/metrics/share-of-voice.ts";
import { and, eq, inArray } from "drizzle-orm";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { unpackFacts, packFacts } from "../../core/metrics/facts/collect-facts.ts";
import { computeRankWeight, type BrandSums, type Sums } from "../../core/metrics/metrics.ts";
import { addSums, unpackSums } from "../../core/metrics/packed-sums.ts";
import { KEYWORD_CLASSES, type Source, type SummedMethod } from "../../core/sources/sources.ts";
import { countAnswers, sumFacts, sumFactsInSteps } from "../../core/metrics/facts/sum-facts.ts";
import { listCountedPositions, groupPositionsByPrompt } from "../../core/metrics/prompt-clusters.ts";
import { writeRollups, insertOwner, insertScene, type Scene, type SceneAnswer } from "../support/search-scene.ts";
import type { Store } from "../../db/engine/store.ts";
import { openCommitted } from "../support/committed.ts";
import { temporaryStore } from "../db/temporary-store.ts";

const SOURCES = ["SEARCH_A", "ASSISTANT_A", "ASSISTANT_B"] as const;
const BRANDS = ["b0", "b1", "b2", "b3"];
const KEYWORDS = 7;
/** Methods of the analysis; the first one counts. */
const METHODS = ["capture", "api"] as const;
/** All brands are families, by number. */
const FAMILIES = createFamilies([1, 2, 3, 4]);
const OWNER = { organizationId: "o", workspaceId: "w", userId: "u" };

const place = fc.record({
  brand_id: fc.constantFrom(...BRANDS),
  rank: fc.integer({ min: 1, max: 12 }),
  brand_rank: fc.integer({ min: 1, max: 12 }),
});
const answer = fc
  .record({
    keyword: fc.integer({ min: 0, max: KEYWORDS - 1 }).map((index) => `k${index}`),
    source: fc.constantFrom(...SOURCES),
    run: fc.integer({ min: 1, max: 3 }),
    shown: fc.boolean(),
    citedBrands: fc.subarray(BRANDS),
    method: fc.constantFrom("api" as const, "capture" as const, "simulated" as const),
    places: fc.uniqueArray(
      place.chain((at) => fc.integer({ min: 1, max: 300 }).map((mentions) => ({ ...at, mentions }))),
      { selector: (at) => at.brand_id },
    ),
  })
  // Nothing is extracted if nothing was shown.
  .map((one) => (one.shown ? one : { ...one, places: [], citedBrands: [] }));
const answers = fc.uniqueArray(answer, {
  maxLength: 60,
  selector: ({ keyword, source, run, method }) => `${keyword} ${source} ${run} ${method}`,
});

function sceneOf(collects: SceneAnswer[][]): Scene {
  return {
    projectId: "p",
    setup: { methods: METHODS },
    ownBrandId: "b0",
    brands: BRANDS.map((id) => ({ id, name: id })),
    facets: [
      { id: "thematic", kind: "thematic", name: "Thematic" },
      { id: "topic", kind: "topic", name: "Topic" },
    ],
    keywords: Array.from({ length: KEYWORDS }, (_, index) => ({
      id: `k${index}`,
      // Names the own brand, which has number 1.
      text: index === 1 ? "is b0 any good" : `keyword ${index}`,
      thematicId: "thematic",
      topicId: "topic",
      type: index % 3 === 0 ? "Brand" : "Generic",
    })),
    collects: collects.map((own, index) => ({ id: `c${index + 1}`, number: index + 1, answers: own })),
  };
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** The definitions of measurement.md sections 2 and 3, read off the answers themselves. */
function naiveSums(...collects: SceneAnswer[][]): Sums {
  const selected = collects.flat();
  const shown = selected.filter((one) => one.shown);
  const clusters = [...new Set(shown.map(({ keyword }) => keyword))].map((keyword) => {
    return shown.filter((one) => one.keyword === keyword);
  });
  const weightsOf = (own: SceneAnswer[]) =>
    sum(own.flatMap(({ places = [] }) => places.map(({ rank }) => computeRankWeight(rank))));
  const runs = collects.flatMap((own) => {
    const keys = own.filter((one) => one.shown).map(cellOf);
    return [...new Set(keys)].map((key) => keys.filter((other) => other === key).length);
  });
  const brands = new Map<number, BrandSums>();
  for (const [index, id] of BRANDS.entries()) {
    const each = clusters.map((own) => {
      const seen = own.flatMap(({ places = [] }) => places.filter(({ brand_id }) => brand_id === id));
      return {
        n: own.length,
        x: seen.length,
        t: seen.filter(({ rank }) => rank <= 3).length,
        w: sum(seen.map(({ rank }) => computeRankWeight(rank))),
        r: sum(seen.map(({ rank }) => rank)),
        b: sum(seen.map(({ brand_rank = 0 }) => brand_rank)),
        mentions: sum(seen.map(({ mentions = 0 }) => mentions)),
        v: weightsOf(own),
        c: own.filter(({ citedBrands = [] }) => citedBrands.includes(id)).length,
      };
    });
    if (each.every(({ x, c }) => x + c === 0)) continue;
    brands.set(index + 1, {
      occurrences: sum(each.map(({ x }) => x)),
      total_mentions: sum(each.map(({ mentions }) => mentions)),
      nb_keywords: each.filter(({ x }) => x > 0).length,
      full_keywords: each.filter(({ x, n }) => x === n).length,
      top_3_keywords: each.filter(({ t }) => t > 0).length,
      full_top_3_keywords: each.filter(({ t, n }) => t === n).length,
      first_keywords: each.filter(({ x, r, n }) => x === n && r === n).length,
      only_keywords: each.filter(({ w, v }) => w > 0 && Math.abs(v - w) < 1e-9).length,
      cited: sum(each.map(({ c }) => c)),
      rank_sum: sum(each.map(({ r }) => r)),
      brand_rank_sum: sum(each.map(({ b }) => b)),
      top_3: sum(each.map(({ t }) => t)),
      weight_sum: sum(each.map(({ w }) => w)),
      xx: sum(each.map(({ x }) => x * x)),
      xn: sum(each.map(({ x, n }) => x * n)),
      tt: sum(each.map(({ t }) => t * t)),
      tn: sum(each.map(({ t, n }) => t * n)),
      ww: sum(each.map(({ w }) => w * w)),
      wn: sum(each.map(({ w, n }) => w * n)),
      wv: sum(each.map(({ w, v }) => w * v)),
      rr: sum(each.map(({ r }) => r * r)),
      rx: sum(each.map(({ r, x }) => r * x)),
      cited_keywords: each.filter(({ c }) => c > 0).length,
      full_cited_keywords: each.filter(({ c, n }) => c === n).length,
      cc: sum(each.map(({ c }) => c * c)),
      cn: sum(each.map(({ c, n }) => c * n)),
    });
  }
  return {
    total: shown.length,
    not_shown: selected.length - shown.length,
    informative: shown.filter(({ places = [] }) => places.length > 0).length,
    keywords: clusters.length,
    runs_least: runs.length === 0 ? 0 : Math.min(...runs),
    runs_most: Math.max(0, ...runs),
    nn: sum(clusters.map(({ length }) => length * length)),
    voice: sum(clusters.map(weightsOf)),
    vv: sum(clusters.map((own) => weightsOf(own) ** 2)),
    brands,
  };
}

async function storedSums(store: Store, of: { source: Source | "ALL"; method: SummedMethod }): Promise<Sums> {
  const { q, t } = openCommitted(store);
  const { collectId, source, method } = t.collectSums;
  const rows = await q
    .select({ sums: t.collectSums.sums })
    .from(t.collectSums)
    .where(and(eq(collectId, "c1"), eq(source, of.source), eq(method, of.method)));
  return addSums(rows.map(({ sums }) => unpackSums(sums)));
}

async function packedSums(store: Store, collectIds: string[], sources: Source[], keywords: Set<string>) {
  const { q, t } = openCommitted(store);
  const rows = await q
    .select({ facts: t.collectFacts.facts })
    .from(t.collectFacts)
    .where(and(inArray(t.collectFacts.collectId, collectIds), inArray(t.collectFacts.source, sources)));
  const mask = Uint8Array.from({ length: KEYWORDS }, (_, index) => (keywords.has(`k${index}`) ? 1 : 0));
  const facts = rows.map((row) => unpackFacts(row.facts));
  const prompts = groupPositionsByPrompt(listCountedPositions(facts, mask), null);
  const sums = sumFacts(facts, prompts, FAMILIES);
  expect(sums).toMatchObject(countAnswers(facts, prompts));
  return sums;
}

function cellOf({ keyword, source, method }: SceneAnswer): string {
  return `${keyword} ${source} ${method}`;
}

function nine(sums: object) {
  return JSON.parse(JSON.stringify(sums, (_, value) => (typeof value === "number" ? value.toFixed(9) : value)));
}

/** Sums of weights differ in their last digits with the order of addition. */
function comparable({ brands, ...common }: Sums) {
  const rows = [...brands].toSorted(([a], [b]) => a - b).map(([number, sums]) => ({ number, ...nine(sums) }));
  return { ...nine(common), brands: rows };
}

test("rollups, packed facts and answers give equal sums for any selection", async () => {
  await fc.assert(
    fc.asyncProperty(
      answers,
      answers,
      fc.subarray([...SOURCES], { minLength: 1 }),
      fc.uniqueArray(fc.integer({ min: 0, max: KEYWORDS - 1 }).map((index) => `k${index}`)),
      async (first, second, sources, keywords) => {
        await using opened = await temporaryStore();
        const { store } = opened;
        await store.write(async (db) => {
          await insertOwner(db, OWNER);
          await insertScene(db, OWNER, sceneOf([first, second]));
        });
        for (const source of SOURCES) {
          for (const method of [...METHODS, "simulated"] as const) {
            const expected = naiveSums(first.filter((one) => one.source === source && one.method === method));
            expect(comparable(await storedSums(store, { source, method }))).toEqual(comparable(expected));
          }
        }
        for (const method of ["collected", "simulated"] as const) {
          const ofKind = first.filter((one) => (one.method === "simulated") === (method === "simulated"));
          // Rollups use the first method of a source with two.
          const own = SOURCES.flatMap((source) => {
            const of = ofKind.filter((one) => one.source === source);
            const shown = METHODS.find((one) => of.some((given) => given.method === one && given.shown));
            const counted = shown ?? METHODS.find((one) => of.some((given) => given.method === one));
            return of.filter((one) => counted === undefined || one.method === counted);
          });
          // Result pages are summed separately, and only without other sources.
          const byName = own.filter((one) => one.source !== "SEARCH_A");
          const together = naiveSums(byName.length > 0 ? byName : own);
          expect(comparable(await storedSums(store, { source: "ALL", method }))).toEqual(comparable(together));
        }

        const chosen = new Set(keywords);
        const inSelection = (one: SceneAnswer) =>
          chosen.has(one.keyword) && sources.some((name) => name === one.source);
        const union = await packedSums(store, ["c1", "c2"], sources, chosen);
        const expected = naiveSums(first.filter(inSelection), second.filter(inSelection));
        expect(comparable(union)).toEqual(comparable(expected));
      },
    ),
    { seed: 20_261_121, numRuns: 25 },
  );
});

test("rewriting a collect's rollups changes nothing, and touches only that collect", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  const [first = [], second = []] = fc.sample(answers, { seed: 7, numRuns: 2 });
  await store.write(async (db) => {
    await insertOwner(db, OWNER);
    await insertScene(db, OWNER, sceneOf([first, second]));
  });
  const everything = async () => {
    const { q, t } = openCommitted(store);
    return {
      sums: await q.select().from(t.collectSums),
      facts: await q.select().from(t.collectFacts),
      channels: await q.select().from(t.keywordChannels),
    };
  };
  const before = await everything();
  expect(before.sums.map(({ keywordClass }) => keywordClass)).toEqual(expect.arrayContaining([...KEYWORD_CLASSES]));
  await store.write(async (db) => writeRollups(db, { id: "c1", analysisId: "p" }));
  const after = await everything();
  for (const table of ["sums", "facts", "channels"] as const) {
    expect(sorted(after[table])).toEqual(sorted(before[table]));
  }
});

function sorted(rows: object[]): string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

test("sums over several collects yield to others, with equal results", () => {
  // Attack: summing years of collects at once, blocking everything else.
  const rows = Array.from({ length: 45_000 }, (_, at) => {
    const [keyword, brand] = [Math.floor(at / 15), 1 + (at % 15)];
    return { keyword, runIndex: 0, brand, rank: brand, brandRank: brand, mentions: 2 };
  });
  const answered = { answers: 1, notShown: 0, informativeCount: 1, way: null };
  const facts = unpackFacts(
    packFacts(
      Array.from({ length: 3000 }, () => answered),
      rows,
    ),
  );
  const families = createFamilies(Array.from({ length: 16 }, (_, number) => number));
  const all = Array.from({ length: 48 }, () => facts);
  const prompts = groupPositionsByPrompt(listCountedPositions(all, null), null);
  const summing = sumFactsInSteps(all, prompts, families);
  let turns = 0;
  let part = summing.next();
  for (; !part.done; part = summing.next()) turns++;
  expect(turns).toBeGreaterThanOrEqual(10);
  expect(part.value).toEqual(sumFacts(all, prompts, families));
});
