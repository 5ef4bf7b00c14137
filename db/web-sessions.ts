import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { Instant } from "../src/core/time.ts";
import type { tables } from "./schema.ts";
import { prepared, type Db } from "./store.ts";

// Browsers that are signed in. They belong to a person, not to an organization: no tenant applies.

const byHash = prepared(({ q, t }) =>
  q
    .select({ userId: t.webSessions.userId, email: t.users.email, name: t.users.name })
    .from(t.webSessions)
    .innerJoin(t.users, eq(t.users.id, t.webSessions.userId))
    .where(
      and(
        eq(t.webSessions.idHash, sql.placeholder("idHash")),
        gt(t.webSessions.expiresAt, sql.placeholder("now")),
        isNull(t.users.disabledAt),
      ),
    ),
);

/** The person whose living session this is, unless the account is disabled. */
export async function findWebSession(db: Db, idHash: string, now: Instant) {
  const [row] = await byHash(db, { idHash, now: Date.parse(now) });
  return row;
}

export async function insertWebSession({ q, t }: Db, session: typeof tables.webSessions.$inferInsert): Promise<void> {
  await q.insert(t.webSessions).values(session);
}

export async function deleteWebSession({ q, t }: Db, idHash: string): Promise<void> {
  await q.delete(t.webSessions).where(eq(t.webSessions.idHash, idHash));
}

export async function deleteExpiredWebSessions({ q, t }: Db, now: Instant): Promise<void> {
  await q.delete(t.webSessions).where(lt(t.webSessions.expiresAt, now));
}
