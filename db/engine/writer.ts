import { setImmediate as nextTurn } from "node:timers/promises";
import { dbOf } from "./connection.ts";
import type { Connection } from "./sqlite.ts";
import type { Db } from "./store.ts";
import type { Watch } from "./watch.ts";
import { whileBusy } from "./while-busy.ts";

/** The only connection that changes anything. */
export interface Writer {
  run<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Resolves when everything that was asked for has ended. */
  idle(): Promise<unknown>;
  /** For how long the oldest write that has not ended was asked for, in milliseconds; 0 where all have ended. */
  oldestMs(): number;
}

const MOST_WAIT_MS = 10_000;

/** One transaction at a time, with a turn of the event loop between two, so that queued writes do not starve HTTP. */
export function openWriter(connection: Connection, watch: Watch): Writer {
  const db = dbOf(connection);
  const [begin, commit] = [connection.prepare("BEGIN IMMEDIATE"), connection.prepare("COMMIT")];
  let tail: Promise<unknown> = Promise.resolve();
  /** When each write that has not ended was asked for. They end in this order. */
  const askedAt: number[] = [];

  async function attempt<T>(work: (db: Db) => Promise<T>): Promise<T> {
    try {
      watch.checkFiles();
      begin.run();
      const result = await work(db);
      watch.checkFiles();
      commit.run();
      return result;
    } catch (error) {
      if (connection.inTransaction) connection.exec("ROLLBACK");
      throw watch.noted(error);
    }
  }

  return {
    run(work) {
      askedAt.push(performance.now());
      const done = tail
        .then(() => whileBusy(() => attempt(work), { mostMs: MOST_WAIT_MS, pauseMs: 2 }))
        .finally(() => askedAt.shift());
      tail = done.then(
        () => nextTurn(),
        () => nextTurn(),
      );
      return done;
    },
    idle: () => tail,
    oldestMs: () => (askedAt[0] === undefined ? 0 : performance.now() - askedAt[0]),
  };
}
