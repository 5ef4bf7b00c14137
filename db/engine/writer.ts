import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { dbOf } from "./connection.ts";
import type { Connection } from "./sqlite.ts";
import { translated } from "./sqlite-error.ts";
import type { Db } from "./store.ts";
import { mayRunAgain } from "./store-error.ts";

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

  /** Waits between tries for another process's transaction, so that it does not block this one. */
  async function transact<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const deadline = performance.now() + MOST_WAIT_MS;
    for (;;) {
      try {
        return await attempt(work);
      } catch (error) {
        if (!mayRunAgain(error) || performance.now() > deadline) throw error;
        await sleep(2 + 8 * Math.random());
      }
    }
  }

  return {
    run(work) {
      const done = tail.then(() => transact(work));
      tail = done.then(
        () => nextTurn(),
        () => nextTurn(),
      );
      return done;
    },
    idle: () => tail,
  };
}
