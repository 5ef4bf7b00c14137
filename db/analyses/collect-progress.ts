import { and, count, desc, eq, inArray, isNotNull, not, sql, exists, or, type SQL } from "drizzle-orm";
import { MEASURED_STATUSES, type AnalysisType } from "../../core/analyses/analysis.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { AnalysisRow, CollectRow } from "./analyses.ts";
import { matches, updateRows } from "../engine/rows.ts";
import { prepareQuery, type Db, type Tenant } from "../engine/store.ts";
import type { BackgroundKind } from "../../core/jobs/background.ts";

// Workers serve every organization, so these functions take no tenant unless noted.

export async function hasNewCollect(db: Db): Promise<boolean> {
  return (await newCollect(db, {})).length > 0;
}

const newCollect = prepareQuery(({ q, t: { collects } }) =>
  q
    .select({ id: collects.id })
    .from(collects)
    .where(matches(collects, { finishedAt: null, isHeld: false, isScheduled: [false, true], status: "queued" }))
    .limit(1),
);

export async function countFinishedCollects({ q, t: { collects } }: Db, analysisIds: readonly string[]) {
  const rows = await q
    .select({ id: collects.analysisId, ended: count() })
    .from(collects)
    .where(matches(collects, { analysisId: analysisIds, finishedAt: isNotNull }))
    .groupBy(collects.analysisId);
  return new Map(rows.map(({ id, ended }) => [id, ended]));
}

/** Returns the started ids. An analysis stays `launching` while questions remain to be stored. */
export async function startCollects(db: Db, collectIds: readonly string[], now: Instant): Promise<string[]> {
  const begun: string[] = [];
  for (const id of collectIds) {
    const [started] = await startCollect(db, { id, now: Date.parse(now) });
    if (!started) continue;
    begun.push(id);
    const { q, t } = db;
    await updateRows(
      q,
      t.analyses,
      and(matches(t.analyses, { id: started.analysisId, status: "launching" }), not(launchingCondition(db))),
      { status: "collecting", updatedAt: now },
    );
  }
  return begun;
}

const startCollect = prepareQuery(({ q, t: { collects } }) =>
  q
    .update(collects)
    .set({ status: "running", startedAt: sql`${sql.placeholder("now")}` })
    .where(matches(collects, { id: sql.placeholder("id"), status: "queued" }))
    .returning({ analysisId: collects.analysisId }),
);

/** Instants are milliseconds since 1970. */
export interface AnswerTotals {
  bytes: number;
  from: number | null;
  to: number | null;
}

/** Sums the answers of a collect. `dated` has the instants that extend its collection period. */
export function sumAnswerTotals(
  answers: readonly { rawBody: string; collectedAt: Instant }[],
  dated: readonly Instant[] = answers.map(({ collectedAt }) => collectedAt),
): AnswerTotals {
  const bytes = answers.reduce((sum, { rawBody }) => sum + Buffer.byteLength(rawBody), 0);
  if (dated.length === 0) return { bytes, from: null, to: null };
  const times = dated.map((at) => Date.parse(at));
  return { bytes, from: Math.min(...times), to: Math.max(...times) };
}

/** For prepared statements: the fields of AnswerTotals are placeholder values. */
function addTotals({ answerBytes, collectedFrom, collectedTo }: Db["t"]["collects"]) {
  const [bytes, from, to] = ["bytes", "from", "to"].map((name) => sql.placeholder(name));
  return {
    answerBytes: sql`${answerBytes} + ${bytes}`,
    collectedFrom: sql`case when ${from} is null or ${collectedFrom} <= ${from} then ${collectedFrom} else ${from} end`,
    collectedTo: sql`case when ${to} is null or ${collectedTo} >= ${to} then ${collectedTo} else ${to} end`,
  };
}

/** Undefined if the collect is not running. */
export async function addFinishedJobs(
  db: Db,
  collectId: string,
  { added, ...counts }: { succeeded: number; failed: number; added: AnswerTotals },
): Promise<CollectRow | undefined> {
  return (await addFinished(db, { collectId, ...counts, ...added }))[0];
}

const addFinished = prepareQuery(({ q, t: { collects } }) =>
  q
    .update(collects)
    .set({
      succeeded: sql`${collects.succeeded} + ${sql.placeholder("succeeded")}`,
      failed: sql`${collects.failed} + ${sql.placeholder("failed")}`,
      ...addTotals(collects),
    })
    .where(matches(collects, { id: sql.placeholder("collectId"), status: "running" }))
    .returning(),
);

export async function addImportedAnswers(
  { db, workspaceId }: Tenant,
  collectId: string,
  { answers, added, at }: { answers: number; added: AnswerTotals; at: Instant },
): Promise<void> {
  await addImported(db, { collectId, workspaceId, answers, at: Date.parse(at), ...added });
}

const addImported = prepareQuery(({ q, t: { collects } }) => {
  const answers = sql`${collects.succeeded} + ${sql.placeholder("answers")}`;
  return q
    .update(collects)
    .set({
      status: "running",
      startedAt: sql`coalesce(${collects.startedAt}, ${sql.placeholder("at")})`,
      planned: answers,
      succeeded: answers,
      ...addTotals(collects),
    })
    .where(matches(collects, { id: sql.placeholder("collectId"), workspaceId: sql.placeholder("workspaceId") }));
});

export interface FinishingCollect {
  collect: CollectRow;
  type: AnalysisType;
  catalogVersion: number;
}

export async function findFinishingCollect({ db: { q, t }, workspaceId }: Tenant, id: string) {
  const [found] = await q
    .select({ collect: t.collects, type: t.analyses.type, catalogVersion: t.workspaces.catalogVersion })
    .from(t.collects)
    .innerJoin(t.analyses, eq(t.analyses.id, t.collects.analysisId))
    .innerJoin(t.workspaces, eq(t.workspaces.id, t.collects.workspaceId))
    .where(matches(t.collects, { id, workspaceId, status: "running" }));
  return found;
}

/** False if re-extraction or a catalog change made the sums of `ending` stale. */
export async function isStillFinishing(tenant: Tenant, { collect, catalogVersion }: FinishingCollect) {
  const now = await findFinishingCollect(tenant, collect.id);
  return now?.collect.readingChanges === collect.readingChanges && now.catalogVersion === catalogVersion;
}

/** Releases the reserved credits that were not spent. */
export async function finishCollect(
  { q, t }: Db,
  id: string,
  end: Pick<CollectRow, "status" | "costCredits" | "finishedAt">,
): Promise<void> {
  await updateRows(q, t.collects, { id }, { ...end, reservedCredits: 0 });
}

export async function hasMeasuredCollect({ q, t }: Db, analysisId: string): Promise<boolean> {
  const measured = inArray(t.collects.status, [...MEASURED_STATUSES]);
  return (await q.$count(t.collects, and(eq(t.collects.analysisId, analysisId), measured))) > 0;
}

export async function findLastCollect({ db: { q, t }, workspaceId }: Tenant, analysisId: string) {
  const [last] = await q
    .select()
    .from(t.collects)
    .where(matches(t.collects, { workspaceId, analysisId }))
    .orderBy(desc(t.collects.number))
    .limit(1);
  return last;
}

/** Does nothing if the analysis is paused or archived. */
export async function updateAnalysisAfterCollect(
  { q, t }: Db,
  analysisId: string,
  state: Pick<AnalysisRow, "status" | "statusReason" | "updatedAt">,
): Promise<void> {
  await updateRows(q, t.analyses, { id: analysisId, status: ["launching", "collecting", "live", "failed"] }, state);
}

function openJobCondition({ q, t }: Db, kinds: readonly BackgroundKind[], condition: SQL | undefined): SQL {
  const { backgroundJobs: job } = t;
  return exists(
    q
      .select({ id: job.id })
      .from(job)
      .where(and(condition, matches(job, { kind: kinds, status: ["queued", "leased"] }))),
  );
}

function launchingCondition(db: Db): SQL {
  const { q, t } = db;
  const { backgroundJobs: job, analyses, collects } = t;
  const own = q.select({ id: collects.id }).from(collects).where(eq(collects.analysisId, analyses.id));
  return openJobCondition(
    db,
    ["launch_analysis", "launch_collect"],
    or(eq(job.subjectId, analyses.id), inArray(job.subjectId, own)),
  );
}

export async function isStillLaunching({ db, workspaceId }: Tenant, analysisId: string): Promise<boolean> {
  const { analyses } = db.t;
  const isThis = and(matches(analyses, { id: analysisId, workspaceId }), launchingCondition(db));
  return (await db.q.$count(analyses, isThis)) > 0;
}

export async function hasQuestionsToCome({ db, workspaceId }: Tenant, analysisId: string): Promise<boolean> {
  const { analyses, backgroundJobs } = db.t;
  const isQueued = openJobCondition(db, ["launch_analysis"], eq(backgroundJobs.subjectId, analysisId));
  return (await db.q.$count(analyses, and(matches(analyses, { id: analysisId, workspaceId }), isQueued))) > 0;
}
