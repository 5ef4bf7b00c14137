import type { Logger } from "pino";
import {
  claimBackgroundJob,
  finishBackgroundJob,
  hasBackgroundWork,
  renewBackgroundLeases,
  requeueLostBackgroundJobs,
  type BackgroundJobOutcome,
  type ClaimedBackgroundJob,
} from "../../../db/jobs/background-jobs.ts";
import type { Secrets } from "../../../auth/keys/secrets.ts";
import type { CatalogCache } from "../../../db/catalog/catalogs.ts";
import type { Store } from "../../../db/engine/store.ts";
import type { BackgroundKind } from "../../../core/jobs/background.ts";
import type { BlobStore } from "../../../core/shared/blobs.ts";
import type { OutsideSystems } from "../../../core/shared/outside-systems.ts";
import type { Provider } from "../../outside/sources/provider.ts";
import { addMs, type Instant } from "../../../core/shared/time.ts";
import { computeBackoffMs } from "../../../core/jobs/backoff.ts";
import { isPoisoned, isSuspect, POISONED_REASON } from "../../../core/jobs/worker-failures.ts";
import { openCheckThread, type PageChecker } from "../audits/check-thread.ts";
import { openExporter, type Exporter } from "../exports/export-thread.ts";
import {
  openQuarantine,
  runLeases,
  type LeasedWork,
  type LeaseOptions,
  type LeaseRunner,
  type JobQuarantine,
  type RunnerHandle,
} from "../lease-runner.ts";

export type BackgroundJob = NonNullable<ClaimedBackgroundJob>;

export interface BackgroundWork {
  store: Store;
  now: () => Instant;
  newId: () => string;
  log: Logger;
  outside: OutsideSystems;
  /** The cap applies per organization and month. */
  keywords?: { provider: Provider; organizationCapUsd: number | null } | undefined;
  secrets: Pick<Secrets, "seal" | "unseal">;
  blobs: BlobStore;
  catalogs: CatalogCache;
  checker: PageChecker;
  exporter: Exporter;
  backoffBaseMs: number;
  syncMs: number;
  finishOutboxEntry: (id: string) => Promise<void>;
  /** Aborted when the process stops; a job whose handler throws then is retried later. */
  signal: AbortSignal;
}

/** Must be idempotent, because it can restart from the beginning at any time. */
export type BackgroundHandler = (job: BackgroundJob, work: BackgroundWork) => Promise<void>;

/**
 * Per process. `import` has one more than the max of large imports. Jobs mostly wait for I/O, and
 * more slots would queue at the single writer.
 */
const LANE_SLOTS = { short: 2, collect: 2, import: 5, file: 2, crawl: 4, export: 2, long: 2 } as const;
type JobLane = keyof typeof LANE_SLOTS;

export interface BackgroundJobKind {
  run: BackgroundHandler;
  lane: JobLane;
  /** Per process, if below the lane's slots. */
  concurrency?: number;
  maxAttempts?: number;
  maxWaitMs: number;
  /**
   * Completes the item that people wait for after a job crashed the worker twice.
   * Returns true if the job continues without this item.
   */
  onPoisoned?: (job: BackgroundJob, work: BackgroundWork) => Promise<boolean>;
}

/** People see the message. */
export class PermanentFailure extends Error {
  override name = "PermanentFailure";
}

/** Requeues the job with its progress, behind other organizations. */
export class Requeue extends Error {
  override name = "Requeue";
  readonly notBefore: Instant | undefined;

  constructor(notBefore?: Instant) {
    super();
    this.notBefore = notBefore;
  }
}

export interface BackgroundOptions extends Omit<BackgroundWork, "signal" | "checker" | "exporter">, LeaseOptions {
  checker?: PageChecker;
  exporter?: Exporter;
  /** Shared by all runners of leased jobs in this process. */
  quarantine?: JobQuarantine;
  jobKinds: Partial<Record<BackgroundKind, BackgroundJobKind>>;
}

const MAX_ATTEMPTS = 5;
const JOB_LANES = Object.keys(LANE_SLOTS) as JobLane[]; // Safe: LANE_SLOTS has exactly the lanes as keys.

export function startBackground(options: BackgroundOptions): LeaseRunner {
  const thread = openCheckThread();
  const exporter = openExporter();
  const runner = runLeases(options, (given) => openBackgroundWork({ checker: thread, exporter, ...options }, given));
  return {
    wake: () => runner.wake(),
    async close() {
      await runner.close();
      await Promise.all([thread.close(), exporter.close()]);
    },
  };
}

function openBackgroundWork(
  options: BackgroundOptions & Pick<BackgroundWork, "checker" | "exporter">,
  { owner, wake }: RunnerHandle,
): LeasedWork {
  const { store, log, now, leaseMs, jobKinds, quarantine = openQuarantine() } = options;
  const aborting = new AbortController();
  const running = new Map<Promise<void>, BackgroundKind>();
  const names = Object.keys(jobKinds) as BackgroundKind[]; // Safe: `kinds` has exactly the job kinds as keys.
  const maxWaits = Object.fromEntries(names.map((name) => [name, jobKinds[name]?.maxWaitMs ?? 0]));
  const kindsOfLane = (lane: JobLane) => names.filter((name) => jobKinds[name]?.lane === lane);
  const lastOrganizationByLane = new Map<JobLane, string>();

  function openKinds(lane: JobLane): BackgroundKind[] {
    const inUse = [...running.values()];
    const laneKinds = kindsOfLane(lane);
    if (inUse.filter((kind) => laneKinds.includes(kind)).length >= LANE_SLOTS[lane]) return [];
    const isFull = (name: BackgroundKind) =>
      inUse.filter((kind) => kind === name).length >= (jobKinds[name]?.concurrency ?? LANE_SLOTS[lane]);
    return laneKinds.filter((name) => !isFull(name));
  }

  async function claim(): Promise<BackgroundJob[]> {
    const lanes = JOB_LANES.filter((lane) => openKinds(lane).length > 0);
    const at = now();
    const claimQuery = { owner, now: at, maxWaits };
    if (lanes.length === 0 || !(await store.read((db) => hasBackgroundWork(db, claimQuery)))) return [];
    return store.write(async (db) => {
      await requeueLostBackgroundJobs(db, claimQuery);
      const jobs: BackgroundJob[] = [];
      for (const lane of lanes) {
        const canTakeSuspects = quarantine.isFree() && !jobs.some(isSuspect);
        const turn = {
          kinds: openKinds(lane),
          laneKinds: kindsOfLane(lane),
          after: lastOrganizationByLane.get(lane) ?? "",
          canTakeSuspects,
        };
        const job = await claimBackgroundJob(db, { ...turn, owner, now: at, leaseEnd: addMs(at, leaseMs) });
        if (job) jobs.push(job);
      }
      return jobs;
    });
  }

  function begin(job: BackgroundJob): void {
    const lane = jobKinds[job.kind]?.lane;
    if (lane !== undefined) lastOrganizationByLane.set(lane, job.organizationId);
    if (isSuspect(job)) quarantine.add(job.id);
    const doing: Promise<void> = runJob(job).finally(() => {
      quarantine.remove(job.id);
      running.delete(doing);
      wake();
    });
    running.set(doing, job.kind);
  }

  async function runJob(job: BackgroundJob): Promise<void> {
    const end = await perform(job);
    const done = { id: job.id, owner, kind: job.kind, subjectId: job.subjectId };
    await store
      .write((db) => finishBackgroundJob(db, done, end, now()))
      .catch((error: unknown) => log.error({ err: error, job: job.id }, "could not store the outcome of a job"));
  }

  async function perform(job: BackgroundJob): Promise<BackgroundJobOutcome> {
    const end = { notBefore: now(), reason: null, countsAsAttempt: true, clearsFailures: true };
    try {
      const given = { ...options, signal: aborting.signal };
      if (isPoisoned(job)) return { ...end, ...(await endPoisoned(job, given)) };
      await jobKinds[job.kind]?.run(job, given);
      return { ...end, status: "succeeded" };
    } catch (error) {
      if (error instanceof PermanentFailure) return { ...end, status: "failed", reason: error.message };
      const requeued = { ...end, status: "queued", countsAsAttempt: false } as const;
      if (error instanceof Requeue) return { ...requeued, notBefore: error.notBefore ?? end.notBefore };
      if (aborting.signal.aborted) return { ...requeued, clearsFailures: false };
      log.error({ err: error, job: job.id, kind: job.kind, attempt: job.attempts }, "a background job failed");
      const reason = "The job failed. The log of the service has the reason.";
      if (job.attempts >= (jobKinds[job.kind]?.maxAttempts ?? MAX_ATTEMPTS))
        return { ...end, status: "failed", reason };
      const delay = { baseMs: options.backoffBaseMs, retryAfterMs: undefined, random: Math.random() };
      return { ...end, status: "queued", notBefore: addMs(now(), computeBackoffMs(job.attempts, delay)), reason };
    }
  }

  async function endPoisoned(
    job: BackgroundJob,
    given: BackgroundWork,
  ): Promise<Pick<BackgroundJobOutcome, "status" | "reason">> {
    const { id, kind, subjectId, organizationId } = job;
    log.error({ job: id, kind, subjectId, organizationId }, "a job stopped the worker twice: it is not retried");
    const shouldContinue = (await jobKinds[kind]?.onPoisoned?.(job, given)) ?? false;
    return shouldContinue ? { status: "queued", reason: null } : { status: "failed", reason: POISONED_REASON };
  }

  return {
    async runOnce(isClosing) {
      const jobs = isClosing ? [] : await claim();
      for (const job of jobs) begin(job);
      return jobs.length > 0;
    },
    isBusy: () => running.size > 0,
    renewLeases: renewBackgroundLeases,
    abort() {
      aborting.abort();
      return running.size;
    },
  };
}
