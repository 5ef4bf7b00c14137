import { LRUCache } from "lru-cache";
import type { Connection, Statement } from "./sqlite.ts";

/** Statements that a connection keeps. One takes some kilobytes; all reads of the service have fewer different ones. */
const MOST_STATEMENTS = 500;

/**
 * The same connection, which compiles a text once: who asks with a text that it has compiled gets that statement again. What was used
 * last is kept, because lists of different lengths make texts without number.
 */
export function keepingStatements(
  connection: Connection,
  { most = MOST_STATEMENTS }: { most?: number } = {},
): Connection {
  const kept = new LRUCache<string, Statement>({ max: most });
  const prepare = (sql: string) => {
    const statement = kept.get(sql) ?? connection.prepare(sql);
    kept.set(sql, statement);
    return statement;
  };
  // The builder asks a connection for nothing else.
  return Object.assign(Object.create(connection) as Connection, { prepare });
}
