import { setImmediate as nextTurn } from "node:timers/promises";
import { and, asc, between, count, eq, max, sql } from "drizzle-orm";
import { openFacts, packFacts, type CollectFacts } from "../../core/measuring/collect-facts.ts";
import { gatherCollect, type Gathering } from "../../core/measuring/gather-collect.ts";
import { packChannels } from "../../core/measuring/keyword-channels.ts";
import {
  ALL_SOURCES,
  COLLECTION_METHODS,
  KEYWORD_TYPES,
  type CollectionMethod,
  type SummedSource,
} from "../../core/sources.ts";
import { sumFacts } from "../../core/measuring/sum-facts.ts";
import { countCitedPages } from "./cited-pages.ts";
import { changesBetween, listSums, storeSumChanges, type SumChange, type SumRows } from "./sum-changes.ts";
import type { Db, Read } from "../engine/store.ts";

/** Keywords that are read at once: their rows stay few enough for the process to answer others in between. */
const KEYWORDS_AT_ONCE = 100;

/** What the end of a collect, or a second reading of it, changes of what metrics read. */
export interface CollectSums {
  changes: SumChange[];
  /** How its answers came. */
  collectionMethods: CollectionMethod[];
}

/**
 * Computes everything that metrics requests read instead of the raw rows of a collect: totals, rollups, packed facts,
 * keyword channels and cited pages; and how it differs from what is stored. Works in parts and waits for `pause` after each, by
 * default for a turn of the event loop: before the changes are stored, make sure that no answer was read again meanwhile.
 */
export async function gatherSums(
  read: Read,
  collect: { id: string; analysisId: string },
  pause: () => Promise<void> = nextTurn,
): Promise<CollectSums> {
  const gathering = await gather(read, collect, pause);
  const brandIds = [...gathering.brandIds].toSorted();
  const wanted: SumRows = {
    collectTotals: [],
    brandRollups: [],
    citedPages: await countCitedPages(read, collect, pause),
    collectFacts: [],
    keywordChannels: [],
  };
  const bySource: { source: SummedSource; facts: CollectFacts[] }[] = [];
  for (const [source, gathered] of gathering.sources) {
    const keys = { collectId: collect.id, source };
    const facts = packFacts(gathered.eligible, gathered.rows, brandIds);
    wanted.collectFacts.push({ ...keys, facts });
    wanted.keywordChannels.push({ ...keys, channels: packChannels(gathered.channels) });
    bySource.push({ source, facts: [openFacts(facts)] });
    await pause();
  }
  const all = { source: ALL_SOURCES as SummedSource, facts: bySource.flatMap(({ facts }) => facts) };
  for (const { source, facts } of bySource.length === 0 ? [] : [...bySource, all]) {
    addSums(wanted, { collectId: collect.id, source }, facts, gathering);
    await pause();
  }
  return {
    changes: changesBetween(await read((db) => listSums(db, collect.id)), wanted),
    collectionMethods: COLLECTION_METHODS.filter((method) => gathering.collectionMethods.has(method)),
  };
}

/** Stores the sums of a collect, all at once. */
export async function storeSums(db: Db, collectId: string, sums: CollectSums): Promise<void> {
  const { q, t } = db;
  const { changes, collectionMethods } = sums;
  await q.update(t.collects).set({ collectionMethods }).where(eq(t.collects.id, collectId));
  await storeSumChanges(db, collectId, changes);
}

/** Computes and stores the sums of a collect in the transaction of `db`, which holds up the writer for as long. */
export async function writeRollups(db: Db, collect: { id: string; analysisId: string }): Promise<void> {
  await storeSums(db, collect.id, await gatherSums((work) => work(db), collect));
}

/** Sums what was packed, so that a rollup and a pass over the packed facts cannot differ. */
function addSums(
  wanted: SumRows,
  keys: { collectId: string; source: SummedSource },
  facts: CollectFacts[],
  { keywordTypes }: Gathering,
): void {
  for (const keywordType of KEYWORD_TYPES) {
    const mask = Uint8Array.from(keywordTypes, (type) => (type === keywordType ? 1 : 0));
    const { total, brands } = sumFacts(facts, mask);
    wanted.collectTotals.push({ ...keys, keywordType, total });
    for (const [brandId, sum] of brands) {
      wanted.brandRollups.push({
        ...keys,
        keywordType,
        brandId,
        occurrences: sum.occurrences,
        totalMentions: sum.total_mentions,
        keywordCount: sum.nb_keywords,
        rankSum: sum.rank_sum,
        weightSum: sum.weight_sum,
      });
    }
  }
}

/** Reads a collect some keywords at a time. */
async function gather(
  read: Read,
  collect: { id: string; analysisId: string },
  pause: () => Promise<void>,
): Promise<Gathering> {
  const [analysis] = await read(({ q, t }) =>
    q
      .select({ brandId: t.analyses.brandId, last: max(t.questions.position) })
      .from(t.analyses)
      .leftJoin(t.questions, eq(t.questions.analysisId, t.analyses.id))
      .where(eq(t.analyses.id, collect.analysisId))
      .groupBy(t.analyses.id),
  );
  if (!analysis) throw new Error("a collect of no analysis");
  const last = analysis.last ?? -1;
  const gathering = gatherCollect(last + 1, analysis.brandId);
  for (let first = 0; first <= last; first += KEYWORDS_AT_ONCE) {
    const part = { ...collect, first, last: first + KEYWORDS_AT_ONCE - 1 };
    await read(async (db) => {
      for (const row of await answersOf(db, part)) gathering.addAnswers(row);
      for (const row of await placesOf(db, part)) gathering.addPlace(row);
      for (const row of await sitesOf(db, part)) gathering.addSite(row);
    });
    await pause();
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
