import { and, eq, isNull, notExists, or, sql, type Placeholder } from "drizzle-orm";
import { prepared, type Db } from "../engine/store.ts";

// What a person is, read at every call. These functions take no tenant, because they decide who may have one.

const standing = prepared(({ q, t }) =>
  q
    .select({
      disabledAt: t.users.disabledAt,
      organizationRole: t.organizationMembers.role,
      needsOwnSignIn: t.ssoConfigurations.isRequired,
      workspaceId: t.workspaces.id,
      workspaceArchivedAt: t.workspaces.archivedAt,
      workspaceRole: t.workspaceMembers.role,
    })
    .from(t.users)
    .leftJoin(
      t.organizationMembers,
      and(
        eq(t.organizationMembers.userId, t.users.id),
        eq(t.organizationMembers.organizationId, sql.placeholder("organizationId")),
        isNull(t.organizationMembers.suspendedAt),
      ),
    )
    .leftJoin(t.ssoConfigurations, eq(t.ssoConfigurations.organizationId, sql.placeholder("organizationId")))
    .leftJoin(
      t.workspaces,
      and(
        eq(t.workspaces.id, sql.placeholder("workspaceId")),
        eq(t.workspaces.organizationId, sql.placeholder("organizationId")),
      ),
    )
    .leftJoin(
      t.workspaceMembers,
      and(eq(t.workspaceMembers.workspaceId, t.workspaces.id), eq(t.workspaceMembers.userId, t.users.id)),
    )
    .where(eq(t.users.id, sql.placeholder("userId"))),
);

/** A person's roles towards an organization and one of its workspaces; undefined for an unknown person. */
export async function findStanding(
  db: Db,
  who: { userId: string; organizationId: string | null; workspaceId: string | null },
) {
  const [row] = await standing(db, who);
  return row;
}

const projectWorkspace = prepared(({ q, t }) =>
  q
    .select({ workspaceId: t.analyses.workspaceId })
    .from(t.analyses)
    .where(
      and(
        eq(t.analyses.id, sql.placeholder("projectId")),
        eq(t.analyses.organizationId, sql.placeholder("organizationId")),
        eq(t.analyses.type, "search_analysis"),
      ),
    ),
);

/** The workspace of a search analysis, which the search-metrics interface calls a project. */
export async function findProjectWorkspace(db: Db, ids: { organizationId: string; projectId: string }) {
  const [row] = await projectWorkspace(db, ids);
  return row?.workspaceId;
}

/** Who reads, as far as it decides which organizations are open to them. */
export interface Reader {
  userId: string;
  /** The organization whose identity provider vouched for them; null for a password. */
  signedInThrough: string | null;
}

/**
 * Holds for memberships whose organization is open to this sign-in: one that requires its own identity provider is open
 * to those who came through it, and to its owners. For queries that select from the memberships.
 */
export function openToSignIn({ q, t }: Pick<Db, "q" | "t">, signedInThrough: Reader["signedInThrough"] | Placeholder) {
  const requiring = q
    .select({ organizationId: t.ssoConfigurations.organizationId })
    .from(t.ssoConfigurations)
    .where(
      and(
        eq(t.ssoConfigurations.organizationId, t.organizationMembers.organizationId),
        eq(t.ssoConfigurations.isRequired, true),
      ),
    );
  return or(
    eq(t.organizationMembers.role, "owner"),
    signedInThrough === null ? undefined : eq(t.organizationMembers.organizationId, signedInThrough),
    notExists(requiring),
  );
}
