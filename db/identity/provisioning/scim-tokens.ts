import { and, gt, isNull, or, sql } from "drizzle-orm";
import type { Page } from "../../../core/shared/pagination.ts";
import type { Instant } from "../../../core/shared/time.ts";
import type { tables } from "../../schema.ts";
import { listPage, matches, updateRows } from "../../engine/rows.ts";
import { prepareQuery, type Db, type OrganizationTenant } from "../../engine/store.ts";

export type ScimTokenRow = typeof tables.scimTokens.$inferSelect;

const selectTokenByHash = prepareQuery(({ q, t }) =>
  q
    .select({ id: t.scimTokens.id, organizationId: t.scimTokens.organizationId, lastUsedAt: t.scimTokens.lastUsedAt })
    .from(t.scimTokens)
    .where(
      and(
        matches(t.scimTokens, { tokenHash: sql.placeholder("tokenHash"), revokedAt: null }),
        or(isNull(t.scimTokens.expiresAt), gt(t.scimTokens.expiresAt, sql.placeholder("now"))),
      ),
    ),
);

/** The token determines the organization of a call, so this takes no tenant. */
export async function findScimTokenByHash(db: Db, tokenHash: string, now: Instant) {
  const [row] = await selectTokenByHash(db, { tokenHash, now: Date.parse(now) });
  return row;
}

export async function touchScimToken({ q, t }: Db, id: string, now: Instant): Promise<void> {
  await updateRows(q, t.scimTokens, { id }, { lastUsedAt: now });
}

export async function listScimTokens({ db: { q, t }, organizationId }: OrganizationTenant, page: Page) {
  return listPage(q, t.scimTokens, { where: { organizationId }, ...page });
}

export async function countActiveScimTokens({ db: { q, t }, organizationId }: OrganizationTenant, now: Instant) {
  return q.$count(
    t.scimTokens,
    and(
      matches(t.scimTokens, { organizationId, revokedAt: null }),
      or(isNull(t.scimTokens.expiresAt), gt(t.scimTokens.expiresAt, now)),
    ),
  );
}

export async function insertScimToken(
  { db: { q, t }, organizationId }: OrganizationTenant,
  token: Omit<ScimTokenRow, "organizationId">,
): Promise<void> {
  await q.insert(t.scimTokens).values({ ...token, organizationId });
}

export async function revokeScimToken({ db: { q, t }, organizationId }: OrganizationTenant, id: string, now: Instant) {
  return updateRows(q, t.scimTokens, { organizationId, id, revokedAt: null }, { revokedAt: now });
}
