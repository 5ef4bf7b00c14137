import { and, asc, eq, getTableColumns, gt, inArray, isNotNull, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import type { Page } from "../../core/shared/pagination.ts";
import type { ApiKeyStatus } from "../../core/identity/roles.ts";
import { addMs, type Instant } from "../../core/shared/time.ts";
import { deleteRows, matches, pick, updateRows } from "../engine/rows.ts";
import { prepareQuery, type Db } from "../engine/store.ts";
import { proofColumns, selectProviderProofIds } from "./address-proofs.ts";
import type { tables } from "../schema.ts";

// Keys belong to users, so no tenant applies; tools/auth/api-key.ts checks who may see a key.

export type ApiKeyRow = typeof tables.apiKeys.$inferSelect;

const selectApiKeyByHash = prepareQuery(({ q, t }) =>
  q
    .select(getTableColumns(t.apiKeys))
    .from(t.apiKeys)
    .innerJoin(t.users, eq(t.users.id, t.apiKeys.userId))
    .where(
      and(
        matches(t.apiKeys, { keyHash: sql.placeholder("keyHash"), revokedAt: null }),
        isNull(t.users.disabledAt),
        or(isNull(t.apiKeys.expiresAt), gt(t.apiKeys.expiresAt, sql.placeholder("now"))),
      ),
    ),
);

/** Excludes revoked and expired keys and disabled accounts. */
export async function findApiKeyByHash(db: Db, keyHash: string, now: Instant): Promise<ApiKeyRow | undefined> {
  const [row] = await selectApiKeyByHash(db, { keyHash, now: Date.parse(now) });
  return row;
}

const selectActiveFamily = prepareQuery(({ q, t }) =>
  q
    .select({
      apiKeyId: t.tokenFamilies.apiKeyId,
      authenticatedAt: t.tokenFamilies.authenticatedAt,
      ...pick(t.apiKeys, "kind", "organizationId", "workspaceId", "role"),
      proof: proofColumns(t),
      userId: t.users.id,
    })
    .from(t.tokenFamilies)
    .leftJoin(t.apiKeys, eq(t.apiKeys.id, t.tokenFamilies.apiKeyId))
    .innerJoin(t.users, eq(t.users.id, sql`coalesce(${t.apiKeys.userId}, ${t.tokenFamilies.userId})`))
    .innerJoin(t.addressProofs, eq(t.addressProofs.id, sql`coalesce(${t.apiKeys.proofId}, ${t.tokenFamilies.proofId})`))
    .where(
      and(
        matches(t.tokenFamilies, { id: sql.placeholder("familyId"), revokedAt: null }),
        isNull(t.apiKeys.revokedAt),
        isNull(t.users.disabledAt),
        or(isNull(t.apiKeys.expiresAt), gt(t.apiKeys.expiresAt, sql.placeholder("now"))),
      ),
    ),
);

/** Undefined once the key, the family or the account has ended. */
export async function findTokenFamily(db: Db, familyId: string, now: Instant) {
  const [row] = await selectActiveFamily(db, { familyId, now: Date.parse(now) });
  return row;
}

export async function insertApiKey({ q, t }: Db, key: typeof tables.apiKeys.$inferInsert): Promise<void> {
  await q.insert(t.apiKeys).values(key);
}

export async function touchApiKey({ q, t }: Db, id: string, now: Instant): Promise<void> {
  await updateRows(q, t.apiKeys, { id }, { lastUsedAt: now });
}

const apiKeyColumns = ({ t }: Db) => ({
  key: t.apiKeys,
  person: { id: t.users.id, email: t.users.email, name: t.users.name },
});

export async function findApiKey(db: Db, id: string) {
  const { q, t } = db;
  const [row] = await q
    .select(apiKeyColumns(db))
    .from(t.apiKeys)
    .innerJoin(t.users, eq(t.users.id, t.apiKeys.userId))
    .where(eq(t.apiKeys.id, id));
  return row;
}
export type ApiKeyWithOwner = NonNullable<Awaited<ReturnType<typeof findApiKey>>>;

export type ApiKeyOwner = { userId: string } | { organizationId: string; workspaceId?: string | undefined };

export async function listApiKeys(
  db: Db,
  owner: ApiKeyOwner,
  { status, now, ...page }: Page & { status?: ApiKeyStatus | undefined; now: Instant },
) {
  const { q, t } = db;
  const scope =
    "userId" in owner
      ? eq(t.apiKeys.userId, owner.userId)
      : matches(t.apiKeys, { organizationId: owner.organizationId, workspaceId: owner.workspaceId });
  const after = page.after?.[0];
  return q
    .select(apiKeyColumns(db))
    .from(t.apiKeys)
    .innerJoin(t.users, eq(t.users.id, t.apiKeys.userId))
    .where(
      and(
        scope,
        status && keyStatusCondition(db, status, now),
        after === undefined ? undefined : gt(t.apiKeys.id, after),
      ),
    )
    .orderBy(asc(t.apiKeys.id))
    .limit(page.limit + 1);
}

function keyStatusCondition({ t }: Db, status: ApiKeyStatus, now: Instant): SQL | undefined {
  if (status === "revoked") return isNotNull(t.apiKeys.revokedAt);
  const inTime =
    status === "expired"
      ? lte(t.apiKeys.expiresAt, now)
      : or(isNull(t.apiKeys.expiresAt), gt(t.apiKeys.expiresAt, now));
  return and(isNull(t.apiKeys.revokedAt), inTime);
}

/** Also revokes keys made with this key. Returns false if the key was already revoked. */
export async function revokeApiKey({ q, t }: Db, id: string, now: Instant): Promise<boolean> {
  const ended = await q
    .update(t.apiKeys)
    .set({ revokedAt: now })
    .where(and(or(eq(t.apiKeys.id, id), eq(t.apiKeys.madeWithKeyId, id)), isNull(t.apiKeys.revokedAt)))
    .returning({ id: t.apiKeys.id });
  return ended.some((key) => key.id === id);
}

/** Limits a rotated key, and keys made with it, to `endsAt` at most. */
export async function endRotatedApiKey({ q, t }: Db, key: { id: string; rotatedToId: string }, endsAt: Instant) {
  const { id, rotatedToId } = key;
  await updateRows(q, t.apiKeys, { id }, { rotatedToId });
  await updateRows(
    q,
    t.apiKeys,
    and(
      or(eq(t.apiKeys.id, id), eq(t.apiKeys.madeWithKeyId, id)),
      or(isNull(t.apiKeys.expiresAt), gt(t.apiKeys.expiresAt, endsAt)),
    ),
    { expiresAt: endsAt },
  );
}

export async function revokeApiKeysOfUser(
  { q, t }: Db,
  { userId, organizationId }: { userId: string; organizationId?: string },
  now: Instant,
): Promise<void> {
  const within = organizationId === undefined ? undefined : eq(t.apiKeys.organizationId, organizationId);
  await updateRows(q, t.apiKeys, and(matches(t.apiKeys, { userId, revokedAt: null }), within), { revokedAt: now });
}

export interface NewRefreshToken {
  tokenHash: string;
  familyId: string;
  apiKeyId: string;
  createdAt: Instant;
  expiresAt: Instant;
}

export async function insertTokenFamily({ q, t }: Db, family: typeof tables.tokenFamilies.$inferInsert): Promise<void> {
  await q.insert(t.tokenFamilies).values(family);
}

export async function insertRefreshToken({ q, t }: Db, token: NewRefreshToken): Promise<void> {
  await q.insert(t.refreshTokens).values(token).onConflictDoNothing();
}

export async function findRefreshToken({ q, t }: Db, tokenHash: string) {
  const [row] = await q
    .select({
      ...pick(t.refreshTokens, "familyId", "apiKeyId", "expiresAt", "rotatedAt"),
      revokedAt: t.tokenFamilies.revokedAt,
    })
    .from(t.refreshTokens)
    .innerJoin(t.tokenFamilies, eq(t.tokenFamilies.id, t.refreshTokens.familyId))
    .where(eq(t.refreshTokens.tokenHash, tokenHash));
  return row;
}

export async function rotateRefreshToken({ q, t }: Db, tokenHash: string, now: Instant): Promise<void> {
  await updateRows(q, t.refreshTokens, { tokenHash, rotatedAt: null }, { rotatedAt: now });
}

/** Only tokens without an API key. `through` restricts to sign-ins through an organization. */
export async function deleteSignInFamilies(db: Db, userId: string, through?: string): Promise<void> {
  const { q, t } = db;
  const within =
    through === undefined ? undefined : inArray(t.tokenFamilies.proofId, selectProviderProofIds(db, userId, through));
  await deleteRows(q, t.tokenFamilies, and(eq(t.tokenFamilies.userId, userId), within));
}

export async function extendTokenFamily({ q, t }: Db, familyId: string, expiresAt: Instant): Promise<void> {
  await updateRows(q, t.tokenFamilies, { id: familyId }, { expiresAt });
}

/** Refresh tokens end at once, access tokens at the next call. */
export async function revokeTokenFamily({ q, t }: Db, familyId: string, now: Instant): Promise<void> {
  await updateRows(
    q,
    t.tokenFamilies,
    { id: familyId, revokedAt: null },
    { revokedAt: now, expiresAt: addMs(now, 3_600_000) },
  );
}
