import { deleteProofs, listProofs } from "../../db/identity/address-proofs.ts";
import { formatEntryText } from "../../db/audit-log/entry-text.ts";
import { insertAuditRows } from "../../db/audit-log/audit.ts";
import { toAuditRow } from "../../db/audit-log/audit-event.ts";
import { revokeAllAccess } from "../../db/identity/revoke-access.ts";
import { moveMembership, listOtherOrganizations } from "../../db/identity/move-membership.ts";
import { insertNotice } from "../../db/identity/notices.ts";
import { deletePendingSignIns } from "../../db/identity/pending-sign-ins.ts";
import { deleteSecondFactors } from "../../db/identity/second-factors/second-factors.ts";
import { insertUser, updateUser, type UserRow } from "../../db/identity/users.ts";
import type { Db, OrganizationTenant } from "../../db/engine/store.ts";
import type { Instant } from "../../core/shared/time.ts";

/** Outcomes when an organization first vouches for an account's address. */
export const FIRST_LINKS = ["kept", "handed_over"] as const;
export type FirstLink = (typeof FIRST_LINKS)[number];

/** "kept" if only this organization or the operator could know the credentials. */
export async function findFirstLinks(
  { db, organizationId }: OrganizationTenant,
  userIds: readonly string[],
): Promise<Map<string, FirstLink>> {
  const links = new Map(userIds.map((id): [string, FirstLink] => [id, "handed_over"]));
  const proofs = await listProofs(db, userIds);
  for (const { userId } of proofs) links.set(userId, "kept");
  for (const { userId, organizationId: by } of proofs) {
    if (by !== null && by !== organizationId) links.set(userId, "handed_over");
  }
  return links;
}

export async function findFirstLink(tenant: OrganizationTenant, userId: string): Promise<FirstLink> {
  return (await findFirstLinks(tenant, [userId])).get(userId) ?? "handed_over";
}

/** An organization can disable only accounts that it manages. */
export function isDisabledByOperator({ disabledAt, managedByOrganizationId }: UserRow): boolean {
  return disabledAt !== null && managedByOrganizationId === null;
}

/** Returns the new id. The old account loses access and gets an unreachable address (RFC 2606). */
export async function transferAccount(
  tenant: OrganizationTenant,
  { user, name, way }: { user: UserRow; name: string; way: "provider" | "directory" },
  { now, newId }: { now: Instant; newId: () => string },
): Promise<string> {
  const { db, organizationId } = tenant;
  const userId = newId();
  await closeAccount(db, user.id, now);
  await updateUser(db, user.id, { email: buildUnreachableAddress(user), managedByOrganizationId: null });
  await insertUser(db, {
    id: userId,
    email: user.email,
    name,
    managedByOrganizationId: organizationId,
    createdAt: now,
  });
  await moveMembership(tenant, { fromUserId: user.id, toUserId: userId });
  const notice = { kind: "handed_over", organizationId, createdAt: now } as const;
  await insertNotice(db, { ...notice, id: newId(), userId });
  await insertNotice(db, { ...notice, id: newId(), userId: user.id });
  const door = way === "provider" ? "web" : "scim";
  const event = { name: "handOverAccount", door, outcome: "ok", requestId: newId() } as const;
  const text = formatEntryText("Handed the account of {email} over to its owner", { email: user.email });
  const others = await listOtherOrganizations(tenant, user.id);
  const recipients = [
    { organizationId, userId },
    ...others.map((other) => ({ organizationId: other, userId: user.id })),
  ];
  await insertAuditRows(
    db,
    recipients.map((of) => toAuditRow({ ...event, ...of, text }, { now: () => now, newId })),
  );
  return userId;
}

async function closeAccount(db: Db, userId: string, now: Instant): Promise<void> {
  await revokeAllAccess(db, userId, now);
  await deletePendingSignIns(db, userId);
  await deleteSecondFactors(db, userId);
  await deleteProofs(db, userId);
  await updateUser(db, userId, { passwordHash: null });
}

function buildUnreachableAddress({ id, email }: UserRow): string {
  return `${email}.${id.slice(-12)}.invalid`;
}
