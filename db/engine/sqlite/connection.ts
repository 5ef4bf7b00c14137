import { statSync } from "node:fs";
import { Column, getTableColumns, getTableName } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { LRUCache } from "lru-cache";
import { toComparableUrl } from "../../../core/reading/citations.ts";
import { tables } from "../../schema.ts";
import { listDatabaseFiles } from "./data-files.ts";
import { NO_CACHE, openReadCache, type ReadCache } from "./read-cache.ts";
import { Database, type Connection, type PreparedStatement } from "./sqlite.ts";
import { toStoreError } from "./sqlite-error.ts";
import { StoreError } from "../store-error.ts";
import type { Db } from "../store.ts";

/** Prepared statements live as long as the returned object. */
export function createDb(connection: Connection, { readCache: cache = NO_CACHE }: { readCache?: ReadCache } = {}): Db {
  const inserts = new Map<SQLiteTable, (row: Record<string, unknown>) => void>();
  return {
    q: drizzle(cacheStatements(connection)),
    t: tables,
    cache,
    async bulkInsert(table, rows) {
      let insert = inserts.get(table);
      if (!insert) inserts.set(table, (insert = prepareInsert(connection, table)));
      for (const row of rows) insert(row);
    },
  };
}

export function openReadConnection(file: string): Connection {
  const connection = new Database(file, { readonly: true });
  connection.pragma("busy_timeout = 5000");
  connection.function("comparable_url", { deterministic: true }, (url) => toComparableUrl(String(url)));
  return connection;
}

function prepareInsert(connection: Connection, table: SQLiteTable): (row: Record<string, unknown>) => void {
  const columns = Object.entries(getTableColumns(table));
  const names = columns.map(([, column]) => `"${column.name}"`).join(", ");
  const statement = connection.prepare(
    `insert into "${getTableName(table)}" (${names}) values (${columns.map(() => "?").join(", ")})`,
  );
  // Converts only columns that need it; most do not.
  const readers = columns.map(([key, column]) => {
    const isKept = column.mapToDriverValue === Column.prototype.mapToDriverValue;
    return {
      key,
      unset: column.default ?? null,
      map: isKept ? undefined : (value: unknown) => column.mapToDriverValue(value),
    };
  });
  const values = Array.from<unknown>({ length: readers.length });
  return (row) => {
    let at = 0;
    for (const { key, unset, map } of readers) {
      const value = row[key] ?? unset;
      values[at++] = map && value !== null ? map(value) : value;
    }
    statement.run(values);
  };
}

/** A statement takes a few kilobytes; the service has fewer distinct reads. */
const MAX_STATEMENTS = 500;

/** LRU cache by SQL text, because lists of different lengths produce unlimited texts. */
export function cacheStatements(
  connection: Connection,
  { maxStatements = MAX_STATEMENTS }: { maxStatements?: number } = {},
): Connection {
  const statements = new LRUCache<string, PreparedStatement>({
    max: maxStatements,
    memoMethod: (sql) => connection.prepare(sql),
  });
  const prepare = (sql: string) => statements.memo(sql);
  // Replaces only `prepare`, because the query builder calls nothing else.
  return Object.assign(Object.create(connection) as Connection, { prepare });
}

export interface ReaderPool {
  run<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Waits for reads in progress. Idempotent. */
  close(): Promise<void>;
}

/** Further reads wait. Most reads complete within one event-loop tick. */
const MAX_READERS = 8;

interface Reader {
  connection: Connection;
  db: Db;
  beginSnapshot: () => void;
  endSnapshot: () => void;
}

/** Opens connections on demand; reuses the latest, whose statements are prepared. */
export function openReaders(file: string, watch: Watch): ReaderPool {
  const cache = openReadCache();
  let opened = 0;
  const idle: Reader[] = [];
  const waiting: ((reader: Reader) => void)[] = [];
  const waitForReader = () => new Promise<Reader>((resolve) => waiting.push(resolve));

  function takeReader(): Reader | Promise<Reader> {
    const free = idle.pop();
    if (free) return free;
    if (opened >= MAX_READERS) return waitForReader();
    // The file at the path may have been replaced since the store was opened.
    watch.checkFiles();
    const reader = createReader(openReadConnection(file), cache);
    opened++;
    return reader;
  }

  function returnReader(reader: Reader): void {
    const next = waiting.shift();
    if (next) next(reader);
    else idle.push(reader);
  }

  return {
    async run(work) {
      let reader: Reader | undefined;
      try {
        watch.checkFilesOften();
        reader = await takeReader();
        reader.beginSnapshot();
        try {
          return await work(reader.db);
        } finally {
          // Some disk errors end the transaction on their own.
          if (reader.connection.inTransaction) reader.endSnapshot();
        }
      } catch (error) {
        throw watch.noteError(error);
      } finally {
        if (reader) returnReader(reader);
      }
    },
    async close() {
      for (; opened > 0; opened--) (idle.pop() ?? (await waitForReader())).connection.close();
    },
  };
}

function createReader(connection: Connection, readCache: ReadCache): Reader {
  // A deferred transaction takes its snapshot at the first statement; an empty read is free.
  const [begin, end] = [connection.prepare("BEGIN"), connection.prepare("COMMIT")];
  return {
    connection,
    db: createDb(connection, { readCache }),
    beginSnapshot: () => void begin.run(),
    endSnapshot: () => void end.run(),
  };
}

/** On its own connection, for long reads in a worker thread. */
export interface DatabaseSnapshot {
  db: Db;
  close(): void;
}

/** Commits after the call are not visible. */
export function openSnapshot(file: string): DatabaseSnapshot {
  const connection = openReadConnection(file);
  connection.exec("BEGIN");
  // A transaction takes its snapshot at its first read.
  connection.prepare("select count(*) from sqlite_schema").get();
  return { db: createDb(connection), close: () => connection.close() };
}

export interface Watch {
  /** Throws if an open file was replaced or deleted: writes to it would be lost. */
  checkFiles(): void;
  /** Like checkFiles, at most once a second: reads are frequent. */
  checkFilesOften(): void;
  /** Translates an engine error into a StoreError and records damage. Returns other errors unchanged. */
  noteError(error: unknown): unknown;
  hasMetDamage(): boolean;
  noteDamage(): void;
}

const CHECK_EVERY_MS = 1000;

export function openWatch(database: string): Watch {
  const opened = listDatabaseFiles(database).map((path) => ({ path, identity: readFileIdentity(path) }));
  let checkedAt = performance.now();
  let damage = false;

  function checkFiles(): void {
    for (const { path, identity } of opened) {
      const found = readFileIdentity(path);
      if (found === identity) continue;
      throw new StoreError("replaced", { cause: `${path}: ${identity} was opened, ${found} is there` });
    }
    checkedAt = performance.now();
  }

  return {
    checkFiles,
    checkFilesOften() {
      if (performance.now() - checkedAt > CHECK_EVERY_MS) checkFiles();
    },
    noteError(error) {
      const known = toStoreError(error);
      damage ||= known instanceof StoreError && known.reason === "corrupt";
      return known;
    },
    hasMetDamage: () => damage,
    noteDamage: () => (damage = true),
  };
}

/** Such as `2049:131074`. Takes about three microseconds. */
export function readFileIdentity(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "none";
  }
}
