import { deleteSignInFamilies, revokeApiKeysOf } from "./api-keys.ts";
import { deleteFactorChallengesOf } from "./second-factors/factor-challenges.ts";
import { deleteGrantsOf } from "./oauth-records.ts";
import type { Db, OrganizationTenant } from "../engine/store.ts";
import { deleteWebSessionsOf } from "./web-sessions.ts";
import type { Instant } from "../../core/shared/time.ts";

// What was given out is checked against its row at every call, so that what ends here ends with the next call.

/** Signs a person out of every browser and every assistant, and ends sign-ins that are half done. Their API keys stay. */
export async function endSessions(db: Db, userId: string): Promise<void> {
  await deleteWebSessionsOf(db, userId);
  await deleteFactorChallengesOf(db, userId);
  await deleteGrantsOf(db, userId);
  await deleteSignInFamilies(db, userId);
}

/** Ends everything by which a person, or a program of theirs, can act: sessions, assistants and API keys. */
export async function endEverywhere(db: Db, userId: string, now: Instant): Promise<void> {
  await endSessions(db, userId);
  await revokeApiKeysOf(db, { userId }, now);
}

/** Ends the browsers, assistants and tokens of a person for whom this organization vouched. Its keys stay. */
export async function endSignInsThrough({ db, organizationId }: OrganizationTenant, userId: string): Promise<void> {
  await deleteWebSessionsOf(db, userId, organizationId);
  await deleteGrantsOf(db, userId, organizationId);
  await deleteSignInFamilies(db, userId, organizationId);
}

export async function endInOrganization(tenant: OrganizationTenant, userId: string, now: Instant): Promise<void> {
  await endSignInsThrough(tenant, userId);
  await revokeApiKeysOf(tenant.db, { userId, organizationId: tenant.organizationId }, now);
}
