import { and, asc, count, eq, gt, inArray, sql, type SQL } from "drizzle-orm";
import type { Instant } from "../../../core/shared/time.ts";
import type { tables } from "../../schema.ts";
import { changeRow } from "../../engine/change-row.ts";
import { deleteRows, findRow, matches, updateRows } from "../../engine/rows.ts";
import type { OrganizationTenant } from "../../engine/store.ts";

export type ScimGroupRow = typeof tables.scimGroups.$inferSelect;

export interface ScimGroupKeys {
  id?: string | undefined;
  externalId?: string | undefined;
  displayNameKey?: string | undefined;
}

function groupKeysCondition({ db: { t }, organizationId }: OrganizationTenant, keys: ScimGroupKeys): SQL | undefined {
  return matches(t.scimGroups, { organizationId, ...keys });
}

export async function findScimGroup(tenant: OrganizationTenant, id: string): Promise<ScimGroupRow | undefined> {
  const { q, t } = tenant.db;
  return findRow(q, t.scimGroups, groupKeysCondition(tenant, { id }));
}

/** In creation order, from `offset` or after `afterId`. */
export async function listScimGroups(
  tenant: OrganizationTenant,
  keys: ScimGroupKeys,
  part: { limit: number; offset?: number; afterId?: string | undefined },
): Promise<ScimGroupRow[]> {
  const { q, t } = tenant.db;
  return q
    .select()
    .from(t.scimGroups)
    .where(
      and(groupKeysCondition(tenant, keys), part.afterId === undefined ? undefined : gt(t.scimGroups.id, part.afterId)),
    )
    .orderBy(asc(t.scimGroups.id))
    .limit(part.limit)
    .offset(part.offset ?? 0);
}

export async function countScimGroups(tenant: OrganizationTenant): Promise<number> {
  return tenant.db.q.$count(tenant.db.t.scimGroups, groupKeysCondition(tenant, {}));
}

export async function insertScimGroup(
  { db: { q, t }, organizationId }: OrganizationTenant,
  group: Omit<ScimGroupRow, "organizationId">,
): Promise<void> {
  await q.insert(t.scimGroups).values({ ...group, organizationId });
}

/** Increments the version, which the directory sees. */
export async function updateScimGroup(
  tenant: OrganizationTenant,
  id: string,
  change: { externalId: string | null; displayName: string; displayNameKey: string; updatedAt: Instant },
): Promise<void> {
  const { q, t } = tenant.db;
  await updateRows(q, t.scimGroups, groupKeysCondition(tenant, { id }), {
    ...change,
    version: sql`${t.scimGroups.version} + 1`,
  });
}

/** Keeps the version: the directory does not see roles. */
export async function setScimGroupRole(
  tenant: OrganizationTenant,
  id: string,
  change: Pick<ScimGroupRow, "organizationRole" | "workspaceId" | "workspaceRole">,
): Promise<void> {
  await changeRow(tenant.db, { table: tenant.db.t.scimGroups, where: groupKeysCondition(tenant, { id }), change });
}

/** Call `applyGroupRoles` afterwards to revoke the roles the group granted. */
export async function deleteScimGroup(tenant: OrganizationTenant, id: string): Promise<void> {
  const { q, t } = tenant.db;
  await deleteScimGroupMembers(tenant, id, "all");
  await deleteRows(q, t.scimGroups, groupKeysCondition(tenant, { id }));
}

export async function listGroupMembers(
  { db: { q, t }, organizationId }: OrganizationTenant,
  groupIds: readonly string[],
  limit: number,
) {
  if (groupIds.length === 0) return [];
  return q
    .select({
      groupId: t.scimGroupMembers.groupId,
      scimUserId: t.scimGroupMembers.scimUserId,
      userName: t.scimUsers.userName,
    })
    .from(t.scimGroupMembers)
    .innerJoin(t.scimUsers, eq(t.scimUsers.id, t.scimGroupMembers.scimUserId))
    .where(matches(t.scimGroupMembers, { organizationId, groupId: groupIds }))
    .orderBy(asc(t.scimGroupMembers.groupId), asc(t.scimGroupMembers.scimUserId))
    .limit(limit);
}
export type GroupMemberRow = Awaited<ReturnType<typeof listGroupMembers>>[number];

/** Groups without members are missing from the result. */
export async function countGroupMembers(
  { db: { q, t }, organizationId }: OrganizationTenant,
  groupIds: readonly string[],
): Promise<Map<string, number>> {
  if (groupIds.length === 0) return new Map();
  const rows = await q
    .select({ groupId: t.scimGroupMembers.groupId, members: count() })
    .from(t.scimGroupMembers)
    .where(matches(t.scimGroupMembers, { organizationId, groupId: groupIds }))
    .groupBy(t.scimGroupMembers.groupId);
  return new Map(rows.map(({ groupId, members }) => [groupId, members]));
}

export async function listUserGroups(
  { db: { q, t }, organizationId }: OrganizationTenant,
  scimUserIds: readonly string[],
): Promise<{ scimUserId: string; groupId: string; displayName: string }[]> {
  if (scimUserIds.length === 0) return [];
  return q
    .select({
      scimUserId: t.scimGroupMembers.scimUserId,
      groupId: t.scimGroupMembers.groupId,
      displayName: t.scimGroups.displayName,
    })
    .from(t.scimGroupMembers)
    .innerJoin(t.scimGroups, eq(t.scimGroups.id, t.scimGroupMembers.groupId))
    .where(matches(t.scimGroupMembers, { organizationId, scimUserId: scimUserIds }))
    .orderBy(asc(t.scimGroupMembers.scimUserId), asc(t.scimGroupMembers.groupId));
}

export async function insertScimGroupMembers(
  { db, organizationId }: OrganizationTenant,
  groupId: string,
  scimUserIds: readonly string[],
): Promise<void> {
  const rows = scimUserIds.map((scimUserId) => ({ groupId, organizationId, scimUserId }));
  await db.bulkInsert(db.t.scimGroupMembers, rows);
}

export async function deleteScimGroupMembers(
  { db: { q, t }, organizationId }: OrganizationTenant,
  groupId: string,
  scimUserIds: readonly string[] | "all",
): Promise<void> {
  if (scimUserIds.length === 0) return;
  await deleteRows(
    q,
    t.scimGroupMembers,
    and(
      matches(t.scimGroupMembers, { organizationId, groupId }),
      scimUserIds === "all" ? undefined : inArray(t.scimGroupMembers.scimUserId, [...scimUserIds]),
    ),
  );
}
