import { and, asc, eq, isNotNull, or, max, sql } from "drizzle-orm";
import type { Reading } from "../../core/reading/capture.ts";
import type { CompiledCatalog } from "../../core/reading/catalog.ts";
import { findPerception } from "../metrics/perception-facts.ts";
import { insertReadings } from "./readings.ts";
import type { tables } from "../schema.ts";
import { matches, pick } from "../engine/rows.ts";
import { type Db, type Tenant, prepareQuery } from "../engine/store.ts";

export interface ExtractedAnswer {
  answer: Omit<
    typeof tables.answers.$inferInsert,
    "key" | "isShown" | "isInformative" | "readingVersion" | "unreadReason"
  >;
  reading: Reading;
  catalog: CompiledCatalog;
}

/** Rows carry their organization, so one batch can span several organizations. */
export async function insertAnswers(db: Db, answers: readonly ExtractedAnswer[]): Promise<void> {
  const { t } = db;
  const keys = await allocateKeysFor(db, answers);
  await db.bulkInsert(
    t.answers,
    answers.map(({ answer, reading }, at) => ({
      ...answer,
      key: keys[at] ?? 0,
      isShown: reading.isShown,
      isInformative: reading.isInformative,
      readingVersion: reading.version,
      unreadReason: reading.unread ?? null,
    })),
  );
  await insertReadings(
    db,
    answers.map(({ reading, catalog }, at) => ({ answerKey: keys[at] ?? 0, reading, catalog })),
  );
}

async function allocateKeysFor(db: Db, answers: readonly ExtractedAnswer[]): Promise<number[]> {
  const counts = new Map<string, number>();
  for (const { answer } of answers) counts.set(answer.workspaceId, (counts.get(answer.workspaceId) ?? 0) + 1);
  const next = new Map<string, number>();
  for (const [workspaceId, wanted] of counts) next.set(workspaceId, await allocateAnswerKeys(db, workspaceId, wanted));
  return answers.map(({ answer: { workspaceId } }) => {
    const key = next.get(workspaceId) ?? 0;
    next.set(workspaceId, key + 1);
    return key;
  });
}

export function visibleCondition(t: typeof tables) {
  return or(eq(t.collects.isImported, false), isNotNull(t.collects.finishedAt));
}

export function buildAnswerSummaryColumns(t: typeof tables) {
  return {
    ...pick(t.answers, "id", "analysisId", "collectId"),
    collectNumber: t.collects.number,
    ...pick(t.answers, "questionId", "prompt", "source", "run", "isShown", "isInformative", "unreadReason"),
    ...pick(t.answers, "provider", "model", "locale", "collectionMethod", "costCredits", "costUsd"),
    collectedAt: t.answers.collectedAt,
  };
}

export async function findAnswer({ db: { q, t }, workspaceId }: Tenant, ids: { analysisId: string; answerId: string }) {
  const [row] = await q
    .select({
      ...buildAnswerSummaryColumns(t),
      ...pick(t.answers, "key", "text", "rawBody", "results", "products", "isRefusal"),
    })
    .from(t.answers)
    .innerJoin(t.collects, eq(t.collects.id, t.answers.collectId))
    .where(and(matches(t.answers, { id: ids.answerId, analysisId: ids.analysisId, workspaceId }), visibleCondition(t)));
  return row;
}

/** Omits archived brands. Mentions are in text order, brands by rank. */
export async function findReading(tenant: Tenant, key: number) {
  const {
    db: { q, t },
    workspaceId,
  } = tenant;
  const isNumbered = (
    number: typeof t.places.brandNumber | typeof t.mentions.brandNumber | typeof t.citations.brandNumber,
  ) => matches(t.brands, { workspaceId, number, archivedAt: null });
  const mentions = await q
    .select({
      brandId: t.brands.id,
      brand: t.brands.name,
      ...pick(t.mentions, "alias", "start", "end"),
    })
    .from(t.mentions)
    .innerJoin(t.brands, isNumbered(t.mentions.brandNumber))
    .where(eq(t.mentions.answerKey, key))
    .orderBy(asc(t.mentions.start), asc(t.mentions.brandNumber));
  const ranks = await q
    .select({
      brandId: t.brands.id,
      brand: t.brands.name,
      ...pick(t.places, "rank", "brandRank", "mentions", "url"),
    })
    .from(t.places)
    .innerJoin(t.brands, isNumbered(t.places.brandNumber))
    .where(eq(t.places.answerKey, key))
    .orderBy(asc(t.places.rank), asc(t.places.brandNumber));
  const pages = await q
    .select({
      ...pick(t.citations, "position", "isCited", "url", "title", "domain", "competitorType"),
      brandId: t.brands.id,
    })
    .from(t.citations)
    .leftJoin(t.brands, isNumbered(t.citations.brandNumber))
    .where(eq(t.citations.answerKey, key))
    .orderBy(asc(t.citations.position));
  const queries = await q
    .select({ text: t.queries.text })
    .from(t.queries)
    .where(eq(t.queries.answerKey, key))
    .orderBy(asc(t.queries.position));
  const [awareness] = await q
    .select({ verdict: t.awareness.verdict, start: t.awareness.start, end: t.awareness.end })
    .from(t.awareness)
    .where(eq(t.awareness.answerKey, key));
  return {
    mentions,
    places: ranks,
    awareness: awareness ?? null,
    perception: await findPerception(tenant, key),
    citations: pages.filter(({ isCited }) => isCited),
    retrieved: pages.filter(({ isCited }) => !isCited),
    queries: queries.map(({ text }) => text),
  };
}

export const MAX_WORKSPACE_KEYS = 2 ** 31;

/** Separate ranges keep a workspace's answers together and its writers independent. */
export async function allocateAnswerKeys(db: Db, workspaceId: string, count: number): Promise<number> {
  const [taken] = await allocateKeys(db, { workspaceId, count });
  if (taken) return taken.end - count;
  const { q, t } = db;
  const [last] = await q.select({ base: max(t.answerKeys.base) }).from(t.answerKeys);
  const base = last?.base === null || last === undefined ? 0 : last.base + MAX_WORKSPACE_KEYS;
  await q.insert(t.answerKeys).values({ workspaceId, base, next: count });
  return base;
}

const allocateKeys = prepareQuery(({ q, t: { answerKeys } }) =>
  q
    .update(answerKeys)
    .set({ next: sql`${answerKeys.next} + ${sql.placeholder("count")}` })
    .where(eq(answerKeys.workspaceId, sql.placeholder("workspaceId")))
    .returning({ end: sql<number>`${answerKeys.base} + ${answerKeys.next}` }),
);
