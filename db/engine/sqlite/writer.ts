import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { dbOf, type Watch } from "./connection.ts";
import type { Connection } from "./sqlite.ts";
import { mayRunAgain } from "../store-error.ts";
import type { Db, WriteOptions } from "../store.ts";

export interface Writer {
  run<T>(work: (db: Db) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Resolves when all queued writes have completed. Call `run` no more after it. */
  close(): Promise<void>;
  /** Age of the oldest unfinished write in milliseconds; 0 if there is none. */
  oldestMs(): number;
}

/** A queued write. `end` is called after the commit is on disk or the write failed. */
interface Asked {
  work: (db: Db) => Promise<unknown>;
  isLong: () => boolean;
  isRepeatable: boolean;
  at: number;
  end: (outcome: Outcome) => void;
}

type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown };

const MOST_WAIT_MS = 10_000;
/** How long short writes may overtake a long one; afterwards they alternate. */
const MOST_PASSED_MS = 100;
/** Min pause between tries while another process holds the lock; the max is five times longer. */
const LOOK_MS = { short: 0.4, long: 2 };
/** How long a transaction accepts further writes; the first of them waits for the others. */
const JOIN_MS = 4;
/** Lets other processes write; timers fire up to 1 ms early, and longer pauses do not help. */
const PAUSE_MS = 2;

/**
 * One transaction at a time, yielding to the event loop in between. Short writes share a commit,
 * each in a savepoint, so a failed write rolls back alone. SQLite does not queue processes:
 * `leavesPauses` lets them in.
 */
export function openWriter(connection: Connection, watch: Watch, { leavesPauses = false } = {}): Writer {
  const db = dbOf(connection);
  const prepare = (sql: string) => connection.prepare(sql);
  const [begin, commit] = [prepare("BEGIN IMMEDIATE"), prepare("COMMIT")];
  const [save, release, undo] = [prepare("SAVEPOINT one"), prepare("RELEASE one"), prepare("ROLLBACK TO one")];
  const waiting: Asked[] = [];
  let underWay: Asked[] = [];
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
  async function runOne({ work }: Asked): Promise<Outcome> {
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
      return { ok: false, error: watch.noted(error) };
    }
  }

  /** Runs writes until JOIN_MS have passed; returns the outcome of each write in `underWay`. */
  async function runTogether(): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    const began = performance.now();
    for (let next = underWay[0]; next; next = takeJoining(began)) {
      if (outcomes.length > 0) underWay.push(next);
      outcomes.push(await runOne(next));
    }
    return outcomes;
  }

  function takeJoining(began: number): Asked | undefined {
    const [first] = underWay;
    if (!first || first.isLong() || performance.now() - began >= JOIN_MS) return undefined;
    const at = waiting.findIndex((one) => !one.isLong() && one.isRepeatable === first.isRepeatable);
    return at === -1 ? undefined : waiting.splice(at, 1)[0];
  }

  /** Short writes first, but every other time the oldest if it waited over MOST_PASSED_MS. */
  function takeNext(): Asked[] {
    const [oldest] = waiting;
    const isDue = wasShort && oldest !== undefined && performance.now() - oldest.at > MOST_PASSED_MS;
    const short = waiting.findIndex((one) => !one.isLong());
    const taken = waiting.splice(isDue || short === -1 ? 0 : short, 1);
    wasShort = taken[0]?.isLong() === false;
    return taken;
  }

  async function transact(): Promise<boolean> {
    underWay = takeNext();
    let outcomes: Outcome[] | undefined;
    try {
      watch.checkFiles();
      waitForDisk(underWay[0]?.isRepeatable !== true);
      const pauseMs = underWay[0]?.isLong() ? LOOK_MS.long : LOOK_MS.short;
      await whileBusy(startTransaction, { mostMs: MOST_WAIT_MS, pauseMs });
      outcomes = await runTogether();
      watch.checkFiles();
      commit.run();
    } catch (error) {
      if (connection.inTransaction) connection.exec("ROLLBACK");
      const outcome: Outcome = { ok: false, error: watch.noted(error) };
      // The transaction ended before its commit: retry each write alone, for its own error.
      const isCommit = outcomes !== undefined;
      if (!isCommit && underWay.length > 1) return runAgain(underWay.map((one) => ({ ...one, isLong: () => true })));
      outcomes = underWay.map(() => outcome);
    }
    return settle(outcomes);
  }

  function startTransaction(): void {
    try {
      begin.run();
    } catch (error) {
      throw watch.noted(error);
    }
  }

  function settle(outcomes: readonly Outcome[]): boolean {
    const again: Asked[] = [];
    for (const [at, outcome] of outcomes.entries()) {
      const one = underWay[at];
      if (!one) continue;
      const isOver = performance.now() - one.at > MOST_WAIT_MS;
      if (!outcome.ok && mayRunAgain(outcome.error) && !isOver) again.push(one);
      else one.end(outcome);
    }
    return runAgain(again);
  }

  function runAgain(writes: readonly Asked[]): boolean {
    waiting.unshift(...writes);
    return writes.length > 0;
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const again = await transact();
      underWay = [];
      if (again) await sleep(2 + 8 * Math.random());
      else if (leavesPauses) await sleep(PAUSE_MS);
      else await nextTurn();
    }
    draining = undefined;
  }

  return {
    run<T>(work: (db: Db) => Promise<T>, options: WriteOptions = {}) {
      return new Promise<T>((resolve, reject) => {
        // Only `work` produces the value.
        const end = (outcome: Outcome) => (outcome.ok ? resolve(outcome.value as T) : reject(outcome.error));
        const at = performance.now();
        const isRepeatable = options.isRepeatable ?? false;
        const { isLong = isRepeatable } = options;
        waiting.push({ work, isLong: typeof isLong === "function" ? isLong : () => isLong, isRepeatable, at, end });
        draining ??= nextTurn().then(drain);
      });
    },
    async close() {
      await draining;
    },
    oldestMs() {
      const oldest = underWay[0] ?? waiting[0];
      return oldest === undefined ? 0 : performance.now() - oldest.at;
    },
  };
}

/** Retries `work` up to `mostMs`, sleeping one to five times `pauseMs` between tries. */
export async function whileBusy<T>(
  work: () => T | Promise<T>,
  { mostMs, pauseMs, onWait = () => {} }: { mostMs: number; pauseMs: number; onWait?: () => void },
): Promise<T> {
  const deadline = performance.now() + mostMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!mayRunAgain(error) || performance.now() > deadline) throw error;
      onWait();
      await sleep(pauseMs * (1 + 4 * Math.random()));
    }
  }
}
