import { and, asc, gt, like, sql } from "drizzle-orm";
import type { Page } from "../../../core/shared/pagination.ts";
import { matches } from "../../engine/rows.ts";
import type { Db, OrganizationTenant } from "../../engine/store.ts";

/** The caller must have checked that the organization owns `domain` (lower case). */
export async function listDomainAccounts(
  { db: { q, t }, organizationId }: OrganizationTenant,
  domain: string,
  { limit, after }: Page,
) {
  const { users, organizationMembers: members, externalIdentities: identities } = t;
  const rows = await q
    .select({
      userId: users.id,
      email: users.email,
      memberId: members.userId,
      // A user can have several identities if the provider was set up again.
      linkedId: sql<string | null>`max(${identities.userId})`,
    })
    .from(users)
    .leftJoin(members, matches(members, { userId: users.id, organizationId }))
    .leftJoin(identities, matches(identities, { userId: users.id, organizationId }))
    .where(and(inDomainCondition(t, domain), after?.[0] === undefined ? undefined : gt(users.email, after[0])))
    .groupBy(users.id, users.email, members.userId)
    .orderBy(asc(users.email))
    .limit(limit + 1);
  return rows.map(({ memberId, linkedId, ...row }) => ({
    ...row,
    isMember: memberId !== null,
    // True if the organization's identity provider has identified the account.
    isLinked: linkedId !== null,
  }));
}

export async function countDomainAccounts({ db: { q, t } }: OrganizationTenant, domain: string): Promise<number> {
  return q.$count(t.users, inDomainCondition(t, domain));
}

function inDomainCondition({ users }: Db["t"], domain: string) {
  return like(users.email, `%@${domain}`);
}
