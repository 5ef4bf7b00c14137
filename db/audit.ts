import type { tables } from "./schema.ts";
import type { Db, Store } from "./store.ts";

export type AuditRow = typeof tables.auditLog.$inferInsert;

export async function insertAuditRows({ q, t }: Db, rows: AuditRow[]): Promise<void> {
  if (rows.length > 0) await q.insert(t.auditLog).values(rows);
}

/** Writes a batch of rows of reads and refusals, in a transaction of its own. */
export function writeAuditBatch(store: Store, rows: readonly AuditRow[]): Promise<void> {
  return store.write((db) => db.bulkInsert(db.t.auditLog, rows));
}
