import { Column, getTableColumns, getTableName } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { tables } from "../../schema.ts";
import { keepingStatements } from "./kept-statements.ts";
import { KEEPS_NOTHING, type Kept } from "./kept.ts";
import { Database, type Connection } from "./sqlite.ts";
import type { Db } from "../store.ts";

/** What repositories see of a connection. Statements that are prepared for it are kept with it. */
export function dbOf(connection: Connection, { kept = KEEPS_NOTHING }: { kept?: Kept } = {}): Db {
  const inserts = new Map<SQLiteTable, (row: Record<string, unknown>) => void>();
  return {
    q: drizzle(keepingStatements(connection)),
    t: tables,
    kept,
    async bulkInsert(table, rows) {
      let insert = inserts.get(table);
      if (!insert) inserts.set(table, (insert = insertOf(connection, table)));
      for (const row of rows) insert(row);
    },
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
