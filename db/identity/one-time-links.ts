import type { Instant } from "../../core/shared/time.ts";
import type { tables } from "../schema.ts";
import { greaterThan, deleteRows, findRow, matches } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";

// Single-use links precede any organization, so no tenant applies.

export async function replaceOneTimeLink({ q, t }: Db, link: typeof tables.oneTimeLinks.$inferInsert): Promise<void> {
  await deleteRows(q, t.oneTimeLinks, { purpose: link.purpose });
  await q.insert(t.oneTimeLinks).values(link);
}

export async function isOneTimeLinkValid({ q, t }: Db, link: { purpose: string; secretHash: string }, now: Instant) {
  const rows = await q
    .select({ purpose: t.oneTimeLinks.purpose })
    .from(t.oneTimeLinks)
    .where(
      matches(t.oneTimeLinks, { secretHash: link.secretHash, purpose: link.purpose, expiresAt: greaterThan(now) }),
    );
  return rows.length > 0;
}

export async function findOneTimeLink({ q, t }: Db, secretHash: string, now: Instant) {
  return findRow(q, t.oneTimeLinks, { secretHash, expiresAt: greaterThan(now) });
}

export async function deleteOneTimeLinks({ q, t }: Db, purpose: string): Promise<void> {
  await deleteRows(q, t.oneTimeLinks, { purpose });
}
