import type { Instant } from "../../core/shared/time.ts";
import { findRow, matches, pick, updateRows } from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";

export type QuoteRow = typeof tables.quotes.$inferSelect;

export async function insertQuote(
  { db: { q, t }, organizationId, workspaceId }: Tenant,
  quote: Omit<typeof tables.quotes.$inferInsert, "organizationId" | "workspaceId">,
): Promise<void> {
  await q.insert(t.quotes).values({ ...quote, organizationId, workspaceId });
}

export async function findQuote({ db: { q, t }, workspaceId }: Tenant, id: string) {
  return findRow(q, t.quotes, { workspaceId, id });
}

/** Returns false if another call used the quote first. */
export async function useQuote(
  { db: { q, t }, workspaceId }: Tenant,
  id: string,
  use: { resultId: string; usedAt: Instant },
): Promise<boolean> {
  return updateRows(
    q,
    t.quotes,
    { workspaceId, id, usedAt: null, declinedAt: null },
    { usedAt: use.usedAt, resultId: use.resultId },
  );
}

/** A used quote stays used. */
export async function declineQuote(
  { db: { q, t }, workspaceId }: Tenant,
  quote: { id: string; userId: string },
  at: Instant,
): Promise<void> {
  await updateRows(q, t.quotes, { workspaceId, id: quote.id, userId: quote.userId, usedAt: null }, { declinedAt: at });
}

export async function approveQuote({ db: { q, t }, workspaceId }: Tenant, id: string, at: Instant): Promise<void> {
  await updateRows(q, t.quotes, { workspaceId, id, approvedAt: null, usedAt: null }, { approvedAt: at });
}

/** For pages whose URL contains only the quote id. */
export async function findQuoteTenant({ q, t }: Db, id: string, userId: string) {
  const [row] = await q
    .select(pick(t.quotes, "organizationId", "workspaceId", "kind", "setup"))
    .from(t.quotes)
    .where(matches(t.quotes, { id, userId }));
  return row;
}
