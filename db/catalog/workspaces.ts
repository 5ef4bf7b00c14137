import { and, asc, eq, inArray, isNotNull, ne, or } from "drizzle-orm";
import { requiredSecondFactorCondition, acceptsSignIn } from "../identity/access.ts";
import type { CredentialReach } from "../../core/identity/proof.ts";
import type { Page } from "../../core/shared/pagination.ts";
import type { Instant } from "../../core/shared/time.ts";
import { changeRow } from "../engine/change-row.ts";
import { greaterThan, findRow, matches } from "../engine/rows.ts";
import type { Db, OrganizationTenant, Tenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";

export type WorkspaceRow = typeof tables.workspaces.$inferSelect;

/** Null does not restrict. */
export interface WorkspaceFilter {
  organizationId: string | null;
  workspaceId: string | null;
  includesArchived: boolean;
  credentialReach: CredentialReach;
}

export async function listUserWorkspaces(db: Db, userId: string, bounds: WorkspaceFilter, page: Page) {
  const { organizationId, workspaceId, includesArchived, credentialReach } = bounds;
  const { organizationMembers: members, workspaceMembers, workspaces } = db.t;
  const filter = {
    organizationId: organizationId ?? undefined,
    archivedAt: includesArchived ? undefined : null,
    id: workspaceId ?? undefined,
  };
  return db.q
    .select({ workspace: workspaces, organizationRole: members.role, workspaceRole: workspaceMembers.role })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.organizationId, members.organizationId))
    .leftJoin(workspaceMembers, matches(workspaceMembers, { workspaceId: workspaces.id, userId }))
    .where(
      and(
        matches(members, { userId, suspendedAt: null }),
        acceptsSignIn(db, credentialReach),
        requiredSecondFactorCondition(db, credentialReach),
        or(ne(members.role, "guest"), isNotNull(workspaceMembers.role)),
        matches(workspaces, filter),
        matches(workspaces, { id: greaterThan(page.after?.[0]) }),
      ),
    )
    .orderBy(asc(workspaces.id))
    .limit(page.limit + 1);
}

export async function findWorkspace({ db: { q, t }, organizationId, workspaceId }: Tenant) {
  return findRow(q, t.workspaces, { id: workspaceId, organizationId });
}

export async function countWorkspaces({ db: { q, t }, organizationId }: OrganizationTenant, ids: readonly string[]) {
  return q.$count(t.workspaces, matches(t.workspaces, { organizationId, id: ids }));
}

export async function findWorkspacesInUse({ q, t }: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await q
    .selectDistinct({ id: t.analyses.workspaceId })
    .from(t.analyses)
    .where(and(inArray(t.analyses.workspaceId, [...ids]), ne(t.analyses.status, "archived")));
  return new Set(rows.map(({ id }) => id));
}

export async function insertWorkspace(
  { db: { q, t }, organizationId }: OrganizationTenant,
  workspace: Omit<WorkspaceRow, "organizationId" | "archivedAt" | "catalogVersion">,
): Promise<WorkspaceRow> {
  const row = { ...workspace, organizationId, catalogVersion: 0, archivedAt: null };
  await q.insert(t.workspaces).values(row);
  return row;
}

export async function updateWorkspace(
  { db, organizationId, workspaceId }: Tenant,
  { updatedAt, ...change }: { name?: string | undefined; archivedAt?: Instant | null; updatedAt: Instant },
): Promise<WorkspaceRow | undefined> {
  const { workspaces: table } = db.t;
  const where = matches(table, { id: workspaceId, organizationId });
  const { row } = await changeRow(db, { table, where, change, also: { updatedAt } });
  return row;
}
