import { and, eq, isNull, lt, ne, notExists, or, sql } from "drizzle-orm";
import { PROMPTING_TYPES } from "../../core/analyses/analysis.ts";
import type { CredentialReach } from "../../core/identity/proof.ts";
import { matches } from "../engine/rows.ts";
import { prepareQuery, type Db } from "../engine/store.ts";

// No tenant: these functions decide, on every call, which tenants a user may act in.

/** `projectId` is an analysis that sends prompts; it stands for its workspace. */
export interface AccessTarget {
  organizationId: string | null;
  workspaceId: string | null;
  projectId: string | null;
}

const selectAccessState = prepareQuery(({ q, t }) => {
  const organizationId = sql.placeholder("organizationId");
  const projectWorkspace = q
    .select({ workspaceId: t.analyses.workspaceId })
    .from(t.analyses)
    .where(matches(t.analyses, { id: sql.placeholder("projectId"), organizationId, type: PROMPTING_TYPES }));
  return (
    q
      // Null where the user has none.
      .select({
        disabledAt: t.users.disabledAt,
        organizationRole: t.organizationMembers.role,
        joinedAt: t.organizationMembers.createdAt,
        joinedThrough: t.organizationMembers.joinedThrough,
        requiresOwn: t.ssoConfigurations.isRequired,
        ownersNeedSecondFactor: t.organizations.ownersNeedSecondFactor,
        secondFactorAt: t.users.secondFactorAt,
        workspaceId: t.workspaces.id,
        workspaceArchivedAt: t.workspaces.archivedAt,
        workspaceRole: t.workspaceMembers.role,
      })
      .from(t.users)
      .leftJoin(
        t.organizationMembers,
        matches(t.organizationMembers, { userId: t.users.id, organizationId, suspendedAt: null }),
      )
      .leftJoin(t.organizations, eq(t.organizations.id, organizationId))
      .leftJoin(t.ssoConfigurations, eq(t.ssoConfigurations.organizationId, organizationId))
      .leftJoin(
        t.workspaces,
        matches(t.workspaces, {
          id: sql`coalesce(${sql.placeholder("workspaceId")}, (${projectWorkspace}))`,
          organizationId,
        }),
      )
      .leftJoin(t.workspaceMembers, matches(t.workspaceMembers, { workspaceId: t.workspaces.id, userId: t.users.id }))
      .where(eq(t.users.id, sql.placeholder("userId")))
  );
});

export const NO_TARGET: AccessTarget = { organizationId: null, workspaceId: null, projectId: null };

export async function findAccessState(db: Db, userId: string, target: AccessTarget) {
  const [row] = await selectAccessState(db, { userId, ...target });
  return row;
}

export interface AccountReader extends CredentialReach {
  userId: string;
}

/** The rule of `accepts`, for queries on memberships. */
export function acceptsSignIn({ q, t }: Pick<Db, "q" | "t">, { through, localBefore }: CredentialReach) {
  const { organizationMembers: member, ssoConfigurations: sso } = t;
  const requiring = q
    .select({ organizationId: sso.organizationId })
    .from(sso)
    .where(matches(sso, { organizationId: member.organizationId, isRequired: true }));
  const own = through === null ? undefined : eq(member.organizationId, through);
  const joined = through === null ? undefined : and(eq(member.joinedThrough, through), notExists(requiring));
  const local =
    localBefore === null
      ? undefined
      : and(lt(member.createdAt, localBefore), or(eq(member.role, "owner"), notExists(requiring)));
  // An empty condition would match every membership.
  return or(own, joined, local) ?? sql`false`;
}

/** The rule of `authorise`: excludes owners without a required second factor. */
export function requiredSecondFactorCondition(
  { q, t }: Pick<Db, "q" | "t">,
  { localBefore }: Pick<CredentialReach, "localBefore">,
) {
  const { organizationMembers: member, organizations, users } = t;
  const lacking = q
    .select({ id: organizations.id })
    .from(organizations)
    .innerJoin(users, eq(users.id, member.userId))
    .where(
      and(
        matches(organizations, { id: member.organizationId, ownersNeedSecondFactor: true }),
        isNull(users.secondFactorAt),
      ),
    );
  return localBefore === null ? undefined : or(ne(member.role, "owner"), notExists(lacking));
}
