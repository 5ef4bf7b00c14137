import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { createDb, type Watch } from "./connection.ts";
import type { Connection } from "./sqlite.ts";
import { isRetryable } from "../store-error.ts";
import type { Db, WriteOptions } from "../store.ts";

export interface DatabaseWriter {
  run<T>(work: (db: Db) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Waits for all queued writes. Call `run` no more after it. */
  close(): Promise<void>;
  /** 0 without unfinished writes. */
  oldestWriteMs(): number;
}

/** A queued write. `end` is called after the commit is on disk or the write failed. */
interface QueuedWrite {
  work: (db: Db) => Promise<unknown>;
  isLong: () => boolean;
  isRepeatable: boolean;
  queuedAtMs: number;
  finish: (outcome: WriteOutcome) => void;
}

type WriteOutcome = { ok: true; value: unknown } | { ok: false; error: unknown };

const MAX_WAIT_MS = 10_000;
/** Afterwards, short writes and the long one alternate. */
const MAX_OVERTAKEN_MS = 100;
/** While another process holds the lock; the max pause is five times longer. */
const BUSY_POLL_MS = { short: 0.4, long: 2 };
/** The first write waits for the others. */
const JOIN_WINDOW_MS = 4;
/** Lets other processes write; timers fire up to 1 ms early, and longer pauses do not help. */
const PAUSE_MS = 2;

/** Short writes share a commit, each in a savepoint, so a failed write rolls back alone. */
export function openWriter(connection: Connection, watch: Watch, { leavesPauses = false } = {}): DatabaseWriter {
  const db = createDb(connection);
  const prepare = (sql: string) => connection.prepare(sql);
  const [begin, commit] = [prepare("BEGIN IMMEDIATE"), prepare("COMMIT")];
  const [save, release, undo] = [prepare("SAVEPOINT one"), prepare("RELEASE one"), prepare("ROLLBACK TO one")];
  const waiting: QueuedWrite[] = [];
  let current: QueuedWrite[] = [];
  let draining: Promise<void> | undefined;
  let waitsForDisk = true;
  let wasShort = false;

  /** Sets whether a commit waits for the disk (sqlite.org/pragma.html#pragma_synchronous). */
  function waitForDisk(waits: boolean): void {
    if (waits === waitsForDisk) return;
    connection.pragma(`synchronous = ${waits ? "FULL" : "NORMAL"}`);
    waitsForDisk = waits;
  }

  /** Throws if the engine ended the whole transaction. */
  async function runOne({ work }: QueuedWrite): Promise<WriteOutcome> {
    save.run();
    try {
      const value = await work(db);
      release.run();
      return { ok: true, value };
    } catch (error) {
      // A full disk, for example, rolls back the whole transaction.
      if (!connection.inTransaction) throw error;
      undo.run();
      release.run();
      return { ok: false, error: watch.noteError(error) };
    }
  }

  async function runTogether(): Promise<WriteOutcome[]> {
    const outcomes: WriteOutcome[] = [];
    const began = performance.now();
    for (let next = current[0]; next; next = takeJoining(began)) {
      if (outcomes.length > 0) current.push(next);
      outcomes.push(await runOne(next));
    }
    return outcomes;
  }

  function takeJoining(began: number): QueuedWrite | undefined {
    const [first] = current;
    if (!first || first.isLong() || performance.now() - began >= JOIN_WINDOW_MS) return undefined;
    const at = waiting.findIndex((one) => !one.isLong() && one.isRepeatable === first.isRepeatable);
    return at === -1 ? undefined : waiting.splice(at, 1)[0];
  }

  /** Short writes first, but every other time the oldest if it waited over MAX_OVERTAKEN_MS. */
  function takeNext(): QueuedWrite[] {
    const [oldest] = waiting;
    const isDue = wasShort && oldest !== undefined && performance.now() - oldest.queuedAtMs > MAX_OVERTAKEN_MS;
    const short = waiting.findIndex((one) => !one.isLong());
    const taken = waiting.splice(isDue || short === -1 ? 0 : short, 1);
    wasShort = taken[0]?.isLong() === false;
    return taken;
  }

  async function transact(): Promise<boolean> {
    current = takeNext();
    let outcomes: WriteOutcome[] | undefined;
    try {
      watch.checkFiles();
      waitForDisk(current[0]?.isRepeatable !== true);
      const pauseMs = current[0]?.isLong() ? BUSY_POLL_MS.long : BUSY_POLL_MS.short;
      await retryWhileBusy(startTransaction, { timeoutMs: MAX_WAIT_MS, pauseMs });
      outcomes = await runTogether();
      watch.checkFiles();
      commit.run();
    } catch (error) {
      if (connection.inTransaction) connection.exec("ROLLBACK");
      const outcome: WriteOutcome = { ok: false, error: watch.noteError(error) };
      // The transaction ended before its commit: retry each write alone, for its own error.
      const isCommit = outcomes !== undefined;
      if (!isCommit && current.length > 1) return runAgain(current.map((one) => ({ ...one, isLong: () => true })));
      outcomes = current.map(() => outcome);
    }
    return settle(outcomes);
  }

  function startTransaction(): void {
    try {
      begin.run();
    } catch (error) {
      throw watch.noteError(error);
    }
  }

  function settle(outcomes: readonly WriteOutcome[]): boolean {
    const again: QueuedWrite[] = [];
    for (const [at, outcome] of outcomes.entries()) {
      const one = current[at];
      if (!one) continue;
      const isOver = performance.now() - one.queuedAtMs > MAX_WAIT_MS;
      if (!outcome.ok && isRetryable(outcome.error) && !isOver) again.push(one);
      else one.finish(outcome);
    }
    return runAgain(again);
  }

  function runAgain(writes: readonly QueuedWrite[]): boolean {
    waiting.unshift(...writes);
    return writes.length > 0;
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const again = await transact();
      current = [];
      if (again) await sleep(2 + 8 * Math.random());
      else if (leavesPauses) await sleep(PAUSE_MS);
      else await nextTurn();
    }
    draining = undefined;
  }

  return {
    run<T>(work: (db: Db) => Promise<T>, options: WriteOptions = {}) {
      return new Promise<T>((resolve, reject) => {
        // Safe: only `work` produces the value.
        const finish = (outcome: WriteOutcome) => (outcome.ok ? resolve(outcome.value as T) : reject(outcome.error));
        const queuedAtMs = performance.now();
        const isRepeatable = options.isRepeatable ?? false;
        const { isLong = isRepeatable } = options;
        waiting.push({
          work,
          isLong: typeof isLong === "function" ? isLong : () => isLong,
          isRepeatable,
          queuedAtMs,
          finish,
        });
        draining ??= nextTurn().then(drain);
      });
    },
    async close() {
      await draining;
    },
    oldestWriteMs() {
      const oldest = current[0] ?? waiting[0];
      return oldest === undefined ? 0 : performance.now() - oldest.queuedAtMs;
    },
  };
}

/** Sleeps one to five times `pauseMs` between tries. */
export async function retryWhileBusy<T>(
  work: () => T | Promise<T>,
  { timeoutMs, pauseMs, onWait = () => {} }: { timeoutMs: number; pauseMs: number; onWait?: () => void },
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error) || performance.now() > deadline) throw error;
      onWait();
      await sleep(pauseMs * (1 + 4 * Math.random()));
    }
  }
}
