import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  is,
  isNull,
  like,
  lt,
  ne,
  sql,
  SQL,
  type Placeholder,
  type SQLWrapper,
} from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Page } from "../../core/shared/pagination.ts";
import type { QueryBuilder } from "./store.ts";

type ColumnCondition = (column: SQLiteColumn) => SQL | undefined;
type ConditionValue<Value> = Value | readonly Value[] | SQLWrapper | Placeholder | ColumnCondition | undefined;

/** A value, an array (any of), null, or a function of the column. `undefined` adds no condition. */
export type RowConditions<T extends SQLiteTable> = {
  [K in keyof T["$inferSelect"]]?: ConditionValue<T["$inferSelect"][K]>;
};

type RowFilter<T extends SQLiteTable> = RowConditions<T> | SQL | undefined;

export function matches<T extends SQLiteTable>(table: T, conditions: RowConditions<T>): SQL | undefined {
  const columns: Record<string, SQLiteColumn> = getTableColumns<SQLiteTable>(table);
  return and(
    ...Object.entries(conditions).map(([name, condition]) => columns[name] && applyCondition(columns[name], condition)),
  );
}

function applyCondition(column: SQLiteColumn, condition: ConditionValue<unknown>): SQL | undefined {
  if (condition === undefined) return undefined;
  if (condition === null) return isNull(column);
  if (typeof condition === "function") return (condition as ColumnCondition)(column);
  return Array.isArray(condition) ? inArray(column, condition) : eq(column, condition);
}

/** `undefined` adds no condition. */
export const greaterThan = (value: unknown) => compareWith(gt, value);
export const lessThan = (value: unknown) => compareWith(lt, value);
export const notEqualCondition = (value: unknown) => compareWith(ne, value);

function compareWith(holds: (column: SQLiteColumn, value: unknown) => SQL, value: unknown): ColumnCondition {
  return (column) => (value === undefined ? undefined : holds(column, value));
}

/** The caller folds the text. */
export function containsFolded(folded: string | undefined): ColumnCondition {
  const pattern = `%${folded?.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return (column) => (folded === undefined ? undefined : sql`${like(column, pattern)} escape '\\'`);
}

export function pick<T extends SQLiteTable, K extends keyof T["_"]["columns"] & string>(
  table: T,
  ...names: K[]
): Pick<T["_"]["columns"], K> {
  const columns: T["_"]["columns"] = getTableColumns(table);
  return Object.fromEntries(names.map((name) => [name, columns[name]])) as Pick<T["_"]["columns"], K>;
}

function toSqlCondition<T extends SQLiteTable>(table: T, where: RowFilter<T>): SQL | undefined {
  return where === undefined || is(where, SQL) ? where : matches(table, where);
}

export async function findRow<T extends SQLiteTable>(
  q: QueryBuilder,
  table: T,
  where: RowFilter<T>,
): Promise<T["$inferSelect"] | undefined> {
  const from: SQLiteTable = table;
  const [row] = await q.select().from(from).where(toSqlCondition(table, where));
  return row;
}

export async function listPage<T extends SQLiteTable & { id: SQLiteColumn }>(
  q: QueryBuilder,
  table: T,
  { where, limit, after, isNewestFirst = false }: Page & { where: RowFilter<T>; isNewestFirst?: boolean },
): Promise<T["$inferSelect"][]> {
  const from: SQLiteTable = table;
  const [beyond, order] = isNewestFirst ? [lessThan, desc] : [greaterThan, asc];
  return q
    .select()
    .from(from)
    .where(and(toSqlCondition(table, where), beyond(after?.[0])(table.id)))
    .orderBy(order(table.id))
    .limit(limit + 1);
}

export async function insertRow<T extends SQLiteTable>(
  q: QueryBuilder,
  table: T,
  values: T["$inferInsert"],
): Promise<T["$inferSelect"]> {
  const into: SQLiteTable = table;
  const [row] = await q.insert(into).values(values).returning();
  if (!row) throw new Error("The row was not stored.");
  return row;
}

export async function updateRows<T extends SQLiteTable>(
  q: QueryBuilder,
  table: T,
  where: RowFilter<T>,
  values: { [K in keyof T["$inferInsert"]]?: T["$inferInsert"][K] | SQL | undefined },
): Promise<boolean> {
  const changed: SQLiteTable = table;
  const { changes } = await q.update(changed).set(values).where(toSqlCondition(table, where));
  return changes > 0;
}

export async function deleteRows<T extends SQLiteTable>(
  q: QueryBuilder,
  table: T,
  where: RowFilter<T>,
): Promise<boolean> {
  const { changes } = await q.delete(table).where(toSqlCondition(table, where));
  return changes > 0;
}
