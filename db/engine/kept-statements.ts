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
  const kept = new Map<string, Statement>();
  const prepare = (sql: string) => {
    const statement = kept.get(sql) ?? connection.prepare(sql);
    kept.delete(sql);
    kept.set(sql, statement);
    if (kept.size > most)
      for (const oldest of kept.keys()) {
        kept.delete(oldest);
        break;
      }
    return statement;
  };
  // The builder asks a connection for nothing else.
  return Object.assign(Object.create(connection) as Connection, { prepare });
}
