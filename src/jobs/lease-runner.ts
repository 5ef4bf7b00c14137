import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { type Instant, addMs } from "../../core/shared/time.ts";
import type { Db, Store } from "../../db/engine/store.ts";
import { expireBackgroundLeases } from "../../db/jobs/background-jobs.ts";
import { expireLeases } from "../../db/jobs/collect-jobs.ts";

/** Leased jobs return to the queue when their lease expires, for example after a crash. */
export interface LeasedWork {
  /** Claims none when closing. True if more work is ready. Called again a second after an error. */
  runOnce(isClosing: boolean): Promise<boolean>;
  isBusy(): boolean;
  renewLeases(db: Db, owner: string, leaseEnd: Instant): Promise<void>;
  /** Jobs in progress return to the queue. Returns their number. */
  abort(): number;
}

export interface RunnerHandle {
  owner: string;
  wake: () => void;
}

/** Any number of runners in any number of processes can share a store. */
export interface LeaseRunner {
  /** Call after a commit that adds work. */
  wake(): void;
  /** Drains jobs in progress for a while, and resolves when all results are stored. */
  close(): Promise<void>;
}

export interface LeaseOptions {
  store: Store;
  log: Logger;
  now: () => Instant;
  newId: () => string;
  /** Assigned by the parent process, if set. */
  owner?: string | undefined;
  /** Delay after a crash until jobs are claimed again. */
  leaseMs: number;
  /** Max time for jobs in progress after the stop signal. */
  drainMs: number;
}

const POLL_MS = 1000;

export function runLeases(options: LeaseOptions, open: (runner: RunnerHandle) => LeasedWork): LeaseRunner {
  const { store, log, now, leaseMs } = options;
  const signal = openWakeSignal();
  const owner = options.owner ?? options.newId();
  const work = open({ owner, wake: () => signal.wake() });
  const closing = new AbortController();

  async function run(): Promise<void> {
    while (!closing.signal.aborted || work.isBusy()) {
      try {
        if (!(await work.runOnce(closing.signal.aborted))) await signal.sleep(POLL_MS);
      } catch (error) {
        log.error({ err: error }, "could not claim or store jobs");
        await sleep(POLL_MS);
      }
      // Batches simultaneous results, because each transaction waits for the disk.
      await nextTurn();
    }
  }

  const heartbeat = setInterval(() => {
    if (!work.isBusy()) return;
    store
      .write((db) => work.renewLeases(db, owner, addMs(now(), leaseMs)))
      .catch((error: unknown) => log.error({ err: error }, "could not renew leases"));
  }, leaseMs / 3);
  const running = run();
  return {
    wake: () => signal.wake(),
    async close() {
      closing.abort();
      signal.wake();
      const giveUp = setTimeout(() => {
        const jobs = work.abort();
        if (jobs > 0) log.warn({ jobs }, "jobs were aborted: they are released and run again");
      }, options.drainMs);
      await running;
      clearTimeout(giveUp);
      clearInterval(heartbeat);
    },
  };
}

/** A wake without a sleeper ends the next sleep at once. */
interface WakeSignal {
  wake(): void;
  sleep(ms: number): Promise<void>;
}

function openWakeSignal(): WakeSignal {
  let woken = false;
  let end: (() => void) | undefined;
  return {
    wake() {
      woken = true;
      end?.();
    },
    async sleep(ms) {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      end = undefined;
      woken = false;
    },
  };
}

/** Records a failure for each job of a crashed or hanging worker. */
export async function releaseLeases(store: Store, failedWorker: string, now: Instant): Promise<void> {
  await store.write(async (db) => {
    await expireLeases(db, failedWorker, now);
    await expireBackgroundLeases(db, failedWorker, now);
  });
}

/** Runs one suspect job at a time, so that a crash identifies the job that caused it. */
export interface JobQuarantine {
  isFree(): boolean;
  add(jobId: string): void;
  remove(jobId: string): void;
}

/** By then, a suspect has not crashed the worker. */
const MAX_WAIT_MS = 60_000;

export function openQuarantine(): JobQuarantine {
  let suspect: { jobId: string; sinceMs: number } | undefined;
  return {
    isFree: () => suspect === undefined || performance.now() - suspect.sinceMs > MAX_WAIT_MS,
    add(jobId) {
      suspect = { jobId, sinceMs: performance.now() };
    },
    remove(jobId) {
      if (suspect?.jobId === jobId) suspect = undefined;
    },
  };
}
