import { and, asc, eq, sql } from "drizzle-orm";
import type { Instant } from "../../core/shared/time.ts";
import type { Db, OrganizationTenant } from "../engine/store.ts";
import { matches } from "../engine/rows.ts";

export async function listSourceSpend({ db: { q, t }, organizationId }: OrganizationTenant, at: Instant) {
  const { source, usd, answers, unpriced, month } = t.sourceSpend;
  return q
    .select({ source, usd, answers, unpriced })
    .from(t.sourceSpend)
    .where(and(eq(t.sourceSpend.organizationId, organizationId), eq(month, at.slice(0, 7))))
    .orderBy(asc(source));
}
export type SourceSpend = Awaited<ReturnType<typeof listSourceSpend>>[number];

/** Calendar month (UTC) of `at`. Spans organizations. */
export async function addSourceSpend(
  { q, t: { sourceSpend } }: Db,
  spent: readonly (SourceSpend & { organizationId: string })[],
  at: Instant,
): Promise<void> {
  if (spent.length === 0) return;
  await q
    .insert(sourceSpend)
    .values(spent.map((one) => ({ ...one, month: at.slice(0, 7) })))
    .onConflictDoUpdate({
      target: [sourceSpend.organizationId, sourceSpend.month, sourceSpend.source],
      set: {
        usd: sql`${sourceSpend.usd} + excluded.usd`,
        answers: sql`${sourceSpend.answers} + excluded.answers`,
        unpriced: sql`${sourceSpend.unpriced} + excluded.unpriced`,
      },
    });
}

// Providers bill the operator, so no tenant applies.

export async function listProviderSpend({ q, t }: Db, providers: readonly string[], at: Instant) {
  if (providers.length === 0) return new Map();
  const rows = await q
    .select({ provider: t.providerSpend.provider, usd: t.providerSpend.usd })
    .from(t.providerSpend)
    .where(matches(t.providerSpend, { provider: providers, month: at.slice(0, 7) }))
    .orderBy(asc(t.providerSpend.provider));
  return new Map(rows.map((row) => [row.provider, row.usd]));
}

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
