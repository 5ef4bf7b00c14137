import { asc, eq, inArray } from "drizzle-orm";
import type { ConnectionProblem, PlatformKind } from "../../core/platforms/platforms.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { tables } from "../schema.ts";
import { changeRow, recordChangedColumns } from "../engine/change-row.ts";
import { deleteRows, findRow, matches, updateRows } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

export type PlatformConnectionRow = typeof tables.platformConnections.$inferSelect;
type ConnectionChange = Partial<Omit<PlatformConnectionRow, "id" | "organizationId" | "workspaceId">>;

export async function listPlatformConnections({ db: { q, t }, workspaceId }: Tenant): Promise<PlatformConnectionRow[]> {
  return q
    .select()
    .from(t.platformConnections)
    .where(eq(t.platformConnections.workspaceId, workspaceId))
    .orderBy(asc(t.platformConnections.platform));
}

export async function findPlatformConnection({ db: { q, t }, workspaceId }: Tenant, id: string) {
  return findRow(q, t.platformConnections, { workspaceId, id });
}

export async function findConnectionToPlatform({ db: { q, t }, workspaceId }: Tenant, platform: PlatformKind) {
  return findRow(q, t.platformConnections, { platform, workspaceId });
}

export async function insertPlatformConnection(
  { db, organizationId, workspaceId }: Tenant,
  connection: Omit<PlatformConnectionRow, "organizationId" | "workspaceId">,
): Promise<PlatformConnectionRow> {
  const { q, t } = db;
  const [row] = await q
    .insert(t.platformConnections)
    .values({ ...connection, organizationId, workspaceId })
    .returning();
  if (!row) throw new Error("The connection was not stored.");
  recordChangedColumns(db, ["platform"]);
  return row;
}

export async function updatePlatformConnection(
  { db, workspaceId }: Tenant,
  id: string,
  { updatedAt, ...change }: ConnectionChange,
): Promise<PlatformConnectionRow | undefined> {
  const { platformConnections: table } = db.t;
  const where = matches(table, { workspaceId, id });
  const { row } = await changeRow(db, { table, where, change, also: { updatedAt } });
  return row;
}

export async function deletePlatformConnection({ db: { q, t }, workspaceId }: Tenant, id: string): Promise<boolean> {
  const own = q
    .select({ id: t.platformConnections.id })
    .from(t.platformConnections)
    .where(matches(t.platformConnections, { workspaceId, id }));
  await deleteRows(q, t.platformAccounts, inArray(t.platformAccounts.connectionId, own));
  return deleteRows(q, t.platformConnections, { workspaceId, id });
}

export type RefreshOutcome =
  | { kind: "renewed"; sealedTokens: string; scopes: string[]; expiresAt: Instant | null; refreshAt: Instant | null }
  | { kind: "expired"; problem: ConnectionProblem }
  /** The outcome at the platform is unknown; the next refresh may resolve it. */
  | { kind: "open"; problem: ConnectionProblem };

/** False if another process took over the refresh or the connection changed. */
export async function finishPlatformRefresh(
  { db: { q, t }, workspaceId }: Tenant,
  { id, refreshOwner, at }: { id: string; refreshOwner: string; at: Instant },
  end: RefreshOutcome,
): Promise<boolean> {
  const { kind, ...fields } = end;
  return updateRows(
    q,
    t.platformConnections,
    { id, workspaceId, refreshOwner },
    {
      ...fields,
      ...(kind === "renewed" ? { problem: null, refreshedAt: at } : {}),
      ...(kind === "expired" ? { status: "expired" as const } : {}),
      refreshPending: kind === "open",
      refreshOwner: null,
      refreshLeaseEnd: null,
      updatedAt: at,
    },
  );
}

export function toPlatformSealContext(connectionId: string): string {
  return `platform_connections/${connectionId}/sealed_tokens`;
}
