import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Tables } from "../schema.ts";
import type { Kept } from "./sqlite/kept.ts";

/** Drizzle's query builder, always awaited. Transactions are the store's, never the builder's. */
export type QueryBuilder = Omit<BetterSQLite3Database, "transaction" | "run" | "all" | "get" | "values">;

/** What a repository sees of the store: a connection and the tables. */
export interface Db {
  q: QueryBuilder;
  t: Tables;
  kept: Kept;
  /** Inserts many rows through one kept statement, about seven times faster than the builder. Only inside `write`. */
  bulkInsert<T extends SQLiteTable>(table: T, rows: readonly T["$inferInsert"][]): Promise<void>;
}

export interface Store {
  /**
   * Runs `work` on one snapshot: all of its statements see the committed data of the moment of its first one, and never a
   * half-done transaction. Do not wait for the network, or for another `read` or `write`, within it: a snapshot is one of
   * few connections, and holds up the upkeep of the file.
   */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one transaction on the only writer, after those that came before it (see `isLong`). What `work` throws rolls it back
   * and is thrown on. Short writes that wait at the same moment share a commit. When the promise resolves the change is on disk. Where the engine asks for it (see `mayRunAgain`)
   * all of it is rolled back and `work` runs again from its start, so what it does outside of `db` must be as good as
   * done once: it returns its result, and neither counts, sends nor collects anything elsewhere.
   */
  write<T>(work: (db: Db) => Promise<T>, options?: WriteOptions): Promise<T>;
  health: StoreHealth;
  file: string;
  /** Which file it is, whatever is at its path by now. */
  identity: string;
  /** True where this opening made the database. */
  created: boolean;
  close(): Promise<void>;
}

export interface WriteOptions {
  /**
   * True for work that takes more than some milliseconds: it gets a transaction of its own, and short writes go before it for a while.
   * As `isRepeatable` unless told; a function is asked whenever a transaction is to begin.
   */
  isLong?: boolean | (() => boolean);
  /**
   * True for work that nothing was told of: where a failure of the power takes it back it is done again. Its commit does not wait
   * for the disk, so it holds the writer for less. It survives the end of every process, and is on disk before whatever is committed
   * after it with a wait.
   */
  isRepeatable?: boolean;
}

/** Runs work that reads: `read` of a store, or where a transaction is open already, in that one. */
export type Read = Store["read"];

/** What can be asked of a store without asking for data. */
export interface StoreHealth {
  /** Commits a write that changes nothing, to prove that the database accepts writes; rejects like any write. */
  tryWrite(): Promise<void>;
  /** For how long the oldest write that has not ended was asked for, in milliseconds; 0 where all have ended. */
  oldestWriteMs(): number;
  /** Throws where the files that are open are no longer those in the data folder. */
  checkFiles(): void;
  /** Begins to read the whole file beside the service. What it finds is known to `hasMetDamage` when it is through. */
  searchDamage(): void;
  /** True once a statement or a search has met damage. */
  hasMetDamage(): boolean;
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

/** Whose rows a repository function may touch. One cannot hold a database without having said whose it is. */
export interface OrganizationTenant {
  db: Db;
  organizationId: string;
}

export interface Tenant extends OrganizationTenant {
  workspaceId: string;
}
