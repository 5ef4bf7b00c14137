import { setImmediate as nextTurn } from "node:timers/promises";
import {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  notExists,
  or,
  sql,
  type SQL,
} from "drizzle-orm";
import type { Reading } from "../../core/reading/capture.ts";
import type { CompiledCatalog } from "../../core/reading/catalog.ts";
import type { Page } from "../../core/page.ts";
import type { Source } from "../../core/sources.ts";
import { takeAnswerKeys } from "./answer-keys.ts";
import { answersNaming, namesFew } from "./answers-naming.ts";
import { findPerception } from "./perception-facts.ts";
import { insertReadings } from "./readings.ts";
import type { tables } from "../schema.ts";
import { boundLimit, type Db, type Tenant } from "../engine/store.ts";

/** An answer as it came, with what was read from it. */
export interface ReadAnswer {
  answer: Omit<typeof tables.answers.$inferInsert, "key" | "isShown" | "isInformative" | "readingVersion">;
  reading: Reading;
  /** What it was read with. */
  catalog: CompiledCatalog;
}

/** Stores answers with their readings. Each row says whose it is, so one batch can hold several organizations'. */
export async function insertAnswers(db: Db, answers: readonly ReadAnswer[]): Promise<void> {
  const { t } = db;
  const keys = await keysFor(db, answers);
  await db.bulkInsert(
    t.answers,
    answers.map(({ answer, reading }, at) => ({
      ...answer,
      key: keys[at] ?? 0,
      isShown: reading.shown,
      isInformative: reading.informative,
      readingVersion: reading.version,
    })),
  );
  await insertReadings(
    db,
    answers.map(({ reading, catalog }, at) => ({ answerKey: keys[at] ?? 0, reading, catalog })),
  );
}

/** A key for each answer, in their order. */
async function keysFor(db: Db, answers: readonly ReadAnswer[]): Promise<number[]> {
  const counts = new Map<string, number>();
  for (const { answer } of answers) counts.set(answer.workspaceId, (counts.get(answer.workspaceId) ?? 0) + 1);
  const next = new Map<string, number>();
  for (const [workspaceId, wanted] of counts) next.set(workspaceId, await takeAnswerKeys(db, workspaceId, wanted));
  return answers.map(({ answer: { workspaceId } }) => {
    const key = next.get(workspaceId) ?? 0;
    next.set(workspaceId, key + 1);
    return key;
  });
}

export interface AnswerFilter {
  collectId?: string | undefined;
  questionId?: string | undefined;
  sources?: readonly Source[] | undefined;
  /** Which questions they answer (`answersAskedIn`). */
  isAsked?: SQL | undefined;
  /** Answers that this brand has a place in. */
  brandId?: string | undefined;
  /** Answers that this brand has no place in. */
  absentBrandId?: string | undefined;
  isInformative?: boolean | undefined;
}

/** Answers of an import are seen when its collect has ended, all at once. */
function isSeen(t: typeof tables) {
  return or(eq(t.collects.isImported, false), isNotNull(t.collects.finishedAt));
}

const EXCERPT_LENGTH = 400;

/** Answers that are searched at once: few enough for others to have their turn in between. */
const SEARCHED_AT_ONCE = 2000;
/** Behind every id, whose signs are hexadecimal, and before it. */
const BEHIND_ALL = "~";
const BEFORE_ALL = "";

type Direction = "asc" | "desc";

/** Answers of an analysis with the beginning of their texts, newest or oldest first; one row more than the page. */
export async function listAnswers(
  tenant: Tenant,
  analysisId: string,
  filter: AnswerFilter,
  page: Page & { direction: Direction },
) {
  const { direction } = page;
  const search = await searchFor(tenant, filter);
  const matching = answersMatching(tenant, analysisId, search, direction);
  const rows: Awaited<ReturnType<typeof matching>> = [];
  for await (const part of eachPart(tenant.db, analysisId, search, { direction, after: page.after?.[0] })) {
    rows.push(...(await matching({ ...part, limit: page.limit + 1 - rows.length })));
    if (rows.length > page.limit) break;
  }
  return rows;
}

/** How many answers of an analysis a filter lets through. */
export async function countAnswers(tenant: Tenant, analysisId: string, filter: AnswerFilter): Promise<number> {
  const { q, t } = tenant.db;
  const search = await searchFor(tenant, filter);
  let sum = 0;
  for await (const { start, end } of eachPart(tenant.db, analysisId, search, { direction: "desc" })) {
    const [part] = await q
      .select({ answers: count() })
      .from(t.answers)
      .innerJoin(t.collects, eq(t.collects.id, t.answers.collectId))
      .where(and(conditions(tenant, analysisId, search), lt(t.answers.id, start), gte(t.answers.id, end)));
    sum += part?.answers ?? 0;
  }
  return sum;
}

/** What is asked for, with how it is found. */
interface Search extends AnswerFilter {
  /** True where its brand has so few answers that they are found by the brand. */
  byBrand: boolean;
}

/** Answers of one question are fewer than those of any brand. */
async function searchFor(tenant: Tenant, filter: AnswerFilter): Promise<Search> {
  const { brandId, questionId } = filter;
  const byBrand = brandId !== undefined && questionId === undefined && (await namesFew(tenant, brandId));
  return { ...filter, byBrand };
}

/** A part at a time, from behind `start` on to its `end`: nothing else would be answered while all answers are searched for what few of them have. */
async function* eachPart(
  db: Db,
  analysisId: string,
  search: Search,
  of: { direction: Direction; after?: string | undefined },
) {
  const falls = of.direction === "desc";
  let start = of.after ?? (falls ? BEHIND_ALL : BEFORE_ALL);
  for (;;) {
    const last = search.byBrand
      ? undefined
      : await endOfNext(db, analysisId, search, { start, direction: of.direction });
    yield { start, end: last ?? (falls ? BEFORE_ALL : BEHIND_ALL) };
    if (last === undefined) return;
    start = last;
    await nextTurn();
  }
}

/** The id at which the next part of a search ends; undefined where the rest is one part. */
async function endOfNext(
  { q, t }: Db,
  analysisId: string,
  filter: AnswerFilter,
  { start, direction }: { start: string; direction: Direction },
) {
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
    .where(and(among, direction === "desc" ? lt(id, start) : gt(id, start)))
    .orderBy(direction === "desc" ? desc(id) : asc(id))
    .limit(1)
    .offset(SEARCHED_AT_ONCE - 1);
  return last?.id;
}

function conditions(tenant: Tenant, analysisId: string, search: Search) {
  const {
    db: { q, t },
    workspaceId,
  } = tenant;
  const { collectId, questionId, sources, isAsked, brandId, absentBrandId, isInformative, byBrand } = search;
  const placesOf = (id: string) =>
    q
      .select({ number: t.places.brandNumber })
      .from(t.places)
      .where(
        and(
          eq(t.places.answerKey, t.answers.key),
          eq(
            t.places.brandNumber,
            q
              .select({ number: t.brands.number })
              .from(t.brands)
              .where(isBrand(t, workspaceId, id)),
          ),
        ),
      );
  // With a plus before it no index is searched by a column.
  const its = (column: typeof t.answers.analysisId | typeof t.answers.collectId, wanted: string) =>
    byBrand ? sql`+${column} = ${wanted}` : eq(column, wanted);
  return and(
    its(t.answers.analysisId, analysisId),
    eq(t.answers.workspaceId, workspaceId),
    isSeen(t),
    collectId === undefined ? undefined : its(t.answers.collectId, collectId),
    questionId === undefined ? undefined : eq(t.answers.questionId, questionId),
    sources === undefined ? undefined : inArray(t.answers.source, [...sources]),
    isAsked,
    brandId === undefined
      ? undefined
      : byBrand
        ? inArray(t.answers.key, answersNaming(tenant, brandId))
        : exists(placesOf(brandId)),
    absentBrandId === undefined ? undefined : notExists(placesOf(absentBrandId)),
    isInformative === undefined ? undefined : eq(t.answers.isInformative, isInformative),
  );
}

function isBrand(t: typeof tables, workspaceId: string, id: string) {
  return and(eq(t.brands.workspaceId, workspaceId), eq(t.brands.id, id));
}

/** The query for a part of the answers, prepared once for all parts. */
function answersMatching(tenant: Tenant, analysisId: string, search: Search, direction: Direction) {
  const [start, end] = [sql.placeholder("start"), sql.placeholder("end")];
  const falls = direction === "desc";
  const { q, t } = tenant.db;
  const { id } = t.answers;
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
        conditions(tenant, analysisId, search),
        falls ? and(lt(id, start), gte(id, end)) : and(gt(id, start), lte(id, end)),
      ),
    )
    .orderBy(falls ? desc(id) : asc(id))
    .limit(boundLimit("limit"))
    .prepare();
  return async (part: { start: string; end: string; limit: number }) => query.execute(part);
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
    isShown: t.answers.isShown,
    isInformative: t.answers.isInformative,
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
    .select({
      ...summaryColumns(t),
      key: t.answers.key,
      text: t.answers.text,
      rawBody: t.answers.rawBody,
      results: t.answers.results,
      products: t.answers.products,
      isRefusal: t.answers.isRefusal,
    })
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

/** Everything that was read from one answer of the workspace, without archived brands: mentions in the order of the text, places by rank. */
export async function findReading(tenant: Tenant, key: number) {
  const {
    db: { q, t },
    workspaceId,
  } = tenant;
  const isNumbered = (
    number: typeof t.places.brandNumber | typeof t.mentions.brandNumber | typeof t.citations.brandNumber,
  ) => and(eq(t.brands.workspaceId, workspaceId), eq(t.brands.number, number), isNull(t.brands.archivedAt));
  const mentions = await q
    .select({
      brandId: t.brands.id,
      brand: t.brands.name,
      alias: t.mentions.alias,
      start: t.mentions.start,
      end: t.mentions.end,
    })
    .from(t.mentions)
    .innerJoin(t.brands, isNumbered(t.mentions.brandNumber))
    .where(eq(t.mentions.answerKey, key))
    .orderBy(asc(t.mentions.start), asc(t.mentions.brandNumber));
  const places = await q
    .select({
      brandId: t.brands.id,
      brand: t.brands.name,
      rank: t.places.rank,
      brandRank: t.places.brandRank,
      mentions: t.places.mentions,
      url: t.places.url,
    })
    .from(t.places)
    .innerJoin(t.brands, isNumbered(t.places.brandNumber))
    .where(eq(t.places.answerKey, key))
    .orderBy(asc(t.places.rank), asc(t.places.brandNumber));
  const pages = await q
    .select({
      position: t.citations.position,
      isCited: t.citations.isCited,
      url: t.citations.url,
      title: t.citations.title,
      domain: t.citations.domain,
      competitorType: t.citations.competitorType,
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
    places,
    awareness: awareness ?? null,
    perception: await findPerception(tenant, key),
    citations: pages.filter(({ isCited }) => isCited),
    retrieved: pages.filter(({ isCited }) => !isCited),
    queries: queries.map(({ text }) => text),
  };
}
