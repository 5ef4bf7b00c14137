import { and, asc, eq, gt, isNotNull, isNull, ne, or, type SQL } from "drizzle-orm";
import { AppError } from "../../core/shared/errors.ts";
import type { Page } from "../../core/shared/pagination.ts";
import type { OrganizationRole, WorkspaceRole } from "../../core/identity/roles.ts";
import type { Instant } from "../../core/shared/time.ts";
import { revokeOrganizationAccess, endProviderSignIns } from "./revoke-access.ts";
import { revokeInvitationsTo } from "./invitations.ts";
import { changeRow, upsertRow } from "../engine/change-row.ts";
import { deleteRows, matches, pick } from "../engine/rows.ts";
import type { Db, OrganizationTenant, Tenant } from "../engine/store.ts";

// Concurrent changes cannot leave an organization without an active owner.

function memberColumns(t: Db["t"]) {
  return {
    userId: t.organizationMembers.userId,
    email: t.users.email,
    name: t.users.name,
    role: t.organizationMembers.role,
    suspendedAt: t.organizationMembers.suspendedAt,
    secondFactorAt: t.users.secondFactorAt,
    disabledAt: t.users.disabledAt,
    createdAt: t.organizationMembers.createdAt,
  };
}

function selectMembers({ db: { q, t }, organizationId }: OrganizationTenant, ...conditions: (SQL | undefined)[]) {
  return q
    .select(memberColumns(t))
    .from(t.organizationMembers)
    .innerJoin(t.users, eq(t.users.id, t.organizationMembers.userId))
    .where(and(eq(t.organizationMembers.organizationId, organizationId), ...conditions));
}

export async function findMember(tenant: OrganizationTenant, userId: string) {
  const [row] = await selectMembers(tenant, eq(tenant.db.t.organizationMembers.userId, userId));
  return row;
}
export type MemberRow = NonNullable<Awaited<ReturnType<typeof findMember>>>;

export async function findMemberByEmail(tenant: OrganizationTenant, email: string) {
  const [row] = await selectMembers(tenant, eq(tenant.db.t.users.email, email));
  return row;
}

/** Includes suspended members. */
export async function listMembers(tenant: OrganizationTenant, page: Page) {
  const { userId } = tenant.db.t.organizationMembers;
  const after = page.after?.[0];
  return selectMembers(tenant, after === undefined ? undefined : gt(userId, after))
    .orderBy(asc(userId))
    .limit(page.limit + 1);
}

/** For sign-in, which has no tenant yet. E-mails are in lower case. */
export async function listMemberships({ q, t }: Db, person: { userId: string } | { email: string }) {
  return q
    .select({ userId: t.organizationMembers.userId, organizationId: t.organizationMembers.organizationId })
    .from(t.organizationMembers)
    .innerJoin(t.users, eq(t.users.id, t.organizationMembers.userId))
    .where("userId" in person ? eq(t.users.id, person.userId) : eq(t.users.email, person.email))
    .orderBy(asc(t.organizationMembers.organizationId));
}

export async function listWorkspaceRoles(
  { db: { q, t }, organizationId }: OrganizationTenant,
  userIds: readonly string[],
) {
  if (userIds.length === 0) return [];
  return q
    .select(pick(t.workspaceMembers, "userId", "workspaceId", "role"))
    .from(t.workspaceMembers)
    .where(matches(t.workspaceMembers, { organizationId, userId: userIds }))
    .orderBy(asc(t.workspaceMembers.userId), asc(t.workspaceMembers.workspaceId));
}
export type WorkspaceRoleRow = Awaited<ReturnType<typeof listWorkspaceRoles>>[number];

/** Returns undefined for an unknown member. Throws CONFLICT for the last active owner. */
export async function setOrganizationRole(tenant: OrganizationTenant, userId: string, role: OrganizationRole) {
  if (role !== "owner") await requireAnotherOwner(tenant, userId);
  return updateMember(tenant, userId, { role });
}

/** Keys remain without effect. Throws CONFLICT for the last active owner. */
export async function suspendMember(tenant: OrganizationTenant, userId: string, now: Instant) {
  await requireAnotherOwner(tenant, userId);
  const member = await findMember(tenant, userId);
  if (!member || member.suspendedAt !== null) return member;
  await endProviderSignIns(tenant, userId);
  return updateMember(tenant, userId, { suspendedAt: now });
}

export async function resumeMember(tenant: OrganizationTenant, userId: string) {
  return updateMember(tenant, userId, { suspendedAt: null });
}

/** Also ends roles, keys, sign-ins and invitations. Throws CONFLICT for the last active owner. */
export async function removeMember(tenant: OrganizationTenant, userId: string, now: Instant): Promise<boolean> {
  const { db, organizationId } = tenant;
  const { q, t } = db;
  const member = await findMember(tenant, userId);
  if (!member) return false;
  await requireAnotherOwner(tenant, userId);
  await revokeOrganizationAccess(tenant, userId, now);
  await revokeInvitationsTo(tenant, member.email, now);
  await deleteRows(q, t.workspaceMembers, { organizationId, userId });
  await deleteRows(q, t.organizationMembers, { organizationId, userId });
  return true;
}

async function updateMember(
  tenant: OrganizationTenant,
  userId: string,
  values: { role: OrganizationRole } | { suspendedAt: Instant | null },
) {
  const { organizationMembers: table } = tenant.db.t;
  const where = matches(table, { organizationId: tenant.organizationId, userId });
  await changeRow(tenant.db, { table, where, change: values });
  return findMember(tenant, userId);
}

async function requireAnotherOwner(tenant: OrganizationTenant, userId: string): Promise<void> {
  const { t } = tenant.db;
  const active = [
    eq(t.organizationMembers.role, "owner"),
    isNull(t.organizationMembers.suspendedAt),
    isNull(t.users.disabledAt),
  ];
  const [own] = await selectMembers(tenant, ...active, eq(t.organizationMembers.userId, userId));
  if (!own) return;
  const others = await selectMembers(tenant, ...active, ne(t.organizationMembers.userId, userId)).limit(1);
  if (others.length > 0) return;
  throw new AppError(
    "CONFLICT",
    "The organization must keep an owner. Make another member an owner first, then change this one.",
  );
}

export async function setWorkspaceRole(
  { db, organizationId, workspaceId }: Tenant,
  userId: string,
  { role, at }: { role: WorkspaceRole; at: Instant },
): Promise<void> {
  const { workspaceMembers: table } = db.t;
  const where = matches(table, { workspaceId, userId });
  const key = { organizationId, workspaceId, userId, createdAt: at };
  await upsertRow(db, { table, where, key, change: { role } });
}

export async function insertWorkspaceRoles(
  { db, organizationId }: OrganizationTenant,
  userId: string,
  { roles, at }: { roles: readonly { workspaceId: string; role: WorkspaceRole }[]; at: Instant },
): Promise<void> {
  const rows = roles.map((given) => ({ ...given, organizationId, userId, createdAt: at }));
  await db.bulkInsert(db.t.workspaceMembers, rows);
}

export async function removeWorkspaceRole({ db: { q, t }, organizationId, workspaceId }: Tenant, userId: string) {
  return deleteRows(q, t.workspaceMembers, { organizationId, workspaceId, userId });
}

function selectWorkspaceMembers(
  { db: { q, t }, organizationId, workspaceId }: Tenant,
  ...conditions: (SQL | undefined)[]
) {
  return q
    .select({ ...memberColumns(t), workspaceRole: t.workspaceMembers.role })
    .from(t.organizationMembers)
    .innerJoin(t.users, eq(t.users.id, t.organizationMembers.userId))
    .leftJoin(t.workspaceMembers, matches(t.workspaceMembers, { workspaceId, userId: t.organizationMembers.userId }))
    .where(
      and(
        eq(t.organizationMembers.organizationId, organizationId),
        or(ne(t.organizationMembers.role, "guest"), isNotNull(t.workspaceMembers.role)),
        ...conditions,
      ),
    );
}

export async function listWorkspaceMembers(tenant: Tenant, page: Page) {
  const { userId } = tenant.db.t.organizationMembers;
  const after = page.after?.[0];
  return selectWorkspaceMembers(tenant, after === undefined ? undefined : gt(userId, after))
    .orderBy(asc(userId))
    .limit(page.limit + 1);
}

export async function findWorkspaceMember(tenant: Tenant, userId: string) {
  const [row] = await selectWorkspaceMembers(tenant, eq(tenant.db.t.organizationMembers.userId, userId));
  return row;
}
export type WorkspaceMemberRow = NonNullable<Awaited<ReturnType<typeof findWorkspaceMember>>>;
