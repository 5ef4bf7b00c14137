import { setImmediate as nextTurn } from "node:timers/promises";
import { dbOf } from "./connection.ts";
import type { Connection } from "./sqlite.ts";
import { translated } from "./sqlite-error.ts";
import type { Db } from "./store.ts";
import { whileBusy } from "./while-busy.ts";

/** The only connection that changes anything. */
export interface Writer {
  run<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Resolves when everything that was asked for has ended. */
  idle(): Promise<unknown>;
}

const MOST_WAIT_MS = 10_000;

/** One transaction at a time, with a turn of the event loop between two, so that queued writes do not starve HTTP. */
export function openWriter(connection: Connection): Writer {
  const db = dbOf(connection);
  const [begin, commit] = [connection.prepare("BEGIN IMMEDIATE"), connection.prepare("COMMIT")];
  let tail: Promise<unknown> = Promise.resolve();

  async function attempt<T>(work: (db: Db) => Promise<T>): Promise<T> {
    try {
      begin.run();
      const result = await work(db);
      commit.run();
      return result;
    } catch (error) {
      if (connection.inTransaction) connection.exec("ROLLBACK");
      throw translated(error);
    }
  }

  return {
    run(work) {
      const done = tail.then(() => whileBusy(() => attempt(work), { mostMs: MOST_WAIT_MS, pauseMs: 2 }));
      tail = done.then(
        () => nextTurn(),
        () => nextTurn(),
      );
      return done;
    },
    idle: () => tail,
  };
}
