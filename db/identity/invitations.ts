import { and, asc, eq, gt, isNull } from "drizzle-orm";
import type { Page } from "../../core/shared/page.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { Tables, tables } from "../schema.ts";
import type { Db, OrganizationTenant } from "../engine/store.ts";

export type InvitationRow = typeof tables.invitations.$inferSelect;

/** Neither accepted nor revoked. */
function isWaiting(t: Tables) {
  return and(isNull(t.invitations.acceptedAt), isNull(t.invitations.revokedAt));
}

/**
 * Invitations of the organization, oldest first; one row more than the page. Only those that wait at `waitingAt`,
 * or all of them for null.
 */
export async function listInvitations(
  { db: { q, t }, organizationId }: OrganizationTenant,
  waitingAt: Instant | null,
  page: Page,
): Promise<InvitationRow[]> {
  const after = page.after?.[0];
  return q
    .select()
    .from(t.invitations)
    .where(
      and(
        eq(t.invitations.organizationId, organizationId),
        after === undefined ? undefined : gt(t.invitations.id, after),
        ...(waitingAt === null ? [] : [isWaiting(t), gt(t.invitations.expiresAt, waitingAt)]),
      ),
    )
    .orderBy(asc(t.invitations.id))
    .limit(page.limit + 1);
}

export async function insertInvitation(
  { db: { q, t }, organizationId }: OrganizationTenant,
  invitation: Omit<InvitationRow, "organizationId">,
): Promise<InvitationRow> {
  const row = { ...invitation, organizationId };
  await q.insert(t.invitations).values(row);
  return row;
}

/** Ends an invitation that waits; undefined if there is none. */
export async function revokeInvitation(
  { db: { q, t }, organizationId }: OrganizationTenant,
  id: string,
  now: Instant,
): Promise<InvitationRow | undefined> {
  const [row] = await q
    .update(t.invitations)
    .set({ revokedAt: now })
    .where(and(eq(t.invitations.organizationId, organizationId), eq(t.invitations.id, id), isWaiting(t)))
    .returning();
  return row;
}

/** Ends every invitation to this e-mail that waits. */
export async function revokeInvitationsTo(
  { db: { q, t }, organizationId }: OrganizationTenant,
  email: string,
  now: Instant,
): Promise<void> {
  await q
    .update(t.invitations)
    .set({ revokedAt: now })
    .where(and(eq(t.invitations.organizationId, organizationId), eq(t.invitations.email, email), isWaiting(t)));
}

/** The invitation with this secret while it waits, with whose it is. It decides who gets a tenant, so it takes none. */
export async function findWaitingInvitation({ q, t }: Db, secretHash: string, now: Instant) {
  const [row] = await q
    .select({ invitation: t.invitations, organizationName: t.organizations.name, inviterName: t.users.name })
    .from(t.invitations)
    .innerJoin(t.organizations, eq(t.organizations.id, t.invitations.organizationId))
    .innerJoin(t.users, eq(t.users.id, t.invitations.invitedBy))
    .where(and(eq(t.invitations.secretHash, secretHash), isWaiting(t), gt(t.invitations.expiresAt, now)));
  return row;
}

/** Uses an invitation up, in the transaction that found it waiting. */
export async function takeInvitation(
  { db: { q, t }, organizationId }: OrganizationTenant,
  id: string,
  taken: { by: string; at: Instant },
): Promise<void> {
  await q
    .update(t.invitations)
    .set({ acceptedAt: taken.at, acceptedBy: taken.by })
    .where(and(eq(t.invitations.organizationId, organizationId), eq(t.invitations.id, id)));
}
