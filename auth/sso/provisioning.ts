import { organizationOfDomain } from "../../db/identity/domains.ts";
import { findMember, removeMember, resumeMember, suspendMember, type MemberRow } from "../../db/identity/members.ts";
import { insertMember } from "../../db/identity/organizations.ts";
import { requireRoom } from "../../db/catalog/quotas.ts";
import { findSsoConfiguration } from "../../db/identity/sso.ts";
import type { OrganizationTenant } from "../../db/engine/store.ts";
import { findUser, findUserByEmail, insertUser, updateUser, type UserRow } from "../../db/identity/users.ts";
import { AppError } from "../../core/errors.ts";
import type { OrganizationRole } from "../../core/roles.ts";
import type { Instant } from "../../core/time.ts";
import { endEverywhere, endInOrganization } from "../../db/identity/end-access.ts";

// Changes that provisioning makes to accounts and memberships. All run in the transaction of `tenant`.

/** The person to provision. */
interface Person {
  /** Lower case. */
  email: string;
  name: string;
}

/** The role without any group: single sign-on's default role, if it is configured. */
async function defaultRole(tenant: OrganizationTenant): Promise<OrganizationRole> {
  return (await findSsoConfiguration(tenant))?.defaultRole ?? "guest";
}

/**
 * The account and membership of a provisioned person: existing or new. An existing account is linked if it is already a
 * member or if its domain is verified for the organization; otherwise any organization could claim it by its address, so
 * it is CONFLICT. Returns the person's role in the organization.
 */
export async function provisionMember(
  tenant: OrganizationTenant,
  person: Person,
  { now, newId }: { now: Instant; newId: () => string },
): Promise<{ userId: string; role: OrganizationRole }> {
  const { db, organizationId } = tenant;
  const known = await findUserByEmail(db, person.email);
  const owner = await organizationOfDomain(db, person.email.slice(person.email.lastIndexOf("@") + 1));
  const member = known && (await findMember(tenant, known.id));
  if (known)
    await admitAccount(tenant, known, { isMember: member !== undefined, ownsDomain: owner === organizationId }, now);
  else if (owner !== undefined && owner !== organizationId) {
    throw taken("The domain of this e-mail is verified for another organization.");
  }
  const userId = known?.id ?? newId();
  if (!known) await insertUser(db, { id: userId, ...person, managedByOrganizationId: organizationId, createdAt: now });
  if (member) return { userId, role: member.role };
  await requireRoom(tenant, "members");
  const role = await defaultRole(tenant);
  await insertMember(tenant, { userId, role, createdAt: now });
  return { userId, role };
}

async function admitAccount(
  { db, organizationId }: OrganizationTenant,
  { id, managedByOrganizationId: manager }: UserRow,
  { isMember, ownsDomain }: { isMember: boolean; ownsDomain: boolean },
  now: Instant,
): Promise<void> {
  if (manager === organizationId || isMember) return;
  if (!ownsDomain) {
    throw taken(
      "An account with this e-mail exists outside your organization. Verify the domain, or invite the person.",
    );
  }
  if (manager === null) return;
  // An organization that created an account on another organization's domain loses it to the domain's owner, with all its
  // access; the domain's owner does not gain a member of that organization with it.
  await endEverywhere(db, id, now);
  await removeMember({ db, organizationId: manager }, id, now);
  await updateUser(db, id, { managedByOrganizationId: organizationId, disabledAt: null, passwordHash: null });
}

function taken(detail: string): AppError {
  return new AppError("CONFLICT", detail, { details: { scimType: "uniqueness" } });
}

/** Changes name and e-mail of an account that the organization manages; other accounts stay unchanged. */
export async function renameAccount(
  { db, organizationId }: OrganizationTenant,
  userId: string,
  { email, name }: Person,
): Promise<void> {
  const account = await findUser(db, userId);
  if (account?.managedByOrganizationId !== organizationId) return;
  if (account.email === email && account.name === name) return;
  if (account.email !== email) {
    if (await findUserByEmail(db, email)) throw taken("Another account has this e-mail.");
    const owner = await organizationOfDomain(db, email.slice(email.lastIndexOf("@") + 1));
    if (owner !== undefined && owner !== organizationId) {
      throw taken("The domain of this e-mail is verified for another organization.");
    }
  }
  await updateUser(db, userId, { email, name });
}

/**
 * Ends all access of a person through the organization at once: membership, sessions, assistants, tokens and keys. An
 * account that it manages is disabled everywhere. CONFLICT for the last active owner.
 */
export async function deactivateMember(tenant: OrganizationTenant, userId: string, now: Instant): Promise<void> {
  await suspendMember(tenant, userId, now);
  await endAccess(tenant, userId, now);
}

/** The same, permanently: deletes the membership and its roles. */
export async function expelMember(tenant: OrganizationTenant, userId: string, now: Instant): Promise<void> {
  await removeMember(tenant, userId, now);
  await endAccess(tenant, userId, now);
}

async function endAccess(tenant: OrganizationTenant, userId: string, now: Instant): Promise<void> {
  const { db, organizationId } = tenant;
  const account = await findUser(db, userId);
  if (account?.managedByOrganizationId !== organizationId) return endInOrganization(tenant, userId, now);
  await endEverywhere(db, userId, now);
  if (account.disabledAt === null) await updateUser(db, userId, { disabledAt: now });
}

/** Restores the membership with its role. Ended sessions and keys do not come back: the person signs in again. */
export async function reactivateMember(tenant: OrganizationTenant, userId: string, now: Instant): Promise<void> {
  const { db, organizationId } = tenant;
  const member: MemberRow | undefined = await findMember(tenant, userId);
  if (!member) {
    await requireRoom(tenant, "members");
    await insertMember(tenant, { userId, role: await defaultRole(tenant), createdAt: now });
  } else if (member.suspendedAt !== null) await resumeMember(tenant, userId);
  const account = await findUser(db, userId);
  if (account?.managedByOrganizationId === organizationId && account.disabledAt !== null) {
    await updateUser(db, userId, { disabledAt: null });
  }
}
