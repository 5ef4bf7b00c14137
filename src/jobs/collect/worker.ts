import { hasNewCollect, startCollects } from "../../../db/analyses/collect-progress.ts";
import { findDueAnalysis, listAnalysesPlannedAhead } from "../../../db/analyses/due-collects.ts";
import {
  recordSubmission,
  claimJobs,
  finishJob,
  hasLostJobs,
  hasReadyJobs,
  renewLeases,
  requeueLostJobs,
  type ClaimedJob,
} from "../../../db/jobs/collect-jobs.ts";
import { INITIAL_CURSOR, type RoundRobinCursor } from "../../../db/jobs/pick-jobs.ts";
import {
  findPauseMs,
  reserveRequestSlots as takeTurnsAt,
  storeLimitUpdates,
} from "../../../db/sources/provider-paces.ts";
import type { CatalogCache } from "../../../db/catalog/catalogs.ts";
import type { Db, Store } from "../../../db/engine/store.ts";
import type { AnalysisRow } from "../../../db/analyses/analyses.ts";
import type { Submission } from "../../../core/sources/submission.ts";
import { isPoisoned, isSuspect, POISONED_REASON } from "../../../core/jobs/worker-failures.ts";
import { addMs, type Instant } from "../../../core/shared/time.ts";
import {
  openQuarantine,
  runLeases,
  type LeasedWork,
  type LeaseOptions,
  type LeaseRunner,
  type JobQuarantine,
  type RunnerHandle,
} from "../lease-runner.ts";
import { openDispatcher, type DispatcherOptions, type FreeSlots } from "./dispatcher.ts";
import { resumeSchedule, startDueCollect } from "./due-collects.ts";
import { cancelClaimedJobs } from "./cancel-claimed-jobs.ts";
import {
  reserveForJob,
  settleLostJobs,
  type ExcessBill,
  type SpendGrant,
  type Rejection,
  type SpendSettings,
} from "./spending.ts";
import { toResultAfterFault, loadCatalogs, storeResults, type CompletedCollect } from "./store-results.ts";

export interface WorkerOptions
  extends Omit<DispatcherOptions, "beginTask" | "reserveSlots">, SpendSettings, LeaseOptions {
  catalogs: CatalogCache;
  hasKeywordProvider?: boolean;
  /** Lets follow-up jobs start. */
  onStored: () => void;
  /** Shared by all runners of leased jobs in this process. */
  quarantine?: JobQuarantine;
}

/** Longer transactions take no more results, because others wait for the writer. */
const MAX_TRANSACTION_MS = { short: 4, long: 6 };

const RESUME_INTERVAL_MS = 60_000;

export function startWorker(options: WorkerOptions): LeaseRunner {
  const news = watchNewCollects(options.store);
  const runner = runLeases(options, (given) => collectWork(options, news, given));
  return {
    wake() {
      runner.wake();
      news.check();
    },
    close: () => runner.close(),
  };
}

/** Accepted tasks are paid for, so they complete even in a canceled collect. */
function isCanceledUnsent({ isCanceled, submission }: ClaimedJob): boolean {
  return isCanceled && submission === null;
}

const POISONED_REJECTION: Rejection = { reason: POISONED_REASON, cause: "internal" };

interface NewCollectWatch {
  check(): void;
  hasNew(): boolean;
  clear(): void;
}

function watchNewCollects(store: Store): NewCollectWatch {
  let hasNewCollects = false;
  let checking: Promise<void> | undefined;
  return {
    check() {
      checking ??= store
        .read(hasNewCollect)
        .then((found) => void (hasNewCollects = found))
        // The next tick fails with this error again and reports it.
        .catch(() => undefined)
        .finally(() => (checking = undefined));
    },
    hasNew: () => hasNewCollects,
    clear: () => (hasNewCollects = false),
  };
}

function collectWork(options: WorkerOptions, newCollects: NewCollectWatch, { owner, wake }: RunnerHandle): LeasedWork {
  const { store, log, now, newId, leaseMs, catalogs, quarantine = openQuarantine() } = options;
  const { hasKeywordProvider = false } = options;
  const beginTask = (jobId: string, submission: Submission) =>
    store.write((db) => recordSubmission(db, { id: jobId, owner, submission }));
  const reserveSlots = (provider: string, turns: { msPerRequest: number; count: number }) =>
    store.write((db) => takeTurnsAt(db, { provider, ...turns, now: now() }), { isRepeatable: true, isLong: false });
  const dispatcher = openDispatcher({ ...options, beginTask, reserveSlots }, wake);
  /** Per provider, so that providers do not affect each other. */
  let cursorsByProvider: ReadonlyMap<string | null, RoundRobinCursor> = new Map();
  let storesOneByOne = false;
  let resumedAt = -Infinity;
  let strandedAnalyses: AnalysisRow[] = [];

  /** True if more can be claimed at once. */
  async function storeAndClaim(isClosing: boolean): Promise<boolean> {
    const at = now();
    const hasRoom = !isClosing && dispatcher.freeSlots().length > 0;
    const isLost = hasRoom && (await store.read((db) => hasLostJobs(db, owner, at)));
    const claims = isLost || (hasRoom && (await store.read((db) => hasReadyJobs(db, at))));
    if (!dispatcher.hasResults() && !claims) return false;
    // Starts and ends of collects take precedence over long work.
    const isShort = () => newCollects.hasNew() || dispatcher.hasSmallCollect();
    const isOver = (ms: number) => ms > (isShort() ? MAX_TRANSACTION_MS.short : MAX_TRANSACTION_MS.long);
    // Waits for the disk sync if people may be notified, for example of spent credits.
    const completesSmall = dispatcher.hasSmallCollect();
    const limits = dispatcher.unsharedLimits();
    const storing = async (db: Db) => {
      // Includes results that arrived while waiting for the writer.
      const results = dispatcher.listResults(storesOneByOne ? 1 : Infinity);
      const excess: ExcessBill[] = [];
      const onExcess = (bill: ExcessBill) => void excess.push(bill);
      const ended: CompletedCollect[] = [];
      const onEnd = (one: CompletedCollect) => void ended.push(one);
      const by = { owner, now: at, newId, catalogs, isOver, completesSmall, hasKeywordProvider, onExcess, onEnd };
      const stored = await storeResults(db, results, by);
      if (isLost) {
        await settleLostJobs(db, options, at);
        await requeueLostJobs(db, owner, at);
      }
      await storeLimitUpdates(db, limits, at);
      const claimed = await claim(db, claims ? dispatcher.freeSlots() : [], at);
      return { ...claimed, stored, excess, ended, compiled: await loadCatalogs(db, claimed.asked, catalogs) };
    };
    // Paid answers also wait for the disk sync.
    const isRepeatable = dispatcher.isFree && !completesSmall;
    const cycle = await store.write(storing, { isRepeatable, isLong: () => !isShort() });
    newCollects.clear();
    cursorsByProvider = cycle.turns;
    dispatcher.markShared(limits);
    for (const { provider, pauseMs } of cycle.held) {
      dispatcher.applyRemotePause(provider, pauseMs);
      setTimeout(wake, pauseMs + 1).unref();
    }
    const { stored } = cycle;
    dispatcher.removeStored(stored);
    for (const { job } of stored) quarantine.remove(job.id);
    if (stored.length > 0) options.onStored();
    for (const collectId of cycle.begun) log.info({ collectId }, "run started");
    for (const collect of cycle.ended) log.info(collect, "run finished");
    for (const { job, outcome } of stored) {
      if (outcome.kind !== "answered" || !outcome.reading.unread) continue;
      log.warn({ jobId: job.id, collectId: job.collectId, reason: outcome.reading.unread }, "could not read an answer");
    }
    for (const bill of cycle.excess)
      log.error(bill, "a provider billed more than its limit per answer: no further prompts are sent to it");
    for (const { job, refusal } of cycle.asked) {
      if (isSuspect(job)) quarantine.add(job.id);
      if (refusal === POISONED_REJECTION) {
        const { id, collectId, organizationId } = job;
        log.error({ job: id, collectId, organizationId }, "a prompt stopped the worker twice: it is not retried");
      }
      const catalog = cycle.compiled.get(job.workspaceId);
      if (catalog) dispatcher.sendPrompt(job, catalog, refusal);
    }
    return cycle.isMore;
  }

  async function claim(db: Db, room: readonly FreeSlots[], at: Instant) {
    const asked: { job: ClaimedJob; refusal?: Rejection }[] = [];
    const paused: { provider: string; pauseMs: number }[] = [];
    const cursors = new Map(cursorsByProvider);
    const suspects = { left: quarantine.isFree() ? 1 : 0 };
    const lease = { owner, now: at, leaseEnd: addMs(at, leaseMs), suspects };
    for (const part of room) {
      const pauseMs = part.provider === null ? 0 : await findPauseMs(db, part.provider, at);
      if (part.provider !== null && pauseMs > 0) {
        paused.push({ provider: part.provider, pauseMs });
        continue;
      }
      const from = { ...part, ...lease, cursor: cursorsByProvider.get(part.provider) ?? INITIAL_CURSOR };
      const claimed = await claimJobs(db, from);
      for (const job of claimed.jobs) {
        const granted = isCanceledUnsent(job) ? undefined : await grantUnlessPoisoned(db, job, at);
        if (granted?.kind === "later") await postpone(db, job, at);
        else asked.push({ job, ...(granted?.kind === "refused" && { refusal: granted.rejection }) });
      }
      cursors.set(part.provider, claimed.cursor);
    }
    const begun = await startCollects(db, [...new Set(asked.map(({ job }) => job.collectId))], at);
    const canceled = asked.filter(({ job }) => isCanceledUnsent(job)).map(({ job }) => job);
    if (canceled.length > 0) await cancelClaimedJobs(db, canceled, { now: at, newId });
    return {
      asked: asked.filter(({ job }) => !isCanceledUnsent(job)),
      turns: cursors,
      begun,
      held: paused,
      isMore: canceled.length > 0,
    };
  }

  /** The job waits until prompts in progress have released their reservations. */
  async function postpone(db: Db, { id, submission }: ClaimedJob, at: Instant): Promise<void> {
    const end = { id, status: "queued", notBefore: at, reason: null, outcome: null, submission } as const;
    await finishJob(db, owner, { ...end, countsAsAttempt: false, clearsFailures: false }, at);
  }

  async function grantUnlessPoisoned(db: Db, job: ClaimedJob, at: Instant): Promise<SpendGrant> {
    if (isPoisoned(job)) return { kind: "refused", rejection: POISONED_REJECTION };
    return reserveForJob(db, job, { spendSettings: options, now: at });
  }

  /** True if there may be more. */
  async function startDue(): Promise<boolean> {
    if (performance.now() - resumedAt > RESUME_INTERVAL_MS) {
      resumedAt = performance.now();
      strandedAnalyses = await store.read((db) => listAnalysesPlannedAhead(db, now()));
    }
    const moved = strandedAnalyses.shift();
    if (moved) await store.write((db) => resumeSchedule(db, moved, { now: now(), newId }));
    const due = await store.read((db) => findDueAnalysis(db, now()));
    if (due) await store.write((db) => startDueCollect(db, { now: now(), newId }));
    return due !== undefined || strandedAnalyses.length > 0;
  }

  return {
    async runOnce(isClosing) {
      if (!dispatcher.isTransactionDue() && !(await store.read(hasNewCollect))) return false;
      let isMore = false;
      try {
        isMore = await storeAndClaim(isClosing);
        storesOneByOne &&= dispatcher.hasResults();
      } catch (error) {
        const [result] = storesOneByOne ? dispatcher.listResults(1) : [];
        if (result) {
          dispatcher.removeStored([result]);
          dispatcher.requeue(toResultAfterFault(result, error));
        }
        storesOneByOne = true;
        throw error;
      }
      const isDue = !isClosing && (await startDue());
      return isMore || isDue || (dispatcher.hasResults() && dispatcher.isTransactionDue());
    },
    isBusy: () => dispatcher.isBusy(),
    renewLeases,
    abort: () => dispatcher.abort(),
  };
}
