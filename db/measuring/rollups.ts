import { setImmediate as nextTurn } from "node:timers/promises";
import { and, asc, between, count, eq, max, sql } from "drizzle-orm";
import { openFacts, packFacts, type CollectFacts } from "../../core/measuring/collect-facts.ts";
import { gatherCollect, type Gathering, type SourceGathering } from "../../core/measuring/gather-collect.ts";
import { packChannels } from "../../core/measuring/keyword-channels.ts";
import { ALL_SOURCES, COLLECTION_METHODS, KEYWORD_TYPES, type Source, type SummedSource } from "../../core/sources.ts";
import { sumFacts } from "../../core/measuring/sum-facts.ts";
import { writeCitedPages } from "./cited-pages.ts";
import type { Db } from "../engine/store.ts";

/** Keywords that are read at once: their rows stay few enough for the process to answer others in between. */
const KEYWORDS_AT_ONCE = 100;

/**
 * Writes everything that metrics requests read instead of the raw rows of a collect: totals, rollups, packed facts and
 * keyword channels; and on the collect itself, how its answers came. Runs in the transaction that ends the collect, and can run again: it replaces what it wrote.
 */
export async function writeRollups(db: Db, collect: { id: string; analysisId: string }): Promise<void> {
  const gathering = await gather(db, collect);
  await deleteRollups(db, collect.id);
  await writeCitedPages(db, collect);
  const brandIds = [...gathering.brandIds].toSorted();
  const packed: ReturnType<typeof packSource>[] = [];
  for (const [source, gathered] of gathering.sources) {
    packed.push(packSource(source, gathered, brandIds));
    await nextTurn();
  }
  const { q, t } = db;
  const keys = { collectId: collect.id };
  const collectionMethods = COLLECTION_METHODS.filter((method) => gathering.collectionMethods.has(method));
  await q.update(t.collects).set({ collectionMethods }).where(eq(t.collects.id, collect.id));
  await db.bulkInsert(
    t.collectFacts,
    packed.map(({ source, facts }) => ({ ...keys, source, facts })),
  );
  await db.bulkInsert(
    t.keywordChannels,
    packed.map(({ source, channels }) => ({ ...keys, source, channels })),
  );
  const bySource = packed.map(({ source, facts }) => ({ source, facts: [openFacts(facts)] }));
  if (bySource.length === 0) return;
  const opened = bySource.flatMap(({ facts }) => facts);
  for (const { source, facts } of [...bySource, { source: ALL_SOURCES, facts: opened } as const]) {
    await writeSums(db, { ...keys, source }, facts, gathering);
    await nextTurn();
  }
}

function packSource(source: Source, gathered: SourceGathering, brandIds: string[]) {
  return {
    source,
    facts: packFacts(gathered.eligible, gathered.rows, brandIds),
    channels: packChannels(gathered.channels),
  };
}

/** Sums what was packed, so that a rollup and a pass over the packed facts cannot differ. */
async function writeSums(
  db: Db,
  keys: { collectId: string; source: SummedSource },
  facts: CollectFacts[],
  { keywordTypes }: Gathering,
): Promise<void> {
  const sums = KEYWORD_TYPES.map((keywordType) => {
    const mask = Uint8Array.from(keywordTypes, (type) => (type === keywordType ? 1 : 0));
    return { keywordType, ...sumFacts(facts, mask) };
  });
  await db.bulkInsert(
    db.t.collectTotals,
    sums.map(({ keywordType, total }) => ({ ...keys, keywordType, total })),
  );
  const rollups = sums.flatMap(({ keywordType, brands }) =>
    [...brands].map(([brandId, sum]) => ({
      ...keys,
      keywordType,
      brandId,
      occurrences: sum.occurrences,
      totalMentions: sum.total_mentions,
      keywordCount: sum.nb_keywords,
      rankSum: sum.rank_sum,
      weightSum: sum.weight_sum,
    })),
  );
  await db.bulkInsert(db.t.brandRollups, rollups);
}

async function deleteRollups({ q, t }: Db, collectId: string): Promise<void> {
  for (const table of [t.collectTotals, t.brandRollups, t.collectFacts, t.keywordChannels]) {
    await q.delete(table).where(eq(table.collectId, collectId));
  }
}

/** Reads a collect some keywords at a time, with a turn of the event loop in between. */
async function gather(db: Db, collect: { id: string; analysisId: string }): Promise<Gathering> {
  const { q, t } = db;
  const [analysis] = await q
    .select({ brandId: t.analyses.brandId, last: max(t.questions.position) })
    .from(t.analyses)
    .leftJoin(t.questions, eq(t.questions.analysisId, t.analyses.id))
    .where(eq(t.analyses.id, collect.analysisId))
    .groupBy(t.analyses.id);
  if (!analysis) throw new Error("a collect of no analysis");
  const last = analysis.last ?? -1;
  const gathering = gatherCollect(last + 1, analysis.brandId);
  for (let first = 0; first <= last; first += KEYWORDS_AT_ONCE) {
    const part = { ...collect, first, last: first + KEYWORDS_AT_ONCE - 1 };
    for (const row of await answersOf(db, part)) gathering.addAnswers(row);
    for (const row of await placesOf(db, part)) gathering.addPlace(row);
    for (const row of await sitesOf(db, part)) gathering.addSite(row);
    await nextTurn();
  }
  return gathering;
}

interface Part {
  id: string;
  analysisId: string;
  first: number;
  last: number;
}

function answersIn({ t }: Db, part: Part) {
  return and(
    eq(t.questions.analysisId, part.analysisId),
    between(t.questions.position, part.first, part.last),
    eq(t.answers.collectId, part.id),
  );
}

async function answersOf(db: Db, part: Part) {
  const { q, t } = db;
  return q
    .select({
      keyword: t.questions.position,
      keywordType: t.questions.type,
      source: t.answers.source,
      collectionMethod: t.answers.collectionMethod,
      answers: count(),
      shown: sql<number>`count(case when trim(${t.answers.text}) <> '' then 1 end)`,
      eligible: sql<number>`count(case when ${t.answers.eligible} then 1 end)`,
    })
    .from(t.questions)
    .innerJoin(t.answers, eq(t.answers.questionId, t.questions.id))
    .where(answersIn(db, part))
    .groupBy(t.questions.position, t.questions.type, t.answers.source, t.answers.collectionMethod)
    .orderBy(asc(t.questions.position), asc(t.answers.source), asc(t.answers.collectionMethod));
}

async function placesOf(db: Db, part: Part) {
  const { q, t } = db;
  return q
    .select({
      keyword: t.questions.position,
      source: t.answers.source,
      brandId: t.places.brandId,
      rank: t.places.rank,
      mentions: t.places.mentions,
      url: t.places.url,
    })
    .from(t.questions)
    .innerJoin(t.answers, eq(t.answers.questionId, t.questions.id))
    .innerJoin(t.places, eq(t.places.answerId, t.answers.id))
    .where(and(answersIn(db, part), eq(t.answers.eligible, true)))
    .orderBy(asc(t.questions.position), asc(t.answers.source), asc(t.answers.run), asc(t.places.brandId));
}

/** Kinds of site that were cited; of a page of results, its pages stand among the citations. */
async function sitesOf(db: Db, part: Part) {
  const { q, t } = db;
  return q
    .selectDistinct({
      keyword: t.questions.position,
      source: t.answers.source,
      siteType: t.citations.competitorType,
    })
    .from(t.questions)
    .innerJoin(t.answers, eq(t.answers.questionId, t.questions.id))
    .innerJoin(t.citations, eq(t.citations.answerId, t.answers.id))
    .where(answersIn(db, part))
    .orderBy(asc(t.questions.position), asc(t.answers.source), asc(t.citations.competitorType));
}
