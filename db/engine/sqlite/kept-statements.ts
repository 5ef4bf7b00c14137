import { LRUCache } from "lru-cache";
import type { Connection, Statement } from "./sqlite.ts";

/** Statements that a connection keeps. One takes some kilobytes; all reads of the service have fewer different ones. */
const MOST_STATEMENTS = 500;

/** Wraps a connection so that it compiles each SQL text once. Least recently used statements are dropped, because lists of different lengths make unlimited texts. */
export function keepingStatements(
  connection: Connection,
  { most = MOST_STATEMENTS }: { most?: number } = {},
): Connection {
  const statements = new LRUCache<string, Statement>({ max: most, memoMethod: (sql) => connection.prepare(sql) });
  const prepare = (sql: string) => statements.memo(sql);
  // The query builder only calls `prepare`.
  return Object.assign(Object.create(connection) as Connection, { prepare });
}
