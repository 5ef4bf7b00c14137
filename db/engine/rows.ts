import { and, eq, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { QueryBuilder } from "./store.ts";

// Statements on one table, for repository functions that need no join.

/** Condition: the row with this id, if it belongs to the workspace. */
export function ownRow(
  table: { id: SQLiteColumn; workspaceId: SQLiteColumn },
  workspaceId: string,
  id: string,
): SQL | undefined {
  return and(eq(table.workspaceId, workspaceId), eq(table.id, id));
}

export async function findRow<T extends SQLiteTable>(
  q: QueryBuilder,
  table: T,
  where: SQL | undefined,
): Promise<T["$inferSelect"] | undefined> {
  const from: SQLiteTable = table;
  const [row] = await q.select().from(from).where(where);
  return row;
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

/** Deletes the rows that match; false if there are none. */
export async function deleteRows(q: QueryBuilder, table: SQLiteTable, where: SQL | undefined): Promise<boolean> {
  const { changes } = await q.delete(table).where(where);
  return changes > 0;
}
