import { Database, type Connection } from "../db/engine/sqlite/sqlite.ts";
import type { Source } from "../core/sources/sources.ts";
import { insertScene, type Scene } from "../test/support/search-scene.ts";
import { startProduct, WIDE_LIMITS, type Product } from "./product.ts";

export interface TopBrandsRow {
  what: string;
  /** Median milliseconds of a request. */
  ms: number;
  /** Speed relative to grouping the raw rows of the same selection in the database. */
  ratio: number;
}

const KEYWORDS = 5000;
const BRANDS = 2000;
const BRANDS_PER_ANSWER = 10;
const ASKED_SOURCES: readonly Source[] = ["SEARCH_A", "ASSISTANT_A", "ASSISTANT_B", "ASSISTANT_C"];
const PROJECT = "01900000-0000-7000-8000-0000000000a0";
const COLLECTS = ["01900000-0000-7000-8000-0000000000c1", "01900000-0000-7000-8000-0000000000c2"];

/**
 * Deterministic: two collects of four sources; ten of two thousand brands in each of 40,000
 * answers.
 */
function createScene(): Scene {
  return {
    projectId: PROJECT,
    ownBrandId: "b0",
    brands: Array.from({ length: BRANDS }, (_, index) => ({ id: `b${index}`, name: `Brand ${index}` })),
    facets: Array.from({ length: 10 }, (_, index) => ({
      id: `f${index}`,
      kind: index < 5 ? "thematic" : "topic",
      name: `${index}`,
    })),
    keywords: Array.from({ length: KEYWORDS }, (_, index) => ({
      id: `k${index}`,
      text: `keyword ${index}`,
      thematicId: `f${index % 5}`,
      topicId: `f${5 + (index % 5)}`,
      type: index % 10 === 0 ? "Brand" : "Generic",
    })),
    collects: COLLECTS.map((id, collect) => ({
      id,
      number: collect + 1,
      answers: Array.from({ length: KEYWORDS * ASKED_SOURCES.length }, (_, index) => ({
        keyword: `k${Math.floor(index / ASKED_SOURCES.length)}`,
        source: ASKED_SOURCES[index % ASKED_SOURCES.length] ?? "SEARCH_A",
        places: Array.from({ length: BRANDS_PER_ANSWER }, (__, place) => ({
          brand_id: `b${(index * 7 + collect * 3 + place * place * 11) % BRANDS}`,
          rank: place + 1,
        })).filter(({ brand_id }, at, all) => all.findIndex((other) => other.brand_id === brand_id) === at),
      })),
    })),
  };
}

/** The two sums of top-brands from the raw rows: the cost of a request without rollups. */
function rawSums(database: Connection, where: string) {
  const brands = database.prepare(`
    select places.brand_number, count(*), sum(mentions), count(distinct answers.question_id), sum(rank)
    from answers join questions on questions.id = answers.question_id join places on places.answer_key = answers.key
    where answers.collect_id = ? and answers.is_shown = 1 and questions.type = 'Generic' ${where}
    group by places.brand_number`);
  const total = database.prepare(`
    select count(*) from answers join questions on questions.id = answers.question_id
    where answers.collect_id = ? and answers.is_shown = 1 and questions.type = 'Generic' ${where}`);
  return () => COLLECTS.map((collectId) => [brands.raw().all(collectId), total.pluck().get(collectId)]);
}

/**
 * Requests for one collect and the one before, with the worker process; medians of seven
 * interleaved runs.
 */
export async function benchTopBrands(): Promise<TopBrandsRow[]> {
  const product = await startProduct(WIDE_LIMITS, (db, owner) => insertScene(db, owner, createScene()));
  const raw = new Database(product.database, { readonly: true });
  try {
    const cases: { what: string; ours: () => Promise<unknown>; raw: () => unknown }[] = [
      { what: "rollup: all sources", ours: request(product, ""), raw: rawSums(raw, "") },
      {
        what: "packed: one thematic",
        ours: request(product, "&thematics=1"),
        raw: rawSums(raw, "and questions.thematic_id = 'f1'"),
      },
      {
        what: "packed: two sources",
        ours: request(product, "&sources=SEARCH_A&sources=ASSISTANT_B"),
        raw: rawSums(raw, "and answers.source in ('SEARCH_A', 'ASSISTANT_B')"),
      },
      {
        what: "packed: two collects as one",
        ours: request(product, COLLECTS.map((id) => `&collect_ids=${id}`).join("")),
        raw: rawSums(raw, ""),
      },
    ];
    const times = cases.map(() => ({ ours: [] as number[], raw: [] as number[] }));
    for (const one of cases) await one.ours();
    for (let run = 0; run < 7; run += 1) {
      for (const [index, one] of cases.entries()) {
        times[index]?.ours.push(await msOf(one.ours));
        times[index]?.raw.push(await msOf(one.raw));
      }
    }
    return cases.map(({ what }, index) => {
      const ms = median(times[index]?.ours ?? []);
      return { what, ms, ratio: median(times[index]?.raw ?? []) / ms };
    });
  } finally {
    raw.close();
    await product.stop();
  }
}

function request({ port, accessToken, organizationId }: Product, query: string): () => Promise<unknown> {
  const address = `http://localhost:${port}/api/v1/top-brands?client_id=${organizationId}&project_id=${PROJECT}${query}`;
  return async () => {
    const response = await fetch(address, { headers: { authorization: `Bearer ${accessToken}` } });
    if (!response.ok) throw new Error(`A measured request was answered: ${await response.text()}`);
    return response.arrayBuffer();
  };
}

async function msOf(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
