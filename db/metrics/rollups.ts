import { runWithPauses } from "../../core/shared/run-generator.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { and, asc, between, eq } from "drizzle-orm";
import { unpackFacts, packFacts, type CollectFacts } from "../../core/metrics/facts/collect-facts.ts";
import { hasSeveralMethods, isSimulated, selectOneMethod } from "../../core/metrics/select-counted-parts.ts";
import {
  createCollectGatherer,
  type WayAnswerCount,
  type CollectGatherer,
  type GatheredSource,
} from "../../core/metrics/facts/collect-gatherer.ts";
import { packChannels } from "../../core/metrics/keyword-channels.ts";
import { packLinks } from "../../core/metrics/facts/collect-links.ts";
import { hashPacked } from "../../core/metrics/packed-columns.ts";
import { packSums } from "../../core/metrics/packed-sums.ts";
import { listCountedPositions, groupPositionsByPrompt } from "../../core/metrics/prompt-clusters.ts";
import { sumFactsInSteps } from "../../core/metrics/facts/sum-facts.ts";
import {
  ALL_SOURCES,
  COLLECTED,
  COLLECTION_METHODS,
  KEYWORD_CLASSES,
  selectSummedSources,
  type CollectionMethod,
  type SummedMethod,
  type SourceOrAll,
} from "../../core/sources/sources.ts";
import { listMethods } from "./methods.ts";
import { readSumPlan, type SumPlan } from "./sum-plan.ts";
import { compareSums, listSums, storeSumChanges, type CommonSums, type SumChange } from "./sum-changes.ts";
import { pick, updateRows } from "../engine/rows.ts";
import type { Db, ReadRunner } from "../engine/store.ts";

/** Lets other requests run in between. */
const KEYWORDS_PER_BATCH = 100;

export interface CollectSums {
  changes: SumChange[];
  collectionMethods: CollectionMethod[];
  ways: WayAnswerCount[];
}

/** Before storing the changes, check that no answer was re-extracted meanwhile. */
export async function computeSums(
  read: ReadRunner,
  collect: { id: string; analysisId: string },
  pause: () => Promise<void> = nextTurn,
): Promise<CollectSums> {
  const plan = await read((db) => readSumPlan(db, collect.analysisId));
  await pause();
  const gathering = await gatherRows(read, collect, plan, pause);
  const sums: CommonSums = {
    collectSums: [],
    collectLinks: [],
    collectFacts: [],
    keywordChannels: [],
  };
  const namesOwn = plan.classes.map((own) => own === "GenericNamingOwn");
  const facts = new Map<string, CollectFacts>();
  for (const { source, method, answers, rows, cited, channels, links, queries } of gathering.sources()) {
    const keys = { collectId: collect.id, source, method };
    const packed = packFacts(answers, rows, { namesOwn, cited });
    sums.collectFacts.push({ ...keys, digest: hashPacked(packed), facts: packed });
    sums.keywordChannels.push({ ...keys, channels: packChannels(channels) });
    facts.set(`${source} ${method}`, unpackFacts(packed));
    const linked = packLinks(answers.length, links, queries);
    for (const holds of ["links", "addresses"] as const) {
      for (const [part, bytes] of splitIntoParts(linked[holds]).entries()) {
        sums.collectLinks.push({ ...keys, holds, part, bytes });
      }
    }
    await pause();
  }
  const sources = gathering.sources();
  const order = hasSeveralMethods(sources) ? await read((db) => listMethods(db, collect.analysisId)) : [];
  const groups = [
    ...sources.map((one) => ({ keys: { source: one.source, method: one.method }, of: [one] })),
    {
      keys: { source: ALL_SOURCES, method: COLLECTED } as const,
      of: selectSummedGroups(sources, { isSimulated: false, order }),
    },
    {
      keys: { source: ALL_SOURCES, method: "simulated" } as const,
      of: selectSummedGroups(sources, { isSimulated: true, order }),
    },
  ];
  for (const { keys, of } of groups.filter((group) => group.of.length > 0)) {
    const summed = of.flatMap((one) => facts.get(`${one.source} ${one.method}`) ?? []);
    await addSums(sums, { collectId: collect.id, ...keys }, summed, { ...plan, pause });
  }
  return {
    changes: compareSums(await read((db) => listSums(db, collect.id)), sums),
    collectionMethods: COLLECTION_METHODS.filter((method) => gathering.collectionMethods.has(method)),
    ways: gathering.ways(),
  };
}

function selectSummedGroups(
  all: readonly GatheredSource[],
  { isSimulated: simulated, order }: { isSimulated: boolean; order: readonly CollectionMethod[] },
): GatheredSource[] {
  const ofKind = all.filter((one) => isSimulated(one) === simulated);
  const sources = new Set(selectSummedSources(ofKind.map(({ source }) => source)));
  return selectOneMethod(ofKind, order, countAnswers).filter(({ source }) => sources.has(source));
}

function countAnswers({ answers }: GatheredSource): number {
  return answers.reduce((sum, one) => sum + one.answers, 0);
}

/** A transaction writes this much in a few milliseconds. */
const MAX_PART_BYTES = 512 * 1024;

function splitIntoParts(bytes: Buffer): Buffer[] {
  const parts = Math.ceil(bytes.length / MAX_PART_BYTES);
  return Array.from({ length: parts }, (_, at) => bytes.subarray(at * MAX_PART_BYTES, (at + 1) * MAX_PART_BYTES));
}

/** `version` covers extraction rules and catalog; null if answers were extracted with several. */
export async function publishSums(db: Db, collectId: string, sums: CollectSums, version: string | null): Promise<void> {
  const { q, t } = db;
  const { changes, collectionMethods, ways } = sums;
  await updateRows(
    q,
    t.collects,
    { id: collectId },
    {
      collectionMethods,
      ways,
      summedVersion: version,
      publishedVersion: version,
    },
  );
  await storeSumChanges(db, collectId, changes);
}

/** For a completed collect. Keeps the sums published at its completion in `published`. */
export async function replaceSums(db: Db, collectId: string, sums: CollectSums, version: string): Promise<void> {
  const { q, t } = db;
  const { collectionMethods, ways } = sums;
  await updateRows(q, t.collects, { id: collectId }, { collectionMethods, ways, summedVersion: version });
  const changes = sums.changes.map((change): SumChange => {
    const { table, before, after } = change;
    if (table !== "collectSums" || !before || !after) return change;
    return { table, before, after: { ...after, published: before["published"] ?? before["sums"] } };
  });
  await storeSumChanges(db, collectId, changes);
}

/** Stored sums always match sums computed from the packed facts. */
async function addSums(
  wanted: CommonSums,
  keys: { collectId: string; source: SourceOrAll; method: SummedMethod },
  facts: CollectFacts[],
  { classes, clusters, families, pause }: SumPlan & { pause: () => Promise<void> },
): Promise<void> {
  for (const keywordClass of KEYWORD_CLASSES) {
    const mask = Uint8Array.from(classes, (own) => (own === keywordClass ? 1 : 0));
    const prompts = groupPositionsByPrompt(listCountedPositions(facts, mask), clusters);
    const sums = await runWithPauses(sumFactsInSteps(facts, prompts, families), pause);
    wanted.collectSums.push({ ...keys, keywordClass, answers: sums.total, sums: packSums(sums), published: null });
    await pause();
  }
}

async function gatherRows(
  read: ReadRunner,
  collect: { id: string; analysisId: string },
  { classes, ownNumber, parents }: SumPlan,
  pause: () => Promise<void>,
): Promise<CollectGatherer> {
  const gathering = createCollectGatherer(classes.length, ownNumber, (brand) => parents.get(brand) ?? []);
  for (let first = 0; first < classes.length; first += KEYWORDS_PER_BATCH) {
    const part = { ...collect, first, last: first + KEYWORDS_PER_BATCH - 1 };
    await read(async (db) => {
      for (const row of await readAnswers(db, part)) gathering.addAnswer(row);
      for (const row of await readPlaces(db, part)) gathering.addRank(row);
      for (const row of await readLinks(db, part)) gathering.addLink(row);
      for (const row of await readQueries(db, part)) gathering.addQuery(row);
    });
    gathering.endPart();
    await pause();
  }
  return gathering;
}

interface KeywordRange {
  id: string;
  analysisId: string;
  first: number;
  last: number;
}

function answerInRangeCondition({ t }: Db, part: KeywordRange) {
  return and(
    eq(t.questions.analysisId, part.analysisId),
    between(t.questions.position, part.first, part.last),
    eq(t.answers.collectId, part.id),
  );
}

async function readAnswers(db: Db, part: KeywordRange) {
  const { q, t } = db;
  return q
    .select({
      key: t.answers.key,
      keyword: t.questions.position,
      ...pick(t.answers, "source", "collectionMethod", "model", "isShown", "isInformative"),
    })
    .from(t.questions)
    .innerJoin(t.answers, eq(t.answers.questionId, t.questions.id))
    .where(answerInRangeCondition(db, part))
    .orderBy(asc(t.questions.position), asc(t.answers.source), asc(t.answers.run));
}

async function readPlaces(db: Db, part: KeywordRange) {
  const { q, t } = db;
  return q
    .select({
      answerKey: t.places.answerKey,
      brand: t.places.brandNumber,
      ...pick(t.places, "rank", "brandRank", "mentions", "url"),
    })
    .from(t.questions)
    .innerJoin(t.answers, eq(t.answers.questionId, t.questions.id))
    .innerJoin(t.places, eq(t.places.answerKey, t.answers.key))
    .where(answerInRangeCondition(db, part))
    .orderBy(asc(t.questions.position), asc(t.answers.source), asc(t.answers.run), asc(t.places.brandNumber));
}

/** The results of a result page count as citations. */
async function readLinks(db: Db, part: KeywordRange) {
  const { q, t } = db;
  return q
    .select({
      ...pick(t.citations, "answerKey", "isCited", "url", "domain"),
      siteType: t.citations.competitorType,
      brand: t.citations.brandNumber,
    })
    .from(t.questions)
    .innerJoin(t.answers, eq(t.answers.questionId, t.questions.id))
    .innerJoin(t.citations, eq(t.citations.answerKey, t.answers.key))
    .where(answerInRangeCondition(db, part))
    .orderBy(asc(t.questions.position), asc(t.answers.source), asc(t.answers.run), asc(t.citations.position));
}

async function readQueries(db: Db, part: KeywordRange) {
  const { q, t } = db;
  return q
    .select({ answerKey: t.queries.answerKey, text: t.queries.text })
    .from(t.questions)
    .innerJoin(t.answers, eq(t.answers.questionId, t.questions.id))
    .innerJoin(t.queries, eq(t.queries.answerKey, t.answers.key))
    .where(answerInRangeCondition(db, part))
    .orderBy(asc(t.questions.position), asc(t.answers.source), asc(t.answers.run), asc(t.queries.position));
}
