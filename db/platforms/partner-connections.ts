import { eq } from "drizzle-orm";
import type { tables } from "../schema.ts";
import { upsertRow } from "../engine/change-row.ts";
import { deleteRows, findRow } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

export type PartnerConnectionRow = typeof tables.partnerConnections.$inferSelect;

export async function findPartnerConnection({ db: { q, t }, workspaceId }: Tenant) {
  return findRow(q, t.partnerConnections, { workspaceId });
}

export async function savePartnerConnection(
  { db, organizationId, workspaceId }: Tenant,
  { createdAt, updatedAt, ...change }: Omit<PartnerConnectionRow, "organizationId" | "workspaceId">,
): Promise<PartnerConnectionRow> {
  const { partnerConnections: table } = db.t;
  const where = eq(table.workspaceId, workspaceId);
  const key = { organizationId, workspaceId, createdAt };
  return upsertRow(db, { table, where, key, change, also: { updatedAt } });
}

export async function deletePartnerConnection({ db: { q, t }, workspaceId }: Tenant): Promise<boolean> {
  return deleteRows(q, t.partnerConnections, { workspaceId });
}

export function partnerTokenLocation(workspaceId: string): string {
  return `partner_connections/${workspaceId}/token`;
}
