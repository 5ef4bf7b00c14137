import { clearWorkerFailures, storeLeasedProgress } from "../../../db/jobs/background-jobs.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import type { TenantStore } from "../../../db/engine/tenant-store.ts";
import type { AnalysisRow } from "../../../db/analyses/analyses.ts";
import { storeKeywordData } from "../../../db/analyses/keyword-data.ts";
import { storeLimitUpdates } from "../../../db/sources/provider-paces.ts";
import { addProviderSpend } from "../../../db/sources/source-spend.ts";
import type { Payer } from "../../../db/sources/spend-accounts.ts";
import { storeUnreadBody } from "../../../db/answers/unread-bodies.ts";
import { computeBackoffMs } from "../../../core/jobs/backoff.ts";
import type { KeywordData } from "../../../core/analyses/keyword-data.ts";
import { usdToMicros } from "../../../core/credits/micros.ts";
import { addMs } from "../../../core/shared/time.ts";
import type { KeywordAnswer, KeywordTasks, Provider, ProviderCallOptions } from "../../outside/sources/provider.ts";
import type { ProviderError } from "../../outside/sources/provider-error.ts";
import type { TaskStep } from "../collect/ask-task.ts";
import { settleBill } from "../collect/spending.ts";
import { Requeue, type BackgroundJob, type BackgroundWork } from "../background/background.ts";
import { newRequestedBatch, listBatchTexts, type RequestedBatch, type KeywordProgress } from "./keyword-batches.ts";

/** Keeps write transactions short. */
const ROWS_PER_TRANSACTION = 200;
const MAX_FAILURES = 5;
/** More consecutive rejections than a few invalid keywords can explain. */
const MAX_REJECTIONS = 20;

export type KeywordJobContext = Pick<
  BackgroundWork,
  "store" | "now" | "newId" | "log" | "keywords" | "backoffBaseMs" | "signal"
>;

export interface KeywordRun {
  job: BackgroundJob;
  work: KeywordJobContext;
  store: TenantStore;
  analysis: AnalysisRow;
  provider: Provider;
  keywords: KeywordTasks<ProviderCallOptions>;
  organizationCapUsd: number | null;
}

type KeywordStep = TaskStep<KeywordAnswer>;
type FailedStep = Extract<KeywordStep, { kind: "failed" }>;

export function toPayer({ job, work, analysis, provider }: KeywordRun): Payer {
  const { organizationId } = job;
  return { provider: provider.name, organizationId, analysisId: analysis.id, day: work.now().slice(0, 10) };
}

export function replaceBatch(
  progress: KeywordProgress,
  batch: RequestedBatch,
  ...by: RequestedBatch[]
): KeywordProgress {
  return { ...progress, batches: progress.batches.flatMap((one) => (one === batch ? by : [one])) };
}

/** False, without storing, if another worker owns the job. */
export function saveProgress(
  { job, store }: KeywordRun,
  progress: KeywordProgress,
  also?: (tenant: Tenant) => Promise<void>,
): Promise<boolean> {
  return store.write(async (tenant) => {
    if (!(await storeLeasedProgress(tenant.db, job, progress))) return false;
    await clearWorkerFailures(tenant.db, job);
    await also?.(tenant);
    return true;
  });
}

export async function applyStep(
  run: KeywordRun,
  progress: KeywordProgress,
  batch: RequestedBatch,
  step: KeywordStep,
): Promise<KeywordProgress> {
  // The worker that now owns the job continues it.
  if (step.kind === "lost") throw new Requeue();
  if (step.kind === "broken_off") throw step.cause;
  if (step.kind === "failed") return handleFailure(run, progress, batch, step);
  if (step.kind === "waiting") {
    const { submission, billedUsd, delayMs, pauseMs } = step;
    const waiting = { ...batch, submission, notBefore: addMs(run.work.now(), delayMs) };
    return saveProgressOrRequeue(run, replaceBatch(progress, batch, waiting), (tenant) =>
      recordCharge(run, tenant, { billedUsd, pauseMs }),
    );
  }
  await storeFigures(run, batch, step.answer.figures);
  const bill = { billedUsd: step.billedUsd ?? 0, isKnown: step.answer.costUsd !== null };
  const next = { ...replaceBatch(progress, batch), refusals: 0 };
  return saveProgressOrRequeue(run, next, (tenant) => settle(run, tenant, batch, bill));
}

async function saveProgressOrRequeue(
  run: KeywordRun,
  progress: KeywordProgress,
  also: (tenant: Tenant) => Promise<void>,
): Promise<KeywordProgress> {
  if (!(await saveProgress(run, progress, also))) throw new Requeue();
  return progress;
}

/** Shares a requested pause with other processes. */
async function recordCharge(
  { work, provider }: KeywordRun,
  { db }: Tenant,
  { billedUsd, pauseMs = 0 }: { billedUsd: number; pauseMs?: number | undefined },
): Promise<void> {
  if (billedUsd > 0) await addProviderSpend(db, new Map([[provider.name, billedUsd]]), work.now());
  if (pauseMs > 0) await storeLimitUpdates(db, [{ provider: provider.name, pauseMs, tokenMs: 0 }], work.now());
}

async function settle(
  run: KeywordRun,
  tenant: Tenant,
  { wanted, reservation, submission }: RequestedBatch,
  { billedUsd, isKnown }: { billedUsd: number; isKnown: boolean },
): Promise<void> {
  const { work } = run;
  await recordCharge(run, tenant, { billedUsd });
  if (reservation === null) return;
  const billed = usdToMicros((submission?.costUsd ?? 0) + billedUsd);
  const bill = { jobId: reservation, source: wanted, billed, isKnown };
  const excess = await settleBill(tenant.db, bill, toPayer(run), work.now());
  if (excess)
    work.log.error(excess, "a provider billed more than its limit per request: no further keywords are sent to it");
}

/** Keywords without a reported value are stored as unknown. */
async function storeFigures(
  { work, store, analysis, provider, keywords }: KeywordRun,
  asked: RequestedBatch,
  figures: KeywordAnswer["figures"],
): Promise<void> {
  const texts = await store.read((tenant) => listBatchTexts({ tenant, analysis, keywords, now: work.now() }, asked));
  const origin = { wanted: asked.wanted, from: provider.name, at: work.now() };
  for (let first = 0; first < texts.length; first += ROWS_PER_TRANSACTION) {
    const part = texts.slice(first, first + ROWS_PER_TRANSACTION);
    const rows = new Map(part.map(([text, form]): [string, Partial<KeywordData>] => [text, figures.get(form) ?? {}]));
    await store.write((tenant) => storeKeywordData(tenant, asked, { ...origin, figures: rows }));
  }
}

async function handleFailure(run: KeywordRun, progress: KeywordProgress, asked: RequestedBatch, step: FailedStep) {
  const { kind, rawBody } = step.error;
  // An HTTP status without a body concerns the endpoint, whatever the keywords are.
  const isRefused = kind === "unsupported" || (kind === "rejected" && rawBody !== undefined);
  if (isRefused && step.submission === null && progress.refusals < MAX_REJECTIONS) {
    return handleRejection(run, progress, asked, step);
  }
  return handleTemporaryFailure(run, progress, asked, step);
}

/**
 * Halves a rejected batch, so that an invalid keyword does not block others.
 * Stores a single rejected keyword, and an unsupported country or language, as unknown.
 */
async function handleRejection(
  run: KeywordRun,
  progress: KeywordProgress,
  asked: RequestedBatch,
  { error }: FailedStep,
): Promise<KeywordProgress> {
  const { keywords } = asked;
  const isWhole = keywords.length === 1 || error.kind === "unsupported";
  const half = Math.ceil(keywords.length / 2);
  const halves = isWhole ? [] : [keywords.slice(0, half), keywords.slice(half)];
  if (isWhole) await storeFigures(run, asked, new Map());
  const parts = halves.map((part) => newRequestedBatch({ ...asked, keywords: part }, run.work.now()));
  const next = { ...replaceBatch(progress, asked, ...parts), refusals: progress.refusals + 1 };
  const bill = { billedUsd: error.costUsd, isKnown: !error.mayBeBilled };
  return saveProgressOrRequeue(run, next, (tenant) => settle(run, tenant, asked, bill));
}

async function handleTemporaryFailure(
  run: KeywordRun,
  progress: KeywordProgress,
  batch: RequestedBatch,
  { error, submission }: FailedStep,
): Promise<KeywordProgress> {
  const { work } = run;
  const { costUsd: billedUsd, retryAfterMs: pauseMs } = error;
  const failures = batch.failures + 1;
  const isOver = !error.isRetryable || failures >= Math.min(MAX_FAILURES, error.maxAttempts);
  // A possibly accepted task is looked up; otherwise the batch needs a new reservation.
  const isOpen = submission !== null && !isOver;
  const reservation = isOpen ? batch.reservation : null;
  const waitMs = computeBackoffMs(failures, {
    baseMs: work.backoffBaseMs,
    retryAfterMs: pauseMs,
    random: Math.random(),
  });
  const again = { ...batch, submission, failures, reservation, notBefore: addMs(work.now(), waitMs) };
  const also = async (tenant: Tenant) => {
    if (!isOpen) await settle(run, tenant, batch, { billedUsd, isKnown: !error.mayBeBilled && submission === null });
    await recordCharge(run, tenant, { billedUsd: 0, pauseMs });
    await storeUnparsedBody(run, tenant, error);
  };
  return isOver
    ? stopFurtherBatches(run, replaceBatch(progress, batch), error.message, also)
    : saveProgressOrRequeue(run, replaceBatch(progress, batch, again), also);
}

const isSubmitted = ({ submission }: RequestedBatch) => submission !== null;

/** Batches that the provider has are completed. */
export async function stopFurtherBatches(
  run: KeywordRun,
  progress: KeywordProgress,
  reason: string,
  also: (tenant: Tenant) => Promise<void> = async () => undefined,
): Promise<KeywordProgress> {
  const { work, analysis, provider } = run;
  work.log.warn({ analysisId: analysis.id, provider: provider.name, reason }, "could not read keyword data");
  const stopped = { ...progress, batches: progress.batches.filter(isSubmitted), stopped: reason };
  return saveProgressOrRequeue(run, stopped, async (tenant) => {
    await also(tenant);
    for (const unsent of progress.batches.filter((one) => !isSubmitted(one))) {
      await settle(run, tenant, unsent, { billedUsd: 0, isKnown: true });
    }
  });
}

async function storeUnparsedBody({ job, work, provider }: KeywordRun, { db }: Tenant, error: ProviderError) {
  const { kind, rawBody: body } = error;
  if (body === undefined) return;
  await storeUnreadBody(db, { jobId: job.id, provider: provider.name, kind, at: work.now(), body });
}
