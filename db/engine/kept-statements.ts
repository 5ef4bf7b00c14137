import type { Connection, Statement } from "./sqlite.ts";

/** Statements that a connection keeps. One takes some kilobytes; all reads of the service have fewer different ones. */
const MOST_STATEMENTS = 500;

/** A limit that is bound. The builder always writes it so, at the end of a query. */
const BARE_LIMIT = / limit \?/g;

/**
 * The same connection, which compiles a text once: who asks with a text that it has compiled gets that statement again. What was used
 * last is kept, because lists of different lengths make texts without number. SQLite plans by the value of a bare
 * `limit ?`, so it would compile the statement anew at every run.
 */
export function keepingStatements(
  connection: Connection,
  { most = MOST_STATEMENTS }: { most?: number } = {},
): Connection {
  const kept = new Map<string, Statement>();
  const compile = (sql: string) => connection.prepare(sql.replaceAll(BARE_LIMIT, " limit cast(? as integer)"));
  const prepare = (sql: string) => {
    const statement = kept.get(sql) ?? compile(sql);
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
