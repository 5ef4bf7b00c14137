import { setImmediate as nextTurn } from "node:timers/promises";
import { and, asc, between, eq, inArray, isNull } from "drizzle-orm";
import { createAwarenessGatherer, type AwarenessGatherer } from "../../core/metrics/facts/awareness-gatherer.ts";
import { packFacts } from "../../core/metrics/facts/collect-facts.ts";
import { createPerceptionGatherer, type PerceptionGatherer } from "../../core/metrics/facts/perception-gatherer.ts";
import { copyToParents } from "../../core/metrics/facts/stored-perception.ts";
import { hashPacked } from "../../core/metrics/packed-columns.ts";
import { PROMPT_KINDS, type PromptKind } from "../../core/prompts/brand-prompt.ts";
import type { CollectionMethod, Source } from "../../core/sources/sources.ts";
import { matches, pick } from "../engine/rows.ts";
import type { Db, ReadRunner } from "../engine/store.ts";
import { computeClaimSums } from "./claim-sums.ts";
import { computeSums } from "./rollups.ts";
import { compareSums } from "./sum-changes.ts";
import { readParents, type SumPlan } from "./sum-plan.ts";

/** Lets other requests run in between. */
const QUESTIONS_PER_BATCH = 100;
const OPINIONS_PER_BATCH = 20;

interface CollectIds {
  id: string;
  analysisId: string;
}

/** Adds awareness, perception and claims of a brand analysis. */
export async function computeBrandSums(read: ReadRunner, collect: CollectIds, pause: () => Promise<void> = nextTurn) {
  const sums = await computeSums(read, collect, pause);
  const parents = await read((db) => readParents(db, collect.analysisId));
  const { aided, all } = await read((db) => listPositions(db, collect.analysisId));
  const awareness = createAwarenessGatherer((aided.at(-1) ?? -1) + 1);
  for (const part of splitIntoBatches(aided, QUESTIONS_PER_BATCH)) {
    await read((db) => addAwareness(db, collect, part, awareness));
    await pause();
  }
  const perception = createPerceptionGatherer((all.at(-1) ?? -1) + 1);
  for (const positions of splitIntoBatches(all, OPINIONS_PER_BATCH)) {
    await read((db) => addPerception(db, collect, { positions, parents }, perception));
    await pause();
  }
  const toKeys = ({ source, method }: { source: Source; method: CollectionMethod }) => {
    return { collectId: collect.id, source, method };
  };
  const collectAwareness = awareness.sources().map((one) => {
    const facts = packFacts(one.answers, one.rows);
    return { ...toKeys(one), digest: hashPacked(facts), facts };
  });
  const collectPerception = perception.sources().map((one) => {
    const facts = one.pack();
    return { ...toKeys(one), digest: hashPacked(facts), facts };
  });
  const stored = await read((db) => listStoredFacts(db, collect.id));
  const changes = compareSums(stored, { collectAwareness, collectPerception });
  const claims = await computeClaimSums(read, collect, { pause });
  return { ...sums, changes: [...sums.changes, ...changes, ...claims] };
}

async function listStoredFacts({ q, t }: Db, collectId: string) {
  return {
    collectAwareness: await q.select().from(t.collectAwareness).where(eq(t.collectAwareness.collectId, collectId)),
    collectPerception: await q.select().from(t.collectPerception).where(eq(t.collectPerception.collectId, collectId)),
  };
}

/** `aided`: prompts about a brand name; `all`: all prompts except those about an invented name. */
async function listPositions({ q, t }: Db, analysisId: string) {
  const { position, promptKind, lookAlike } = t.questions;
  const rows = await q
    .select({ position, promptKind, lookAlike })
    .from(t.questions)
    .where(and(eq(t.questions.analysisId, analysisId), inArray(promptKind, [...PROMPT_KINDS])))
    .orderBy(asc(position));
  const where = (isOne: (row: (typeof rows)[number]) => boolean) => rows.filter(isOne).map((row) => row.position);
  return {
    aided: where((row) => row.promptKind === "aided"),
    all: where((row) => row.lookAlike === null),
  };
}

function splitIntoBatches(positions: readonly number[], most: number): number[][] {
  const parts: number[][] = [];
  for (let at = 0; at < positions.length; at += most) parts.push(positions.slice(at, at + most));
  return parts;
}

function answerColumns({ t }: Db) {
  return {
    question: t.questions.position,
    ...pick(t.answers, "source", "collectionMethod", "model", "isShown"),
  };
}

function positionsCondition(
  { t }: Db,
  collect: CollectIds,
  positions: readonly number[],
  kinds: readonly PromptKind[],
) {
  const [first = 0, last = first] = [positions[0], positions.at(-1)];
  return and(
    matches(t.questions, { analysisId: collect.analysisId, promptKind: kinds }),
    between(t.questions.position, first, last),
    eq(t.answers.collectId, collect.id),
  );
}

async function addAwareness(db: Db, collect: CollectIds, positions: readonly number[], gathering: AwarenessGatherer) {
  const { q, t } = db;
  const rows = await q
    .select({ ...answerColumns(db), verdict: t.awareness.verdict })
    .from(t.questions)
    .innerJoin(t.answers, eq(t.answers.questionId, t.questions.id))
    .leftJoin(t.awareness, eq(t.awareness.answerKey, t.answers.key))
    .where(positionsCondition(db, collect, positions, ["aided"]))
    .orderBy(asc(t.questions.position), asc(t.answers.source), asc(t.answers.run));
  for (const row of rows) gathering.add(row);
}

async function addPerception(
  db: Db,
  collect: CollectIds,
  { positions, parents }: { positions: readonly number[]; parents: SumPlan["parents"] },
  gathering: PerceptionGatherer,
): Promise<void> {
  const { q, t } = db;
  const rows = await q
    .select({ ...answerColumns(db), key: t.answers.key, text: t.answers.text, spans: t.perceptions.spans })
    .from(t.questions)
    .innerJoin(t.answers, eq(t.answers.questionId, t.questions.id))
    .leftJoin(t.perceptions, eq(t.perceptions.answerKey, t.answers.key))
    .where(and(positionsCondition(db, collect, positions, PROMPT_KINDS), isNull(t.questions.lookAlike)))
    .orderBy(asc(t.questions.position), asc(t.answers.source), asc(t.answers.run));
  for (const { spans, ...row } of rows) {
    gathering.add({ ...row, perception: spans && copyToParents(spans, parents) });
  }
}
