import { setImmediate as nextTurn } from "node:timers/promises";
import { and, asc, eq, exists, gt, inArray, isNotNull, lte, ne, notExists, or, sql } from "drizzle-orm";
import type { Reading } from "../../core/reading/capture.ts";
import type { Page } from "../../core/page.ts";
import type { Source } from "../../core/sources.ts";
import { insertReadings } from "./readings.ts";
import type { tables } from "../schema.ts";
import { boundLimit, type Db, type Tenant } from "../engine/store.ts";

/** An answer as it came, with what was read from it. */
export interface ReadAnswer {
  answer: Omit<typeof tables.answers.$inferInsert, "eligible" | "readingVersion">;
  reading: Reading;
}

/** Stores answers with their readings. Each row says whose it is, so one batch can hold several organizations'. */
export async function insertAnswers(db: Db, answers: readonly ReadAnswer[]): Promise<void> {
  const { t } = db;
  await db.bulkInsert(
    t.answers,
    answers.map(({ answer, reading }) => ({
      ...answer,
      eligible: reading.eligible,
      readingVersion: reading.version,
    })),
  );
  await insertReadings(
    db,
    answers.map(({ answer, reading }) => ({ answerId: answer.id, reading })),
  );
}

export interface AnswerFilter {
  collectId?: string | undefined;
  questionId?: string | undefined;
  sources?: readonly Source[] | undefined;
  /** Answers that this brand has a place in. */
  brandId?: string | undefined;
  /** Answers that this brand has no place in. */
  absentBrandId?: string | undefined;
  eligible?: boolean | undefined;
}

/** Answers of an import are seen when its collect has ended, all at once. */
function isSeen(t: typeof tables) {
  return or(ne(t.answers.collectionMethod, "import"), isNotNull(t.collects.finishedAt));
}

const EXCERPT_LENGTH = 400;

/** Answers that are searched at once: few enough for others to have their turn in between. */
const SEARCHED_AT_ONCE = 2000;
/** Behind every id, whose signs are hexadecimal. */
const BEHIND_ALL = "~";

/** Answers of an analysis with the beginning of their texts, oldest first; one row more than the page. */
export async function listAnswers(tenant: Tenant, analysisId: string, filter: AnswerFilter, page: Page) {
  const matching = answersMatching(tenant, analysisId, filter);
  const rows: Awaited<ReturnType<typeof matching>> = [];
  let after = page.after?.[0] ?? "";
  // A part at a time: nothing else would be answered while all answers are searched for what few of them have.
  for (;;) {
    const upTo = await lastOfNext(tenant.db, analysisId, filter, after);
    rows.push(...(await matching({ after, upTo: upTo ?? BEHIND_ALL, limit: page.limit + 1 - rows.length })));
    if (upTo === undefined || rows.length > page.limit) return rows;
    after = upTo;
    await nextTurn();
  }
}

/** The id at which the next part of a search ends; undefined where the rest is one part. */
async function lastOfNext({ q, t }: Db, analysisId: string, filter: AnswerFilter, after: string) {
  const { id } = t.answers;
  // What an index is sorted by. The query itself holds all of the filter.
  const among =
    filter.questionId !== undefined
      ? eq(t.answers.questionId, filter.questionId)
      : filter.collectId !== undefined
        ? eq(t.answers.collectId, filter.collectId)
        : eq(t.answers.analysisId, analysisId);
  const [last] = await q
    .select({ id })
    .from(t.answers)
    .where(and(among, gt(id, after)))
    .orderBy(asc(id))
    .limit(1)
    .offset(SEARCHED_AT_ONCE - 1);
  return last?.id;
}

/** The query for a part of the answers, prepared once for all parts. */
function answersMatching({ db: { q, t }, workspaceId }: Tenant, analysisId: string, filter: AnswerFilter) {
  const { collectId, questionId, sources, brandId, absentBrandId, eligible } = filter;
  const placesOf = (id: string) =>
    q
      .select({ brandId: t.places.brandId })
      .from(t.places)
      .where(and(eq(t.places.answerId, t.answers.id), eq(t.places.brandId, id)));
  const query = q
    .select({
      ...summaryColumns(t),
      excerpt: sql<string>`substr(${t.answers.text}, 1, ${EXCERPT_LENGTH})`,
      length: sql<number>`length(${t.answers.text})`,
    })
    .from(t.answers)
    .innerJoin(t.collects, eq(t.collects.id, t.answers.collectId))
    .where(
      and(
        eq(t.answers.analysisId, analysisId),
        eq(t.answers.workspaceId, workspaceId),
        isSeen(t),
        collectId === undefined ? undefined : eq(t.answers.collectId, collectId),
        questionId === undefined ? undefined : eq(t.answers.questionId, questionId),
        sources === undefined ? undefined : inArray(t.answers.source, [...sources]),
        brandId === undefined ? undefined : exists(placesOf(brandId)),
        absentBrandId === undefined ? undefined : notExists(placesOf(absentBrandId)),
        eligible === undefined ? undefined : eq(t.answers.eligible, eligible),
        gt(t.answers.id, sql.placeholder("after")),
        lte(t.answers.id, sql.placeholder("upTo")),
      ),
    )
    .orderBy(asc(t.answers.id))
    .limit(boundLimit("limit"))
    .prepare();
  return async (part: { after: string; upTo: string; limit: number }) => query.execute(part);
}

function summaryColumns(t: typeof tables) {
  return {
    id: t.answers.id,
    analysisId: t.answers.analysisId,
    collectId: t.answers.collectId,
    collectNumber: t.collects.number,
    questionId: t.answers.questionId,
    prompt: t.answers.prompt,
    source: t.answers.source,
    run: t.answers.run,
    eligible: t.answers.eligible,
    provider: t.answers.provider,
    model: t.answers.model,
    locale: t.answers.locale,
    collectionMethod: t.answers.collectionMethod,
    costCredits: t.answers.costCredits,
    costUsd: t.answers.costUsd,
    collectedAt: t.answers.collectedAt,
  };
}
export type AnswerSummaryRow = Omit<Awaited<ReturnType<typeof listAnswers>>[number], "excerpt" | "length">;

/** One answer with its whole text. */
export async function findAnswer({ db: { q, t }, workspaceId }: Tenant, ids: { analysisId: string; answerId: string }) {
  const [row] = await q
    .select({ ...summaryColumns(t), text: t.answers.text, results: t.answers.results })
    .from(t.answers)
    .innerJoin(t.collects, eq(t.collects.id, t.answers.collectId))
    .where(
      and(
        eq(t.answers.id, ids.answerId),
        eq(t.answers.analysisId, ids.analysisId),
        eq(t.answers.workspaceId, workspaceId),
        isSeen(t),
      ),
    );
  return row;
}

/** Everything that was read from one answer of the workspace: mentions in the order of the text, places by rank. */
export async function findReading({ db: { q, t } }: Tenant, answerId: string) {
  const mentions = await q
    .select({
      brandId: t.mentions.brandId,
      brand: t.brands.name,
      alias: t.mentions.alias,
      start: t.mentions.start,
      end: t.mentions.end,
    })
    .from(t.mentions)
    .innerJoin(t.brands, eq(t.brands.id, t.mentions.brandId))
    .where(eq(t.mentions.answerId, answerId))
    .orderBy(asc(t.mentions.start), asc(t.mentions.brandId));
  const places = await q
    .select({
      brandId: t.places.brandId,
      brand: t.brands.name,
      rank: t.places.rank,
      mentions: t.places.mentions,
      url: t.places.url,
    })
    .from(t.places)
    .innerJoin(t.brands, eq(t.brands.id, t.places.brandId))
    .where(eq(t.places.answerId, answerId))
    .orderBy(asc(t.places.rank), asc(t.places.brandId));
  const citations = await q
    .select({
      position: t.citations.position,
      url: t.citations.url,
      title: t.citations.title,
      domain: t.citations.domain,
      competitorType: t.citations.competitorType,
      brandId: t.citations.brandId,
    })
    .from(t.citations)
    .where(eq(t.citations.answerId, answerId))
    .orderBy(asc(t.citations.position));
  return { mentions, places, citations };
}
