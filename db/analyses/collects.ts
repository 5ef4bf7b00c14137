import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { type JobTarget, WEBSITE } from "../../core/sources/sources.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { CollectRow } from "./analyses.ts";
import { enqueueCrawl } from "../audits/crawls.ts";
import type { SetupRow } from "./setups.ts";
import { enqueueBackgroundJob, storeJobProgress } from "../jobs/background-jobs.ts";
import { matches, pick, updateRows } from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";

export interface PlannedCollect extends RunPlan {
  id: string;
  analysisId: string;
  number: number;
  setupVersion: number;
  questionCount: number;
  /** Set while questions remain to be stored; the last one enqueues the jobs of later questions. */
  questionsFollow?: "some" | "all" | undefined;
  unitCredits: number;
  /** Must be reserved in the same transaction. */
  credits: number;
  isScheduled?: boolean;
  at: Instant;
  newId: () => string;
}

/** Runs are numbered from 1. */
export interface RunPlan {
  sources: readonly JobTarget[];
  runs: number;
}

/** Keeps transactions short. */
const JOBS_PER_TRANSACTION = 400;

/** Further jobs are stored in the background; the collect cannot complete before. */
export async function insertCollectWithJobs(tenant: Tenant, plan: PlannedCollect): Promise<CollectRow> {
  const { sources, runs, unitCredits } = plan;
  const collect = await insertCollect(tenant, plan, {
    status: "queued",
    setupVersion: plan.setupVersion,
    planned: plan.questionCount * sources.length * runs,
    succeeded: 0,
    unitCredits,
    reservedCredits: plan.credits,
    startedAt: null,
    isScheduled: plan.isScheduled ?? false,
    isImported: false,
  });
  if (plan.questionsFollow === "all") return collect;
  const isMore = await insertNextJobs(tenant, collect.id, plan);
  if (isMore && plan.questionsFollow === undefined) await enqueueCollectLaunch(tenant, collect.id, plan);
  return collect;
}

export async function insertCollectWithoutJobs(
  tenant: Tenant,
  plan: Omit<PlannedCollect, "newId" | "questionsFollow" | "isScheduled">,
): Promise<CollectRow> {
  const { setupVersion, unitCredits, credits: reservedCredits, at } = plan;
  const planned = plan.questionCount * plan.sources.length * plan.runs;
  const state = { status: "running" as const, setupVersion, planned, succeeded: 0, startedAt: at };
  return insertCollect(tenant, plan, { ...state, unitCredits, reservedCredits, isScheduled: true, isImported: false });
}

async function enqueueCollectLaunch(
  tenant: Tenant,
  collectId: string,
  { sources, runs, at, newId }: Pick<PlannedCollect, "sources" | "runs" | "at" | "newId">,
): Promise<void> {
  const job = { id: newId(), kind: "launch_collect" as const, subjectId: collectId, at };
  await enqueueBackgroundJob(tenant, job);
  await storeJobProgress(tenant.db, job.id, { sources, runs });
}

/** For launches whose question count is unknown until all questions are stored. */
export async function setQuestionCount(
  { db: { q, t }, workspaceId }: Tenant,
  analysisId: string,
  questionCount: number,
): Promise<void> {
  await updateRows(q, t.analysisSetups, { analysisId }, { questionCount });
  await updateRows(q, t.collects, { analysisId, workspaceId }, { planned: questionCount });
}

/** Enqueues the jobs of collects; an analysis without a collect goes live. */
export async function finishQuestions(
  tenant: Tenant,
  analysisId: string,
  asking: RunPlan & Pick<PlannedCollect, "at" | "newId">,
): Promise<void> {
  const { q, t } = tenant.db;
  const collects = await q
    .select({ id: t.collects.id })
    .from(t.collects)
    .where(matches(t.collects, { analysisId, workspaceId: tenant.workspaceId }));
  for (const { id } of collects) await enqueueCollectLaunch(tenant, id, asking);
  if (collects.length === 0) await finishLaunching(tenant.db, analysisId, { status: "live", at: asking.at });
}

/** Stores the next batch, first runs before second runs. Returns true if more follow. */
export async function insertNextJobs(
  tenant: Tenant,
  collectId: string,
  { sources, runs, at: queuedAt, newId }: Pick<PlannedCollect, "sources" | "runs" | "at" | "newId">,
): Promise<boolean> {
  const { db, workspaceId } = tenant;
  const { q, t } = db;
  const [collect] = await q
    .select({
      analysisId: t.collects.analysisId,
      planned: t.collects.planned,
      positions: t.analysisSetups.positions,
    })
    .from(t.collects)
    .innerJoin(
      t.analysisSetups,
      matches(t.analysisSetups, { analysisId: t.collects.analysisId, version: t.collects.setupVersion }),
    )
    .where(matches(t.collects, { id: collectId, workspaceId }));
  if (!collect) return false;
  const first = await q.$count(t.jobs, eq(t.jobs.collectId, collectId));
  const jobs = Array.from({ length: Math.min(JOBS_PER_TRANSACTION, collect.planned - first) }, (_, index) => {
    const asking = Math.floor((first + index) / sources.length);
    const questions = collect.planned / sources.length / runs;
    const run = Math.floor(asking / questions) + 1;
    const place = asking % questions;
    return { position: collect.positions?.[place] ?? place, run, source: sources[(first + index) % sources.length] };
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
      if (questionId === undefined || source === undefined) throw new Error("a planned prompt is not stored");
      return {
        id: newId(),
        collectId,
        questionId,
        source,
        run,
        status: "queued" as const,
        attempts: 0,
        notBefore: queuedAt,
      };
    }),
  );
  // Enqueues a crawl for pages; workers query sources directly.
  if (sources.includes(WEBSITE)) await enqueueCrawl(tenant, collectId, { queuedAt, newId });
  const isMore = first + jobs.length < collect.planned;
  if (first > 0 && !isMore) await finishLaunching(db, collect.analysisId, { status: "collecting", at: queuedAt });
  return isMore;
}

async function finishLaunching(
  { q, t }: Db,
  analysisId: string,
  { status, at }: { status: "collecting" | "live"; at: Instant },
): Promise<void> {
  await updateRows(q, t.analyses, { id: analysisId, status: "launching" }, { status, updatedAt: at });
}

export async function insertImportedCollect(
  tenant: Tenant,
  plan: Pick<PlannedCollect, "id" | "analysisId" | "setupVersion" | "at">,
): Promise<CollectRow> {
  const { setupVersion } = plan;
  const number = await findNextCollectNumber(tenant, plan.analysisId);
  const free = { planned: 0, succeeded: 0, unitCredits: 0, reservedCredits: 0 };
  const state = { ...free, status: "queued" as const, setupVersion, startedAt: null };
  return insertCollect(tenant, { ...plan, number }, { ...state, isScheduled: false, isImported: true });
}

export async function insertImportedPart(
  tenant: Tenant,
  plan: Pick<PlannedCollect, "id" | "analysisId" | "setupVersion" | "at"> & { partOf: string },
): Promise<CollectRow> {
  const { q, t } = tenant.db;
  const collect = await insertImportedCollect(tenant, plan);
  const state = { partOf: plan.partOf, status: "running" as const, startedAt: plan.at };
  await updateRows(q, t.collects, { id: plan.id }, state);
  return { ...collect, ...state };
}

async function insertCollect(
  { db, organizationId, workspaceId }: Tenant,
  { id, analysisId, number, at }: Pick<PlannedCollect, "id" | "analysisId" | "number" | "at">,
  state: Pick<
    CollectRow,
    | "status"
    | "setupVersion"
    | "planned"
    | "succeeded"
    | "unitCredits"
    | "reservedCredits"
    | "startedAt"
    | "isScheduled"
    | "isImported"
  >,
): Promise<CollectRow> {
  const collect: CollectRow = {
    id,
    organizationId,
    workspaceId,
    analysisId,
    number,
    ...state,
    failed: 0,
    costCredits: 0,
    collectionMethods: [],
    ways: [],
    summedVersion: null,
    publishedVersion: null,
    readingChanges: 0,
    partOf: null,
    isHeld: false,
    isCanceled: false,
    collectedFrom: null,
    collectedTo: null,
    answerBytes: 0,
    createdAt: at,
    finishedAt: null,
  };
  await db.q.insert(db.t.collects).values(collect);
  return collect;
}

/** Omits questions that imports added after pricing. The credits must have been reserved. */
export async function insertNextCollect(
  tenant: Tenant,
  plan: Pick<PlannedCollect, "id" | "analysisId" | "credits" | "isScheduled" | "at" | "newId"> & {
    setup: SetupRow;
    runPlan: RunPlan;
  },
): Promise<CollectRow> {
  const { setup, runPlan, ...rest } = plan;
  return insertCollectWithJobs(tenant, {
    ...rest,
    ...runPlan,
    number: await findNextCollectNumber(tenant, plan.analysisId),
    setupVersion: setup.version,
    questionCount: setup.questionCount,
    unitCredits: setup.unitCredits,
  });
}

async function findNextCollectNumber({ db: { q, t } }: Tenant, analysisId: string): Promise<number> {
  const [row] = await q
    .select({ last: sql<number>`coalesce(max(${t.collects.number}), 0)` })
    .from(t.collects)
    .where(eq(t.collects.analysisId, analysisId));
  return (row?.last ?? 0) + 1;
}

export async function listCollectNumbers({ db: { q, t }, workspaceId }: Tenant, analysisId: string) {
  const { number } = t.collects;
  return q
    .select(pick(t.collects, "id", "number", "status", "collectedFrom", "collectedTo", "startedAt", "finishedAt"))
    .from(t.collects)
    .where(matches(t.collects, { analysisId, workspaceId }))
    .orderBy(desc(number));
}
