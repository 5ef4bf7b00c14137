import { asc, sql } from "drizzle-orm";
import type { Instant } from "../../core/shared/time.ts";
import { matches } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";

// Providers bill the operator, so no tenant applies.

/** US dollars in the calendar month (UTC) of `at`. */
export async function listProviderSpend(
  { q, t }: Db,
  providers: readonly string[],
  at: Instant,
): Promise<Map<string, number>> {
  if (providers.length === 0) return new Map();
  const rows = await q
    .select({ provider: t.providerSpend.provider, usd: t.providerSpend.usd })
    .from(t.providerSpend)
    .where(matches(t.providerSpend, { provider: providers, month: at.slice(0, 7) }))
    .orderBy(asc(t.providerSpend.provider));
  return new Map(rows.map((row) => [row.provider, row.usd]));
}

/** Adds to the calendar month (UTC) of `at`. */
export async function addProviderSpend({ q, t }: Db, spent: ReadonlyMap<string, number>, at: Instant): Promise<void> {
  const rows = [...spent].map(([provider, usd]) => ({ provider, month: at.slice(0, 7), usd }));
  if (rows.length === 0) return;
  await q
    .insert(t.providerSpend)
    .values(rows)
    .onConflictDoUpdate({
      target: [t.providerSpend.provider, t.providerSpend.month],
      set: { usd: sql`${t.providerSpend.usd} + excluded.usd` },
    });
}
