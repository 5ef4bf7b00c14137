import { deleteSignInFamilies, revokeApiKeysOfUser } from "./api-keys.ts";
import { deleteUserFactorChallenges } from "./second-factors/factor-challenges.ts";
import { deleteUserGrants } from "./oauth-records.ts";
import type { Db, OrganizationTenant } from "../engine/store.ts";
import { deleteUserWebSessions } from "./web-sessions.ts";
import type { Instant } from "../../core/shared/time.ts";

// Credentials are checked on every call, so changes here apply from the next call.

/** API keys remain. */
export async function endSessions(db: Db, userId: string): Promise<void> {
  await deleteUserWebSessions(db, userId);
  await deleteUserFactorChallenges(db, userId);
  await deleteUserGrants(db, userId);
  await deleteSignInFamilies(db, userId);
}

export async function revokeAllAccess(db: Db, userId: string, now: Instant): Promise<void> {
  await endSessions(db, userId);
  await revokeApiKeysOfUser(db, { userId }, now);
}

/** API keys remain. */
export async function endProviderSignIns({ db, organizationId }: OrganizationTenant, userId: string): Promise<void> {
  await deleteUserWebSessions(db, userId, organizationId);
  await deleteUserGrants(db, userId, organizationId);
  await deleteSignInFamilies(db, userId, organizationId);
}

export async function revokeOrganizationAccess(tenant: OrganizationTenant, userId: string, now: Instant) {
  await endProviderSignIns(tenant, userId);
  await revokeApiKeysOfUser(tenant.db, { userId, organizationId: tenant.organizationId }, now);
}
