import { inArray, sql, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "./store.ts";

/** Deletes rows of a table for which `which` holds, at most `most` of them; gives how many. */
export async function deleteSome({ q }: Db, table: SQLiteTable, which: SQL | undefined, most: number): Promise<number> {
  const row = sql`rowid`;
  const some = q.select({ row }).from(table).where(which).limit(most);
  const { changes } = await q.delete(table).where(inArray(row, some));
  return changes;
}
