import { and, asc, inArray, lt, sql } from "drizzle-orm";
import type { Instant } from "../../core/shared/time.ts";
import type { tables } from "../schema.ts";
import type { Db } from "../engine/store.ts";

export type AuditRow = typeof tables.auditLog.$inferInsert;

export function insertAuditRows(db: Db, rows: readonly AuditRow[]): Promise<void> {
  return db.bulkInsert(db.t.auditLog, rows);
}

export async function countAuditRow({ q, t }: Db, row: AuditRow): Promise<void> {
  const count = sql`${t.auditLog.count} + 1`;
  await q.insert(t.auditLog).values(row).onConflictDoUpdate({ target: t.auditLog.id, set: { count } });
}

/** Skips unknown organizations: unauthenticated callers can invent ids. */
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

/** Returns the count. Ids sort by time, so the oldest rows need no index on `at`. */
export async function deleteOldAuditRows({ q, t }: Db, before: Instant, most: number): Promise<number> {
  const oldest = q.select({ id: t.auditLog.id }).from(t.auditLog).orderBy(asc(t.auditLog.id)).limit(most);
  const deleted = await q
    .delete(t.auditLog)
    .where(and(inArray(t.auditLog.id, oldest), lt(t.auditLog.at, before)))
    .returning({ id: t.auditLog.id });
  return deleted.length;
}
