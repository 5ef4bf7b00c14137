import { and, eq, isNotNull, or } from "drizzle-orm";
import {
  isRoleAtLeast,
  WORKSPACE_ROLES,
  type OrganizationRole,
  type WorkspaceRole,
} from "../../../core/identity/roles.ts";
import type { Instant } from "../../../core/shared/time.ts";
import { deleteRows, matches, pick, updateRows } from "../../engine/rows.ts";
import type { OrganizationTenant } from "../../engine/store.ts";

// The strongest of base role and group roles applies. A role set by hand becomes the base role.

export async function applyGroupRoles(tenant: OrganizationTenant, scimUserIds: readonly string[], now: Instant) {
  if (scimUserIds.length === 0) return;
  const grants = await listGroupGrants(tenant, scimUserIds);
  await applyOrganizationRoles(tenant, scimUserIds, grants);
  await applyWorkspaceRoles(tenant, scimUserIds, { grants, now });
}

async function listGroupGrants({ db: { q, t }, organizationId }: OrganizationTenant, ids: readonly string[]) {
  return q
    .select({
      scimUserId: t.scimGroupMembers.scimUserId,
      ...pick(t.scimGroups, "organizationRole", "workspaceId", "workspaceRole"),
    })
    .from(t.scimGroupMembers)
    .innerJoin(t.scimGroups, eq(t.scimGroups.id, t.scimGroupMembers.groupId))
    .where(
      and(
        matches(t.scimGroupMembers, { organizationId, scimUserId: ids }),
        or(isNotNull(t.scimGroups.organizationRole), isNotNull(t.scimGroups.workspaceRole)),
      ),
    );
}
type GroupGrant = Awaited<ReturnType<typeof listGroupGrants>>[number];

async function applyOrganizationRoles(
  { db: { q, t }, organizationId }: OrganizationTenant,
  ids: readonly string[],
  gifts: readonly GroupGrant[],
): Promise<void> {
  const people = await q
    .select({
      ...pick(t.scimUsers, "id", "userId", "baseRole", "givenRole"),
      role: t.organizationMembers.role,
    })
    .from(t.scimUsers)
    .innerJoin(t.organizationMembers, matches(t.organizationMembers, { userId: t.scimUsers.userId, organizationId }))
    .where(matches(t.scimUsers, { organizationId, id: ids }));
  const strongest = new Map<string, OrganizationRole>();
  for (const { scimUserId, organizationRole: role } of gifts) {
    const best = strongest.get(scimUserId);
    if (role !== null && (best === undefined || isRoleAtLeast(role, best))) strongest.set(scimUserId, role);
  }
  // One statement per outcome, so at most one per pair of roles.
  const outcomes = new Map<string, { baseRole: OrganizationRole; role: OrganizationRole; members: typeof people }>();
  for (const person of people) {
    const baseRole = person.role === person.givenRole ? person.baseRole : person.role;
    const gift = strongest.get(person.id);
    const role = gift !== undefined && isRoleAtLeast(gift, baseRole) ? gift : baseRole;
    if (role === person.role && role === person.givenRole && baseRole === person.baseRole) continue;
    const outcome = outcomes.get(`${baseRole} ${role}`) ?? { baseRole, role, members: [] };
    outcome.members.push(person);
    outcomes.set(`${baseRole} ${role}`, outcome);
  }
  for (const { baseRole, role, members } of outcomes.values()) {
    await updateRows(
      q,
      t.organizationMembers,
      { organizationId, userId: members.map(({ userId }) => userId) },
      { role },
    );
    await updateRows(q, t.scimUsers, { id: members.map(({ id }) => id) }, { baseRole, givenRole: role });
  }
}

interface WorkspaceAssignment {
  scimUserId: string;
  userId: string;
  workspaceId: string;
  grantedRole: WorkspaceRole | null;
  role: WorkspaceRole | null;
  before: { givenRole: WorkspaceRole; baseRole: WorkspaceRole | null } | null;
}

async function applyWorkspaceRoles(
  tenant: OrganizationTenant,
  ids: readonly string[],
  { grants, now }: { grants: readonly GroupGrant[]; now: Instant },
): Promise<void> {
  const { db, organizationId } = tenant;
  const { q, t } = db;
  const assignments = await listWorkspaceAssignments(tenant, ids, grants);
  if (assignments.length === 0) return;
  const settled = assignments.map((place) => {
    const { grantedRole, role, before } = place;
    const base = before !== null && role === before.givenRole ? before.baseRole : role;
    return { ...place, base, next: selectStrongerRole(grantedRole, base) };
  });
  // One statement per workspace, so at most one per mapped workspace.
  for (const [workspaceId, changed] of groupByWorkspace(settled.filter(({ role, next }) => role !== next))) {
    await deleteRows(q, t.workspaceMembers, {
      organizationId,
      workspaceId,
      userId: changed.map(({ userId }) => userId),
    });
    const rows = changed.flatMap(({ userId, next }) =>
      next === null ? [] : [{ organizationId, workspaceId, userId, role: next, createdAt: now }],
    );
    await db.bulkInsert(t.workspaceMembers, rows);
  }
  await deleteRows(q, t.scimWorkspaceRoles, { organizationId, scimUserId: ids });
  const kept = settled.flatMap(({ scimUserId, workspaceId, grantedRole, base, next }) =>
    grantedRole === null || next === null
      ? []
      : [{ organizationId, scimUserId, workspaceId, givenRole: next, baseRole: base }],
  );
  await db.bulkInsert(t.scimWorkspaceRoles, kept);
}

async function listWorkspaceAssignments(
  { db: { q, t }, organizationId }: OrganizationTenant,
  ids: readonly string[],
  gifts: readonly GroupGrant[],
): Promise<WorkspaceAssignment[]> {
  const granted = await q
    .select()
    .from(t.scimWorkspaceRoles)
    .where(matches(t.scimWorkspaceRoles, { organizationId, scimUserId: ids }));
  const grants = gifts.filter(({ workspaceRole }) => workspaceRole !== null);
  if (granted.length === 0 && grants.length === 0) return [];
  const members = await q
    .select({
      scimUserId: t.scimUsers.id,
      userId: t.scimUsers.userId,
      workspaceId: t.workspaceMembers.workspaceId,
      role: t.workspaceMembers.role,
    })
    .from(t.scimUsers)
    .innerJoin(t.organizationMembers, matches(t.organizationMembers, { userId: t.scimUsers.userId, organizationId }))
    .leftJoin(t.workspaceMembers, matches(t.workspaceMembers, { userId: t.scimUsers.userId, organizationId }))
    .where(matches(t.scimUsers, { organizationId, id: ids }));
  const accounts = new Map(members.map(({ scimUserId, userId }) => [scimUserId, userId]));
  const roles = new Map(members.map((row) => [`${row.scimUserId} ${row.workspaceId}`, row.role]));
  const assignments = new Map<string, WorkspaceAssignment>();
  const toAssignment = (scimUserId: string, workspaceId: string): WorkspaceAssignment | undefined => {
    const userId = accounts.get(scimUserId);
    if (userId === undefined) return undefined;
    const key = `${scimUserId} ${workspaceId}`;
    const assignment = assignments.get(key) ?? {
      scimUserId,
      userId,
      workspaceId,
      grantedRole: null,
      role: roles.get(key) ?? null,
      before: null,
    };
    assignments.set(key, assignment);
    return assignment;
  };
  for (const row of granted) {
    const place = toAssignment(row.scimUserId, row.workspaceId);
    if (place) place.before = { givenRole: row.givenRole, baseRole: row.baseRole };
  }
  for (const { scimUserId, workspaceId, workspaceRole } of grants) {
    const place = workspaceId === null ? undefined : toAssignment(scimUserId, workspaceId);
    if (place) place.grantedRole = selectStrongerRole(place.grantedRole, workspaceRole);
  }
  return [...assignments.values()];
}

function selectStrongerRole(a: WorkspaceRole | null, b: WorkspaceRole | null): WorkspaceRole | null {
  return WORKSPACE_ROLES.find((role) => role === a || role === b) ?? null;
}

function groupByWorkspace<T extends { workspaceId: string }>(rows: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(row.workspaceId);
    if (group) group.push(row);
    else groups.set(row.workspaceId, [row]);
  }
  return groups;
}
