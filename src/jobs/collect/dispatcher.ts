import type { Logger } from "pino";
import type { ClaimedJob } from "../../../db/jobs/collect-jobs.ts";
import type { LimitNews } from "../../../db/sources/provider-paces.ts";
import type { NoProvider, Provider, Sources } from "../../outside/sources/provider.ts";
import type { OpinionJudge } from "../../../core/perception/judged-opinions.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import { ASKED_SOURCES, sourceOf, type AskedSource } from "../../../core/sources/asked-sources.ts";
import type { Submission } from "../../../core/sources/submission.ts";
import type { Instant } from "../../../core/shared/time.ts";
import { askJob, STOPPING, type Asking, type Outcome } from "./ask-job.ts";
import { openRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import type { Refusal } from "./spending.ts";
import { MOST_OF_SMALL, type Result } from "./store-results.ts";
import { openWorkLine } from "../work-line.ts";

export interface DispatcherOptions {
  sources: Sources;
  log: Logger;
  now: () => Instant;
  /** How often a question is asked before it has failed. */
  attempts: number;
  backoffBaseMs: number;
  newId: () => string;
  /** Stores that a task of a job is about to be submitted; false where the job is in other hands by now. */
  beginTask: (jobId: string, submission: Submission) => Promise<boolean>;
  /** Takes the next turns of requests, of all processes. Gives the milliseconds until the first begins. */
  takeTurns: (provider: string, turns: { msPerRequest: number; count: number }) => Promise<number>;
  /** Reads opinions in answers of brand analyses besides the rules. */
  judge?: OpinionJudge | undefined;
}

/** How many jobs may be taken of the sources of a provider. */
export interface Room {
  /** Null for the sources that have none. */
  provider: string | null;
  sources: AskedSource[];
  limit: number;
  /** How many places the questions of one collect may have, and how many those of each have. */
  mostOfOne: number;
  held: ReadonlyMap<string, number>;
}

/** The questions under way in this process, and what came of them. */
export interface Dispatcher {
  /** True where no provider charges, so that questions can be asked again. */
  isFree: boolean;
  /** What other processes do not know yet of limits. */
  limitNews(): LimitNews[];
  /** They know of these by now. */
  told(news: readonly LimitNews[]): void;
  /** Starts no request to a provider for so long, as another process was told. */
  hold(provider: string, ms: number): void;
  /** How many jobs may be taken of which sources: an entry per provider that has room. */
  room(): Room[];
  /** Starts asking one job, or has it fail for a reason. */
  ask(job: ClaimedJob, catalog: CompiledCatalog, refusal?: Refusal): void;
  /** Up to `most` results, those of the collects that have the fewest first. */
  results(most: number): readonly Result[];
  /** Forgets results: they are stored. */
  drop(stored: readonly Result[]): void;
  /** Lines up a result that could not be stored, behind the others. */
  putBack(result: Result): void;
  hasResults(): boolean;
  /** True where all questions that a small collect has here have ended: it may be over, and its person waits for it. */
  hasShort(): boolean;
  /**
   * True where waiting for more results would hold up a collect, or bring none: each transaction costs a wait for the disk and a
   * pause, however little it stores.
   */
  isTransactionDue(): boolean;
  /** True while there are questions or results. */
  isBusy(): boolean;
  /** Gives up what is still open. Says how many questions these are. */
  abort(): number;
}

/** So many results fill a transaction. */
const MANY_RESULTS = 32;
/** Jobs taken at once of sources without a provider. */
const UNANSWERED_AT_ONCE = 64;
/** This share of all places is left for other collects than the one that has the most. */
const SHARE_OF_OTHERS = 1 / 4;

/** `onResult` is called when there are results to store, or when a job that was put off is ready again. */
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
    line,
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
   * Twice as many as are asked at once, so that the next ones are at hand when a place is free. Unstored results count
   * too: what a crash makes this process ask again stays within that.
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
    // Of a question that is not asked because it stopped the worker, nothing can be said of the provider.
    if (refusal?.cause !== "internal") noteFailure(provider, outcome);
    if (outcome.kind === "retry" || outcome.kind === "waiting") setTimeout(onResult, outcome.delayMs + 1).unref();
    if (isTransactionDue()) onResult();
  }

  /** One line where a provider begins to fail, and one where it answers again. */
  function noteFailure(provider: string | null, outcome: Outcome): void {
    // What a person bounded says nothing of the provider.
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

  /** Results of collects of which no question is being asked. */
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

/** Results in their order, those of the collects that have the fewest first. */
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
