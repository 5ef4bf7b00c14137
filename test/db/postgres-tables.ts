import { getTableColumns, getTableName, is, SQL } from "drizzle-orm";
import * as postgres from "drizzle-orm/pg-core";
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";

const codePointText = postgres.customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });
const bytea = postgres.customType<{ data: Buffer }>({ dataType: () => "bytea" });
const instant = postgres.customType<{ data: string; driverData: number | string }>({
  dataType: () => "bigint",
  toDriver: (iso) => Date.parse(iso),
  fromDriver: (ms) => new Date(Number(ms)).toISOString(),
});

/** Common methods of column builders. */
interface ColumnBuilder extends postgres.PgColumnBuilderBase {
  primaryKey(): unknown;
  notNull(): unknown;
  default(value: unknown): unknown;
}

/**
 * By the query builder's names of the column types in columns.ts; an instant is the only custom
 * one.
 */
const TYPES: Record<string, (name: string) => ColumnBuilder> = {
  // Text is ordered by code point, as in the embedded engine.
  SQLiteText: codePointText,
  SQLiteInteger: (name) => postgres.bigint(name, { mode: "number" }),
  SQLiteBoolean: postgres.boolean,
  SQLiteReal: postgres.doublePrecision,
  SQLiteTextJson: postgres.jsonb,
  SQLiteBlobBuffer: bytea,
  SQLiteCustomColumn: instant,
};

/** Tables of PostgreSQL by their names in the database. */
type Made = ReadonlyMap<string, postgres.PgTable>;

/**
 * The tables of a schema for PostgreSQL, by the same keys, with the same columns, indexes and
 * references.
 */
export function postgresTables<T extends Record<string, SQLiteTable>>(tables: T): Record<keyof T, postgres.PgTable> {
  const made = new Map<string, postgres.PgTable>();
  const entries = Object.entries(tables).map(([key, definition]) => {
    const table = tableOf(definition, made);
    made.set(getTableName(definition), table);
    return [key, table];
  });
  return Object.fromEntries(entries) as Record<keyof T, postgres.PgTable>; // entries of `tables`
}

function tableOf(definition: SQLiteTable, made: Made): postgres.PgTable {
  const columns = Object.entries(getTableColumns(definition)).map(([key, column]) => [key, columnOf(column)]);
  const builders = Object.fromEntries(columns) as Record<string, ColumnBuilder>;
  // Called after all tables exist, so that references resolve.
  return postgres.pgTable(getTableName(definition), builders, (own) => constraintsOf(definition, own, made));
}

function columnOf(column: SQLiteColumn): ColumnBuilder {
  const type = TYPES[column.columnType];
  if (!type) throw new Error(`${column.columnType} is no column type that every engine has.`);
  const builder = type(column.name);
  if (column.primary) builder.primaryKey();
  if (column.notNull) builder.notNull();
  if (column.default !== undefined) builder.default(column.default);
  return builder;
}

/** `own` are the table's columns in the form that indexes want. */
function constraintsOf(definition: SQLiteTable, own: Named, made: Made): postgres.PgTableExtraConfigValue[] {
  const { indexes, primaryKeys, foreignKeys } = getTableConfig(definition);
  return [
    ...primaryKeys.map(({ columns }) => postgres.primaryKey({ columns: pick(columns, own) })),
    ...foreignKeys.map(({ reference, onDelete = "no action" }) => {
      const { columns, foreignTable, foreignColumns } = reference();
      const target = made.get(getTableName(foreignTable));
      const to = pick(foreignColumns, target ? getTableColumns(target) : {});
      return postgres.foreignKey({ columns: pick(columns, own), foreignColumns: to }).onDelete(onDelete);
    }),
    ...indexes.map(({ config: { name, columns, unique, where } }) => {
      const index = (unique ? postgres.uniqueIndex : postgres.index)(name).on(...pick(columns.map(plainColumn), own));
      return where === undefined ? index : index.where(where);
    }),
  ];
}

type Named = Record<string, postgres.PgColumn>;

/** The columns of PostgreSQL that have the names of these. */
function pick(columns: readonly SQLiteColumn[], from: Named): [postgres.PgColumn, ...postgres.PgColumn[]] {
  const found = columns.flatMap(({ name }) => Object.values(from).find((column) => column.name === name) ?? []);
  const [first, ...others] = found;
  if (!first || found.length < columns.length) throw new Error("A column or its table is not among the tables.");
  return [first, ...others];
}

function plainColumn(column: SQLiteColumn | SQL): SQLiteColumn {
  if (is(column, SQL)) throw new Error("An index of an expression differs from engine to engine.");
  return column;
}
