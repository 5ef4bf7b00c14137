import { and, eq, ne } from "drizzle-orm";
import { updateRows } from "../engine/rows.ts";
import type { OrganizationTenant } from "../engine/store.ts";

/** Moves roles, favourites, linked and provisioned identities, and sent invitations as well. */
export async function moveMembership(
  { db: { q, t }, organizationId }: OrganizationTenant,
  { fromUserId, toUserId }: { fromUserId: string; toUserId: string },
): Promise<void> {
  for (const table of [t.organizationMembers, t.workspaceMembers, t.favourites, t.scimUsers, t.externalIdentities]) {
    await updateRows(q, table, { userId: fromUserId, organizationId }, { userId: toUserId });
  }
  await updateRows(q, t.invitations, { invitedBy: fromUserId, organizationId }, { invitedBy: toUserId });
}

export async function listOtherOrganizations({ db: { q, t }, organizationId }: OrganizationTenant, userId: string) {
  const rows = await q
    .select({ organizationId: t.organizationMembers.organizationId })
    .from(t.organizationMembers)
    .where(and(eq(t.organizationMembers.userId, userId), ne(t.organizationMembers.organizationId, organizationId)));
  return rows.map((row) => row.organizationId);
}
