import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import type { ClaimedJob } from "../../../db/jobs/collect-jobs.ts";
import type { LimitUpdate } from "../../../db/sources/provider-paces.ts";
import type { NoProvider, Provider, Sources } from "../../outside/sources/provider.ts";
import type { OpinionJudge } from "../../../core/perception/merge-judged-opinions.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import { JOB_SOURCES, toSource, type JobSource } from "../../../core/sources/sources.ts";
import type { Submission } from "../../../core/sources/submission.ts";
import { FairQueue } from "../../../core/jobs/fair-queue.ts";
import type { Instant } from "../../../core/shared/time.ts";
import { askJob, PROCESS_STOPPING, type AskContext, type AskOutcome, type Result } from "./ask-job.ts";
import { openRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import type { Rejection } from "./spending.ts";
import { MAX_SMALL_PROMPTS } from "./store-results.ts";

export interface DispatcherOptions {
  sources: Sources;
  log: Logger;
  now: () => Instant;
  maxAttempts: number;
  backoffBaseMs: number;
  newId: () => string;
  /** False if another worker owns the job. */
  beginTask: (jobId: string, submission: Submission) => Promise<boolean>;
  /** Reserves across all processes. Returns milliseconds until the first slot. */
  reserveSlots: (provider: string, turns: { msPerRequest: number; count: number }) => Promise<number>;
  judge?: OpinionJudge | undefined;
}

export interface FreeSlots {
  /** Null for sources without a provider. */
  provider: string | null;
  sources: JobSource[];
  limit: number;
  maxPerCollect: number;
  usedPerCollect: ReadonlyMap<string, number>;
}

export interface PromptDispatcher {
  /** No provider charges, so prompts may be repeated. */
  isFree: boolean;
  /** Changes that other processes do not know yet. */
  unsharedLimits(): LimitUpdate[];
  markShared(news: readonly LimitUpdate[]): void;
  applyRemotePause(provider: string, ms: number): void;
  freeSlots(): FreeSlots[];
  sendPrompt(job: ClaimedJob, catalog: CompiledCatalog, refusal?: Rejection): void;
  /** Collects with the fewest results first. */
  listResults(most: number): readonly Result[];
  removeStored(stored: readonly Result[]): void;
  /** Puts a result that could not be stored behind the others. */
  requeue(result: Result): void;
  hasResults(): boolean;
  /** A person waits for a small collect, so it does not wait for a batch. */
  hasSmallCollect(): boolean;
  /** False while more results may join: every transaction costs a disk sync. */
  isTransactionDue(): boolean;
  isBusy(): boolean;
  abort(): number;
}

const RESULTS_PER_BATCH = 32;
const SLOTS_WITHOUT_PROVIDER = 64;
/** Slots reserved for other collects than the largest. */
const RESERVED_SHARE = 1 / 4;

/** `onResult` is called when results are ready to store, or a postponed job is ready again. */
export function openDispatcher(
  { sources, log, reserveSlots, ...options }: DispatcherOptions,
  onResult: () => void,
): PromptDispatcher {
  const providers = JOB_SOURCES.flatMap((source) => (sources[source].name === null ? [] : [sources[source]]));
  const limiterFor = ({ name, limits }: Provider) =>
    openRateLimiter(limits, { reserveSlots: (turns) => reserveSlots(name, turns) });
  const limiters = new Map(providers.map((provider) => [provider.name, limiterFor(provider)]));
  const line = openFairWorkQueue(onResult);
  const context: AskContext = {
    ...options,
    sources,
    limiterOf: (provider: Provider): RateLimiter => limiters.get(provider.name) ?? limiterFor(provider),
    runInLine: (job, work) => line.run(job, work),
    onFault: (error) => log.error({ err: error }, "a prompt failed with an internal error"),
  };
  const sourcesOf = new Map<string | null, JobSource[]>();
  for (const source of JOB_SOURCES) {
    const { name } = sources[source];
    sourcesOf.set(name, [...(sourcesOf.get(name) ?? []), source]);
  }
  const maxSlotsByProvider = new Map<string | null, number>(
    providers.map(({ name, limits }) => [name, 2 * limits.concurrency]),
  );
  const jobsInProgress = new Map<AbortController, ClaimedJob>();
  const failingProviders = new Set<string>();
  let results: Result[] = [];

  /**
   * Claims twice the concurrency, so that the next jobs are ready.
   * Counts unstored results too, which bounds repeated prompts after a crash.
   */
  function findFreeSlots(provider: string | null, served: JobSource[]): FreeSlots {
    const all = [...jobsInProgress.values(), ...results.map(({ job }) => job)];
    const taken = all.filter((job) => sources[job.askedSource].name === provider);
    const usedPerCollect = new Map<string, number>();
    for (const { collectId } of taken) usedPerCollect.set(collectId, (usedPerCollect.get(collectId) ?? 0) + 1);
    const places = maxSlotsByProvider.get(provider) ?? SLOTS_WITHOUT_PROVIDER;
    const maxPerCollect = places - Math.ceil(places * RESERVED_SHARE);
    return { provider, sources: served, limit: places - taken.length, maxPerCollect, usedPerCollect };
  }

  async function run(job: ClaimedJob, catalog: CompiledCatalog, refusal: Rejection | undefined): Promise<void> {
    const abort = new AbortController();
    jobsInProgress.set(abort, job);
    const refused = refusal && ({ kind: "failed", ...refusal } as const);
    const outcome = refused ?? (await askJob(job, catalog, abort, context));
    jobsInProgress.delete(abort);
    const provider = sources[job.askedSource].name;
    results.push({ job, provider, outcome });
    // A withheld prompt says nothing about the provider.
    if (refusal?.cause !== "internal") noteFailure(provider, outcome);
    if (outcome.kind === "retry" || outcome.kind === "waiting") setTimeout(onResult, outcome.delayMs + 1).unref();
    if (isTransactionDue()) onResult();
  }

  /** Logs only when a provider starts to fail or recovers. */
  function noteFailure(provider: string | null, outcome: AskOutcome): void {
    // A cap set by a person says nothing about the provider.
    if (provider === null || (outcome.kind === "failed" && outcome.cause === "over_analysis_cap")) return;
    if (outcome.kind === "answered") {
      if (failingProviders.delete(provider)) log.info({ provider }, "a provider responds again");
    } else if ((outcome.kind === "failed" || outcome.kind === "retry") && !failingProviders.has(provider)) {
      failingProviders.add(provider);
      log.warn({ provider, reason: outcome.reason }, "a provider is failing");
    }
  }

  function isTransactionDue(): boolean {
    if (!line.isBusy() || results.length >= RESULTS_PER_BATCH) return true;
    return listCompletedResults().length > 0;
  }

  function listCompletedResults(): Result[] {
    const collectsInProgress = new Set([...jobsInProgress.values()].map(({ collectId }) => collectId));
    return results.filter(({ job }) => !collectsInProgress.has(job.collectId));
  }

  return {
    isFree: JOB_SOURCES.every((source) => isFreeSource(sources[source], source)),
    unsharedLimits() {
      const news = [...limiters].map(([provider, limiter]) => ({ provider, ...limiter.unsharedLimits() }));
      return news.filter(({ pauseMs, tokenMs }) => pauseMs > 0 || tokenMs > 0);
    },
    markShared(news) {
      for (const one of news) limiters.get(one.provider)?.markShared(one);
    },
    applyRemotePause: (provider, ms) => limiters.get(provider)?.applyRemotePause(ms),
    freeSlots() {
      return [...sourcesOf]
        .map(([provider, served]) => findFreeSlots(provider, served))
        .filter(({ limit }) => limit > 0);
    },
    sendPrompt: (job, catalog, refusal) => void run(job, catalog, refusal),
    listResults: (most) => sortSmallestFirst(results).slice(0, most),
    removeStored(stored) {
      const known = new Set(stored);
      results = results.filter((result) => !known.has(result));
    },
    requeue: (result) => void results.push(result),
    hasResults: () => results.length > 0,
    hasSmallCollect: () => listCompletedResults().some(({ job }) => job.planned <= MAX_SMALL_PROMPTS),
    isTransactionDue,
    isBusy: () => jobsInProgress.size > 0 || results.length > 0,
    abort() {
      for (const abort of jobsInProgress.keys()) abort.abort(PROCESS_STOPPING);
      return jobsInProgress.size;
    },
  };
}

function isFreeSource(provider: Provider | NoProvider, asked: JobSource): boolean {
  return provider.name === null || provider.price(toSource(asked)).expectedUsd === 0;
}

function sortSmallestFirst(results: readonly Result[]): Result[] {
  const counts = countByCollect(results);
  const getCount = ({ job }: Result) => counts.get(job.collectId) ?? 0;
  return results.toSorted((a, b) => getCount(a) - getCount(b));
}

function countByCollect(results: readonly Result[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { job } of results) counts.set(job.collectId, (counts.get(job.collectId) ?? 0) + 1);
  return counts;
}

/** Round-robin over organizations; yields to the event loop after each piece. */
interface FairWorkQueue {
  /** Scheduled collects come last. The queue continues without awaiting the promise of `work`. */
  run<T>(of: { organizationId: string; isScheduled: boolean }, work: () => T | Promise<T>): Promise<T>;
  isBusy(): boolean;
}

export function openFairWorkQueue(onIdle: () => void): FairWorkQueue {
  const interactiveWork = new FairQueue<() => void>();
  const scheduledWork = new FairQueue<() => void>();
  let isWorking = false;

  const takeNext = () => interactiveWork.take() ?? scheduledWork.take();

  async function runQueue(): Promise<void> {
    isWorking = true;
    for (let next = takeNext(); next; next = takeNext()) {
      next();
      await nextTurn();
    }
    isWorking = false;
    onIdle();
  }

  return {
    run: ({ organizationId, isScheduled }, work) =>
      new Promise((resolve, reject) => {
        const piece = () => {
          try {
            resolve(work());
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        };
        (isScheduled ? scheduledWork : interactiveWork).add(organizationId, piece);
        if (!isWorking) void runQueue();
      }),
    isBusy: () => interactiveWork.size + scheduledWork.size > 0,
  };
}
