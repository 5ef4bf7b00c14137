import { desc, eq } from "drizzle-orm";
import type { Instant } from "../../core/shared/time.ts";
import { matches, updateRows } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";
import type { tables } from "../schema.ts";

// Notices belong to an account, so no tenant applies.

export async function insertNotice({ q, t }: Db, notice: typeof tables.accountNotices.$inferInsert): Promise<void> {
  await q.insert(t.accountNotices).values(notice);
}

export async function listUnreadNotices({ q, t }: Db, userId: string) {
  return q
    .select({
      id: t.accountNotices.id,
      kind: t.accountNotices.kind,
      organizationName: t.organizations.name,
      createdAt: t.accountNotices.createdAt,
    })
    .from(t.accountNotices)
    .leftJoin(t.organizations, eq(t.organizations.id, t.accountNotices.organizationId))
    .where(matches(t.accountNotices, { userId, readAt: null }))
    .orderBy(desc(t.accountNotices.id))
    .limit(20);
}

export async function markNoticesRead({ q, t }: Db, userId: string, at: Instant): Promise<void> {
  await updateRows(q, t.accountNotices, { userId, readAt: null }, { readAt: at });
}
