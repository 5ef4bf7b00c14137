import { createFamilies } from "../core/metrics/share-of-voice.ts";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { eq } from "drizzle-orm";
import { unpackFacts, packFacts, type CollectFacts } from "../core/metrics/facts/collect-facts.ts";
import { packLinks } from "../core/metrics/facts/collect-links.ts";
import { createCollectGatherer } from "../core/metrics/facts/collect-gatherer.ts";
import { packChannels } from "../core/metrics/keyword-channels.ts";
import { hashPacked } from "../core/metrics/packed-columns.ts";
import { packSums } from "../core/metrics/packed-sums.ts";
import { listCountedPositions, groupPositionsByPrompt } from "../core/metrics/prompt-clusters.ts";
import { sumFacts } from "../core/metrics/facts/sum-facts.ts";
import { RULES_VERSION } from "../core/perception/read-brand-answer.ts";
import {
  ALL_SOURCES,
  COLLECTED,
  KEYWORD_CLASSES,
  SOURCES,
  selectSummedSources,
  type SummedMethod,
  type SourceOrAll,
} from "../core/sources/sources.ts";
import type { Db } from "../db/engine/store.ts";
import { publishSums } from "../db/metrics/rollups.ts";
import type { CommonSums } from "../db/metrics/sum-changes.ts";
import { insertScene } from "../test/support/search-scene.ts";

// Ten million brand positions with rollups as a completed collect stores them, and the same rows as
// text for DuckDB.

export const PROJECT = "01900000-0000-7000-8000-0000000000a0";
export const COLLECTS = Array.from({ length: 12 }, (_, at) => `01900000-0000-7000-8000-0000000000${at + 10}`);
/** `FIGURES_KEYWORDS` reduces the scene. */
export const KEYWORDS = Number(process.env["FIGURES_KEYWORDS"] ?? 5000);
const [BRANDS, TOPICS, PERSONAS] = [2000, 10, 4];
/** Max brands of an answer: twice the mean of 16.7, minus one. */
const MAX_PLACES = 33;

export const topicOf = (keyword: number) => keyword % TOPICS;
export const personaOf = (keyword: number) => Math.floor(keyword / TOPICS) % PERSONAS;
export const isGeneric = (keyword: number) => Math.floor(keyword / TOPICS / PERSONAS) % 10 !== 0;

/** An id with its kind: brand, facet, persona or keyword. */
export const idOf = (kind: "b" | "f" | "d" | "e", at: number) =>
  `01900000-0000-7000-8000-${kind}${String(at).padStart(11, "0")}`;

/** The analysis with its keywords and brands, and collects without answers. */
export async function insertFigures(db: Db, owner: Parameters<typeof insertScene>[1]): Promise<void> {
  await insertScene(db, owner, {
    projectId: PROJECT,
    setup: {
      website: "https://brand-1.example",
      sources: [...SOURCES],
      country: "US",
      language: "en",
      device: "desktop",
      runs_per_prompt: 1,
    },
    ownBrandId: idOf("b", 1),
    brands: Array.from({ length: BRANDS }, (_, at) => ({ id: idOf("b", at + 1), name: `Brand ${at + 1}` })),
    facets: Array.from({ length: TOPICS }, (_, at) => ({ id: idOf("f", at), kind: "topic", name: `Topic ${at}` })),
    personas: Array.from({ length: PERSONAS }, (_, at) => ({ id: idOf("d", at), name: `Persona ${at}` })),
    keywords: Array.from({ length: KEYWORDS }, (_, at) => ({
      id: idOf("e", at),
      text: `keyword ${at}`,
      thematicId: idOf("f", 0),
      topicId: idOf("f", topicOf(at)),
      personaId: idOf("d", personaOf(at)),
      type: isGeneric(at) ? "Generic" : "Brand",
    })),
    collects: COLLECTS.map((id, at) => ({ id, number: at + 1, answers: [] })),
  });
  const { q, t } = db;
  const schedule = { every: "weekly", at: "06:00", time_zone: "UTC" } as const;
  await q.update(t.analyses).set({ schedule }).where(eq(t.analyses.id, PROJECT));
}

/**
 * Stores the rollups of one collect and appends its positions to a file, one per line; returns
 * their number. Each answer cites `links` pages.
 */
export async function insertFiguresOf(db: Db, collect: number, file: string, { links = 0 } = {}): Promise<number> {
  const out = createWriteStream(file, { flags: "a" });
  const gathering = createCollectGatherer(KEYWORDS, 1);
  const random = randomFrom(collect + 1);
  let [key, places, text] = [0, 0, ""];
  for (let keyword = 0; keyword < KEYWORDS; keyword += 1) {
    for (const [source, name] of SOURCES.entries()) {
      const way = { collectionMethod: "api", model: "model-1" } as const;
      gathering.addAnswer({ key: ++key, keyword, source: name, ...way, isShown: true, isInformative: true });
      const brands = new Set<number>();
      const count = 1 + Math.floor(random() * MAX_PLACES);
      // Squared, so that brand frequencies are skewed.
      while (brands.size < count) brands.add(1 + Math.floor(random() ** 2 * BRANDS));
      let rank = 0;
      for (const brand of brands) {
        rank += 1;
        gathering.addRank({ answerKey: key, brand, rank, brandRank: rank, mentions: 1 + (rank % 3), url: null });
        text += `${collect},${source},${keyword},${brand},${rank},${rank},${1 + (rank % 3)}\n`;
      }
      places += rank;
      for (let page = 0; page < links; page += 1) gathering.addLink(linkOf(key, page));
    }
    if (keyword % 100 === 0) text = (out.write(text), "");
    gathering.endPart();
  }
  out.end(text);
  await finished(out);
  const changes = Object.entries(sumRows(COLLECTS[collect] ?? "", gathering)).flatMap(([table, rows]) =>
    rows.map((after) => ({ table: table as keyof CommonSums, before: undefined, after })),
  );
  const methods = { collectionMethods: [...gathering.collectionMethods], ways: gathering.ways() };
  await publishSums(db, COLLECTS[collect] ?? "", { changes, ...methods }, `${RULES_VERSION}.0`);
  return places;
}

const SITES = 400;

/** A page of one of a few hundred sites; the first sites are cited most. */
function linkOf(answerKey: number, page: number) {
  const site = Math.floor((((answerKey * 7919 + page * 104729) % 10007) / 10007) ** 2 * SITES);
  const domain = `site-${site}.example`;
  const brand = site % 4 === 0 ? site + 1 : null;
  const siteType = brand === null ? ("NEWS_MEDIA" as const) : ("BRANDED_WEBSITE" as const);
  return { answerKey, isCited: true, url: `https://${domain}/page-${answerKey % 9}`, domain, siteType, brand };
}

/** Rollups in the shape of `computeSums`, without raw rows. */
function sumRows(collectId: string, gathering: ReturnType<typeof createCollectGatherer>): CommonSums {
  const rows: CommonSums = { collectSums: [], collectFacts: [], keywordChannels: [], collectLinks: [] };
  const opened = new Map<SourceOrAll, CollectFacts>();
  for (const { source, answers, rows: facts, cited, channels, links, queries } of gathering.sources()) {
    const keys = { collectId, source, method: "api" as const };
    const packed = packFacts(answers, facts, { cited });
    opened.set(source, unpackFacts(packed));
    rows.collectFacts.push({ ...keys, digest: hashPacked(packed), facts: packed });
    rows.keywordChannels.push({ ...keys, channels: packChannels(channels) });
    const linked = packLinks(answers.length, links, queries);
    for (const holds of ["links", "addresses"] as const)
      rows.collectLinks.push({ ...keys, holds, part: 0, bytes: linked[holds] });
  }
  const families = createFamilies(Array.from({ length: BRANDS }, (_, at) => at + 1));
  for (const source of [...SOURCES, ALL_SOURCES] as const) {
    const of = source === ALL_SOURCES ? selectSummedSources(SOURCES) : [source];
    const facts = of.flatMap((one) => opened.get(one) ?? []);
    for (const keywordClass of KEYWORD_CLASSES) {
      const mask = Uint8Array.from({ length: KEYWORDS }, (_, at) =>
        Number(keywordClass === "Generic" ? isGeneric(at) : keywordClass === "Brand" && !isGeneric(at)),
      );
      const summed = sumFacts(facts, groupPositionsByPrompt(listCountedPositions(facts, mask), null), families);
      const method: SummedMethod = source === ALL_SOURCES ? COLLECTED : "api";
      const keys = { collectId, source, method, keywordClass, answers: summed.total };
      rows.collectSums.push({ ...keys, sums: packSums(summed), published: null });
    }
  }
  return rows;
}

function randomFrom(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Loads the rows into DuckDB with precomputed weights and the narrowest column types. */
export function loadStatements(file: string): string[] {
  const keywords = Array.from(
    { length: KEYWORDS },
    (_, at) => `(${at},${topicOf(at)},${personaOf(at)},${isGeneric(at)})`,
  );
  return [
    `create table places as select collect::utinyint as collect, source::utinyint as source, keyword::usmallint as keyword,
       brand::usmallint as brand, rank::utinyint as rank, brand_rank::utinyint as brand_rank, mentions::utinyint as mentions,
       1 / log2(1 + rank) as weight
     from read_csv('${file}', header = false, names = ['collect', 'source', 'keyword', 'brand', 'rank', 'brand_rank', 'mentions'])`,
    `create table keywords as select keyword::usmallint as keyword, topic::utinyint as topic, persona::utinyint as persona, generic
     from (values ${keywords.join(",")}) as given(keyword, topic, persona, generic)`,
    `create table answers as select distinct collect, source, keyword from places`,
  ];
}
