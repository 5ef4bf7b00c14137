import { and, desc, eq, gt, inArray, isNull, lt, notExists, or, sql } from "drizzle-orm";
import type { Proof } from "../../core/identity/proof.ts";
import type { Page } from "../../core/shared/pagination.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { GrantNote } from "./schema/credentials.ts";
import { alias } from "../engine/columns.ts";
import { proofColumns, selectProviderProofIds } from "./address-proofs.ts";
import { deleteSome } from "../engine/delete-some.ts";
import { lessThan, deleteRows, findRow, matches, pick, updateRows } from "../engine/rows.ts";
import { prepareQuery, type Db } from "../engine/store.ts";
import type { tables } from "../schema.ts";

// Records belong to a user and a client, so no tenant applies.

export type OAuthRecord = typeof tables.oauthRecords.$inferSelect;

export async function findOAuthRecord({ q, t }: Db, model: string, id: string): Promise<OAuthRecord | undefined> {
  return findRow(q, t.oauthRecords, { model, id });
}

export async function findOAuthRecordByUid({ q, t }: Db, model: string, uid: string): Promise<OAuthRecord | undefined> {
  return findRow(q, t.oauthRecords, { uid, model });
}

/** An update keeps creation, consumption and usage times, and the note. */
export async function saveOAuthRecord({ q, t }: Db, row: typeof tables.oauthRecords.$inferInsert): Promise<void> {
  const { payload, grantId, uid, accountId, clientId, expiresAt } = row;
  await q
    .insert(t.oauthRecords)
    .values(row)
    .onConflictDoUpdate({
      target: [t.oauthRecords.model, t.oauthRecords.id],
      set: { payload, grantId, uid, accountId, clientId, expiresAt },
    });
}

/** False if missing or already consumed. One of several concurrent callers gets true. */
export async function consumeOAuthRecord({ q, t }: Db, model: string, id: string, at: Instant): Promise<boolean> {
  return updateRows(q, t.oauthRecords, { model, id, consumedAt: null }, { consumedAt: at });
}

export async function deleteOAuthRecord({ q, t }: Db, model: string, id: string): Promise<void> {
  await deleteRows(q, t.oauthRecords, { model, id });
}

export async function deleteOAuthRecordsOfGrant({ q, t }: Db, model: string, grantId: string): Promise<void> {
  await deleteRows(q, t.oauthRecords, { grantId, model });
}

/** A client that had a grant is never deleted as unused. */
export async function markClientUsed({ q, t }: Db, clientId: string, at: Instant): Promise<void> {
  await updateRows(q, t.oauthRecords, { model: "Client", id: clientId }, { lastUsedAt: at });
}

const selectActiveGrant = prepareQuery(({ q, t }) =>
  q
    .select({
      proof: proofColumns(t),
      workspaceId: t.oauthRecords.workspaceId,
      organizationId: t.workspaces.organizationId,
    })
    .from(t.oauthRecords)
    .innerJoin(t.addressProofs, eq(t.addressProofs.id, t.oauthRecords.proofId))
    .innerJoin(t.users, eq(t.users.id, t.oauthRecords.accountId))
    .leftJoin(t.workspaces, eq(t.workspaces.id, t.oauthRecords.workspaceId))
    .where(
      and(
        matches(t.oauthRecords, {
          model: "Grant",
          id: sql.placeholder("grantId"),
          accountId: sql.placeholder("userId"),
          clientId: sql.placeholder("clientId"),
        }),
        or(isNull(t.oauthRecords.expiresAt), gt(t.oauthRecords.expiresAt, sql.placeholder("now"))),
        isNull(t.users.disabledAt),
      ),
    ),
);

/** Excludes revoked and expired grants and disabled accounts. */
export async function findActiveGrant(
  db: Db,
  grant: { grantId: string; userId: string; clientId: string },
  now: Instant,
): Promise<{ proof: Proof; workspaceId: string | null; organizationId: string | null } | undefined> {
  const [row] = await selectActiveGrant(db, { ...grant, now: Date.parse(now) });
  return row;
}

export async function touchGrants({ q, t }: Db, grantIds: string[], at: Instant): Promise<void> {
  await updateRows(q, t.oauthRecords, and(eq(t.oauthRecords.model, "Grant"), inArray(t.oauthRecords.id, grantIds)), {
    firstUsedAt: sql`coalesce(${t.oauthRecords.firstUsedAt}, ${Date.parse(at)})`,
    lastUsedAt: at,
  });
}

/** Makes a grant valid: without a proof it grants nothing. */
export async function recordGrantNote(
  { q, t }: Db,
  grantId: string,
  noted: { note: GrantNote; proofId: string; workspaceId: string | null },
) {
  await updateRows(q, t.oauthRecords, { model: "Grant", id: grantId }, noted);
}

export async function listUserGrants({ q, t }: Db, { userId, now }: { userId: string; now: Instant }, page: Page) {
  const [createdAt, id] = page.after ?? [];
  const { oauthRecords: grants } = t;
  return q
    .select(
      pick(grants, "id", "clientId", "note", "workspaceId", "createdAt", "firstUsedAt", "lastUsedAt", "expiresAt"),
    )
    .from(grants)
    .where(
      and(
        matches(grants, { accountId: userId, model: "Grant" }),
        or(isNull(grants.expiresAt), gt(grants.expiresAt, now)),
        createdAt === undefined || id === undefined
          ? undefined
          : or(lt(grants.createdAt, createdAt), matches(grants, { createdAt, id: lessThan(id) })),
      ),
    )
    .orderBy(desc(grants.createdAt), desc(grants.id))
    .limit(page.limit + 1);
}

/** Also deletes everything issued under the grant. */
export async function deleteGrant({ q, t }: Db, userId: string, grantId: string): Promise<boolean> {
  const ended = await q
    .delete(t.oauthRecords)
    .where(matches(t.oauthRecords, { model: "Grant", id: grantId, accountId: userId }))
    .returning({ id: t.oauthRecords.id });
  if (ended.length === 0) return false;
  await deleteRows(q, t.oauthRecords, { grantId });
  return true;
}

/** With `through`, only grants from sign-ins through that organization; otherwise sessions too. */
export async function deleteUserGrants(db: Db, userId: string, through?: string): Promise<void> {
  const { q, t } = db;
  const owner = eq(t.oauthRecords.accountId, userId);
  if (through === undefined) {
    await deleteRows(q, t.oauthRecords, owner);
    return;
  }
  const ended = await q
    .delete(t.oauthRecords)
    .where(
      and(
        owner,
        eq(t.oauthRecords.model, "Grant"),
        inArray(t.oauthRecords.proofId, selectProviderProofIds(db, userId, through)),
      ),
    )
    .returning({ id: t.oauthRecords.id });
  const grantIds = ended.map(({ id }) => id);
  await deleteRows(q, t.oauthRecords, and(owner, inArray(t.oauthRecords.grantId, grantIds)));
}

export async function deleteUnusedClients(db: Db, before: Instant, most: number): Promise<number> {
  const { oauthRecords } = db.t;
  const { model, lastUsedAt, createdAt } = oauthRecords;
  const isUnused = and(eq(model, "Client"), isNull(lastUsedAt), lt(createdAt, before));
  return deleteSome(db, oauthRecords, isUnused, most);
}

export async function deleteUnusableGrants(db: Db, before: Instant, most: number): Promise<number> {
  const { oauthRecords } = db.t;
  const issued = alias(oauthRecords, "issued");
  const isSpent = and(
    matches(oauthRecords, { model: "Grant", createdAt: lessThan(before) }),
    or(isNull(oauthRecords.lastUsedAt), lt(oauthRecords.lastUsedAt, before)),
    notExists(db.q.select({ id: issued.id }).from(issued).where(eq(issued.grantId, oauthRecords.id))),
  );
  return deleteSome(db, oauthRecords, isSpent, most);
}

export function toOauthClientSealContext(id: string): string {
  return `oauth_records/${id}/client_secret`;
}
