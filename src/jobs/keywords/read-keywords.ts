import { setTimeout as sleep } from "node:timers/promises";
import { storeLeasedProgress } from "../../../db/jobs/background-jobs.ts";
import { tenantStore, type TenantStore } from "../../../db/engine/tenant-store.ts";
import { findAnalysis, type AnalysisRow } from "../../../db/analyses/analyses.ts";
import { listKeywordsInProgress } from "../../../db/analyses/keyword-data.ts";
import { findPauseMs, reserveRequestSlots } from "../../../db/sources/provider-paces.ts";
import { countQuestions } from "../../../db/analyses/questions.ts";
import { findSetup } from "../../../db/analyses/setups.ts";
import { settleReservation } from "../../../db/sources/spend-accounts.ts";
import { addMs, latestPlausible } from "../../../core/shared/time.ts";
import { MAX_RETRY_MS } from "../../../core/jobs/waits.ts";
import { stepTask } from "../collect/ask-task.ts";
import { reserveMaxCost } from "../collect/spending.ts";
import { Requeue, PermanentFailure, type BackgroundJob } from "../background/background.ts";
import { listBatches, KeywordProgress, newRequestedBatch, type RequestedBatch } from "./keyword-batches.ts";
import {
  applyStep,
  saveProgress,
  toPayer,
  replaceBatch,
  stopFurtherBatches,
  type KeywordRun,
  type KeywordJobContext,
} from "./keyword-steps.ts";

/** Each batch is a task of the provider. */
const MAX_CONCURRENT_BATCHES = 20;
/** While prompts are still being stored; while reservations exhaust a cap. */
const [LAUNCHING_RETRY_MS, RESERVED_RETRY_MS] = [2000, 60_000];
const MINUTE_MS = 60_000;

/** Tasks are billed on submission and never submitted twice: each is stored before it is sent. */
export async function readKeywords(job: BackgroundJob, work: KeywordJobContext): Promise<void> {
  if (!work.keywords?.provider.keywords) return void (await abandonBatches(job, work));
  const { provider, organizationCapUsd } = work.keywords;
  const store = tenantStore(work.store, job);
  const analysis = await store.read((tenant) => findAnalysis(tenant, job.subjectId));
  if (!analysis) return;
  if (await isLaunching(store, analysis)) throw new Requeue(addMs(work.now(), LAUNCHING_RETRY_MS));
  const run: KeywordRun = {
    job,
    work,
    store,
    analysis,
    provider,
    keywords: work.keywords.provider.keywords,
    organizationCapUsd,
  };
  let progress = job.progress === null ? undefined : KeywordProgress.parse(job.progress);
  for (;;) {
    work.signal.throwIfAborted();
    if (progress?.batches.length === 0) {
      if (progress.stopped !== null) throw new PermanentFailure(progress.stopped);
      progress = undefined;
    }
    progress ??= await startReading(run);
    if (!progress) return;
    progress = await advanceOne(run, progress);
  }
}

/** Batches that the provider has or may have count as spent. */
export async function abandonBatches(
  { progress }: Pick<BackgroundJob, "progress">,
  { store }: Pick<KeywordJobContext, "store">,
): Promise<false> {
  if (progress === null) return false;
  const { batches } = KeywordProgress.parse(progress);
  await store.write(async (db) => {
    for (const { reservation, submission } of batches) {
      if (reservation !== null)
        await settleReservation(db, reservation, (micros) => (submission === null ? 0 : micros));
    }
  });
  return false;
}

async function isLaunching(store: TenantStore, analysis: AnalysisRow): Promise<boolean> {
  if (analysis.status !== "launching") return false;
  return store.read(async (tenant) => {
    const { questionCount } = await findSetup(tenant, analysis);
    return (await countQuestions(tenant, analysis.id)) < questionCount;
  });
}

async function startReading(run: KeywordRun): Promise<KeywordProgress | undefined> {
  const { job, work, store, analysis, keywords } = run;
  for (;;) {
    const now = work.now();
    const { batches, others } = await store.read(async (tenant) => {
      const noted = await listKeywordsInProgress(tenant, job.id);
      return { batches: await listBatches({ tenant, analysis, keywords, now }, noted), others: noted };
    });
    if (batches.length === 0) return undefined;
    const progress = { batches: batches.map((batch) => newRequestedBatch(batch, now)), refusals: 0, stopped: null };
    const isNoted = await store.write(async (tenant) => {
      // Another job has changed its batches, which may overlap.
      if (JSON.stringify(await listKeywordsInProgress(tenant, job.id)) !== JSON.stringify(others)) return false;
      if (!(await storeLeasedProgress(tenant.db, job, progress))) throw new Requeue();
      return true;
    });
    if (isNoted) return progress;
  }
}

async function advanceOne(run: KeywordRun, progress: KeywordProgress): Promise<KeywordProgress> {
  const now = run.work.now();
  const running = progress.batches.slice(0, MAX_CONCURRENT_BATCHES);
  const last = latestPlausible(now, MAX_RETRY_MS);
  // A wait longer than any real one comes from a fast clock.
  const due = running.find(({ notBefore }) => notBefore <= now || notBefore > last);
  if (!due) throw new Requeue(running.map(({ notBefore }) => notBefore).toSorted()[0] ?? now);
  return requestBatch(run, progress, due);
}

async function requestBatch(run: KeywordRun, noted: KeywordProgress, due: RequestedBatch): Promise<KeywordProgress> {
  const { work, provider, keywords } = run;
  const { now, newId, signal } = work;
  const pausedMs = await work.store.read((db) => findPauseMs(db, provider.name, now()));
  if (pausedMs > 0) throw new Requeue(addMs(now(), pausedMs));
  const { progress, asked } = await reserveBatch(run, noted, due);
  if (!asked) return progress;
  const step = await stepTask({ name: provider.name, tasks: keywords }, asked, {
    submission: asked.submission,
    beginTask: (submission) => saveProgress(run, replaceBatch(progress, asked, { ...asked, submission })),
    newId,
    now,
    signal,
    beforeRequest: () => waitForSlot(run),
  });
  return applyStep(run, progress, asked, step);
}

/** If the max cost cannot be reserved, no further batches start. */
async function reserveBatch(run: KeywordRun, progress: KeywordProgress, due: RequestedBatch) {
  const { job, work, store, analysis, provider, keywords, organizationCapUsd } = run;
  if (due.reservation !== null || due.submission !== null) return { progress, asked: due };
  const batch = { ...due, reservation: work.newId() };
  const reserving = replaceBatch(progress, due, batch);
  const { maxUsd } = keywords.price(batch.wanted);
  const { spendCapMicros } = analysis;
  const grant = await store.write(async ({ db }) => {
    const most = { ...toPayer(run), jobId: batch.reservation, maxUsd };
    const granted = await reserveMaxCost(db, most, { provider, organizationCapUsd, spendCapMicros });
    if (granted.kind === "granted" && !(await storeLeasedProgress(db, job, reserving))) throw new Requeue();
    return granted;
  });
  if (grant.kind === "granted") return { progress: reserving, asked: batch };
  if (grant.kind === "later") {
    const waiting = replaceBatch(progress, due, { ...due, notBefore: addMs(work.now(), RESERVED_RETRY_MS) });
    await saveProgress(run, waiting);
    return { progress: waiting };
  }
  return { progress: await stopFurtherBatches(run, progress, grant.rejection.reason) };
}

/** All processes share the request slots. */
async function waitForSlot({ work, provider }: KeywordRun): Promise<void> {
  const { requestsPerMinute } = provider.limits;
  if (requestsPerMinute === null) return;
  const turns = { provider: provider.name, msPerRequest: MINUTE_MS / requestsPerMinute, count: 1, now: work.now() };
  const waitMs = await work.store.write((db) => reserveRequestSlots(db, turns), { isRepeatable: true });
  if (waitMs > 0) await sleep(Math.ceil(waitMs), undefined, { signal: work.signal });
}
