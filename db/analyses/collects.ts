import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Asked } from "../../core/sources/asked-sources.ts";
import { WEBSITE } from "../../core/sources/sources.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { CollectRow } from "./analyses.ts";
import { enqueueCrawl } from "../audits/crawls.ts";
import type { SetupRow } from "./setups.ts";
import { enqueueBackgroundJob, noteProgress } from "../jobs/background-jobs.ts";
import { matches, updateRows } from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";

export interface PlannedCollect extends Asking {
  id: string;
  analysisId: string;
  /** 1 for the first collect of the analysis. */
  number: number;
  setupVersion: number;
  questions: number;
  /** Where only the first questions are stored, or none: what stores the last one asks for the rest of the jobs. */
  questionsFollow?: "some" | "all" | undefined;
  /** Credits of one unit of its price. */
  unitCredits: number;
  /** Credits of all of it, which must have been reserved in the same transaction. */
  credits: number;
  /** True where no person waits for it. */
  isScheduled?: boolean;
  at: Instant;
  newId: () => string;
}

/** Where each question is asked, and how often. Runs are numbered from 1. */
export interface Asking {
  sources: readonly Asked[];
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
    setupVersion: plan.setupVersion,
    planned: plan.questions * sources.length * runs,
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

/** Stores a collect whose answers are stored in the same transaction, so that nothing is left to be asked. */
export async function insertCollectWithoutJobs(
  tenant: Tenant,
  plan: Omit<PlannedCollect, "newId" | "questionsFollow" | "isScheduled">,
): Promise<CollectRow> {
  const { setupVersion, unitCredits, credits: reservedCredits, at } = plan;
  const planned = plan.questions * plan.sources.length * plan.runs;
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
  await noteProgress(tenant.db, job.id, { sources, runs });
}

/** What a setup and its first collect ask comes to, where that was not known when they were stored. */
export async function setQuestionCount(
  { db: { q, t }, workspaceId }: Tenant,
  analysisId: string,
  questionCount: number,
): Promise<void> {
  await updateRows(q, t.analysisSetups, { analysisId }, { questionCount });
  await updateRows(q, t.collects, { analysisId, workspaceId }, { planned: questionCount });
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
    .where(matches(t.collects, { analysisId, workspaceId: tenant.workspaceId }));
  for (const { id } of collects) await enqueueCollectLaunch(tenant, id, asking);
  if (collects.length === 0) await endLaunching(tenant.db, analysisId, { status: "live", at: asking.at });
}

/**
 * Stores the jobs of a collect that come next: all first runs, then all second ones. True where more are to come; with the
 * last of them its analysis is launched. Those of a website are crawled from then on.
 */
export async function insertNextJobs(
  tenant: Tenant,
  collectId: string,
  { sources, runs, at, newId }: Pick<PlannedCollect, "sources" | "runs" | "at" | "newId">,
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
  const jobs = Array.from({ length: Math.min(JOBS_AT_ONCE, collect.planned - first) }, (_, index) => {
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
      if (questionId === undefined || source === undefined) throw new Error("a planned question that is not stored");
      return { id: newId(), collectId, questionId, source, run, status: "queued" as const, attempts: 0, notBefore: at };
    }),
  );
  // Workers ask sources by themselves; pages are fetched by a job of their run.
  if (sources.includes(WEBSITE)) await enqueueCrawl(tenant, collectId, { at, newId });
  const isMore = first + jobs.length < collect.planned;
  if (first > 0 && !isMore) await endLaunching(db, collect.analysisId, { status: "collecting", at });
  return isMore;
}

async function endLaunching(
  { q, t }: Db,
  analysisId: string,
  { status, at }: { status: "collecting" | "live"; at: Instant },
): Promise<void> {
  await updateRows(q, t.analyses, { id: analysisId, status: "launching" }, { status, updatedAt: at });
}

/** Stores a queued collect of answers that were collected elsewhere: nothing is asked and nothing costs credits. */
export async function insertImportedCollect(
  tenant: Tenant,
  plan: Pick<PlannedCollect, "id" | "analysisId" | "setupVersion" | "at">,
): Promise<CollectRow> {
  const { setupVersion } = plan;
  const number = await nextCollectNumber(tenant, plan.analysisId);
  const free = { planned: 0, succeeded: 0, unitCredits: 0, reservedCredits: 0 };
  const state = { ...free, status: "queued" as const, setupVersion, startedAt: null };
  return insertCollect(tenant, { ...plan, number }, { ...state, isScheduled: false, isImported: true });
}

/** Stores a collect for a part of what another one imported. */
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

/**
 * Stores a queued collect that asks what a setup of its analysis asks, whatever imports have added since: that is what was
 * priced. What it costs must have been reserved.
 */
export async function insertNextCollect(
  tenant: Tenant,
  plan: Pick<PlannedCollect, "id" | "analysisId" | "credits" | "isScheduled" | "at" | "newId"> & {
    setup: SetupRow;
    asking: Asking;
  },
): Promise<CollectRow> {
  const { setup, asking, ...rest } = plan;
  return insertCollectWithJobs(tenant, {
    ...rest,
    ...asking,
    number: await nextCollectNumber(tenant, plan.analysisId),
    setupVersion: setup.version,
    questions: setup.questionCount,
    unitCredits: setup.unitCredits,
  });
}

async function nextCollectNumber({ db: { q, t } }: Tenant, analysisId: string): Promise<number> {
  const [row] = await q
    .select({ last: sql<number>`coalesce(max(${t.collects.number}), 0)` })
    .from(t.collects)
    .where(eq(t.collects.analysisId, analysisId));
  return (row?.last ?? 0) + 1;
}

export async function listCollectNumbers({ db: { q, t }, workspaceId }: Tenant, analysisId: string) {
  const { id, number, status } = t.collects;
  return q
    .select({ id, number, status })
    .from(t.collects)
    .where(matches(t.collects, { analysisId, workspaceId }))
    .orderBy(desc(number));
}
