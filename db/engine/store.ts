import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Tables } from "../schema.ts";
import type { Kept } from "./sqlite/kept.ts";

/** Always awaited. Transactions are opened by Store, never by the builder. */
export type QueryBuilder = Omit<BetterSQLite3Database, "transaction" | "run" | "all" | "get" | "values">;

export interface Db {
  q: QueryBuilder;
  t: Tables;
  kept: Kept;
  /**
   * Inserts rows through one prepared statement, about seven times faster than the builder. Only
   * inside `write`.
   */
  bulkInsert<T extends SQLiteTable>(table: T, rows: readonly T["$inferInsert"][]): Promise<void>;
}

export interface Store {
  /**
   * Runs `work` on one snapshot of committed data. Do not wait for the network or another `read` or
   * `write` inside: a snapshot occupies one of few connections and delays WAL checkpoints.
   */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a transaction on the only writer; an error rolls it back. Resolves after the
   * commit. `work` can be retried from its start (`mayRunAgain`), so it must have no side effects
   * outside `db`.
   */
  write<T>(work: (db: Db) => Promise<T>, options?: WriteOptions): Promise<T>;
  health: StoreHealth;
  file: string;
  /** Identifies the opened file, even if its path was replaced since. */
  identity: string;
  /** True if opening the store created the database. */
  created: boolean;
  close(): Promise<void>;
}

export interface WriteOptions {
  /**
   * True for work of more than some milliseconds: it gets its own transaction, and short writes may
   * overtake it for a while. Defaults to `isRepeatable`; a function is evaluated before each
   * transaction.
   */
  isLong?: boolean | (() => boolean);
  /**
   * True for work that is redone if a power failure loses it and whose result was not reported. Its
   * commit does not wait for the disk. It survives process crashes and is on disk before any later
   * commit that waits.
   */
  isRepeatable?: boolean;
}

/** Runs a read: `read` of a store, or within a transaction that is already open. */
export type Read = Store["read"];

export interface StoreHealth {
  /** Commits a write that changes nothing, to prove that the database accepts writes. */
  tryWrite(): Promise<void>;
  /** Age of the oldest unfinished write in milliseconds; 0 if there is none. */
  oldestWriteMs(): number;
  /** Throws if the open files were removed or replaced. */
  checkFiles(): void;
  /**
   * Starts a background check of the whole file; `hasMetDamage` has the result when it completes.
   */
  searchDamage(): void;
  /** True once a statement or a search has detected damage. */
  hasMetDamage(): boolean;
}

/**
 * A query prepared once per connection, for queries that cost more to build than to run. `build`
 * uses `sql.placeholder(name)` for parameters.
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
