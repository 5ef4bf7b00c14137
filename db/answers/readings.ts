import {
  aliasedTable,
  and,
  asc,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNull,
  ne,
  not,
  notLike,
  or,
  sql,
  sum,
} from "drizzle-orm";
import { MEASURED_STATUSES, type AnalysisType } from "../../core/analyses/analysis.ts";
import {
  UNREAD_REASONS,
  type CapturedCitation,
  type Citation,
  type Reading,
  type UnreadReason,
} from "../../core/reading/capture.ts";
import { toStoredPerception } from "../../core/metrics/facts/stored-perception.ts";
import type { CompiledCatalog } from "../../core/reading/catalog.ts";
import { buildPromptContextColumns, toAskedPrompt, extractionSettings } from "../analyses/prompt-context.ts";
import { greaterThan, deleteRows, matches, pick, updateRows } from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";

export interface AnswerReading {
  answerKey: number;
  reading: Reading;
  catalog: CompiledCatalog;
}

/** Keeps stored readings. Spans organizations. */
export async function insertReadings(db: Db, readings: readonly AnswerReading[]): Promise<void> {
  const { t } = db;
  const rows = readings.map((one) => toRows(one));
  await db.bulkInsert(
    t.mentions,
    rows.flatMap(({ mentions }) => mentions),
  );
  await db.bulkInsert(
    t.places,
    rows.flatMap(({ places }) => places),
  );
  await db.bulkInsert(
    t.citations,
    rows.flatMap(({ citations }) => citations),
  );
  await db.bulkInsert(
    t.queries,
    rows.flatMap(({ queries }) => queries),
  );
  await db.bulkInsert(
    t.awareness,
    rows.flatMap(({ awareness }) => awareness ?? []),
  );
  await db.bulkInsert(
    t.perceptions,
    rows.flatMap(({ perception }) => perception ?? []),
  );
}

function toRows({ answerKey, reading, catalog }: AnswerReading) {
  const toNumber = (id: string) => {
    const brand = catalog.brands[catalog.indexById.get(id) ?? -1];
    if (!brand) throw new Error("an extraction contains a brand that is missing from its catalog");
    return brand.number;
  };
  const positions = new Set(reading.citations.map(({ position }) => position));
  const repeat = positions.size < reading.citations.length;
  // Keeps captured positions of citations; renumbers them if a capture repeats one.
  const cited = reading.citations.map((one, at) => ({ ...one, position: repeat ? at + 1 : one.position }));
  const last = cited.reduce((most, { position }) => Math.max(most, position), 0);
  const retrieved = reading.retrieved.map((one, at) => ({ ...one, position: last + at + 1 }));
  const pageRow = (isCited: boolean) => (page: Citation) => ({
    answerKey,
    position: page.position,
    isCited,
    url: page.url,
    title: page.title ?? null,
    domain: page.domain,
    competitorType: page.competitor_type,
    brandNumber: page.brand_id === null ? null : toNumber(page.brand_id),
    spans: page.spans ?? null,
  });
  return {
    mentions: reading.mentions.map(({ brand_id, alias, start, end }) => {
      return { answerKey, brandNumber: toNumber(brand_id), alias, start, end };
    }),
    places: reading.brandRanks.map(({ brand_id, rank, brand_rank: brandRank, mentions, url }) => {
      return { answerKey, brandNumber: toNumber(brand_id), rank, brandRank, mentions, url };
    }),
    citations: [...cited.map(pageRow(true)), ...retrieved.map(pageRow(false))],
    queries: reading.queries.map((text, at) => ({ answerKey, position: at + 1, text })),
    awareness: reading.awareness && { answerKey, ...reading.awareness },
    perception: reading.perception && { answerKey, spans: toStoredPerception(reading.perception, toNumber) },
  };
}

const READING_OUTCOMES: readonly (readonly [boolean, boolean, UnreadReason | null])[] = [
  [true, true, null],
  [true, false, null],
  [false, true, null],
  [false, false, null],
  ...UNREAD_REASONS.map((reason) => [false, false, reason] as const),
];

/** Not tenant-scoped: the caller has read the answer keys with their owner. */
export async function replaceReadings(db: Db, collectId: string, readings: readonly AnswerReading[]): Promise<void> {
  const { q, t } = db;
  const keys = readings.map(({ answerKey }) => answerKey);
  const readingChanges = sql`${t.collects.readingChanges} + 1`;
  await updateRows(q, t.collects, { id: collectId }, { readingChanges });
  for (const table of [t.mentions, t.places, t.citations, t.queries, t.awareness, t.perceptions]) {
    await deleteRows(q, table, inArray(table.answerKey, keys));
  }
  await insertReadings(db, readings);
  for (const [isShown, isInformative, unreadReason] of READING_OUTCOMES) {
    const those = readings.filter(
      ({ reading: { isShown: shown, isInformative: informative, unread = null } }) =>
        shown === isShown && informative === isInformative && unread === unreadReason,
    );
    if (those.length === 0) continue;
    const state = { isShown, isInformative, unreadReason, readingVersion: those[0]?.reading.version };
    const answerKeys = those.map(({ answerKey }) => answerKey);
    await updateRows(q, t.answers, inArray(t.answers.key, answerKeys), state);
  }
}

export interface StoredCollect {
  id: string;
  analysisId: string;
  type: AnalysisType;
  settings: ReturnType<typeof extractionSettings>;
}

export async function listStoredCollects({ db: { q, t }, workspaceId }: Tenant): Promise<StoredCollect[]> {
  const isItsSetup = matches(t.analysisSetups, { analysisId: t.collects.analysisId, version: t.collects.setupVersion });
  const rows = await q
    .select({
      id: t.collects.id,
      analysisId: t.collects.analysisId,
      type: t.analyses.type,
      setup: t.analysisSetups.setup,
    })
    .from(t.collects)
    .innerJoin(t.analyses, eq(t.analyses.id, t.collects.analysisId))
    .leftJoin(t.analysisSetups, isItsSetup)
    .where(eq(t.analyses.workspaceId, workspaceId))
    .orderBy(desc(t.collects.id));
  return rows.map(({ setup, ...collect }) => ({ ...collect, settings: extractionSettings(setup ?? {}) }));
}

/** Call after all answers of the workspace were re-extracted with this version. */
export async function setSummedVersion({ db: { q, t }, workspaceId }: Tenant, version: string): Promise<void> {
  await updateRows(
    q,
    t.collects,
    { workspaceId, status: MEASURED_STATUSES, summedVersion: null },
    { summedVersion: version },
  );
}

/** Measured collects whose sums use other rules, or mixed ones. Spans organizations. */
export async function listOutdatedWorkspaces({ q, t }: Db, rules: string) {
  const current = `${rules}.%`;
  return q
    .selectDistinct({ organizationId: t.collects.organizationId, workspaceId: t.collects.workspaceId })
    .from(t.collects)
    .where(
      and(
        inArray(t.collects.status, [...MEASURED_STATUSES]),
        or(isNull(t.collects.summedVersion), notLike(t.collects.summedVersion, current)),
      ),
    )
    .orderBy(asc(t.collects.workspaceId));
}

export async function listNewestMeasuredCollects({ db: { q, t }, workspaceId }: Tenant) {
  const newer = aliasedTable(t.collects, "newer");
  const measured = [...MEASURED_STATUSES];
  const overtaken = q
    .select({ id: newer.id })
    .from(newer)
    .where(
      and(
        matches(newer, { analysisId: t.collects.analysisId, number: greaterThan(t.collects.number) }),
        inArray(newer.status, measured),
      ),
    );
  return q
    .select({ id: t.collects.id, analysisId: t.collects.analysisId, type: t.analyses.type })
    .from(t.collects)
    .innerJoin(t.analyses, eq(t.analyses.id, t.collects.analysisId))
    .where(
      and(
        eq(t.analyses.workspaceId, workspaceId),
        ne(t.analyses.status, "archived"),
        inArray(t.collects.status, measured),
        not(exists(overtaken)),
      ),
    )
    .orderBy(asc(t.collects.id));
}

export async function countStoredAnswers({ db: { q, t }, workspaceId }: Tenant): Promise<number> {
  const [row] = await q
    .select({ answers: sum(t.collects.succeeded).mapWith(Number) })
    .from(t.collects)
    .innerJoin(t.analyses, eq(t.analyses.id, t.collects.analysisId))
    .where(eq(t.analyses.workspaceId, workspaceId));
  return row?.answers ?? 0;
}

export async function listStoredAnswers(
  { db: { q, t }, workspaceId }: Tenant,
  part: { collectId: string; after: string | null; limit: number },
) {
  const rows = await q
    .select({
      ...pick(t.answers, "id", "key", "prompt", "source"),
      asked: buildPromptContextColumns(t),
      ...pick(t.answers, "collectedAt", "unreadReason", "readingVersion", "text", "results", "judged"),
    })
    .from(t.answers)
    .innerJoin(t.questions, eq(t.questions.id, t.answers.questionId))
    .where(
      and(
        matches(t.answers, { collectId: part.collectId, workspaceId }),
        part.after === null ? undefined : gt(t.answers.id, part.after),
      ),
    )
    .orderBy(asc(t.answers.id))
    .limit(part.limit);
  const keys = rows.map((row) => row.key);
  const pages = await q
    .select(pick(t.citations, "answerKey", "position", "isCited", "url", "title", "spans"))
    .from(t.citations)
    .where(inArray(t.citations.answerKey, keys))
    .orderBy(asc(t.citations.answerKey), asc(t.citations.position));
  const searches = await q
    .select()
    .from(t.queries)
    .where(inArray(t.queries.answerKey, keys))
    .orderBy(asc(t.queries.answerKey), asc(t.queries.position));
  const linked = new Map(keys.map((key) => [key, createLinks()]));
  for (const { answerKey, position, isCited, url, title, spans } of pages) {
    const links = linked.get(answerKey);
    const page = { position, url, ...(title === null ? {} : { title }), ...(spans && { spans }) };
    (isCited ? links?.citations : links?.retrieved)?.push(page);
  }
  for (const { answerKey, text } of searches) linked.get(answerKey)?.queries.push(text);
  return rows.map(({ text, results, judged, asked, ...row }) => ({
    ...row,
    asked: toAskedPrompt(asked),
    stored: { text, results, judged, ...(linked.get(row.key) ?? createLinks()) },
  }));
}
export type StoredAnswer = Awaited<ReturnType<typeof listStoredAnswers>>[number];

function createLinks(): { citations: CapturedCitation[]; retrieved: CapturedCitation[]; queries: string[] } {
  return { citations: [], retrieved: [], queries: [] };
}

export async function isMeasuredCollect({ db: { q, t }, workspaceId }: Tenant, collectId: string): Promise<boolean> {
  const collects = await q.$count(
    t.collects,
    matches(t.collects, { id: collectId, workspaceId, status: MEASURED_STATUSES }),
  );
  return collects > 0;
}

export async function countReadingChanges({ db: { q, t }, workspaceId }: Tenant, collectId: string) {
  const [row] = await q
    .select({ readingChanges: t.collects.readingChanges })
    .from(t.collects)
    .where(matches(t.collects, { id: collectId, workspaceId, status: MEASURED_STATUSES }));
  return row?.readingChanges;
}
