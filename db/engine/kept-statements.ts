import type { Connection, Statement } from "./sqlite.ts";

/** Statements that a connection keeps. One takes some kilobytes; all reads of the service have fewer different ones. */
const MOST_STATEMENTS = 500;

/** A limit that is bound. The builder always writes it so, at the end of a query. */
const BARE_LIMIT = / limit \?/g;

/**
 * The same connection, which compiles a text once: who asks with a text that it has compiled gets that statement again. What was used
 * last is kept, because lists of different lengths make texts without number. SQLite plans by the value of a bare
 * `limit ?`, so it would compile the statement anew at every run. `noteOf` gives for a text what is called before each of its runs.
 */
export function keepingStatements(
  connection: Connection,
  { most = MOST_STATEMENTS, noteOf }: { most?: number; noteOf?: ((sql: string) => () => void) | undefined } = {},
): Connection {
  const kept = new Map<string, Statement>();
  const compile = (sql: string) => {
    const statement = connection.prepare(sql.replaceAll(BARE_LIMIT, " limit cast(? as integer)"));
    return noteOf ? noted(statement, noteOf(sql)) : statement;
  };
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

/** The same statement, of whose runs `note` is told. The builder runs it in one of these ways. */
function noted(statement: Statement, note: () => void): Statement {
  const told =
    <Result>(run: (values: unknown[]) => Result) =>
    (...values: unknown[]): Result => {
      note();
      return run(values);
    };
  return Object.assign(Object.create(statement) as Statement, {
    run: told((values) => statement.run(...values)),
    get: told((values) => statement.get(...values)),
    all: told((values) => statement.all(...values)),
    raw: told(() => statement.raw()),
  });
}
