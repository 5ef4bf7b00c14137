import { setTimeout as sleep } from "node:timers/promises";
import { noteLeasedProgress } from "../../../db/jobs/background-jobs.ts";
import { tenantStore, type TenantStore } from "../../../db/engine/tenant-store.ts";
import { findAnalysis, type AnalysisRow } from "../../../db/analyses/analyses.ts";
import { listKeywordsUnderWay } from "../../../db/analyses/keyword-figures.ts";
import { heldFor, takeTurns } from "../../../db/sources/provider-paces.ts";
import { countQuestions } from "../../../db/analyses/questions.ts";
import { findSetup } from "../../../db/analyses/setups.ts";
import { settle } from "../../../db/sources/spend-accounts.ts";
import { later } from "../../../core/shared/time.ts";
import { furthest, LONGEST_RETRY_MS } from "../../../core/jobs/waits.ts";
import { stepTask } from "../collect/ask-task.ts";
import { reserveMost } from "../collect/spending.ts";
import { GiveBack, GiveUp, type BackgroundJob } from "../background/background.ts";
import { batchesToAsk, KeywordProgress, notAsked, type Asked } from "./keyword-batches.ts";
import { afterStep, note, payerOf, replaced, stop, type KeywordRun, type KeywordWork } from "./keyword-steps.ts";

/** Max concurrent batches, each a task of the provider. */
const AT_ONCE = 20;
/** Retry intervals: while prompts are still being stored, and while reservations exhaust a cap. */
const [LAUNCHING_MS, RESERVED_MS] = [2000, 60_000];
const MINUTE_MS = 60_000;

/**
 * Requests keyword metrics that are missing or older than 30 days. Tasks are billed on submission
 * and never submitted twice: each is stored before it is sent, and polled after a crash.
 */
export async function readKeywords(job: BackgroundJob, work: KeywordWork): Promise<void> {
  if (!work.keywords?.provider.keywords) return void (await forgetKeywords(job, work));
  const { provider, organizationCapUsd } = work.keywords;
  const store = tenantStore(work.store, job);
  const analysis = await store.read((tenant) => findAnalysis(tenant, job.subjectId));
  if (!analysis) return;
  if (await isLaunching(store, analysis)) throw new GiveBack(later(work.now(), LAUNCHING_MS));
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
      if (progress.stopped !== null) throw new GiveUp(progress.stopped);
      progress = undefined;
    }
    progress ??= await begin(run);
    if (!progress) return;
    progress = await goOn(run, progress);
  }
}

/** Settles batches that are abandoned. Batches that the provider has or may have count as spent. */
export async function forgetKeywords(
  { progress }: Pick<BackgroundJob, "progress">,
  { store }: Pick<KeywordWork, "store">,
): Promise<false> {
  if (progress === null) return false;
  const { batches } = KeywordProgress.parse(progress);
  await store.write(async (db) => {
    for (const { reservation, submission } of batches) {
      if (reservation !== null) await settle(db, reservation, (micros) => (submission === null ? 0 : micros));
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

async function begin(run: KeywordRun): Promise<KeywordProgress | undefined> {
  const { job, work, store, analysis, keywords } = run;
  for (;;) {
    const now = work.now();
    const { batches, others } = await store.read(async (tenant) => {
      const noted = await listKeywordsUnderWay(tenant, job.id);
      return { batches: await batchesToAsk({ tenant, analysis, keywords, now }, noted), others: noted };
    });
    if (batches.length === 0) return undefined;
    const progress = { batches: batches.map((batch) => notAsked(batch, now)), refusals: 0, stopped: null };
    const isNoted = await store.write(async (tenant) => {
      // Another job has changed its batches, which may overlap.
      if (JSON.stringify(await listKeywordsUnderWay(tenant, job.id)) !== JSON.stringify(others)) return false;
      if (!(await noteLeasedProgress(tenant.db, job, progress))) throw new GiveBack();
      return true;
    });
    if (isNoted) return progress;
  }
}

async function goOn(run: KeywordRun, progress: KeywordProgress): Promise<KeywordProgress> {
  const now = run.work.now();
  const underWay = progress.batches.slice(0, AT_ONCE);
  const last = furthest(now, LONGEST_RETRY_MS);
  // A wait longer than any real one comes from a fast clock.
  const due = underWay.find(({ notBefore }) => notBefore <= now || notBefore > last);
  if (!due) throw new GiveBack(underWay.map(({ notBefore }) => notBefore).toSorted()[0] ?? now);
  return ask(run, progress, due);
}

async function ask(run: KeywordRun, noted: KeywordProgress, due: Asked): Promise<KeywordProgress> {
  const { work, provider, keywords } = run;
  const { now, newId, signal } = work;
  const held = await work.store.read((db) => heldFor(db, provider.name, now()));
  if (held > 0) throw new GiveBack(later(now(), held));
  const { progress, asked } = await reserved(run, noted, due);
  if (!asked) return progress;
  const step = await stepTask({ name: provider.name, tasks: keywords }, asked, {
    submission: asked.submission,
    begin: (submission) => note(run, replaced(progress, asked, { ...asked, submission })),
    newId,
    now,
    signal,
    beforeRequest: () => turn(run),
  });
  return afterStep(run, progress, asked, step);
}

/** Reserves the max cost of a batch before sending. If that fails, no further batches start. */
async function reserved(
  run: KeywordRun,
  progress: KeywordProgress,
  due: Asked,
): Promise<{ progress: KeywordProgress; asked?: Asked }> {
  const { job, work, store, analysis, provider, keywords, organizationCapUsd } = run;
  if (due.reservation !== null || due.submission !== null) return { progress, asked: due };
  const asked = { ...due, reservation: work.newId() };
  const reserving = replaced(progress, due, asked);
  const { mostUsd } = keywords.price(asked.wanted);
  const { spendCapMicros } = analysis;
  const grant = await store.write(async ({ db }) => {
    const most = { ...payerOf(run), jobId: asked.reservation, mostUsd };
    const granted = await reserveMost(db, most, { provider, organizationCapUsd, spendCapMicros });
    if (granted.kind === "granted" && !(await noteLeasedProgress(db, job, reserving))) throw new GiveBack();
    return granted;
  });
  if (grant.kind === "granted") return { progress: reserving, asked };
  if (grant.kind === "later") {
    const waiting = replaced(progress, due, { ...due, notBefore: later(work.now(), RESERVED_MS) });
    await note(run, waiting);
    return { progress: waiting };
  }
  return { progress: await stop(run, progress, grant.refusal.reason) };
}

/** Waits for a request slot shared by all processes, if the provider is limited. */
async function turn({ work, provider }: KeywordRun): Promise<void> {
  const { requestsPerMinute } = provider.limits;
  if (requestsPerMinute === null) return;
  const turns = { provider: provider.name, msPerRequest: MINUTE_MS / requestsPerMinute, count: 1, now: work.now() };
  const waitMs = await work.store.write((db) => takeTurns(db, turns), { isRepeatable: true });
  if (waitMs > 0) await sleep(Math.ceil(waitMs), undefined, { signal: work.signal });
}
