import { findOrganizationByDomain } from "../../db/identity/domains/domains.ts";
import { findMember, removeMember, resumeMember, suspendMember, type MemberRow } from "../../db/identity/members.ts";
import { insertMember } from "../../db/identity/organizations.ts";
import { requireQuota } from "../../db/credits/quotas.ts";
import { findSsoConfiguration } from "../../db/identity/sso.ts";
import type { OrganizationTenant } from "../../db/engine/store.ts";
import { findUser, findUserByEmail, insertUser, updateUser, type UserRow } from "../../db/identity/users.ts";
import { proveByOrganization } from "../people/prove-address.ts";
import { findFirstLink, transferAccount, isDisabledByOperator } from "./transfer-account.ts";
import { AppError } from "../../core/shared/errors.ts";
import type { OrganizationRole } from "../../core/identity/roles.ts";
import type { Instant } from "../../core/shared/time.ts";
import { revokeAllAccess, revokeOrganizationAccess } from "../../db/identity/revoke-access.ts";

// All changes run in the transaction of `tenant`.

interface ProvisionedPerson {
  /** E-mail address in lower case. */
  email: string;
  name: string;
}

async function findDefaultRole(tenant: OrganizationTenant): Promise<OrganizationRole> {
  return (await findSsoConfiguration(tenant))?.defaultRole ?? "guest";
}

/** VALIDATION_FAILED outside verified domains. Hands over accounts that others could sign in to. */
export async function provisionMember(
  tenant: OrganizationTenant,
  person: ProvisionedPerson,
  { now, newId }: { now: Instant; newId: () => string },
): Promise<{ userId: string; role: OrganizationRole }> {
  const { db, organizationId } = tenant;
  await requireOwnDomain(tenant, person.email, now);
  const user = await findUserByEmail(db, person.email);
  const userId = user ? await linkAccount(tenant, user, { name: person.name, now, newId }) : newId();
  if (!user) await insertUser(db, { id: userId, ...person, managedByOrganizationId: organizationId, createdAt: now });
  const { email } = person;
  await proveByOrganization(db, { userId, email, organizationId, way: "directory" }, { now, newId });
  const member = await findMember(tenant, userId);
  if (member) return { userId, role: member.role };
  await requireQuota(tenant, "members");
  const role = await findDefaultRole(tenant);
  await insertMember(tenant, { userId, role, createdAt: now });
  return { userId, role };
}

async function linkAccount(
  tenant: OrganizationTenant,
  user: UserRow,
  { name, now, newId }: { name: string; now: Instant; newId: () => string },
): Promise<string> {
  if ((await findFirstLink(tenant, user.id)) === "kept") return user.id;
  if (isDisabledByOperator(user)) {
    const detail = "The operator of this service has disabled the account with this e-mail. Contact them.";
    throw new AppError("CONFLICT", detail, { details: { scimType: "uniqueness" } });
  }
  return transferAccount(tenant, { user, name, way: "directory" }, { now, newId });
}

async function requireOwnDomain(tenant: OrganizationTenant, email: string, now: Instant): Promise<void> {
  if (await ownsDomain(tenant, email, { linkingAt: now })) return;
  throw new AppError(
    "VALIDATION_FAILED",
    "The domain of this e-mail is not verified for your organization, or has lapsed. Verify it there first, or invite the person.",
    { details: { scimType: "invalidValue" } },
  );
}

async function ownsDomain({ db, organizationId }: OrganizationTenant, email: string, at: { linkingAt?: Instant } = {}) {
  return (await findOrganizationByDomain(db, email.slice(email.lastIndexOf("@") + 1), at)) === organizationId;
}

async function managesAccount(tenant: OrganizationTenant, account: UserRow | undefined): Promise<boolean> {
  return account?.managedByOrganizationId === tenant.organizationId && ownsDomain(tenant, account.email);
}

/** Other organizations' accounts stay unchanged. A new e-mail must be in a verified domain. */
export async function renameAccount(
  tenant: OrganizationTenant,
  userId: string,
  { email, name }: ProvisionedPerson,
  now: Instant,
) {
  const { db } = tenant;
  const account = await findUser(db, userId);
  if (!account || !(await managesAccount(tenant, account))) return;
  if (account.email === email && account.name === name) return;
  if (account.email !== email) {
    await requireOwnDomain(tenant, email, now);
    if (await findUserByEmail(db, email)) {
      throw new AppError("CONFLICT", "Another account has this e-mail address. Use another address.", {
        details: { scimType: "uniqueness" },
      });
    }
  }
  await updateUser(db, userId, { email, name });
}

/** Ends all access at once and disables a managed account. CONFLICT for the last active owner. */
export async function deactivateMember(tenant: OrganizationTenant, userId: string, now: Instant): Promise<void> {
  await suspendMember(tenant, userId, now);
  await endMemberAccess(tenant, userId, now);
}

/** Like `deactivateMember`, and permanently deletes the membership and its roles. */
export async function removeProvisionedMember(tenant: OrganizationTenant, userId: string, now: Instant): Promise<void> {
  await removeMember(tenant, userId, now);
  await endMemberAccess(tenant, userId, now);
}

async function endMemberAccess(tenant: OrganizationTenant, userId: string, now: Instant): Promise<void> {
  const { db } = tenant;
  const account = await findUser(db, userId);
  if (!account || !(await managesAccount(tenant, account))) return revokeOrganizationAccess(tenant, userId, now);
  await revokeAllAccess(db, userId, now);
  if (account.disabledAt === null) await updateUser(db, userId, { disabledAt: now });
}

/** Revoked sessions and keys are not restored: the user signs in again. */
export async function reactivateMember(tenant: OrganizationTenant, userId: string, now: Instant): Promise<void> {
  const { db } = tenant;
  const member: MemberRow | undefined = await findMember(tenant, userId);
  if (!member) {
    await requireQuota(tenant, "members");
    await insertMember(tenant, { userId, role: await findDefaultRole(tenant), createdAt: now });
  } else if (member.suspendedAt !== null) await resumeMember(tenant, userId);
  const account = await findUser(db, userId);
  if (account && account.disabledAt !== null && (await managesAccount(tenant, account))) {
    await updateUser(db, userId, { disabledAt: null });
  }
}
