import { isDeepStrictEqual } from "node:util";
import type { SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "./store.ts";

/** Undefined until a repository compares or writes a row. */
interface RecordedChanges {
  columns?: Set<string>;
}

const changesByDb = new WeakMap<Db, RecordedChanges>();

export function startRecordingChanges(db: Db): RecordedChanges {
  const changes: RecordedChanges = {};
  changesByDb.set(db, changes);
  return changes;
}

/** With no columns, records that the stored row already has the requested values. */
export function recordChangedColumns(db: Db, columns: readonly string[]): void {
  const changes = changesByDb.get(db);
  if (changes) changes.columns = new Set([...(changes.columns ?? []), ...columns]);
}

type RowValues<T extends SQLiteTable> = Partial<Record<keyof T["$inferInsert"], unknown>>;

/** Writes nothing if no value of `change` differs. `row` is undefined if none matches. */
export async function changeRow<T extends SQLiteTable>(
  db: Db,
  { table, where, change, also = {} }: { table: T; where: SQL | undefined; change: RowValues<T>; also?: RowValues<T> },
): Promise<{ row: T["$inferSelect"] | undefined; changed: string[] }> {
  const stored: SQLiteTable = table;
  const [before] = await db.q.select().from(stored).where(where);
  if (!before) return { row: undefined, changed: [] };
  const changed = Object.entries(change).flatMap(([column, value]) =>
    value === undefined || isDeepStrictEqual(value, before[column]) ? [] : column,
  );
  recordChangedColumns(db, changed);
  if (changed.length === 0) return { row: before, changed };
  const [row] = await db.q
    .update(stored)
    .set({ ...change, ...also })
    .where(where)
    .returning();
  return { row, changed };
}

export async function upsertRow<T extends SQLiteTable>(
  db: Db,
  { key, ...to }: { table: T; where: SQL | undefined; key: RowValues<T>; change: RowValues<T>; also?: RowValues<T> },
): Promise<T["$inferSelect"]> {
  const { row } = await changeRow(db, to);
  if (row) return row;
  const stored: SQLiteTable = to.table;
  const [inserted] = await db.q
    .insert(stored)
    .values({ ...key, ...to.change, ...to.also })
    .returning();
  if (!inserted) throw new Error("The row was not stored.");
  recordChangedColumns(db, Object.keys(to.change));
  return inserted;
}
