import { statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { StoreError, type StoreFault } from "../../db/engine/store-error.ts";
import type { Store } from "../../db/engine/store.ts";
import type { WorkerProblem } from "../jobs/worker-watch.ts";

/** Body of `/readyz`. It is public, so problems contain no path and no quoted text. */
export interface ReadinessReport {
  status: "ready" | "not ready" | "stopping";
  problems?: ReadinessProblem[];
}

interface ReadinessProblem {
  code: keyof typeof READINESS_PROBLEMS;
  message: string;
}

export interface ReadinessMonitor {
  /** At most a second old, and resolves within a second even if the store hangs. */
  report(): Promise<ReadinessReport>;
  stop(): void;
}

const READINESS_PROBLEMS = {
  database_replaced:
    "The database was removed or replaced while the service runs. Put it back, or restart the service with the new one.",
  database_damaged: "The database file is corrupt. Stop the service and restore a backup.",
  database_read_only: "The database is read-only. Make its disk writable again.",
  database_unwritable: "Writes to the database fail. The log has the reason.",
  disk_full: "The disk of the database is full. Free some space.",
  disk_low: "The disk of the database is nearly full. Free some space.",
  worker_missing:
    "The worker process is not running, so jobs and metrics wait. It is restarted automatically; the log has the reason why it ended.",
  worker_silent:
    "The worker process sends no heartbeat, so jobs and metrics wait. After 30 seconds it is killed and restarted automatically.",
  writes_waiting: "Writes have waited for too long. The disk is slow, or another process holds the database.",
} as const;

const PROBLEM_BY_FAULT: Partial<Record<StoreFault, ReadinessProblem["code"]>> = {
  replaced: "database_replaced",
  corrupt: "database_damaged",
  readonly: "database_read_only",
  full: "disk_full",
  busy: "writes_waiting",
};

const REPORT_CACHE_MS = 1000;
const MAX_PROBE_MS = 500;
/** A pending write older than this delays callers. */
const MAX_WRITE_AGE_MS = 5000;

/** The first readiness check includes an integrity check. */
const INTEGRITY_CHECK_INTERVAL_MS = 24 * 60 * 60_000;

/** Checks on request, at most once a second. Logs only changes of state. */
export function openReadiness(options: {
  store: Store;
  dataDir: string;
  minFreeBytes: number;
  workerProblem?: () => WorkerProblem | undefined;
  log: Logger;
}): ReadinessMonitor {
  const { store, dataDir, minFreeBytes, workerProblem, log } = options;
  const { health } = store;
  let last: { checkedAt: number; problemCodes: Promise<ReadinessProblem["code"][]> } | undefined;
  let testWrite: Promise<ReadinessProblem["code"] | undefined> | undefined;
  let logged = "";
  let lastError: unknown;
  let stopping = false;
  let nextIntegrityCheckAt = 0;

  /** Queues behind the writes of callers; at most one test write waits at a time. */
  async function faultOfWrite(): Promise<ReadinessProblem["code"] | undefined> {
    testWrite ??= health
      .tryWrite()
      .then(() => undefined, toProblem)
      .finally(() => (testWrite = undefined));
    return Promise.race([testWrite, sleep(MAX_PROBE_MS, undefined, { ref: false })]);
  }

  async function isLow(): Promise<boolean> {
    const { bavail, bsize } = await statfs(dataDir);
    return bavail * bsize < minFreeBytes;
  }

  async function checkAll(): Promise<ReadinessProblem["code"][]> {
    lastError = undefined;
    if (performance.now() >= nextIntegrityCheckAt) {
      nextIntegrityCheckAt = performance.now() + INTEGRITY_CHECK_INTERVAL_MS;
      health.startDamageSearch();
    }
    const [write, low] = await Promise.all([faultOfWrite(), isLow().catch(() => false)]);
    const found = [
      write,
      faultOfFiles(),
      health.hasMetDamage() && "database_damaged",
      health.oldestWriteMs() > MAX_WRITE_AGE_MS && "writes_waiting",
      low && "disk_low",
      workerProblem?.(),
    ] as const;
    const codes = [...new Set(found.filter((code) => code !== undefined && code !== false))].toSorted();
    logChange(codes);
    return codes;
  }

  function toProblem(error: unknown): ReadinessProblem["code"] {
    lastError = error;
    return (error instanceof StoreError && PROBLEM_BY_FAULT[error.reason]) || "database_unwritable";
  }

  /** Separate from the test write, which may still wait in the queue. */
  function faultOfFiles(): ReadinessProblem["code"] | undefined {
    try {
      health.checkFiles();
      return undefined;
    } catch (error) {
      return toProblem(error);
    }
  }

  function logChange(codes: ReadinessProblem["code"][]): void {
    if (codes.join() === logged) return;
    logged = codes.join();
    if (codes.length === 0) log.info("ready again");
    else log.error({ problems: codes, err: lastError }, "not ready");
  }

  return {
    async report() {
      if (stopping) return { status: "stopping" };
      const now = performance.now();
      if (!last || now - last.checkedAt > REPORT_CACHE_MS) last = { checkedAt: now, problemCodes: checkAll() };
      const codes = await last.problemCodes;
      if (codes.length === 0) return { status: "ready" };
      return { status: "not ready", problems: codes.map((code) => ({ code, message: READINESS_PROBLEMS[code] })) };
    },
    stop: () => (stopping = true),
  };
}
