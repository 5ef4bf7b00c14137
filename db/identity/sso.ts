import { eq } from "drizzle-orm";
import type { Instant } from "../../core/shared/time.ts";
import { upsertRow } from "../engine/change-row.ts";
import { greaterThan, deleteRows, findRow, matches, updateRows } from "../engine/rows.ts";
import type { Db, OrganizationTenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";

export type SsoConfiguration = typeof tables.ssoConfigurations.$inferSelect;
export type SsoLogin = typeof tables.ssoLogins.$inferSelect;
export type SsoCode = typeof tables.ssoCodes.$inferSelect;

export async function findSsoConfiguration({ db: { q, t }, organizationId }: OrganizationTenant) {
  return findRow(q, t.ssoConfigurations, { organizationId });
}

export async function saveSsoConfiguration(
  { db, organizationId }: OrganizationTenant,
  { createdAt, updatedAt, ...change }: Omit<SsoConfiguration, "organizationId" | "lastUsedAt">,
): Promise<SsoConfiguration> {
  const { ssoConfigurations: table } = db.t;
  const where = eq(table.organizationId, organizationId);
  return upsertRow(db, { table, where, key: { organizationId, createdAt }, change, also: { updatedAt } });
}

/** Keeps linked identities in case the provider is set up again. */
export async function deleteSsoConfiguration({ db: { q, t }, organizationId }: OrganizationTenant): Promise<boolean> {
  return deleteRows(q, t.ssoConfigurations, { organizationId });
}

export function toSsoClientSealContext(organizationId: string): string {
  return `sso_configurations/${organizationId}/client_secret`;
}

export async function touchSsoConfiguration({ db: { q, t }, organizationId }: OrganizationTenant, now: Instant) {
  await updateRows(q, t.ssoConfigurations, { organizationId }, { lastUsedAt: now });
}

export async function findExternalIdentity(
  { db: { q, t }, organizationId }: OrganizationTenant,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<string | undefined> {
  const [row] = await q
    .select({ userId: t.externalIdentities.userId })
    .from(t.externalIdentities)
    .where(matches(t.externalIdentities, { organizationId, issuer, subject }));
  return row?.userId;
}

export async function insertExternalIdentity(
  { db: { q, t }, organizationId }: OrganizationTenant,
  identity: Omit<typeof tables.externalIdentities.$inferInsert, "organizationId">,
): Promise<void> {
  await q.insert(t.externalIdentities).values({ ...identity, organizationId });
}

// Rows of a sign-in are looked up by their secret, before there is a tenant.

export async function insertSsoLogin({ q, t }: Db, login: typeof tables.ssoLogins.$inferInsert): Promise<void> {
  await q.insert(t.ssoLogins).values(login);
}

/** Deletes the login: one of several concurrent callers gets it. Undefined if expired. */
export async function consumeSsoLogin({ q, t }: Db, stateHash: string, now: Instant): Promise<SsoLogin | undefined> {
  const [row] = await q.delete(t.ssoLogins).where(eq(t.ssoLogins.stateHash, stateHash)).returning();
  return row && row.expiresAt > now ? row : undefined;
}

export async function insertSsoCode({ q, t }: Db, code: typeof tables.ssoCodes.$inferInsert): Promise<void> {
  await q.insert(t.ssoCodes).values(code);
}

/** Deletes the code before use: one of several concurrent callers gets it. */
export async function consumeSsoCode({ q, t }: Db, codeHash: string, now: Instant): Promise<SsoCode | undefined> {
  const [row] = await q.delete(t.ssoCodes).where(eq(t.ssoCodes.codeHash, codeHash)).returning();
  return row && row.expiresAt > now ? row : undefined;
}

export async function findSsoCodeHolder({ q, t }: Db, codeHash: string, now: Instant) {
  const [row] = await q
    .select({ browserHash: t.ssoCodes.browserHash, email: t.users.email, organization: t.organizations.name })
    .from(t.ssoCodes)
    .innerJoin(t.users, eq(t.users.id, t.ssoCodes.userId))
    .innerJoin(t.organizations, eq(t.organizations.id, t.ssoCodes.organizationId))
    .where(matches(t.ssoCodes, { codeHash, expiresAt: greaterThan(now) }));
  return row;
}
