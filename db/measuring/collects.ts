import { and, asc, desc, eq, exists, inArray, min, sql } from "drizzle-orm";
import type { Source } from "../../core/sources.ts";
import type { Instant } from "../../core/time.ts";
import type { CollectRow } from "./analyses.ts";
import { enqueueBackgroundJob, noteProgress } from "../engine/background-jobs.ts";
import type { Db, Tenant } from "../engine/store.ts";

/** One round of collection as it is planned: every question at every source, `runs` times. */
export interface PlannedCollect extends Asking {
  id: string;
  analysisId: string;
  /** 1 for the first collect of the analysis. */
  number: number;
  /** How many of the questions of the analysis are asked, from the first. */
  questions: number;
  /** True where only the first questions are stored: what stores the last one asks for the rest of the jobs. */
  questionsFollow?: boolean;
  /** Credits of one question; what all of them cost must have been reserved in the same transaction. */
  unitCredits: number;
  /** True where no person waits for it. */
  isScheduled?: boolean;
  at: Instant;
  newId: () => string;
}

/** Where each question is asked, and how often. Runs are numbered from 1. */
export interface Asking {
  sources: readonly Source[];
  runs: number;
}

/** Jobs that one transaction stores: few enough for a short one. */
const JOBS_AT_ONCE = 400;

/**
 * Stores a queued collect and its first jobs, before anything is asked. Where there are more, they follow in the background:
 * until all of them are stored and have ended, the collect cannot end.
 */
export async function insertCollectWithJobs(tenant: Tenant, plan: PlannedCollect): Promise<CollectRow> {
  const { sources, runs, unitCredits } = plan;
  const collect = await insertCollect(tenant, plan, {
    status: "queued",
    planned: plan.questions * sources.length * runs,
    succeeded: 0,
    unitCredits,
    startedAt: null,
    isScheduled: plan.isScheduled ?? false,
  });
  const isMore = await insertNextJobs(tenant, collect.id, plan);
  if (isMore && plan.questionsFollow !== true) await enqueueCollectLaunch(tenant, collect.id, plan);
  return collect;
}

/** Asks for the jobs of a collect that are not stored yet. */
async function enqueueCollectLaunch(
  tenant: Tenant,
  collectId: string,
  { sources, runs, at, newId }: Pick<PlannedCollect, "sources" | "runs" | "at" | "newId">,
): Promise<void> {
  const job = { id: newId(), kind: "launch_collect" as const, subjectId: collectId, at };
  await enqueueBackgroundJob(tenant, job);
  await noteProgress(tenant.db, job.id, { sources, runs });
}

/** All questions of an analysis are stored: the jobs of its first collects follow, and without one it is live. */
export async function endQuestions(
  tenant: Tenant,
  analysisId: string,
  asking: Asking & Pick<PlannedCollect, "at" | "newId">,
): Promise<void> {
  const { q, t } = tenant.db;
  const collects = await q
    .select({ id: t.collects.id })
    .from(t.collects)
    .where(and(eq(t.collects.analysisId, analysisId), eq(t.collects.workspaceId, tenant.workspaceId)));
  for (const { id } of collects) await enqueueCollectLaunch(tenant, id, asking);
  if (collects.length === 0) await endLaunching(tenant.db, analysisId, { status: "live", at: asking.at });
}

/**
 * Stores the jobs of a collect that come next: all first runs, then all second ones. True where more are to come; with the
 * last of them its analysis is launched.
 */
export async function insertNextJobs(
  { db, workspaceId }: Tenant,
  collectId: string,
  { sources, runs, at, newId }: Pick<PlannedCollect, "sources" | "runs" | "at" | "newId">,
): Promise<boolean> {
  const { q, t } = db;
  const [collect] = await q
    .select({ analysisId: t.collects.analysisId, planned: t.collects.planned })
    .from(t.collects)
    .where(and(eq(t.collects.id, collectId), eq(t.collects.workspaceId, workspaceId)));
  if (!collect) return false;
  const first = await q.$count(t.jobs, eq(t.jobs.collectId, collectId));
  const jobs = Array.from({ length: Math.min(JOBS_AT_ONCE, collect.planned - first) }, (_, index) => {
    const asking = Math.floor((first + index) / sources.length);
    const questions = collect.planned / sources.length / runs;
    const run = Math.floor(asking / questions) + 1;
    return { position: asking % questions, run, source: sources[(first + index) % sources.length] };
  });
  const positions = jobs.map(({ position }) => position);
  const questions = await q
    .select({ id: t.questions.id, position: t.questions.position })
    .from(t.questions)
    .where(and(eq(t.questions.analysisId, collect.analysisId), inArray(t.questions.position, positions)));
  const ids = new Map(questions.map(({ id, position }) => [position, id]));
  await db.bulkInsert(
    t.jobs,
    jobs.map(({ position, run, source }) => {
      const questionId = ids.get(position);
      if (questionId === undefined || source === undefined) throw new Error("a planned question that is not stored");
      return { id: newId(), collectId, questionId, source, run, status: "queued" as const, attempts: 0, notBefore: at };
    }),
  );
  const isMore = first + jobs.length < collect.planned;
  if (first > 0 && !isMore) await endLaunching(db, collect.analysisId, { status: "collecting", at });
  return isMore;
}

async function endLaunching(
  { q, t }: Db,
  analysisId: string,
  { status, at }: { status: "collecting" | "live"; at: Instant },
): Promise<void> {
  await q
    .update(t.analyses)
    .set({ status, updatedAt: at })
    .where(and(eq(t.analyses.id, analysisId), eq(t.analyses.status, "launching")));
}

/** Stores a queued collect of answers that were collected elsewhere: nothing is asked and nothing costs credits. */
export async function insertImportedCollect(
  tenant: Tenant,
  plan: Pick<PlannedCollect, "id" | "analysisId" | "at">,
): Promise<CollectRow> {
  const number = await nextCollectNumber(tenant, plan.analysisId);
  const state = { status: "queued" as const, planned: 0, succeeded: 0, unitCredits: 0, startedAt: null };
  return insertCollect(tenant, { ...plan, number }, { ...state, isScheduled: false });
}

async function insertCollect(
  { db, organizationId, workspaceId }: Tenant,
  { id, analysisId, number, at }: Pick<PlannedCollect, "id" | "analysisId" | "number" | "at">,
  state: Pick<CollectRow, "status" | "planned" | "succeeded" | "unitCredits" | "startedAt" | "isScheduled">,
): Promise<CollectRow> {
  const collect: CollectRow = {
    id,
    organizationId,
    workspaceId,
    analysisId,
    number,
    ...state,
    failed: 0,
    reservedCredits: state.planned * state.unitCredits,
    costCredits: 0,
    collectionMethods: [],
    readingChanges: 0,
    collectedFrom: null,
    collectedTo: null,
    answerBytes: 0,
    createdAt: at,
    finishedAt: null,
  };
  await db.q.insert(db.t.collects).values(collect);
  return collect;
}

/**
 * Stores a queued collect that asks exactly what the last asked collect of the analysis asked, whatever imports have
 * added since: that is what was priced. Undefined if nothing was ever asked.
 */
export async function insertRepeatedCollect(
  tenant: Tenant,
  plan: Pick<PlannedCollect, "id" | "analysisId" | "at" | "newId">,
): Promise<CollectRow | undefined> {
  const { q, t } = tenant.db;
  const [last] = await q
    .select({ id: t.collects.id, planned: t.collects.planned, unitCredits: t.collects.unitCredits })
    .from(t.collects)
    .where(
      and(
        eq(t.collects.analysisId, plan.analysisId),
        exists(q.select({ id: t.jobs.id }).from(t.jobs).where(eq(t.jobs.collectId, t.collects.id))),
      ),
    )
    .orderBy(desc(t.collects.number))
    .limit(1);
  if (!last) return undefined;
  const number = await nextCollectNumber(tenant, plan.analysisId);
  const asking = await findAsking(tenant.db, last.id);
  const questions = last.planned / asking.sources.length / asking.runs;
  return insertCollectWithJobs(tenant, {
    ...plan,
    ...asking,
    number,
    questions,
    unitCredits: last.unitCredits,
    isScheduled: true,
  });
}

/** Where a collect all of whose jobs are stored asked its questions, and how often: one of them tells. */
async function findAsking({ q, t }: Db, collectId: string): Promise<Asking> {
  const [one] = await q
    .select({ id: min(t.jobs.questionId) })
    .from(t.jobs)
    .where(eq(t.jobs.collectId, collectId));
  const jobs = await q
    .select({ source: t.jobs.source })
    .from(t.jobs)
    .where(and(eq(t.jobs.collectId, collectId), eq(t.jobs.questionId, one?.id ?? "")))
    .orderBy(asc(t.jobs.id));
  const sources = [...new Set(jobs.map(({ source }) => source))];
  return { sources, runs: jobs.length / sources.length };
}

/** The number that the next collect of an analysis gets. */
async function nextCollectNumber({ db: { q, t } }: Tenant, analysisId: string): Promise<number> {
  const [row] = await q
    .select({ last: sql<number>`coalesce(max(${t.collects.number}), 0)` })
    .from(t.collects)
    .where(eq(t.collects.analysisId, analysisId));
  return (row?.last ?? 0) + 1;
}

/** Every collect of an analysis, the newest first. */
export async function listCollectNumbers({ db: { q, t }, workspaceId }: Tenant, analysisId: string) {
  const { id, number, status } = t.collects;
  return q
    .select({ id, number, status })
    .from(t.collects)
    .where(and(eq(t.collects.analysisId, analysisId), eq(t.collects.workspaceId, workspaceId)))
    .orderBy(desc(number));
}
