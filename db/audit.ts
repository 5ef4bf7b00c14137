import type { tables } from "./schema.ts";
import type { Store } from "./store.ts";
import type { Db } from "./store.ts";

export type AuditRow = typeof tables.auditLog.$inferInsert;

export async function insertAuditRows({ q, t }: Db, rows: AuditRow[]): Promise<void> {
  if (rows.length > 0) await q.insert(t.auditLog).values(rows);
}

const AUDIT_COLUMNS = [
  "id",
  "at",
  "organization_id",
  "workspace_id",
  "user_id",
  "client_id",
  "door",
  "endpoint",
  "arguments_hash",
  "scopes",
  "confirmation",
  "cost_credits",
  "outcome",
  "request_id",
] as const;

/** Writes a batch of rows of reads and refusals, in a transaction of its own. */
export function writeAuditBatch(store: Store, rows: readonly AuditRow[]): Promise<void> {
  return store.write(async (db) => {
    store.bulkInsert(
      db,
      "audit_log",
      AUDIT_COLUMNS,
      rows.map((row) => [
        row.id,
        Date.parse(row.at),
        row.organizationId ?? null,
        row.workspaceId ?? null,
        row.userId ?? null,
        row.clientId ?? null,
        row.door,
        row.endpoint,
        row.argumentsHash,
        row.scopes,
        row.confirmation,
        row.costCredits ?? null,
        row.outcome,
        row.requestId,
      ]),
    );
  });
}
