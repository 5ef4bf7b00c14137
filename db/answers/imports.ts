import { and, asc, eq, sql } from "drizzle-orm";
import type { RejectedLine } from "../../core/reading/import-line.ts";
import type { Source } from "../../core/sources/sources.ts";
import type { Instant } from "../../core/shared/time.ts";
import { isFileNeeded } from "../assets/file-holds.ts";
import { matches } from "../engine/rows.ts";
import { prepareQuery, type Db, type Tenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";
import { finishCollect } from "../analyses/collect-progress.ts";

export type ImportRow = typeof tables.imports.$inferSelect;

export const MAX_STORED_REJECTIONS = 1000;

export async function insertImport(
  { db: { q, t }, organizationId, workspaceId }: Tenant,
  body: Pick<ImportRow, "collectId" | "sha256" | "sizeBytes" | "isLarge" | "createdAt">,
): Promise<void> {
  const unread = { hasFile: true, offsetBytes: 0, linesRead: 0, rejectedCount: 0 };
  await q.insert(t.imports).values({ ...body, ...unread, organizationId, workspaceId });
}

export async function findImport({ db: { q, t }, workspaceId }: Tenant, collectId: string) {
  const [found] = await q
    .select({ body: t.imports, collect: t.collects, analysis: t.analyses })
    .from(t.imports)
    .innerJoin(t.collects, eq(t.collects.id, t.imports.collectId))
    .innerJoin(t.analyses, eq(t.analyses.id, t.collects.analysisId))
    .where(matches(t.imports, { collectId, workspaceId }));
  return found;
}

export async function listRejections({ db: { q, t } }: Tenant, collectId: string): Promise<RejectedLine[]> {
  return q
    .select({ line: t.importRejections.line, message: t.importRejections.message })
    .from(t.importRejections)
    .where(eq(t.importRejections.collectId, collectId))
    .orderBy(asc(t.importRejections.line));
}

export async function countLargeImportsInProgress({ q, t }: Db, organizationId: string) {
  const [counts] = await q
    .select({
      organization: sql<number>`count(case when ${t.imports.organizationId} = ${organizationId} then 1 end)`,
      all: sql<number>`count(*)`,
    })
    .from(t.imports)
    .where(matches(t.imports, { endedAt: null, isLarge: true }));
  return counts ?? { organization: 0, all: 0 };
}

/** Single statements cost more than the lookups themselves. */
const ANSWERS_PER_QUERY = 32;

const selectStoredAnswers = prepareQuery(({ q, t: { answers } }) => {
  const conditions = Array.from({ length: ANSWERS_PER_QUERY }, (_, at) => {
    const values = ["question", "source", "run"].map((name) => sql.placeholder(`${name}${at}`));
    return sql`(${sql.join(values, sql`, `)})`;
  });
  return q
    .select({ questionId: answers.questionId, source: answers.source, run: answers.run })
    .from(answers)
    .where(
      and(
        eq(answers.collectId, sql.placeholder("collectId")),
        sql`(${answers.questionId}, ${answers.source}, ${answers.run}) in (values ${sql.join(conditions, sql`, `)})`,
      ),
    );
});

export interface AnswerSlot {
  questionId: string;
  source: Source;
  run: number;
}

/** The caller has checked that the collect belongs to the workspace. */
export async function listStoredSlots({ db }: Tenant, collectId: string, places: readonly AnswerSlot[]) {
  const slots: AnswerSlot[] = [];
  for (let first = 0; first < places.length; first += ANSWERS_PER_QUERY) {
    const values: Record<string, unknown> = { collectId };
    for (let at = 0; at < ANSWERS_PER_QUERY; at++) {
      const place = places[first + at] ?? places[first];
      values[`question${at}`] = place?.questionId;
      values[`source${at}`] = place?.source;
      values[`run${at}`] = place?.run;
    }
    slots.push(...(await selectStoredAnswers(db, values)));
  }
  return slots;
}

export interface ImportProgress {
  /** Offset where the batch began; detects a batch stored by another process. */
  from: number;
  offsetBytes: number;
  linesRead: number;
  collectName: string | null;
  rejectedLines: readonly RejectedLine[];
}

/** Call in the transaction that stores the answers. False: another process stored the batch. */
export async function recordImportProgress(
  { db, workspaceId }: Tenant,
  collectId: string,
  { from, rejectedLines, ...progress }: ImportProgress,
): Promise<boolean> {
  const [noted] = await updateProgress(db, {
    collectId,
    workspaceId,
    from,
    rejections: rejectedLines.length,
    ...progress,
  });
  if (!noted) return false;
  const room = MAX_STORED_REJECTIONS - (noted.rejectedCount - rejectedLines.length);
  const kept = rejectedLines.slice(0, Math.max(0, room));
  await db.bulkInsert(
    db.t.importRejections,
    kept.map((one) => ({ ...one, collectId })),
  );
  return true;
}

const updateProgress = prepareQuery(({ q, t: { imports } }) =>
  q
    .update(imports)
    .set({
      offsetBytes: sql`${sql.placeholder("offsetBytes")}`,
      linesRead: sql`${sql.placeholder("linesRead")}`,
      collectName: sql`${sql.placeholder("collectName")}`,
      rejectedCount: sql`${imports.rejectedCount} + ${sql.placeholder("rejections")}`,
    })
    .where(
      matches(imports, {
        collectId: sql.placeholder("collectId"),
        workspaceId: sql.placeholder("workspaceId"),
        offsetBytes: sql.placeholder("from"),
        endedAt: null,
      }),
    )
    .returning({ rejectedCount: imports.rejectedCount }),
);

/** An import without answers fails; otherwise its collect completes like any other. */
export async function finishImport(
  { db, workspaceId }: Tenant,
  collectId: string,
  { readTo, at }: { readTo: number; at: Instant },
): Promise<void> {
  const { q, t } = db;
  const ended = await q
    .update(t.imports)
    .set({ endedAt: at })
    .where(matches(t.imports, { collectId, workspaceId, offsetBytes: readTo, endedAt: null }))
    .returning({ collectId: t.imports.collectId });
  if (ended.length === 0) return;
  const [collect] = await q
    .select({ succeeded: t.collects.succeeded })
    .from(t.collects)
    .where(eq(t.collects.id, collectId));
  if (collect?.succeeded === 0)
    await finishCollect(db, collectId, { status: "failed", costCredits: 0, finishedAt: at });
}

/** Returns the SHA-256 if nothing else needs the file: delete the file in the same transaction. */
export async function detachImportFile({ db, workspaceId }: Tenant, collectId: string): Promise<string | undefined> {
  const { q, t } = db;
  const [released] = await q
    .update(t.imports)
    .set({ hasFile: false })
    .where(matches(t.imports, { collectId, workspaceId, hasFile: true }))
    .returning({ sha256: t.imports.sha256 });
  return released && !(await isFileNeeded(db, released.sha256)) ? released.sha256 : undefined;
}
