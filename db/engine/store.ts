import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { getTableColumns, getTableName, sql, type Placeholder } from "drizzle-orm";
import { drizzle, type BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { tables, type Tables } from "../schema.ts";
import { Database, type Connection } from "./sqlite.ts";

/** Drizzle's query builder, always awaited. Transactions are the store's, never the builder's. */
export type QueryBuilder = Omit<BetterSQLite3Database, "transaction" | "run" | "all" | "get" | "values">;

/** What a repository sees of the store: a connection and the tables. */
export interface Db {
  q: QueryBuilder;
  t: Tables;
  /** Inserts many rows through one kept statement, about seven times faster than the builder. Only inside `write`. */
  bulkInsert<T extends SQLiteTable>(table: T, rows: readonly T["$inferInsert"][]): Promise<void>;
}

export interface Store {
  /** Committed data; never sees a half-done transaction. */
  read: Db;
  /**
   * Runs `work` in one transaction on the only writer, after those that came before it. What `work` throws rolls back
   * and is thrown on. When the promise resolves the change is on disk.
   */
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
  file: string;
  close(): Promise<void>;
}

const MIGRATIONS = fileURLToPath(import.meta.resolve("#root/db/migrations"));

/** Opens (and if need be creates) the embedded database in `dataDir` and brings it to the current schema. */
export function openStore(dataDir: string): Store {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, "visibility.db");
  const writer = new Database(file);
  writer.pragma("journal_mode = WAL");
  writer.pragma("synchronous = FULL");
  writer.pragma("foreign_keys = ON");
  writer.pragma("busy_timeout = 5000");
  migrate(drizzle(writer), { migrationsFolder: MIGRATIONS });
  // From here on waiting for another process is done between tries, so that it holds up nobody in this one.
  writer.pragma("busy_timeout = 0");
  const reader = new Database(file, { readonly: true });
  reader.pragma("busy_timeout = 5000");

  const write = openDb(writer);
  const queue = transactionQueue(writer);
  return {
    read: openDb(reader),
    write: (work) => queue.run(() => work(write)),
    file,
    async close() {
      await queue.idle();
      reader.close();
      writer.close();
    },
  };
}

function openDb(connection: Connection): Db {
  const inserts = new Map<SQLiteTable, (row: Record<string, unknown>) => void>();
  return {
    q: drizzle(connection),
    t: tables,
    async bulkInsert(table, rows) {
      let insert = inserts.get(table);
      if (!insert) inserts.set(table, (insert = insertOf(connection, table)));
      for (const row of rows) insert(row);
    },
  };
}

/** A prepared insert of every column of a table, with the values that the column types give the store. */
function insertOf(connection: Connection, table: SQLiteTable): (row: Record<string, unknown>) => void {
  const columns = Object.entries(getTableColumns(table));
  const names = columns.map(([, column]) => `"${column.name}"`).join(", ");
  const statement = connection.prepare(
    `insert into "${getTableName(table)}" (${names}) values (${columns.map(() => "?").join(", ")})`,
  );
  return (row) => {
    const values = columns.map(([key, column]) => {
      const value = row[key] ?? column.default ?? null;
      return value === null ? null : column.mapToDriverValue(value);
    });
    statement.run(values);
  };
}

const MOST_WAIT_MS = 10_000;

/** Begins a transaction, when need be after that of another process. Throws SQLITE_BUSY after ten seconds. */
async function begin(writer: Connection): Promise<void> {
  const deadline = performance.now() + MOST_WAIT_MS;
  for (;;) {
    try {
      writer.exec("BEGIN IMMEDIATE");
      return;
    } catch (error) {
      const busy = error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
      if (!busy || performance.now() > deadline) throw error;
      await sleep(2 + 8 * Math.random());
    }
  }
}

/** One transaction at a time, with a turn of the event loop between two, so that queued writes do not starve HTTP. */
function transactionQueue(writer: Connection) {
  let tail: Promise<unknown> = Promise.resolve();
  const transact = async <T>(work: () => Promise<T>): Promise<T> => {
    await begin(writer);
    try {
      const result = await work();
      writer.exec("COMMIT");
      return result;
    } catch (error) {
      if (writer.inTransaction) writer.exec("ROLLBACK");
      throw error;
    }
  };
  return {
    run<T>(work: () => Promise<T>): Promise<T> {
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

/**
 * A query that is built and prepared once per connection, for paths where building it would cost more than running it.
 * `build` uses `sql.placeholder(name)` for its parameters.
 */
export function prepared<P extends Record<string, unknown>, Rows>(
  build: (db: Db) => { prepare(): { execute(values: P): Rows } },
): (db: Db, values: P) => Promise<Rows> {
  const ready = new WeakMap<Db, { execute(values: P): Rows }>();
  return (db, values) => {
    let query = ready.get(db);
    if (!query) ready.set(db, (query = build(db).prepare()));
    return Promise.resolve(query.execute(values));
  };
}

/**
 * A limit that a prepared query binds at each run. SQLite plans by the value of a bare `limit ?`, so it would prepare the
 * statement anew at every run, which costs more than the run.
 */
export function boundLimit(name: string): Placeholder {
  // The builder writes whatever SQL it is given here; its type knows numbers and bare placeholders only.
  return sql`cast(${sql.placeholder(name)} as integer)` as unknown as Placeholder;
}

/** Whose rows a repository function may touch. One cannot hold a database without having said whose it is. */
export interface OrganizationTenant {
  db: Db;
  organizationId: string;
}

export interface Tenant extends OrganizationTenant {
  workspaceId: string;
}
