import { and, asc, eq, sql } from "drizzle-orm";
import type { PaidItem } from "../../core/analyses/keyword-data.ts";
import type { Instant } from "../../core/shared/time.ts";
import { matches } from "../engine/rows.ts";
import { prepareQuery, type Db } from "../engine/store.ts";

// Caps on the operator's money, in millionths of a US dollar; no tenant applies.

export interface Payer {
  provider: string;
  organizationId: string;
  analysisId: string;
  /** Day in UTC, as `2026-11-23`. */
  day: string;
}

export interface SpendAccount {
  owner: string;
  period: string;
}

export interface SpendBalance {
  spent: number;
  reserved: number;
}

export function listPayerAccounts({ provider, organizationId, analysisId, day }: Payer) {
  return {
    ...buildProviderAccounts(provider, day),
    organizationMonth: { owner: `organization:${organizationId}`, period: day.slice(0, 7) },
    analysis: buildAnalysisAccount(analysisId),
  };
}

export function buildProviderAccounts(provider: string, day: string) {
  const owner = `provider:${provider}`;
  return { providerDay: { owner, period: day }, providerMonth: { owner, period: day.slice(0, 7) } };
}

export function buildAnalysisAccount(analysisId: string): SpendAccount {
  return { owner: `analysis:${analysisId}`, period: "life" };
}

export async function findSpendBalance(db: Db, account: SpendAccount): Promise<SpendBalance> {
  return (await selectBalance(db, { ...account }))[0] ?? { spent: 0, reserved: 0 };
}

const selectBalance = prepareQuery(({ q, t: { spendAccounts } }) =>
  q
    .select({ spent: spendAccounts.spent, reserved: spendAccounts.reserved })
    .from(spendAccounts)
    .where(matches(spendAccounts, { owner: sql.placeholder("owner"), period: sql.placeholder("period") })),
);

/** Idempotent: an existing reservation stays unchanged. */
export async function reserveSpend(db: Db, payer: Payer & { jobId: string; micros: number }): Promise<void> {
  const inserted = await insertReservation(db, { ...payer });
  if (inserted.length > 0) await addToAccounts(db, payer, { spent: 0, reserved: payer.micros });
}

const insertReservation = prepareQuery(({ q, t: { spendReservations } }) =>
  q
    .insert(spendReservations)
    .values({
      jobId: sql.placeholder("jobId"),
      provider: sql.placeholder("provider"),
      organizationId: sql.placeholder("organizationId"),
      analysisId: sql.placeholder("analysisId"),
      day: sql.placeholder("day"),
      micros: sql.placeholder("micros"),
    })
    .onConflictDoNothing()
    .returning({ jobId: spendReservations.jobId }),
);

/** Adds `spentOf(reserved)` as spent. Undefined without a reservation. */
export async function settleReservation(db: Db, jobId: string, spentOf: (reserved: number) => number) {
  const [reservation] = await deleteReservation(db, { jobId });
  if (!reservation) return undefined;
  const { micros } = reservation;
  await addToAccounts(db, reservation, { spent: spentOf(micros), reserved: -micros });
  return { micros };
}

const deleteReservation = prepareQuery(({ q, t: { spendReservations } }) =>
  q
    .delete(spendReservations)
    .where(eq(spendReservations.jobId, sql.placeholder("jobId")))
    .returning(),
);

export async function chargeSpend(db: Db, payer: Payer, micros: number): Promise<void> {
  await addToAccounts(db, payer, { spent: micros, reserved: 0 });
}

async function addToAccounts(db: Db, payer: Payer, change: SpendBalance): Promise<void> {
  for (const account of Object.values(listPayerAccounts(payer))) await addToAccount(db, { ...account, ...change });
}

const addToAccount = prepareQuery(({ q, t: { spendAccounts } }) =>
  q
    .insert(spendAccounts)
    .values({
      owner: sql.placeholder("owner"),
      period: sql.placeholder("period"),
      spent: sql.placeholder("spent"),
      reserved: sql.placeholder("reserved"),
    })
    .onConflictDoUpdate({
      target: [spendAccounts.owner, spendAccounts.period],
      set: {
        spent: sql`${spendAccounts.spent} + excluded.spent`,
        reserved: sql`${spendAccounts.reserved} + excluded.reserved`,
      },
    }),
);

/** Covers expired leases without a provider task. Counts the full amount if it may be billed. */
export async function settleLostReservations(
  db: Db,
  { now, mayBeBilled }: { now: Instant; mayBeBilled: (provider: string) => boolean },
): Promise<void> {
  const { q, t } = db;
  const expired = await q
    .select({ id: t.spendReservations.jobId, provider: t.spendReservations.provider })
    .from(t.spendReservations)
    .innerJoin(t.jobs, eq(t.jobs.id, t.spendReservations.jobId))
    .where(
      and(
        eq(t.jobs.status, "leased"),
        sql`${t.jobs.notBefore} <= ${Date.parse(now)}`,
        sql`${t.jobs.submission} is null`,
      ),
    );
  for (const { id, provider } of expired)
    await settleReservation(db, id, (reserved) => (mayBeBilled(provider) ? reserved : 0));
}

export async function recordExcessBill(
  { q, t: { excessBills } }: Db,
  bill: { provider: string; source: PaidItem; micros: number; at: Instant },
): Promise<void> {
  await q
    .insert(excessBills)
    .values({ ...bill, bills: 1 })
    .onConflictDoUpdate({
      target: [excessBills.provider, excessBills.source],
      set: {
        micros: sql`max(${excessBills.micros}, excluded.micros)`,
        bills: sql`${excessBills.bills} + 1`,
        at: bill.at,
      },
    });
}

export const listExcessBills = prepareQuery(({ q, t: { excessBills } }) =>
  q
    .select({ source: excessBills.source, micros: excessBills.micros, bills: excessBills.bills })
    .from(excessBills)
    .where(eq(excessBills.provider, sql.placeholder("provider")))
    .orderBy(asc(excessBills.source)),
);
