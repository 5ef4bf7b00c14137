import { and, asc, eq, gt, notInArray, sql } from "drizzle-orm";
import type { Page } from "../../core/shared/page.ts";
import type { FoundAccount, PlatformKind } from "../../core/platforms/platforms.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { PlatformConnectionRow } from "./platform-connections.ts";
import type { tables } from "../schema.ts";
import { changeRow } from "../engine/change-row.ts";
import { ownRow } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

export type PlatformAccountRow = typeof tables.platformAccounts.$inferSelect;
type AccountStatus = PlatformAccountRow["status"];

export async function listPlatformAccounts(
  { db: { q, t }, workspaceId }: Tenant,
  filter: { platform?: PlatformKind | undefined; status?: AccountStatus | undefined },
  page: Page,
): Promise<PlatformAccountRow[]> {
  const [after] = page.after ?? [];
  return q
    .select()
    .from(t.platformAccounts)
    .where(
      and(
        eq(t.platformAccounts.workspaceId, workspaceId),
        filter.platform && eq(t.platformAccounts.platform, filter.platform),
        filter.status && eq(t.platformAccounts.status, filter.status),
        after === undefined ? undefined : gt(t.platformAccounts.id, after),
      ),
    )
    .orderBy(asc(t.platformAccounts.id))
    .limit(page.limit + 1);
}

export async function updatePlatformAccount(
  { db, workspaceId }: Tenant,
  id: string,
  { status, updatedAt }: { status: AccountStatus; updatedAt: Instant },
): Promise<PlatformAccountRow | undefined> {
  const { platformAccounts: table } = db.t;
  const where = ownRow(table, workspaceId, id);
  const { row } = await changeRow(db, { table, where, change: { status }, also: { updatedAt } });
  return row;
}

/**
 * Stores the accounts that a connection reaches. New accounts are inactive until a person activates them; known ones keep
 * their status; those that the platform no longer lists stay, as not reachable.
 */
export async function storeFoundAccounts(
  { db: { q, t }, organizationId, workspaceId }: Tenant,
  connection: Pick<PlatformConnectionRow, "id" | "platform">,
  found: readonly FoundAccount[],
  { newId, at }: { newId: () => string; at: Instant },
): Promise<void> {
  const rows = found.map(({ id: externalId, name }) => ({
    id: newId(),
    organizationId,
    workspaceId,
    connectionId: connection.id,
    platform: connection.platform,
    externalId,
    name,
    status: "inactive" as const,
    isReachable: true,
    createdAt: at,
    updatedAt: at,
  }));
  if (rows.length > 0) {
    await q
      .insert(t.platformAccounts)
      .values(rows)
      .onConflictDoUpdate({
        target: [t.platformAccounts.connectionId, t.platformAccounts.externalId],
        set: { name: sql`excluded.name`, isReachable: true, updatedAt: at },
      });
  }
  const gone = and(
    eq(t.platformAccounts.connectionId, connection.id),
    eq(t.platformAccounts.isReachable, true),
    notInArray(
      t.platformAccounts.externalId,
      found.map(({ id }) => id),
    ),
  );
  await q.update(t.platformAccounts).set({ isReachable: false, updatedAt: at }).where(gone);
}
