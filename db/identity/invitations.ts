import { eq } from "drizzle-orm";
import type { Page } from "../../core/shared/pagination.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { tables } from "../schema.ts";
import { greaterThan, listPage, matches, updateRows } from "../engine/rows.ts";
import type { Db, OrganizationTenant } from "../engine/store.ts";

export type InvitationRow = typeof tables.invitations.$inferSelect;

const PENDING = { acceptedAt: null, revokedAt: null };

/** `waitingAt` restricts the list to invitations pending then. */
export async function listInvitations(
  { db: { q, t }, organizationId }: OrganizationTenant,
  waitingAt: Instant | null,
  page: Page,
): Promise<InvitationRow[]> {
  const waiting = waitingAt === null ? {} : { ...PENDING, expiresAt: greaterThan(waitingAt) };
  return listPage(q, t.invitations, { where: { organizationId, ...waiting }, ...page });
}

export async function insertInvitation(
  { db: { q, t }, organizationId }: OrganizationTenant,
  invitation: Omit<InvitationRow, "organizationId">,
): Promise<InvitationRow> {
  const row = { ...invitation, organizationId };
  await q.insert(t.invitations).values(row);
  return row;
}

export async function revokeInvitation({ db: { q, t }, organizationId }: OrganizationTenant, id: string, now: Instant) {
  const [row] = await q
    .update(t.invitations)
    .set({ revokedAt: now })
    .where(matches(t.invitations, { organizationId, id, ...PENDING }))
    .returning();
  return row;
}

export async function revokeInvitationsTo(
  { db: { q, t }, organizationId }: OrganizationTenant,
  email: string,
  now: Instant,
): Promise<void> {
  await updateRows(q, t.invitations, { organizationId, email, ...PENDING }, { revokedAt: now });
}

/** No tenant: the invitation decides who joins one. */
export async function findPendingInvitation({ q, t }: Db, secretHash: string, now: Instant) {
  const [row] = await q
    .select({ invitation: t.invitations, organizationName: t.organizations.name, inviterName: t.users.name })
    .from(t.invitations)
    .innerJoin(t.organizations, eq(t.organizations.id, t.invitations.organizationId))
    .innerJoin(t.users, eq(t.users.id, t.invitations.invitedBy))
    .where(matches(t.invitations, { secretHash, expiresAt: greaterThan(now), ...PENDING }));
  return row;
}

/** Call in the transaction that found the invitation pending. */
export async function markInvitationAccepted(
  { db: { q, t }, organizationId }: OrganizationTenant,
  id: string,
  taken: { acceptedBy: string; at: Instant },
): Promise<void> {
  await updateRows(q, t.invitations, { organizationId, id }, { acceptedAt: taken.at, acceptedBy: taken.acceptedBy });
}
