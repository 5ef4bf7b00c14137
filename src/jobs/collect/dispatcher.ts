import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import type { ClaimedJob } from "../../../db/jobs/collect-jobs.ts";
import type { LimitNews } from "../../../db/sources/provider-paces.ts";
import type { NoProvider, Provider, Sources } from "../../outside/sources/provider.ts";
import type { OpinionJudge } from "../../../core/perception/judged-opinions.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import { ASKED_SOURCES, sourceOf, type AskedSource } from "../../../core/sources/asked-sources.ts";
import type { Submission } from "../../../core/sources/submission.ts";
import { FairQueue } from "../../../core/jobs/fair-queue.ts";
import type { Instant } from "../../../core/shared/time.ts";
import { askJob, STOPPING, type Asking, type Outcome, type Result } from "./ask-job.ts";
import { openRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import type { Refusal } from "./spending.ts";
import { MOST_OF_SMALL } from "./store-results.ts";

export interface DispatcherOptions {
  sources: Sources;
  log: Logger;
  now: () => Instant;
  attempts: number;
  backoffBaseMs: number;
  newId: () => string;
  /** Stores that a task is about to be submitted; false if another worker owns the job. */
  beginTask: (jobId: string, submission: Submission) => Promise<boolean>;
  /** Reserves request slots across all processes. Returns milliseconds until the first slot. */
  takeTurns: (provider: string, turns: { msPerRequest: number; count: number }) => Promise<number>;
  judge?: OpinionJudge | undefined;
}

export interface Room {
  /** Null for sources without a provider. */
  provider: string | null;
  sources: AskedSource[];
  limit: number;
  /** Max slots for one collect, and the slots in use per collect. */
  mostOfOne: number;
  held: ReadonlyMap<string, number>;
}

export interface Dispatcher {
  /** True if no provider charges, so prompts may be repeated. */
  isFree: boolean;
  /** Rate-limit changes that other processes do not know yet. */
  limitNews(): LimitNews[];
  /** Marks these changes as shared with other processes. */
  told(news: readonly LimitNews[]): void;
  /** Pauses requests to a provider after a notice from another process. */
  hold(provider: string, ms: number): void;
  room(): Room[];
  ask(job: ClaimedJob, catalog: CompiledCatalog, refusal?: Refusal): void;
  /** Returns up to `most` results, collects with the fewest results first. */
  results(most: number): readonly Result[];
  drop(stored: readonly Result[]): void;
  /** Requeues a result that could not be stored, behind the others. */
  putBack(result: Result): void;
  hasResults(): boolean;
  /** True if a small collect may be complete, so that its person need not wait for a batch. */
  hasShort(): boolean;
  /**
   * True if waiting for more results is pointless or delays a collect. Every transaction costs a
   * disk sync, whatever its size.
   */
  isTransactionDue(): boolean;
  isBusy(): boolean;
  abort(): number;
}

const MANY_RESULTS = 32;
const UNANSWERED_AT_ONCE = 64;
/** Share of slots reserved for other collects than the largest. */
const SHARE_OF_OTHERS = 1 / 4;

/** `onResult` is called when results are ready to store, or a postponed job is ready again. */
export function openDispatcher(
  { sources, log, takeTurns, ...options }: DispatcherOptions,
  onResult: () => void,
): Dispatcher {
  const asked = ASKED_SOURCES.flatMap((source) => (sources[source].name === null ? [] : [sources[source]]));
  const limiterFor = ({ name, limits }: Provider) =>
    openRateLimiter(limits, { takeTurns: (turns) => takeTurns(name, turns) });
  const limiters = new Map(asked.map((provider) => [provider.name, limiterFor(provider)]));
  const line = openWorkLine(onResult);
  const context: Asking = {
    ...options,
    sources,
    limiterOf: (provider: Provider): RateLimiter => limiters.get(provider.name) ?? limiterFor(provider),
    runInLine: (job, work) => line.run(job, work),
    onFault: (error) => log.error({ err: error }, "a question failed on our side"),
  };
  const sourcesOf = new Map<string | null, AskedSource[]>();
  for (const source of ASKED_SOURCES) {
    const { name } = sources[source];
    sourcesOf.set(name, [...(sourcesOf.get(name) ?? []), source]);
  }
  const mostAt = new Map<string | null, number>(asked.map(({ name, limits }) => [name, 2 * limits.concurrency]));
  const open = new Map<AbortController, ClaimedJob>();
  const failing = new Set<string>();
  let results: Result[] = [];

  /**
   * Claims twice the concurrency, so that the next jobs are ready. Counts unstored results too,
   * which bounds repeated prompts after a crash.
   */
  function roomAt(provider: string | null, served: AskedSource[]): Room {
    const all = [...open.values(), ...results.map(({ job }) => job)];
    const taken = all.filter((job) => sources[job.askedSource].name === provider);
    const held = new Map<string, number>();
    for (const { collectId } of taken) held.set(collectId, (held.get(collectId) ?? 0) + 1);
    const places = mostAt.get(provider) ?? UNANSWERED_AT_ONCE;
    const mostOfOne = places - Math.ceil(places * SHARE_OF_OTHERS);
    return { provider, sources: served, limit: places - taken.length, mostOfOne, held };
  }

  async function run(job: ClaimedJob, catalog: CompiledCatalog, refusal: Refusal | undefined): Promise<void> {
    const abort = new AbortController();
    open.set(abort, job);
    const refused = refusal && ({ kind: "failed", ...refusal } as const);
    const outcome = refused ?? (await askJob(job, catalog, abort, context));
    open.delete(abort);
    const provider = sources[job.askedSource].name;
    results.push({ job, provider, outcome });
    // A withheld prompt says nothing about the provider.
    if (refusal?.cause !== "internal") noteFailure(provider, outcome);
    if (outcome.kind === "retry" || outcome.kind === "waiting") setTimeout(onResult, outcome.delayMs + 1).unref();
    if (isTransactionDue()) onResult();
  }

  /** Logs once when a provider starts to fail, and once when it recovers. */
  function noteFailure(provider: string | null, outcome: Outcome): void {
    // A cap set by a person says nothing about the provider.
    if (provider === null || (outcome.kind === "failed" && outcome.cause === "over_analysis_cap")) return;
    if (outcome.kind === "answered") {
      if (failing.delete(provider)) log.info({ provider }, "a provider answers again");
    } else if ((outcome.kind === "failed" || outcome.kind === "retry") && !failing.has(provider)) {
      failing.add(provider);
      log.warn({ provider, reason: outcome.reason }, "a provider fails");
    }
  }

  function isTransactionDue(): boolean {
    if (!line.isBusy() || results.length >= MANY_RESULTS) return true;
    return ended().length > 0;
  }

  function ended(): Result[] {
    const asking = new Set([...open.values()].map(({ collectId }) => collectId));
    return results.filter(({ job }) => !asking.has(job.collectId));
  }

  return {
    isFree: ASKED_SOURCES.every((source) => isFreeAt(sources[source], source)),
    limitNews() {
      const news = [...limiters].map(([provider, limiter]) => ({ provider, ...limiter.news() }));
      return news.filter(({ heldMs, tokenMs }) => heldMs > 0 || tokenMs > 0);
    },
    told(news) {
      for (const one of news) limiters.get(one.provider)?.told(one);
    },
    hold: (provider, ms) => limiters.get(provider)?.hold(ms),
    room() {
      return [...sourcesOf].map(([provider, served]) => roomAt(provider, served)).filter(({ limit }) => limit > 0);
    },
    ask: (job, catalog, refusal) => void run(job, catalog, refusal),
    results: (most) => smallestFirst(results).slice(0, most),
    drop(stored) {
      const known = new Set(stored);
      results = results.filter((result) => !known.has(result));
    },
    putBack: (result) => void results.push(result),
    hasResults: () => results.length > 0,
    hasShort: () => ended().some(({ job }) => job.planned <= MOST_OF_SMALL),
    isTransactionDue,
    isBusy: () => open.size > 0 || results.length > 0,
    abort() {
      for (const abort of open.keys()) abort.abort(STOPPING);
      return open.size;
    },
  };
}

function isFreeAt(provider: Provider | NoProvider, asked: AskedSource): boolean {
  return provider.name === null || provider.price(sourceOf(asked)).expectedUsd === 0;
}

function smallestFirst(results: readonly Result[]): Result[] {
  const counts = countByCollect(results);
  const countOf = ({ job }: Result) => counts.get(job.collectId) ?? 0;
  return results.toSorted((a, b) => countOf(a) - countOf(b));
}

function countByCollect(results: readonly Result[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { job } of results) counts.set(job.collectId, (counts.get(job.collectId) ?? 0) + 1);
  return counts;
}

/**
 * Serialises CPU work of this thread, round-robin over organizations, and yields to the event loop
 * after each piece.
 */
interface WorkLine {
  /**
   * Scheduled collects come last. The queue continues once `work` returns, without awaiting its
   * promise.
   */
  run<T>(of: { organizationId: string; isScheduled: boolean }, work: () => T | Promise<T>): Promise<T>;
  isBusy(): boolean;
}

export function openWorkLine(onIdle: () => void): WorkLine {
  const asked = new FairQueue<() => void>();
  const scheduled = new FairQueue<() => void>();
  let isWorking = false;

  const take = () => asked.take() ?? scheduled.take();

  async function goOn(): Promise<void> {
    isWorking = true;
    for (let next = take(); next; next = take()) {
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
        (isScheduled ? scheduled : asked).add(organizationId, piece);
        if (!isWorking) void goOn();
      }),
    isBusy: () => asked.size + scheduled.size > 0,
  };
}
