import { and, asc, eq, type SQL } from "drizzle-orm";
import type { tables } from "../../schema.ts";
import { greaterThan, deleteRows, matches, pick, updateRows } from "../../engine/rows.ts";
import type { OrganizationTenant } from "../../engine/store.ts";

export interface ScimUserKeys {
  id?: string | undefined;
  externalId?: string | undefined;
  userNameKey?: string | undefined;
}

function selectScimUsers({ db: { q, t }, organizationId }: OrganizationTenant, ...conditions: (SQL | undefined)[]) {
  return q
    .select({
      ...pick(t.scimUsers, "id", "userId", "externalId", "userName", "details", "createdAt", "updatedAt"),
      // Null for a former member.
      role: t.organizationMembers.role,
      suspendedAt: t.organizationMembers.suspendedAt,
      disabledAt: t.users.disabledAt,
      managedByOrganizationId: t.users.managedByOrganizationId,
    })
    .from(t.scimUsers)
    .innerJoin(t.users, eq(t.users.id, t.scimUsers.userId))
    .leftJoin(t.organizationMembers, matches(t.organizationMembers, { userId: t.scimUsers.userId, organizationId }))
    .where(and(eq(t.scimUsers.organizationId, organizationId), ...conditions));
}

export async function findScimUser(tenant: OrganizationTenant, keys: ScimUserKeys) {
  const [row] = await selectScimUsers(tenant, matches(tenant.db.t.scimUsers, keys))
    .orderBy(asc(tenant.db.t.scimUsers.id))
    .limit(1);
  return row;
}
export type ScimUserRow = NonNullable<Awaited<ReturnType<typeof findScimUser>>>;

/** In creation order, from `offset` or after `afterId`. */
export async function listScimUsers(
  tenant: OrganizationTenant,
  keys: ScimUserKeys,
  part: { limit: number; offset?: number; afterId?: string | undefined },
) {
  const { scimUsers } = tenant.db.t;
  return selectScimUsers(tenant, matches(scimUsers, keys), matches(scimUsers, { id: greaterThan(part.afterId) }))
    .orderBy(asc(scimUsers.id))
    .limit(part.limit)
    .offset(part.offset ?? 0);
}

export async function countScimUsers(tenant: OrganizationTenant): Promise<number> {
  const { q, t } = tenant.db;
  return q.$count(t.scimUsers, eq(t.scimUsers.organizationId, tenant.organizationId));
}

export async function findScimUserByUserId(tenant: OrganizationTenant, userId: string) {
  const [row] = await selectScimUsers(tenant, eq(tenant.db.t.scimUsers.userId, userId));
  return row;
}

export async function listKnownScimUserIds(
  { db: { q, t }, organizationId }: OrganizationTenant,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await q
    .select({ id: t.scimUsers.id })
    .from(t.scimUsers)
    .where(matches(t.scimUsers, { organizationId, id: ids }));
  return new Set(rows.map(({ id }) => id));
}

export async function insertScimUser(
  { db: { q, t }, organizationId }: OrganizationTenant,
  user: Omit<typeof tables.scimUsers.$inferInsert, "organizationId">,
): Promise<void> {
  await q.insert(t.scimUsers).values({ ...user, organizationId });
}

export async function updateScimUser(
  { db: { q, t }, organizationId }: OrganizationTenant,
  id: string,
  change: Pick<ScimUserRow, "externalId" | "userName" | "details" | "updatedAt"> & { userNameKey: string },
): Promise<void> {
  await updateRows(q, t.scimUsers, { organizationId, id }, change);
}

/** Account and membership remain. */
export async function deleteScimUser({ db: { q, t }, organizationId }: OrganizationTenant, id: string): Promise<void> {
  await deleteRows(q, t.scimGroupMembers, { organizationId, scimUserId: id });
  await deleteRows(q, t.scimWorkspaceRoles, { organizationId, scimUserId: id });
  await deleteRows(q, t.scimUsers, { organizationId, id });
}
