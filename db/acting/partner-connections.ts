import { eq } from "drizzle-orm";
import type { tables } from "../schema.ts";
import { putRow } from "../engine/change-row.ts";
import type { Tenant } from "../engine/store.ts";

export type PartnerConnectionRow = typeof tables.partnerConnections.$inferSelect;

export async function findPartnerConnection({
  db: { q, t },
  workspaceId,
}: Tenant): Promise<PartnerConnectionRow | undefined> {
  const [row] = await q.select().from(t.partnerConnections).where(eq(t.partnerConnections.workspaceId, workspaceId));
  return row;
}

/** Connects the workspace, in the place of the connection that it had. */
export async function savePartnerConnection(
  { db, organizationId, workspaceId }: Tenant,
  { createdAt, updatedAt, ...change }: Omit<PartnerConnectionRow, "organizationId" | "workspaceId">,
): Promise<PartnerConnectionRow> {
  const { partnerConnections: table } = db.t;
  const where = eq(table.workspaceId, workspaceId);
  const key = { organizationId, workspaceId, createdAt };
  return putRow(db, { table, where, key, change, also: { updatedAt } });
}

/** False if the workspace was not connected. */
export async function deletePartnerConnection({ db: { q, t }, workspaceId }: Tenant): Promise<boolean> {
  const gone = await q
    .delete(t.partnerConnections)
    .where(eq(t.partnerConnections.workspaceId, workspaceId))
    .returning({ workspaceId: t.partnerConnections.workspaceId });
  return gone.length > 0;
}

/** The place that a workspace's token is sealed for: table, row and field. */
export function tokenPlace(workspaceId: string): string {
  return `partner_connections/${workspaceId}/token`;
}
