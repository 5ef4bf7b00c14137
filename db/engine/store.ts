import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Tables } from "../schema.ts";
import type { ReadCache } from "./sqlite/read-cache.ts";

/** Always awaited. Transactions are opened by Store, never by the builder. */
export type QueryBuilder = Omit<BetterSQLite3Database, "transaction" | "run" | "all" | "get" | "values">;

export interface Db {
  q: QueryBuilder;
  t: Tables;
  cache: ReadCache;
  /** Inserts rows about seven times faster than the query builder. Only inside `write`. */
  bulkInsert<T extends SQLiteTable>(table: T, rows: readonly T["$inferInsert"][]): Promise<void>;
}

export interface Store {
  /** One snapshot on one of few connections: wait for no network and no other `read` or `write`. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Resolves after the commit. A retry runs `work` again: no side effects outside `db`. */
  write<T>(work: (db: Db) => Promise<T>, options?: WriteOptions): Promise<T>;
  health: StoreHealth;
  file: string;
  identity: string;
  isNew: boolean;
  close(): Promise<void>;
}

export interface WriteOptions {
  /** Work of some milliseconds, which short writes may overtake. Defaults to `isRepeatable`. */
  isLong?: boolean | (() => boolean);
  /**
   * True for unreported work that is redone after a power failure. Its commit does not wait for the
   * disk, but precedes any later commit that does.
   */
  isRepeatable?: boolean;
}

/** `read` of a store, or within a transaction that is already open. */
export type ReadRunner = Store["read"];

export interface StoreHealth {
  /** Commits a write that changes nothing, to prove that the database accepts writes. */
  tryWrite(): Promise<void>;
  oldestWriteMs(): number;
  checkFiles(): void;
  /** Checks the whole file in the background; `hasMetDamage` has the result. */
  startDamageSearch(): void;
  hasMetDamage(): boolean;
}

/** Once per connection. Parameters are `sql.placeholder(name)`. */
export function prepareQuery<P extends Record<string, unknown>, Rows>(
  build: (db: Db) => { prepare(): { execute(values: P): Rows } },
): (db: Db, values: P) => Promise<Rows> {
  const ready = new WeakMap<Db, { execute(values: P): Rows }>();
  return (db, values) => {
    let query = ready.get(db);
    if (!query) ready.set(db, (query = build(db).prepare()));
    return Promise.resolve(query.execute(values));
  };
}

export interface OrganizationTenant {
  db: Db;
  organizationId: string;
}

export interface Tenant extends OrganizationTenant {
  workspaceId: string;
}
