import { aliasedTable, and, asc, desc, eq, exists, gt, inArray, ne, not, sql, sum } from "drizzle-orm";
import { MEASURED_STATUSES, type AnalysisType } from "../../core/analysis.ts";
import type { Capture, CapturedCitation, Reading } from "../../core/reading/capture.ts";
import type { Source } from "../../core/sources.ts";
import type { Db, Tenant } from "../engine/store.ts";

// What was read from answers, and what it takes to read them again.

/** What was read from one stored answer. */
export interface AnswerReading {
  answerId: string;
  reading: Reading;
}

/** Stores mentions, places and citations of answers that have none. Of any organization. */
export async function insertReadings(db: Db, readings: readonly AnswerReading[]): Promise<void> {
  const { t } = db;
  await db.bulkInsert(
    t.mentions,
    readings.flatMap(({ answerId, reading }) =>
      reading.mentions.map(({ brand_id: brandId, ...mention }) => ({ ...mention, answerId, brandId })),
    ),
  );
  await db.bulkInsert(
    t.places,
    readings.flatMap(({ answerId, reading }) =>
      reading.places.map(({ brand_id: brandId, ...place }) => ({ ...place, answerId, brandId })),
    ),
  );
  await db.bulkInsert(
    t.citations,
    readings.flatMap(({ answerId, reading }) => {
      const positions = new Set(reading.citations.map((citation) => citation.position));
      const repeat = positions.size < reading.citations.length;
      return reading.citations.map(
        ({ brand_id: brandId, competitor_type: competitorType, position, ...citation }, index) => ({
          ...citation,
          // Positions are as they were captured, or counted where a capture repeats them.
          position: repeat ? index + 1 : position,
          answerId,
          brandId,
          competitorType,
        }),
      );
    }),
  );
}

/** Puts new readings in the place of those that these answers have. Of any organization: the ids were read with their owner. */
export async function replaceReadings(db: Db, collectId: string, readings: readonly AnswerReading[]): Promise<void> {
  const { q, t } = db;
  const answerIds = readings.map(({ answerId }) => answerId);
  const readingChanges = sql`${t.collects.readingChanges} + 1`;
  await q.update(t.collects).set({ readingChanges }).where(eq(t.collects.id, collectId));
  await q.delete(t.mentions).where(inArray(t.mentions.answerId, answerIds));
  await q.delete(t.places).where(inArray(t.places.answerId, answerIds));
  await q.delete(t.citations).where(inArray(t.citations.answerId, answerIds));
  await insertReadings(db, readings);
  const version = readings[0]?.reading.version;
  for (const eligible of [true, false]) {
    const those = readings.filter(({ reading }) => reading.eligible === eligible).map(({ answerId }) => answerId);
    await q.update(t.answers).set({ eligible, readingVersion: version }).where(inArray(t.answers.id, those));
  }
}

/** A collect whose answers are to be read again. */
export interface StoredCollect {
  id: string;
  analysisId: string;
  type: AnalysisType;
}

/** Collects of the workspace, newest first. */
export async function listStoredCollects({ db: { q, t }, workspaceId }: Tenant): Promise<StoredCollect[]> {
  return q
    .select({ id: t.collects.id, analysisId: t.collects.analysisId, type: t.analyses.type })
    .from(t.collects)
    .innerJoin(t.analyses, eq(t.analyses.id, t.collects.analysisId))
    .where(eq(t.analyses.workspaceId, workspaceId))
    .orderBy(desc(t.collects.id));
}

/** The newest measured collect of each analysis of the workspace that is not archived. */
export async function listNewestMeasured({ db: { q, t }, workspaceId }: Tenant): Promise<StoredCollect[]> {
  const newer = aliasedTable(t.collects, "newer");
  const measured = [...MEASURED_STATUSES];
  const overtaken = q
    .select({ id: newer.id })
    .from(newer)
    .where(
      and(
        eq(newer.analysisId, t.collects.analysisId),
        gt(newer.number, t.collects.number),
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

/** How many answers the collects of the workspace hold. */
export async function countStoredAnswers({ db: { q, t }, workspaceId }: Tenant): Promise<number> {
  const [row] = await q
    .select({ answers: sum(t.collects.succeeded).mapWith(Number) })
    .from(t.collects)
    .innerJoin(t.analyses, eq(t.analyses.id, t.collects.analysisId))
    .where(eq(t.analyses.workspaceId, workspaceId));
  return row?.answers ?? 0;
}

/** An answer as it was stored, with what its reading depends on. */
export interface StoredAnswer {
  id: string;
  prompt: string;
  source: Source;
  collectedAt: string;
  stored: Capture;
}

/** Answers of a collect of the workspace in the order of their ids, after `after`. */
export async function listStoredAnswers(
  { db: { q, t }, workspaceId }: Tenant,
  part: { collectId: string; after: string | null; limit: number },
): Promise<StoredAnswer[]> {
  const rows = await q
    .select({
      id: t.answers.id,
      prompt: t.answers.prompt,
      source: t.answers.source,
      collectedAt: t.answers.collectedAt,
      text: t.answers.text,
      results: t.answers.results,
    })
    .from(t.answers)
    .where(
      and(
        eq(t.answers.collectId, part.collectId),
        eq(t.answers.workspaceId, workspaceId),
        part.after === null ? undefined : gt(t.answers.id, part.after),
      ),
    )
    .orderBy(asc(t.answers.id))
    .limit(part.limit);
  const ids = rows.map((row) => row.id);
  const cited = await q
    .select({
      answerId: t.citations.answerId,
      position: t.citations.position,
      url: t.citations.url,
      title: t.citations.title,
    })
    .from(t.citations)
    .where(inArray(t.citations.answerId, ids))
    .orderBy(asc(t.citations.answerId), asc(t.citations.position));
  const citations = new Map<string, CapturedCitation[]>(ids.map((id) => [id, []]));
  for (const { answerId, position, url, title } of cited) {
    citations.get(answerId)?.push({ position, url, ...(title === null ? {} : { title }) });
  }
  return rows.map(({ text, results, ...row }) => ({
    ...row,
    stored: { text, results, citations: citations.get(row.id) ?? [] },
  }));
}

/** True if a collect of the workspace has figures; one that still runs gets them when it ends. */
export async function isMeasured({ db: { q, t }, workspaceId }: Tenant, collectId: string): Promise<boolean> {
  const collects = await q.$count(
    t.collects,
    and(
      eq(t.collects.id, collectId),
      eq(t.collects.workspaceId, workspaceId),
      inArray(t.collects.status, [...MEASURED_STATUSES]),
    ),
  );
  return collects > 0;
}

/** How often answers of a collect of the workspace were read again; nothing for one that has no figures. */
export async function countReadingChanges(
  { db: { q, t }, workspaceId }: Tenant,
  collectId: string,
): Promise<number | undefined> {
  const [row] = await q
    .select({ readingChanges: t.collects.readingChanges })
    .from(t.collects)
    .where(
      and(
        eq(t.collects.id, collectId),
        eq(t.collects.workspaceId, workspaceId),
        inArray(t.collects.status, [...MEASURED_STATUSES]),
      ),
    );
  return row?.readingChanges;
}
