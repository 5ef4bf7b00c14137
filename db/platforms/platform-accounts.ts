import { and, notInArray, sql } from "drizzle-orm";
import type { Page } from "../../core/shared/pagination.ts";
import type { FoundAccount, PlatformKind } from "../../core/platforms/platforms.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { PlatformConnectionRow } from "./platform-connections.ts";
import type { tables } from "../schema.ts";
import { changeRow } from "../engine/change-row.ts";
import { listPage, matches, updateRows } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

export type PlatformAccountRow = typeof tables.platformAccounts.$inferSelect;
type AccountStatus = PlatformAccountRow["status"];

export async function listPlatformAccounts(
  { db: { q, t }, workspaceId }: Tenant,
  filter: { platform?: PlatformKind | undefined; status?: AccountStatus | undefined },
  page: Page,
): Promise<PlatformAccountRow[]> {
  return listPage(q, t.platformAccounts, { where: { workspaceId, ...filter }, ...page });
}

export async function updatePlatformAccount(
  { db, workspaceId }: Tenant,
  id: string,
  { status, updatedAt }: { status: AccountStatus; updatedAt: Instant },
): Promise<PlatformAccountRow | undefined> {
  const { platformAccounts: table } = db.t;
  const where = matches(table, { workspaceId, id });
  const { row } = await changeRow(db, { table, where, change: { status }, also: { updatedAt } });
  return row;
}

/** New accounts are inactive, known ones keep their status, unlisted ones become unreachable. */
export async function storePlatformAccounts(
  { db: { q, t }, organizationId, workspaceId }: Tenant,
  connection: Pick<PlatformConnectionRow, "id" | "platform">,
  accounts: readonly FoundAccount[],
  { newId, at }: { newId: () => string; at: Instant },
): Promise<void> {
  const rows = accounts.map(({ id: externalId, name }) => ({
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
    matches(t.platformAccounts, { connectionId: connection.id, isReachable: true }),
    notInArray(
      t.platformAccounts.externalId,
      accounts.map(({ id }) => id),
    ),
  );
  await updateRows(q, t.platformAccounts, gone, { isReachable: false, updatedAt: at });
}
