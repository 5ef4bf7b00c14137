import { Database, type Connection } from "../../db/engine/sqlite/sqlite.ts";
import type { Store } from "../../db/engine/store.ts";

/** A write transaction as experienced by another process that waits for the writer. */
export interface Hold {
  /** Its purposes; several if writes share it. */
  kinds: string[];
  ms: number;
  /** CPU time of this process; the rest is disk and other load. */
  cpuMs: number;
  /** Rows inserted, updated and deleted, including triggers and cascades. */
  rows: number;
  /** Milliseconds until the next transaction of the same process; undefined for the last one. */
  pauseMs?: number;
}

type Statement = ReturnType<Connection["prepare"]>;

/** Watches the transactions of all connections opened from now on, until disposed. */
export function watchHolds() {
  const holds: Hold[] = [];
  let kinds: string[] = [];
  // Always called with a connection as `this`.
  const prepare = Reflect.get(Database.prototype, "prepare") as (this: Connection, sql: string) => Statement;
  Database.prototype.prepare = function (this: Connection, sql: string) {
    const statement = prepare.call(this, sql);
    if (this.readonly) return statement;
    if (sql === "BEGIN IMMEDIATE") after(this, statement, begin);
    if (sql === "COMMIT") after(this, statement, end);
    return statement;
  } as Connection["prepare"];
  const open = new Map<Connection, { at: number; rows: number; cpu: NodeJS.CpuUsage }>();
  const last = new Map<Connection, { hold: Hold; endedAt: number }>();

  const changes = (connection: Connection) => Number(prepare.call(connection, "select total_changes()").pluck().get());

  function begin(connection: Connection): void {
    const at = performance.now();
    const before = last.get(connection);
    if (before) before.hold.pauseMs = at - before.endedAt;
    open.set(connection, { at, rows: changes(connection), cpu: process.cpuUsage() });
    kinds = [];
  }

  function end(connection: Connection): void {
    const began = open.get(connection);
    if (!began) return;
    const endedAt = performance.now();
    const { user, system } = process.cpuUsage(began.cpu);
    const hold = {
      kinds,
      ms: endedAt - began.at,
      cpuMs: (user + system) / 1000,
      rows: changes(connection) - began.rows,
    };
    holds.push(hold);
    last.set(connection, { hold, endedAt });
  }

  return {
    holds,
    /** The store with labelled writes. */
    named(store: Store, kind: string): Store {
      const write: Store["write"] = (work, options) =>
        store.write((db) => {
          if (!kinds.includes(kind)) kinds.push(kind);
          return work(db);
        }, options);
      return { ...store, write };
    },
    [Symbol.dispose]() {
      Reflect.set(Database.prototype, "prepare", prepare);
    },
  };
}

function after(connection: Connection, statement: object, then: (of: Connection) => void): void {
  // A statement without parameters.
  const runs = statement as { run: () => unknown };
  const run = runs.run.bind(statement);
  runs.run = () => {
    const result = run();
    then(connection);
    return result;
  };
}
