import { and, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import type { Instant } from "../src/core/time.ts";
import { prepared, type Db } from "./store.ts";

// Records of the authorization server. They belong to a person and a client, not to one organization: no tenant applies.

const livingGrant = prepared(({ q, t }) =>
  q
    .select({ id: t.oauthRecords.id })
    .from(t.oauthRecords)
    .innerJoin(t.users, eq(t.users.id, t.oauthRecords.accountId))
    .where(
      and(
        eq(t.oauthRecords.model, "Grant"),
        eq(t.oauthRecords.id, sql.placeholder("grantId")),
        eq(t.oauthRecords.accountId, sql.placeholder("userId")),
        eq(t.oauthRecords.clientId, sql.placeholder("clientId")),
        or(isNull(t.oauthRecords.expiresAt), gt(t.oauthRecords.expiresAt, sql.placeholder("now"))),
        isNull(t.users.disabledAt),
      ),
    ),
);

/** True while this person's grant to this client stands: not revoked, not expired, the account enabled. */
export async function grantStands(
  db: Db,
  grant: { grantId: string; userId: string; clientId: string },
  now: Instant,
): Promise<boolean> {
  return (await livingGrant(db, { ...grant, now: Date.parse(now) })).length > 0;
}

/** Notes that these grants were used. */
export async function touchGrants({ q, t }: Db, grantIds: string[], at: Instant): Promise<void> {
  await q
    .update(t.oauthRecords)
    .set({ lastUsedAt: at })
    .where(and(eq(t.oauthRecords.model, "Grant"), inArray(t.oauthRecords.id, grantIds)));
}
