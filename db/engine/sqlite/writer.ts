import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { dbOf, type Watch } from "./connection.ts";
import type { Connection } from "./sqlite.ts";
import { mayRunAgain } from "../store-error.ts";
import type { Db, WriteOptions } from "../store.ts";

/** The only connection that changes anything. */
export interface Writer {
  run<T>(work: (db: Db) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Resolves when everything that was asked for has ended. Nothing is asked for from then on. */
  close(): Promise<void>;
  /** For how long the oldest write that has not ended was asked for, in milliseconds; 0 where all have ended. */
  oldestMs(): number;
}

/** A write that was asked for. `end` is told how it ended once that is on disk. */
interface Asked {
  work: (db: Db) => Promise<unknown>;
  isLong: () => boolean;
  isRepeatable: boolean;
  at: number;
  end: (outcome: Outcome) => void;
}

type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown };

const MOST_WAIT_MS = 10_000;
/** So long a write that takes a while lets short ones go before it; from then on one at a time. */
const MOST_PASSED_MS = 100;
/** So often a write looks, and up to five times as seldom, whether another process has ended its transaction. */
const LOOK_MS = { short: 0.4, long: 2 };
/** So long writes join a transaction: the first of them waits for the others. */
const JOIN_MS = 4;
/** After a transaction of a background process. A timer fires up to a millisecond early; a longer pause shortens no wait. */
const PAUSE_MS = 2;

/**
 * One transaction at a time, with a turn of the event loop between two, so that queued writes do not starve HTTP. Writes that
 * wait at the same moment share a transaction, and so one wait for the disk: each is a savepoint of its own, so that one that
 * fails is rolled back alone, and none is answered before the commit. With `leavesPauses` a transaction is followed by a pause, in
 * which another process can write: SQLite has no queue of processes.
 */
export function openWriter(connection: Connection, watch: Watch, { leavesPauses = false } = {}): Writer {
  const db = dbOf(connection);
  const prepare = (sql: string) => connection.prepare(sql);
  const [begin, commit] = [prepare("BEGIN IMMEDIATE"), prepare("COMMIT")];
  const [save, release, undo] = [prepare("SAVEPOINT one"), prepare("RELEASE one"), prepare("ROLLBACK TO one")];
  /** In the order in which they were asked for. */
  const waiting: Asked[] = [];
  let underWay: Asked[] = [];
  let draining: Promise<void> | undefined;
  let waitsForDisk = true;
  /** Whether the last transaction began with a short write. */
  let wasShort = false;

  /** Of what is written ahead, the engine waits for the disk at a commit or not (sqlite.org/pragma.html#pragma_synchronous). */
  function waitForDisk(waits: boolean): void {
    if (waits === waitsForDisk) return;
    connection.pragma(`synchronous = ${waits ? "FULL" : "NORMAL"}`);
    waitsForDisk = waits;
  }

  /** Runs one write in the open transaction. Throws where the engine has ended the whole transaction. */
  async function runOne({ work }: Asked): Promise<Outcome> {
    save.run();
    try {
      const value = await work(db);
      release.run();
      return { ok: true, value };
    } catch (error) {
      // A full disk, for example, takes back everything since BEGIN.
      if (!connection.inTransaction) throw error;
      undo.run();
      release.run();
      return { ok: false, error: watch.noted(error) };
    }
  }

  /** Runs those that wait, one after the other, until they have taken a while. Gives how each of `underWay` ended. */
  async function runTogether(): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    const began = performance.now();
    for (let next = underWay[0]; next; next = takeJoining(began)) {
      if (outcomes.length > 0) underWay.push(next);
      outcomes.push(await runOne(next));
    }
    return outcomes;
  }

  /** The next short one, if it can share the transaction under way, and so its wait for the disk or the lack of it. */
  function takeJoining(began: number): Asked | undefined {
    const [first] = underWay;
    if (!first || first.isLong() || performance.now() - began >= JOIN_MS) return undefined;
    const at = waiting.findIndex((one) => !one.isLong() && one.isRepeatable === first.isRepeatable);
    return at === -1 ? undefined : waiting.splice(at, 1)[0];
  }

  /** The short one that waits longest; every other time the oldest, where that has been passed for a while. */
  function takeNext(): Asked[] {
    const [oldest] = waiting;
    const isDue = wasShort && oldest !== undefined && performance.now() - oldest.at > MOST_PASSED_MS;
    const short = waiting.findIndex((one) => !one.isLong());
    const taken = waiting.splice(isDue || short === -1 ? 0 : short, 1);
    wasShort = taken[0]?.isLong() === false;
    return taken;
  }

  /** One transaction of what waits. True where some of it is to be run again. */
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
      // The engine ended the transaction before its commit: each write that joined is run again alone, and told of its own fault.
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

  /** Tells each how it ended. What the engine asks to run again is. */
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
        // Only `work` gives the value.
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

/**
 * Runs `work` again from its start while another process is in its way, for `mostMs` at most. Pauses between tries, for
 * `pauseMs` and up to five times that, so that the wait blocks nothing of this process.
 */
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
