import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, or, sql } from "drizzle-orm";
import { guardedAsRequired, openTo, wayInValues } from "../identity/access.ts";
import type { WayIn } from "../../core/identity/proof.ts";
import type { Page } from "../../core/shared/page.ts";
import type { Instant } from "../../core/shared/time.ts";
import { changeRow } from "../engine/change-row.ts";
import { findRow, matches } from "../engine/rows.ts";
import { prepared, type Db, type OrganizationTenant, type Tenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";

export type WorkspaceRow = typeof tables.workspaces.$inferSelect;

/** Null if the caller's key does not narrow the list. */
export interface WorkspaceBounds {
  organizationId: string | null;
  workspaceId: string | null;
  includeArchived: boolean;
  wayIn: WayIn;
}

const visible = prepared(({ q, t }) =>
  q
    .select({
      workspace: t.workspaces,
      organizationRole: t.organizationMembers.role,
      workspaceRole: t.workspaceMembers.role,
    })
    .from(t.organizationMembers)
    .innerJoin(t.workspaces, eq(t.workspaces.organizationId, t.organizationMembers.organizationId))
    .leftJoin(
      t.workspaceMembers,
      matches(t.workspaceMembers, { workspaceId: t.workspaces.id, userId: t.organizationMembers.userId }),
    )
    .where(
      and(
        matches(t.organizationMembers, { userId: sql.placeholder("userId"), suspendedAt: null }),
        openTo({ q, t }, { through: sql.placeholder("through"), localBefore: sql.placeholder("localBefore") }),
        guardedAsRequired({ q, t }, { localBefore: sql.placeholder("localBefore") }),
        or(sql`${t.organizationMembers.role} <> 'guest'`, isNotNull(t.workspaceMembers.role)),
        or(isNull(t.workspaces.archivedAt), sql`${sql.placeholder("includeArchived")} = 1`),
        gt(t.workspaces.id, sql.placeholder("afterId")),
        or(
          sql`${sql.placeholder("organizationId")} is null`,
          eq(t.workspaces.organizationId, sql.placeholder("organizationId")),
        ),
        or(sql`${sql.placeholder("workspaceId")} is null`, eq(t.workspaces.id, sql.placeholder("workspaceId"))),
      ),
    )
    .orderBy(asc(t.workspaces.id))
    .limit(sql.placeholder("limit")),
);

export async function listWorkspacesOf(db: Db, userId: string, bounds: WorkspaceBounds, page: Page) {
  const { organizationId, workspaceId, wayIn } = bounds;
  const includeArchived = bounds.includeArchived ? 1 : 0;
  const afterId = page.after?.[0] ?? "";
  return visible(db, {
    userId,
    ...wayInValues(wayIn),
    organizationId,
    workspaceId,
    includeArchived,
    afterId,
    limit: page.limit + 1,
  });
}

export async function findWorkspace({ db: { q, t }, organizationId, workspaceId }: Tenant) {
  return findRow(q, t.workspaces, { id: workspaceId, organizationId });
}

/** How many of these ids are workspaces of the organization. */
export async function countWorkspaces(
  { db: { q, t }, organizationId }: OrganizationTenant,
  ids: readonly string[],
): Promise<number> {
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
