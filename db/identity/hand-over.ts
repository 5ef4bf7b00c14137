import { and, eq, ne } from "drizzle-orm";
import type { OrganizationTenant } from "../engine/store.ts";

/** Moves a person's membership of an organization, with everything that belongs to it, to another account. */
export async function moveMembership(
  { db: { q, t }, organizationId }: OrganizationTenant,
  { from, to }: { from: string; to: string },
): Promise<void> {
  for (const table of [t.organizationMembers, t.workspaceMembers, t.favourites, t.scimUsers, t.externalIdentities]) {
    await q
      .update(table)
      .set({ userId: to })
      .where(and(eq(table.userId, from), eq(table.organizationId, organizationId)));
  }
  await q
    .update(t.invitations)
    .set({ invitedBy: to })
    .where(and(eq(t.invitations.invitedBy, from), eq(t.invitations.organizationId, organizationId)));
}

export async function otherOrganizationsOf(
  { db: { q, t }, organizationId }: OrganizationTenant,
  userId: string,
): Promise<string[]> {
  const rows = await q
    .select({ organizationId: t.organizationMembers.organizationId })
    .from(t.organizationMembers)
    .where(and(eq(t.organizationMembers.userId, userId), ne(t.organizationMembers.organizationId, organizationId)));
  return rows.map((row) => row.organizationId);
}
