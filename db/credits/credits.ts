import { and, eq, gte, sql } from "drizzle-orm";
import type { Page } from "../../core/shared/pagination.ts";
import { startOfMonth, type Instant } from "../../core/shared/time.ts";
import { listPage, matches } from "../engine/rows.ts";
import type { OrganizationTenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";

export type LedgerRow = typeof tables.ledgerEntries.$inferSelect;

export interface LedgerCause {
  id: string;
  at: Instant;
  note: string;
  workspaceId?: string | null;
  analysisId?: string | null;
  collectId?: string | null;
  evaluationId?: string | null;
  quoteId?: string | null;
  userId?: string | null;
}

export interface Balance {
  available: number;
  reserved: number;
  /** Calendar month (UTC). */
  spentThisMonth: number;
  /** Spent or reserved for this month's creations; bounded by the monthly cap. */
  committedThisMonth: number;
  monthlyCap: number | null;
}

export async function findBalance({ db: { q, t }, organizationId }: OrganizationTenant, now: Instant) {
  const [balance] = await q
    .select({
      available: t.creditBalances.available,
      reserved: t.creditBalances.reserved,
      monthlyCap: t.organizations.monthlyCreditCap,
    })
    .from(t.creditBalances)
    .innerJoin(t.organizations, eq(t.organizations.id, t.creditBalances.organizationId))
    .where(eq(t.creditBalances.organizationId, organizationId));
  const [month] = await q
    .select({
      spent: sql<number>`coalesce(sum(case when ${t.ledgerEntries.kind} = 'spend' then -${t.ledgerEntries.reservedDelta} else 0 end), 0)`,
      committed: sql<number>`coalesce(-sum(${t.ledgerEntries.availableDelta}), 0)`,
    })
    .from(t.ledgerEntries)
    .where(
      and(
        matches(t.ledgerEntries, { organizationId, kind: ["reserve", "release", "spend"] }),
        gte(t.ledgerEntries.createdAt, startOfMonth(now)),
      ),
    );
  return {
    available: balance?.available ?? 0,
    reserved: balance?.reserved ?? 0,
    spentThisMonth: month?.spent ?? 0,
    committedThisMonth: month?.committed ?? 0,
    monthlyCap: balance?.monthlyCap ?? null,
  };
}

export async function grantCredits(tenant: OrganizationTenant, credits: number, cause: LedgerCause): Promise<void> {
  await moveCredits(tenant, "grant", { available: credits, reserved: 0 }, cause);
}

/** Returns false and reserves nothing if too few credits are available. */
export async function reserveCredits(tenant: OrganizationTenant, credits: number, cause: LedgerCause) {
  return credits === 0 || moveCredits(tenant, "reserve", { available: -credits, reserved: credits }, cause);
}

export async function spendReserved(tenant: OrganizationTenant, credits: number, cause: LedgerCause): Promise<void> {
  if (credits > 0) await moveCredits(tenant, "spend", { available: 0, reserved: -credits }, cause);
}

export async function releaseReserved(tenant: OrganizationTenant, credits: number, cause: LedgerCause): Promise<void> {
  if (credits > 0) await moveCredits(tenant, "release", { available: credits, reserved: -credits }, cause);
}

async function moveCredits(
  { db: { q, t }, organizationId }: OrganizationTenant,
  kind: LedgerRow["kind"],
  delta: { available: number; reserved: number },
  cause: LedgerCause,
): Promise<boolean> {
  const balances = t.creditBalances;
  const moved = await q
    .update(balances)
    .set({
      available: sql`${balances.available} + ${delta.available}`,
      reserved: sql`${balances.reserved} + ${delta.reserved}`,
    })
    .where(
      and(
        eq(balances.organizationId, organizationId),
        gte(balances.available, -delta.available),
        gte(balances.reserved, -delta.reserved),
      ),
    )
    .returning({ organizationId: balances.organizationId });
  if (moved.length === 0) return false;
  const { at, ...row } = cause;
  await q.insert(t.ledgerEntries).values({
    ...row,
    organizationId,
    kind,
    availableDelta: delta.available,
    reservedDelta: delta.reserved,
    createdAt: at,
  });
  return true;
}

export async function listLedger({ db: { q, t }, organizationId }: OrganizationTenant, page: Page) {
  return listPage(q, t.ledgerEntries, { where: { organizationId }, ...page });
}
