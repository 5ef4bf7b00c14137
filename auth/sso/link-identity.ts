import { listLinkingDomains, listVerifiedDomains } from "../../db/identity/domains/domains.ts";
import { findMembership, insertMember } from "../../db/identity/organizations.ts";
import { requireQuota } from "../../db/credits/quotas.ts";
import {
  findExternalIdentity,
  insertExternalIdentity,
  touchSsoConfiguration,
  type SsoConfiguration,
} from "../../db/identity/sso.ts";
import type { Db, OrganizationTenant } from "../../db/engine/store.ts";
import { findUser, findUserByEmail, insertUser, type UserRow } from "../../db/identity/users.ts";
import { AppError } from "../../core/shared/errors.ts";
import { isRoleAtLeast } from "../../core/identity/roles.ts";
import type { SsoRole } from "../../core/identity/sso.ts";
import type { Instant } from "../../core/shared/time.ts";
import { proveByOrganization } from "../people/prove-address.ts";
import { findFirstLink, transferAccount, isDisabledByOperator } from "./transfer-account.ts";
import type { ProvenIdentity } from "./proven-identity.ts";

/** The e-mail counts at first sign-in only, and must be verified and in a verified domain. */
export async function linkIdentity(
  db: Db,
  configuration: SsoConfiguration,
  identity: ProvenIdentity,
  now: Instant,
  newId: () => string,
): Promise<{ userId: string; proofId: string }> {
  const { organizationId } = configuration;
  const tenant = { db, organizationId };
  const knownId = await findExternalIdentity(tenant, identity);
  const known = knownId === undefined ? undefined : await findUser(db, knownId);
  const email = chooseAccountEmail(identity, known);
  await requireLinkableDomain(db, configuration, { email, isLinked: known !== undefined, now });
  const user = known ?? (await findUserByEmail(db, email));
  // Also covers identities linked by versions that shared accounts between organizations.
  const isHandedOver = user !== undefined && (await findFirstLink(tenant, user.id)) === "handed_over";
  // The domain's owner may override a disablement by another organization.
  const isDisabled = user !== undefined && (isHandedOver ? isDisabledByOperator(user) : user.disabledAt !== null);
  if (isDisabled) throw signInDeniedError("This account is disabled. Contact your administrator.");
  const membership = user && (await findMembership(tenant, user.id));
  if (membership?.suspendedAt)
    throw signInDeniedError("Your membership of this organization is suspended. Ask an owner of it.");
  if (!membership && !configuration.makesAccounts) {
    throw signInDeniedError(
      "You are not a member of this organization yet. Ask an owner to add you, then sign in again.",
    );
  }
  const name = cleanName(identity.name) || email;
  const userId = isHandedOver
    ? await transferAccount(tenant, { user, name, way: "provider" }, { now, newId })
    : (user?.id ?? newId());
  if (!user) {
    await insertUser(db, { id: userId, email, name, managedByOrganizationId: organizationId, createdAt: now });
  }
  if (knownId === undefined) {
    const { issuer, subject } = identity;
    await insertExternalIdentity(tenant, { issuer, subject, userId, createdAt: now });
  }
  await assignRole(tenant, configuration, { identity, userId, role: membership?.role }, now);
  await touchSsoConfiguration(tenant, now);
  const address = { userId, email, organizationId, way: "provider" } as const;
  return { userId, proofId: await proveByOrganization(db, address, { now, newId }) };
}

function chooseAccountEmail({ email, emailVerified }: ProvenIdentity, user: UserRow | undefined): string {
  if (user) return user.email;
  if (email === null || email.length > 320 || !/^[^@\s]+@[^@\s]+$/.test(email)) {
    throw signInDeniedError(
      "Your identity provider sent no e-mail address. Ask its administrator to release it to this service.",
    );
  }
  if (!emailVerified) {
    throw signInDeniedError("Your identity provider did not mark your e-mail as verified. Verify it there first.");
  }
  return email.toLowerCase();
}

/** A provider cannot claim addresses outside its domains. A lapsed domain blocks new links only. */
async function requireLinkableDomain(
  db: Db,
  { organizationId, allowedDomains }: SsoConfiguration,
  { email, isLinked, now }: { email: string; isLinked: boolean; now: Instant },
): Promise<void> {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  const isVerified = (await listVerifiedDomains(db, organizationId)).includes(domain);
  if (!isVerified || (allowedDomains.length > 0 && !allowedDomains.includes(domain))) {
    throw signInDeniedError(
      "This organization does not use single sign-on for your e-mail domain. Ask an owner to verify and allow it.",
    );
  }
  if (isLinked || (await listLinkingDomains(db, organizationId, now)).includes(domain)) return;
  throw signInDeniedError(
    "No new person can sign in with your e-mail domain, because its DNS record is missing. Ask an owner to publish it again.",
  );
}

/** Removes line breaks and characters that hide or reorder text, because others see the name. */
function cleanName(name: string | null): string {
  const visible = (name ?? "").replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, " ");
  return visible.replaceAll(/\s+/g, " ").trim().slice(0, 200);
}

/** Owners stay owners: only owners make owners. */
async function assignRole(
  tenant: OrganizationTenant,
  { groupRoles, defaultRole }: SsoConfiguration,
  member: { identity: ProvenIdentity; userId: string; role: string | undefined },
  now: Instant,
): Promise<void> {
  if (member.role === "owner" || (member.role !== undefined && groupRoles.length === 0)) return;
  const given = groupRoles.filter(({ group }) => member.identity.groups.includes(group)).map(({ role }) => role);
  const role = given.reduce<SsoRole>((best, one) => (isRoleAtLeast(one, best) ? one : best), defaultRole);
  if (member.role === undefined) await requireQuota(tenant, "members");
  if (role !== member.role) await insertMember(tenant, { userId: member.userId, role, createdAt: now });
}

function signInDeniedError(message: string): AppError {
  return new AppError("FORBIDDEN", message);
}
