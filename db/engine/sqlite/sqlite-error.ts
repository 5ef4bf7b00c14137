import { DrizzleQueryError } from "drizzle-orm";
import { StoreError, type StoreFault } from "../store-error.ts";
import { Database } from "./sqlite.ts";

/** https://www.sqlite.org/rescode.html: extended codes start with their primary code. */
const FAULTS_BY_CODE: readonly [code: string, reason: StoreFault][] = [
  ["SQLITE_BUSY", "busy"],
  ["SQLITE_LOCKED", "busy"],
  ["SQLITE_FULL", "full"],
  ["SQLITE_IOERR", "unreadable"],
  ["SQLITE_CANTOPEN", "unreadable"],
  ["SQLITE_PERM", "unreadable"],
  ["SQLITE_READONLY", "readonly"],
  ["SQLITE_CORRUPT", "corrupt"],
  ["SQLITE_NOTADB", "corrupt"],
  ["SQLITE_CONSTRAINT_PRIMARYKEY", "duplicate"],
  ["SQLITE_CONSTRAINT_UNIQUE", "duplicate"],
  ["SQLITE_CONSTRAINT", "constraint"],
];

export function toStoreError(error: unknown): unknown {
  // The query builder's message quotes bound values, so only its cause is used.
  const own = error instanceof DrizzleQueryError ? error.cause : error;
  if (!(own instanceof Database.SqliteError)) return error;
  const { code } = own;
  const [, reason = "unknown"] = FAULTS_BY_CODE.find(([prefix]) => code.startsWith(prefix)) ?? [];
  return new StoreError(reason, { cause: own });
}
