import { and, asc, inArray, lt, sql } from "drizzle-orm";
import type { Instant } from "../../core/shared/time.ts";
import type { tables } from "../schema.ts";
import type { Db } from "../engine/store.ts";

export type AuditRow = typeof tables.auditLog.$inferInsert;

export function insertAuditRows(db: Db, rows: readonly AuditRow[]): Promise<void> {
  return db.bulkInsert(db.t.auditLog, rows);
}

/** Stores a row, or counts one more in the row that is stored with its id. */
export async function countAuditRow({ q, t }: Db, row: AuditRow): Promise<void> {
  const count = sql`${t.auditLog.count} + 1`;
  await q.insert(t.auditLog).values(row).onConflictDoUpdate({ target: t.auditLog.id, set: { count } });
}

/**
 * Stores rows that are counted on: of one that is stored already the count is set. Nothing for organizations that do not
 * exist, as everyone can make their ids up.
 */
export async function setAuditCounts({ q, t }: Db, rows: readonly (AuditRow & { count: number })[]): Promise<void> {
  if (rows.length === 0) return;
  const named = [...new Set(rows.flatMap(({ organizationId }) => organizationId ?? []))];
  const found = await q
    .select({ id: t.organizations.id })
    .from(t.organizations)
    .where(inArray(t.organizations.id, named));
  const existing = new Set(found.map(({ id }) => id));
  for (const row of rows) {
    if (row.organizationId != null && !existing.has(row.organizationId)) continue;
    const { count } = row;
    await q.insert(t.auditLog).values(row).onConflictDoUpdate({ target: t.auditLog.id, set: { count } });
  }
}

/**
 * Deletes rows older than `before`, at most `most` of them; gives how many. Ids sort by time, so that the oldest are found
 * without an index on their age.
 */
export async function deleteOldAuditRows({ q, t }: Db, before: Instant, most: number): Promise<number> {
  const oldest = q.select({ id: t.auditLog.id }).from(t.auditLog).orderBy(asc(t.auditLog.id)).limit(most);
  const gone = await q
    .delete(t.auditLog)
    .where(and(inArray(t.auditLog.id, oldest), lt(t.auditLog.at, before)))
    .returning({ id: t.auditLog.id });
  return gone.length;
}
