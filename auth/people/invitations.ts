import { findAccessState, NO_TARGET } from "../../db/identity/access.ts";
import { findOrganizationByDomain } from "../../db/identity/domains/domains.ts";
import { findPendingInvitation, markInvitationAccepted, type InvitationRow } from "../../db/identity/invitations.ts";
import { findMember, insertWorkspaceRoles } from "../../db/identity/members.ts";
import { insertMember } from "../../db/identity/organizations.ts";
import { requireQuota } from "../../db/credits/quotas.ts";
import type { Db } from "../../db/engine/store.ts";
import { findUserByEmail, insertUser } from "../../db/identity/users.ts";
import { AppError } from "../../core/shared/errors.ts";
import { addMs, type Instant } from "../../core/shared/time.ts";
import type { Proof } from "../../core/identity/proof.ts";
import { proveByLink } from "./prove-address.ts";
import { hashSecret, newSecret } from "../keys/random-secret.ts";

const INVITATION_LIFETIME_MS = 7 * 24 * 3_600_000;

export function newInvitationSecret(now: Instant): { secret: string; secretHash: string; expiresAt: Instant } {
  const secret = newSecret();
  return { secret, secretHash: hashSecret(secret), expiresAt: addMs(now, INVITATION_LIFETIME_MS) };
}

/** Visible to the link's holder; does not reveal whether the e-mail has an account. */
export interface OpenInvitation {
  invitation: InvitationRow;
  organizationName: string;
  inviterName: string;
}

/** NOT_FOUND for an invalid link. An invitation ends when its creator is no longer an owner. */
export async function openInvitation(db: Db, secret: string, now: Instant): Promise<OpenInvitation> {
  const invited = await findPendingInvitation(db, hashSecret(secret), now);
  if (invited && (await canStillInvite(db, invited.invitation))) return invited;
  throw new AppError(
    "NOT_FOUND",
    "This invitation was used, was revoked, is more than seven days old, or its sender may no longer invite people. Ask for a new one.",
  );
}

async function canStillInvite(db: Db, { organizationId, invitedBy }: InvitationRow): Promise<boolean> {
  const inviter = await findAccessState(db, invitedBy, { ...NO_TARGET, organizationId });
  return inviter?.organizationRole === "owner" && inviter.disabledAt === null;
}

/** Works once. FORBIDDEN for any user but the one invited, CONFLICT for a member. */
export async function acceptInvitation(
  db: Db,
  secret: string,
  person: { id: string; email: string; proof: Pick<Proof, "way" | "organizationId"> },
  now: Instant,
): Promise<InvitationRow> {
  const { invitation } = await openInvitation(db, secret, now);
  if (invitation.email !== person.email) {
    throw new AppError(
      "FORBIDDEN",
      "This invitation is for another e-mail address. Sign in with that address, or ask for an invitation to yours.",
    );
  }
  const tenant = { db, organizationId: invitation.organizationId };
  if (await findMember(tenant, person.id)) {
    throw new AppError("CONFLICT", "You are already a member of this organization. An owner can change your role.");
  }
  await requireQuota(tenant, "members");
  await markInvitationAccepted(tenant, invitation.id, { acceptedBy: person.id, at: now });
  const { way, organizationId } = person.proof;
  const joinedThrough = way === "provider" && organizationId !== tenant.organizationId ? organizationId : null;
  await insertMember(tenant, { userId: person.id, role: invitation.role, joinedThrough, createdAt: now });
  await insertWorkspaceRoles(tenant, person.id, { roles: invitation.workspaceRoles, at: now });
  return invitation;
}

/** CONFLICT if the e-mail has an account, or if another organization owns its domain. */
export async function joinByInvitation(
  db: Db,
  secret: string,
  account: { id: string; name: string; passwordHash: string },
  { now, newId }: { now: Instant; newId: () => string },
): Promise<InvitationRow> {
  const { invitation } = await openInvitation(db, secret, now);
  const { email } = invitation;
  const owner = await findOrganizationByDomain(db, email.slice(email.lastIndexOf("@") + 1));
  if (owner !== undefined && owner !== invitation.organizationId) {
    throw new AppError(
      "CONFLICT",
      "The organization that owns this e-mail's domain manages its accounts. Sign in through it, then open the link again.",
    );
  }
  if (await findUserByEmail(db, email)) {
    throw new AppError("CONFLICT", "You already have an account with this e-mail. Sign in with it, then accept.");
  }
  const { organizationId } = invitation;
  await insertUser(db, { ...account, email, createdAt: now });
  // Owners knew the link before the invited person did, so the proof names their organization.
  await proveByLink(db, { userId: account.id, email, organizationId }, { now, newId });
  return acceptInvitation(db, secret, { id: account.id, email, proof: { way: "local", organizationId } }, now);
}
