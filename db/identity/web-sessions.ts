import { and, desc, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { Page } from "../../core/shared/pagination.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { tables } from "../schema.ts";
import { proofColumns, selectProviderProofIds } from "./address-proofs.ts";
import { deleteSome } from "../engine/delete-some.ts";
import { greaterThan, lessThan, deleteRows, matches, updateRows } from "../engine/rows.ts";
import { prepareQuery, type Db } from "../engine/store.ts";

// Browser sessions belong to a user, so no tenant applies.

const selectSessionByHash = prepareQuery(({ q, t }) =>
  q
    .select({
      sessionId: t.webSessions.id,
      userId: t.webSessions.userId,
      email: t.users.email,
      name: t.users.name,
      proof: proofColumns(t),
      signedInAt: t.webSessions.createdAt,
      authenticatedAt: t.webSessions.authenticatedAt,
      lastUsedAt: t.webSessions.lastUsedAt,
      unreadNoticeCount: q.$count(
        t.accountNotices,
        matches(t.accountNotices, { userId: t.webSessions.userId, readAt: null }),
      ),
    })
    .from(t.webSessions)
    .innerJoin(t.users, eq(t.users.id, t.webSessions.userId))
    .innerJoin(t.addressProofs, eq(t.addressProofs.id, t.webSessions.proofId))
    .where(
      and(
        matches(t.webSessions, { idHash: sql.placeholder("idHash"), expiresAt: greaterThan(sql.placeholder("now")) }),
        isNull(t.users.disabledAt),
      ),
    ),
);

/** Excludes expired sessions and disabled accounts. */
export async function findWebSession(db: Db, idHash: string, now: Instant) {
  const [row] = await selectSessionByHash(db, { idHash, now: Date.parse(now) });
  return row;
}

export async function insertWebSession({ q, t }: Db, session: typeof tables.webSessions.$inferInsert): Promise<void> {
  await q.insert(t.webSessions).values(session);
}

export async function deleteWebSession({ q, t }: Db, idHash: string): Promise<void> {
  await deleteRows(q, t.webSessions, { idHash });
}

export async function listUserWebSessions({ q, t }: Db, { userId, now }: { userId: string; now: Instant }, page: Page) {
  const after = page.after?.[0];
  return q
    .select({ session: t.webSessions, proof: proofColumns(t) })
    .from(t.webSessions)
    .innerJoin(t.addressProofs, eq(t.addressProofs.id, t.webSessions.proofId))
    .where(matches(t.webSessions, { userId, id: lessThan(after), expiresAt: greaterThan(now) }))
    .orderBy(desc(t.webSessions.id))
    .limit(page.limit + 1);
}

export async function deleteWebSessionById({ q, t }: Db, userId: string, id: string): Promise<boolean> {
  return deleteRows(q, t.webSessions, { id, userId });
}

export async function touchWebSessions({ q, t }: Db, ids: string[], at: Instant): Promise<void> {
  await updateRows(q, t.webSessions, inArray(t.webSessions.id, ids), { lastUsedAt: at });
}

export async function deleteUserWebSessions(db: Db, userId: string, through?: string): Promise<void> {
  const { q, t } = db;
  const within =
    through === undefined ? undefined : inArray(t.webSessions.proofId, selectProviderProofIds(db, userId, through));
  await deleteRows(q, t.webSessions, and(eq(t.webSessions.userId, userId), within));
}

export async function deleteIdleWebSessions(db: Db, before: Instant, most: number): Promise<number> {
  const { webSessions } = db.t;
  const { lastUsedAt, createdAt } = webSessions;
  const isIdle = and(lt(createdAt, before), or(isNull(lastUsedAt), lt(lastUsedAt, before)));
  return deleteSome(db, webSessions, isIdle, most);
}
