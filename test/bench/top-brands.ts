import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database, type Connection } from "../../db/engine/sqlite.ts";
import type { KeywordFilter } from "../../db/measuring/search-metrics.ts";
import { openStore } from "../../db/engine/open-store.ts";
import { KEYWORD_TYPES, SOURCES, type Source } from "../../core/sources.ts";
import { sumBrands } from "../../tools/search-metrics/sum-brands.ts";
import { insertOwner, insertScene, type Scene } from "../search-scene.ts";
import { committed } from "../committed.ts";

export interface TopBrandsRow {
  what: string;
  /** Median of the runs. */
  ms: number;
  /** How many times faster than grouping the raw rows for the same selection. */
  ratio: number;
}

const KEYWORDS = 5000;
const BRANDS = 200;
const BRANDS_PER_ANSWER = 10;
const ASKED: readonly Source[] = ["SEARCH_A", "ASSISTANT_A", "ASSISTANT_B", "ASSISTANT_C"];
const OWNER = { organizationId: "o", workspaceId: "w", userId: "u" };
const COLLECTS = ["c1", "c2"];

/** The same at every run: two collects of four sources, ten of two hundred brands in each of 40,000 answers. */
function madeUpScene(): Scene {
  return {
    projectId: "p",
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
      answers: Array.from({ length: KEYWORDS * ASKED.length }, (_, index) => ({
        keyword: `k${Math.floor(index / ASKED.length)}`,
        source: ASKED[index % ASKED.length] ?? "SEARCH_A",
        places: Array.from({ length: BRANDS_PER_ANSWER }, (__, place) => ({
          brand_id: `b${(index * 7 + collect * 3 + place * place * 11) % BRANDS}`,
          rank: place + 1,
        })).filter(({ brand_id }, at, all) => all.findIndex((other) => other.brand_id === brand_id) === at),
      })),
    })),
  };
}

const unfiltered: KeywordFilter = {
  thematics: [],
  types: ["Generic"],
  topicIds: [],
  personaIds: [],
  strengthIds: [],
  weaknessIds: [],
  relatedProductIds: [],
  subBrandIds: [],
  funnelStages: [],
  perception: null,
};

/** The two sums that top-brands needs, straight from the raw rows: what a request would cost without stored sums. */
function rawSums(database: Connection, where: string) {
  const brands = database.prepare(`
    select places.brand_id, count(*), sum(mentions), count(distinct answers.question_id), sum(rank)
    from answers join questions on questions.id = answers.question_id join places on places.answer_id = answers.id
    where answers.collect_id = ? and answers.eligible = 1 and questions.type = 'Generic' ${where}
    group by places.brand_id`);
  const total = database.prepare(`
    select count(*) from answers join questions on questions.id = answers.question_id
    where answers.collect_id = ? and answers.eligible = 1 and questions.type = 'Generic' ${where}`);
  return () => COLLECTS.map((collectId) => [brands.raw().all(collectId), total.pluck().get(collectId)]);
}

/** Sums of one collect and the one before, medians of seven interleaved runs on one machine. */
export async function benchTopBrands(): Promise<TopBrandsRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-top-brands-"));
  const store = await openStore(folder);
  const raw = new Database(store.file, { readonly: true });
  try {
    await store.write(async (db) => {
      await insertOwner(db, OWNER);
      await insertScene(db, OWNER, madeUpScene());
    });
    const sums = (filter: KeywordFilter, sources: readonly Source[]) => () =>
      sumBrands(committed(store), { projectId: "p", filter, sources }, [["c2"], ["c1"]]);
    const thematic = { ...unfiltered, thematics: ["1"] };
    const cases: { what: string; ours: () => Promise<unknown>; raw: () => unknown }[] = [
      { what: "rollup: all sources", ours: sums(unfiltered, SOURCES), raw: rawSums(raw, "") },
      {
        what: "packed: one thematic",
        ours: sums(thematic, SOURCES),
        raw: rawSums(raw, "and questions.thematic_id = 'f1'"),
      },
      {
        what: "packed: two sources",
        ours: sums(unfiltered, ["SEARCH_A", "ASSISTANT_B"]),
        raw: rawSums(raw, "and answers.source in ('SEARCH_A', 'ASSISTANT_B')"),
      },
      {
        what: "packed: two collects as one, both types",
        ours: () =>
          sumBrands(
            committed(store),
            { projectId: "p", filter: { ...unfiltered, types: KEYWORD_TYPES }, sources: SOURCES },
            [COLLECTS],
          ),
        raw: rawSums(raw, ""),
      },
    ];
    const times = cases.map(() => ({ ours: [] as number[], raw: [] as number[] }));
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
    await store.close();
    await rm(folder, { recursive: true });
  }
}

async function msOf(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
