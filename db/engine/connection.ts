import { Column, getTableColumns, getTableName } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { tables } from "../schema.ts";
import { withFastRows } from "./fast-rows.ts";
import { keepingStatements } from "./kept-statements.ts";
import { KEEPS_NOTHING, type Kept } from "./kept.ts";
import { Database, type Connection } from "./sqlite.ts";
import type { Db, Trace } from "./store.ts";
import { openVersionLook, tablesIn, tablesWrittenBy } from "./table-versions.ts";

/** What repositories see of a connection. Statements that are prepared for it are kept with it. */
export function dbOf(
  connection: Connection,
  { kept = KEEPS_NOTHING, written }: { kept?: Kept; written?: Set<string> } = {},
): Db {
  const named = new Set<string>();
  const noteOf = (sql: string) => adderOf(written ? tablesWrittenBy(sql) : tablesIn(sql), written ?? named);
  const inserts = new Map<SQLiteTable, (row: Record<string, unknown>) => void>();
  return {
    q: withFastRows(drizzle(keepingStatements(connection, { noteOf }))),
    t: tables,
    kept,
    trace: traceOf(connection, named),
    async bulkInsert(table, rows) {
      written?.add(getTableName(table));
      let insert = inserts.get(table);
      if (!insert) inserts.set(table, (insert = insertOf(connection, table)));
      for (const row of rows) insert(row);
    },
  };
}

function adderOf(names: readonly string[], to: Set<string>): () => void {
  return () => {
    for (const name of names) to.add(name);
  };
}

function traceOf(connection: Connection, named: Set<string>): Trace {
  let look: ReturnType<typeof openVersionLook> | undefined;
  return {
    begin: () => named.clear(),
    tables: () => [...named],
    versionOf: (of) => (look ??= openVersionLook(connection))(of),
  };
}

/** A connection that sees committed data and can change nothing. */
export function openReader(file: string): Connection {
  const connection = new Database(file, { readonly: true });
  connection.pragma("busy_timeout = 5000");
  return connection;
}

/** A prepared insert of every column of a table, with the values that the column types give the store. */
function insertOf(connection: Connection, table: SQLiteTable): (row: Record<string, unknown>) => void {
  const columns = Object.entries(getTableColumns(table));
  const names = columns.map(([, column]) => `"${column.name}"`).join(", ");
  const statement = connection.prepare(
    `insert into "${getTableName(table)}" (${names}) values (${columns.map(() => "?").join(", ")})`,
  );
  // Of most columns the store has what a row has.
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
