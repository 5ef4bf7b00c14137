import { clearWorkerFailures, noteLeasedProgress } from "../../../db/jobs/background-jobs.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import type { TenantStore } from "../../../db/engine/tenant-store.ts";
import type { AnalysisRow } from "../../../db/analyses/analyses.ts";
import { storeKeywordFigures } from "../../../db/analyses/keyword-figures.ts";
import { tellLimits } from "../../../db/sources/provider-paces.ts";
import { addProviderSpend } from "../../../db/sources/provider-spend.ts";
import type { Payer } from "../../../db/sources/spend-accounts.ts";
import { keepUnreadBody } from "../../../db/answers/unread-bodies.ts";
import { backoffMs } from "../../../core/jobs/backoff.ts";
import type { KeywordFigures } from "../../../core/analyses/keyword-figures.ts";
import { microsOf } from "../../../core/credits/micros.ts";
import { later } from "../../../core/shared/time.ts";
import type { KeywordAnswer, KeywordTasks, Provider, Signal } from "../../outside/sources/provider.ts";
import type { ProviderError } from "../../outside/sources/provider-error.ts";
import type { TaskStep } from "../collect/ask-task.ts";
import { settleBill } from "../collect/spending.ts";
import { GiveBack, type BackgroundJob, type BackgroundWork } from "../background/background.ts";
import { notAsked, textsOfBatch, type Asked, type KeywordProgress } from "./keyword-batches.ts";

/** Max rows per transaction, to keep write transactions short. */
const ROWS_AT_ONCE = 200;
const MOST_FAILURES = 5;
/** More consecutive rejections than a few invalid keywords can explain. */
const MOST_REFUSALS = 20;

export type KeywordWork = Pick<
  BackgroundWork,
  "store" | "now" | "newId" | "log" | "keywords" | "backoffBaseMs" | "signal"
>;

export interface KeywordRun {
  job: BackgroundJob;
  work: KeywordWork;
  store: TenantStore;
  analysis: AnalysisRow;
  provider: Provider;
  keywords: KeywordTasks<Signal>;
  organizationCapUsd: number | null;
}

type Step = TaskStep<KeywordAnswer>;
type Failed = Extract<Step, { kind: "failed" }>;

export function payerOf({ job, work, analysis, provider }: KeywordRun): Payer {
  const { organizationId } = job;
  return { provider: provider.name, organizationId, analysisId: analysis.id, day: work.now().slice(0, 10) };
}

export function replaced(progress: KeywordProgress, batch: Asked, ...by: Asked[]): KeywordProgress {
  return { ...progress, batches: progress.batches.flatMap((one) => (one === batch ? by : [one])) };
}

/** False, without storing, if another worker owns the job. */
export function note(
  { job, store }: KeywordRun,
  progress: KeywordProgress,
  also?: (tenant: Tenant) => Promise<void>,
): Promise<boolean> {
  return store.write(async (tenant) => {
    if (!(await noteLeasedProgress(tenant.db, job, progress))) return false;
    await clearWorkerFailures(tenant.db, job);
    await also?.(tenant);
    return true;
  });
}

export async function afterStep(
  run: KeywordRun,
  progress: KeywordProgress,
  asked: Asked,
  step: Step,
): Promise<KeywordProgress> {
  // The worker that now owns the job continues it.
  if (step.kind === "lost") throw new GiveBack();
  if (step.kind === "broken_off") throw step.cause;
  if (step.kind === "failed") return failed(run, progress, asked, step);
  if (step.kind === "waiting") {
    const { submission, billedUsd, delayMs, pauseMs } = step;
    const waiting = { ...asked, submission, notBefore: later(run.work.now(), delayMs) };
    return noted(run, replaced(progress, asked, waiting), (tenant) => enter(run, tenant, { billedUsd, pauseMs }));
  }
  await storeTold(run, asked, step.answer.figures);
  const bill = { billedUsd: step.billedUsd ?? 0, isKnown: step.answer.costUsd !== null };
  const next = { ...replaced(progress, asked), refusals: 0 };
  return noted(run, next, (tenant) => settle(run, tenant, asked, bill));
}

async function noted(
  run: KeywordRun,
  progress: KeywordProgress,
  also: (tenant: Tenant) => Promise<void>,
): Promise<KeywordProgress> {
  if (!(await note(run, progress, also))) throw new GiveBack();
  return progress;
}

/** Records the bill in the ledger and shares a requested pause with other processes. */
async function enter(
  { work, provider }: KeywordRun,
  { db }: Tenant,
  { billedUsd, pauseMs = 0 }: { billedUsd: number; pauseMs?: number | undefined },
): Promise<void> {
  if (billedUsd > 0) await addProviderSpend(db, new Map([[provider.name, billedUsd]]), work.now());
  if (pauseMs > 0) await tellLimits(db, [{ provider: provider.name, heldMs: pauseMs, tokenMs: 0 }], work.now());
}

async function settle(
  run: KeywordRun,
  tenant: Tenant,
  { wanted, reservation, submission }: Asked,
  { billedUsd, isKnown }: { billedUsd: number; isKnown: boolean },
): Promise<void> {
  const { work } = run;
  await enter(run, tenant, { billedUsd });
  if (reservation === null) return;
  const billed = microsOf((submission?.costUsd ?? 0) + billedUsd);
  const bill = { jobId: reservation, source: wanted, billed, isKnown };
  const excess = await settleBill(tenant.db, bill, payerOf(run), work.now());
  if (excess) work.log.error(excess, "a provider billed more than was reserved, and is not asked until that is raised");
}

/** Keywords without a reported value are stored as unknown. */
async function storeTold(
  { work, store, analysis, provider, keywords }: KeywordRun,
  asked: Asked,
  figures: KeywordAnswer["figures"],
): Promise<void> {
  const texts = await store.read((tenant) => textsOfBatch({ tenant, analysis, keywords, now: work.now() }, asked));
  const told = { wanted: asked.wanted, from: provider.name, at: work.now() };
  for (let first = 0; first < texts.length; first += ROWS_AT_ONCE) {
    const part = texts.slice(first, first + ROWS_AT_ONCE);
    const rows = new Map(
      part.map(([text, form]): [string, Partial<KeywordFigures>] => [text, figures.get(form) ?? {}]),
    );
    await store.write((tenant) => storeKeywordFigures(tenant, asked, { ...told, figures: rows }));
  }
}

async function failed(
  run: KeywordRun,
  progress: KeywordProgress,
  asked: Asked,
  step: Failed,
): Promise<KeywordProgress> {
  const { kind, rawBody } = step.error;
  // An HTTP status without a body concerns the endpoint, whatever the keywords are.
  const isRefused = kind === "unsupported" || (kind === "rejected" && rawBody !== undefined);
  if (isRefused && step.submission === null && progress.refusals < MOST_REFUSALS) {
    return refused(run, progress, asked, step);
  }
  return troubled(run, progress, asked, step);
}

/**
 * Halves a rejected batch, so that an invalid keyword does not block others. A single rejected
 * keyword, and an unsupported country or language, is stored as unknown.
 */
async function refused(
  run: KeywordRun,
  progress: KeywordProgress,
  asked: Asked,
  { error }: Failed,
): Promise<KeywordProgress> {
  const { keywords } = asked;
  const isWhole = keywords.length === 1 || error.kind === "unsupported";
  const half = Math.ceil(keywords.length / 2);
  const halves = isWhole ? [] : [keywords.slice(0, half), keywords.slice(half)];
  if (isWhole) await storeTold(run, asked, new Map());
  const parts = halves.map((part) => notAsked({ ...asked, keywords: part }, run.work.now()));
  const next = { ...replaced(progress, asked, ...parts), refusals: progress.refusals + 1 };
  const bill = { billedUsd: error.costUsd, isKnown: !error.mayBeBilled };
  return noted(run, next, (tenant) => settle(run, tenant, asked, bill));
}

/** Retries a batch later, and gives up after too many failures or permanent ones. */
async function troubled(
  run: KeywordRun,
  progress: KeywordProgress,
  asked: Asked,
  { error, submission }: Failed,
): Promise<KeywordProgress> {
  const { work } = run;
  const { costUsd: billedUsd, retryAfterMs: pauseMs } = error;
  const failures = asked.failures + 1;
  const isOver = !error.retryable || failures >= Math.min(MOST_FAILURES, error.mostAttempts);
  // A possibly accepted task is looked up; otherwise the batch needs a new reservation.
  const isOpen = submission !== null && !isOver;
  const reservation = isOpen ? asked.reservation : null;
  const waitMs = backoffMs(failures, { baseMs: work.backoffBaseMs, retryAfterMs: pauseMs, random: Math.random() });
  const again = { ...asked, submission, failures, reservation, notBefore: later(work.now(), waitMs) };
  const also = async (tenant: Tenant) => {
    if (!isOpen) await settle(run, tenant, asked, { billedUsd, isKnown: !error.mayBeBilled && submission === null });
    await enter(run, tenant, { billedUsd: 0, pauseMs });
    await keepBody(run, tenant, error);
  };
  return isOver
    ? stop(run, replaced(progress, asked), error.message, also)
    : noted(run, replaced(progress, asked, again), also);
}

const isSent = ({ submission }: Asked) => submission !== null;

/** Starts no further batches, and completes those that the provider has. */
export async function stop(
  run: KeywordRun,
  progress: KeywordProgress,
  reason: string,
  also: (tenant: Tenant) => Promise<void> = async () => undefined,
): Promise<KeywordProgress> {
  const { work, analysis, provider } = run;
  work.log.warn({ analysisId: analysis.id, provider: provider.name, reason }, "keywords could not be read");
  const stopped = { ...progress, batches: progress.batches.filter(isSent), stopped: reason };
  return noted(run, stopped, async (tenant) => {
    await also(tenant);
    for (const unsent of progress.batches.filter((one) => !isSent(one))) {
      await settle(run, tenant, unsent, { billedUsd: 0, isKnown: true });
    }
  });
}

async function keepBody({ job, work, provider }: KeywordRun, { db }: Tenant, error: ProviderError): Promise<void> {
  const { kind, rawBody: body } = error;
  if (body === undefined) return;
  await keepUnreadBody(db, { jobId: job.id, provider: provider.name, kind, at: work.now(), body });
}
