import type { ClaimedJob } from "../../../db/jobs/collect-jobs.ts";
import {
  listPayerAccounts,
  chargeSpend,
  findSpendBalance,
  listExcessBills,
  recordExcessBill,
  reserveSpend,
  settleReservation,
  settleLostReservations,
  type Payer,
} from "../../../db/sources/spend-accounts.ts";
import { addProviderSpend, addSourceSpend, type SourceSpend } from "../../../db/sources/source-spend.ts";
import type { Db } from "../../../db/engine/store.ts";
import { toCapMicros, usdToMicros, toUsd } from "../../../core/credits/micros.ts";
import type { PaidItem } from "../../../core/analyses/keyword-data.ts";
import type { FailureCause } from "../../../core/sources/question-outcomes.ts";
import type { Instant } from "../../../core/shared/time.ts";
import { getPrice } from "../../outside/sources/keyword-tasks.ts";
import type { Provider, Sources } from "../../outside/sources/provider.ts";
import type { AskOutcome, Result } from "./ask-job.ts";

export type SpendGrant =
  | { kind: "granted" }
  /** Reservations of prompts in progress exceed the cap; actual costs may be lower. */
  | { kind: "later" }
  | { kind: "refused"; rejection: Rejection };

/** `reason` is shown to people. */
export interface Rejection {
  reason: string;
  cause: FailureCause;
}

const SPEND_GRANTED: SpendGrant = { kind: "granted" };

const CAP_REASONS = {
  providerDay: "The daily spending cap of the provider is reached.",
  providerMonth: "The monthly spending cap of the provider is reached.",
  organizationMonth: "The monthly spending cap of the organization is reached.",
  analysis: "The spending cap of the analysis is reached.",
  unbounded: "The maximum cost of an answer is unknown, so the spending cap cannot be enforced.",
  excess:
    "The provider billed more than the maximum cost of an answer. No prompts are sent until that maximum is raised.",
};

export interface SpendSettings {
  sources: Sources;
  /** Per calendar month (UTC); null for no cap. */
  organizationCapUsd: number | null;
}

/**
 * Reserves in the transaction of the claim, so that no cap is ever exceeded.
 * An accepted task retains its reservation.
 */
export async function reserveForJob(
  db: Db,
  job: ClaimedJob,
  { spendSettings, now }: { spendSettings: SpendSettings; now: Instant },
): Promise<SpendGrant> {
  const provider = spendSettings.sources[job.askedSource];
  if (provider.name === null || job.submission !== null) return SPEND_GRANTED;
  const { maxUsd } = provider.price(job.source);
  if (maxUsd === 0) return SPEND_GRANTED;
  // Settles an attempt without an outcome, whose worker crashed.
  await settleReservation(db, job.id, (reserved) => (mayBeBilledUnreported(provider) ? reserved : 0));
  const payer = toPayer(job, provider.name, now);
  const { organizationCapUsd } = spendSettings;
  return reserveMaxCost(db, { ...payer, jobId: job.id, maxUsd }, { provider, organizationCapUsd, ...job });
}

export async function reserveMaxCost(
  db: Db,
  { maxUsd, ...reserving }: Payer & { jobId: string; maxUsd: number | null },
  options: { provider: Provider; organizationCapUsd: number | null; spendCapMicros: number | null },
): Promise<SpendGrant> {
  const { provider } = options;
  const accounts = listPayerAccounts(reserving);
  const caps = [
    { of: "providerDay", cap: toMicros(provider.limits.dailyCapUsd) },
    { of: "providerMonth", cap: toMicros(provider.limits.spendCapUsd) },
    { of: "organizationMonth", cap: toMicros(options.organizationCapUsd) },
    { of: "analysis", cap: options.spendCapMicros },
  ] as const;
  if (maxUsd === null) return caps.some(({ cap }) => cap !== null) ? toRejectedGrant("unbounded") : SPEND_GRANTED;
  if (await isProviderStopped(db, provider)) return toRejectedGrant("excess");
  const micros = usdToMicros(maxUsd);
  let isLater = false;
  for (const { of: which, cap } of caps) {
    if (cap === null) continue;
    const left = cap - micros;
    const { spent, reserved } = await findSpendBalance(db, accounts[which]);
    if (spent > left) return toRejectedGrant(which);
    isLater ||= spent + reserved > left;
  }
  if (isLater) return { kind: "later" };
  await reserveSpend(db, { ...reserving, micros });
  return SPEND_GRANTED;
}

function toPayer({ organizationId, analysisId }: ClaimedJob, provider: string, now: Instant): Payer {
  return { provider, organizationId, analysisId, day: now.slice(0, 10) };
}

function toMicros(capUsd: number | null): number | null {
  return capUsd === null ? null : toCapMicros(capUsd);
}

function toRejectedGrant(of: keyof typeof CAP_REASONS): SpendGrant {
  const cause = of === "analysis" ? "over_analysis_cap" : "over_cap";
  return { kind: "refused", rejection: { reason: CAP_REASONS[of], cause } };
}

export async function settleLostJobs(db: Db, { sources }: SpendSettings, now: Instant): Promise<void> {
  const providers = new Map(Object.values(sources).map((provider) => [provider.name, provider]));
  const mayBeBilled = (name: string) => {
    const provider = providers.get(name);
    return provider === undefined || provider.name === null || mayBeBilledUnreported(provider);
  };
  await settleLostReservations(db, { now, mayBeBilled });
}

/** A crash during a synchronous request leaves its bill unknown; a task is stored beforehand. */
function mayBeBilledUnreported({ tasks }: Provider): boolean {
  return tasks === undefined;
}

async function isProviderStopped(db: Db, provider: Provider): Promise<boolean> {
  const bills = await listExcessBills(db, { provider: provider.name });
  return bills.some(({ source, micros }) => {
    const { maxUsd } = getPrice(provider, source);
    return maxUsd !== null && micros > usdToMicros(maxUsd);
  });
}

export interface ExcessBill {
  provider: string;
  source: PaidItem;
  reservedUsd: number;
  billedUsd: number;
}

/** Spends the whole reservation if the bill is unknown. */
export async function settleAttempt(
  db: Db,
  { job, provider, outcome }: Result,
  now: Instant,
): Promise<ExcessBill | undefined> {
  const { billedMicros, isKnown, isOpen } = computeBill(job, outcome);
  if (provider === null || isOpen) return undefined;
  const paid = { jobId: job.id, source: job.source, billed: billedMicros, isKnown };
  return settleBill(db, paid, toPayer(job, provider, now), now);
}

/** `billed` is in millionths of a US dollar. An incomplete bill spends the whole reservation. */
export async function settleBill(
  db: Db,
  { jobId, source, billed, isKnown }: { jobId: string; source: PaidItem; billed: number; isKnown: boolean },
  payer: Payer,
  now: Instant,
): Promise<ExcessBill | undefined> {
  const settled = await settleReservation(db, jobId, (reserved) => (isKnown ? billed : Math.max(billed, reserved)));
  if (!settled) {
    if (billed > 0) await chargeSpend(db, payer, billed);
    return undefined;
  }
  if (billed <= settled.micros) return undefined;
  const { provider } = payer;
  await recordExcessBill(db, { provider, source, micros: billed, at: now });
  return { provider, source, reservedUsd: toUsd(settled.micros), billedUsd: toUsd(billed) };
}

/** The reservation stays open while the provider has or may have the task. */
function computeBill(
  job: ClaimedJob,
  outcome: AskOutcome,
): { billedMicros: number; isKnown: boolean; isOpen: boolean } {
  const submission = outcome.submission === undefined ? job.submission : outcome.submission;
  const isOver = outcome.kind === "answered" || outcome.kind === "failed";
  const billedMicros = usdToMicros((job.submission?.costUsd ?? 0) + (outcome.billedUsd ?? 0));
  const isKnown =
    outcome.kind === "answered"
      ? outcome.billedUsd != null
      : outcome.mayBeBilled !== true && !(outcome.kind === "failed" && submission !== null);
  return { billedMicros, isKnown, isOpen: !isOver && submission !== null };
}

interface SpentResults {
  billed: readonly Result[];
  /** Results of jobs that this worker still owns. */
  ownedResults: readonly Result[];
}

export async function addSpend(db: Db, spent: SpentResults, now: Instant): Promise<void> {
  await addProviderSpend(db, sumSpendByProvider(spent.billed), now);
  await addSourceSpend(db, sumSpendBySource(spent), now);
}

function sumSpendByProvider(results: readonly Result[]): Map<string, number> {
  const spent = new Map<string, number>();
  for (const { provider, outcome } of results) {
    if (provider === null || !outcome.billedUsd) continue;
    spent.set(provider, (spent.get(provider) ?? 0) + outcome.billedUsd);
  }
  return spent;
}

function sumSpendBySource({ billed, ownedResults }: SpentResults): (SourceSpend & { organizationId: string })[] {
  const spent = new Map<string, SourceSpend & { organizationId: string }>();
  const getRow = ({ organizationId, source }: ClaimedJob) => {
    const key = `${organizationId} ${source}`;
    const row = spent.get(key) ?? { organizationId, source, usd: 0, answers: 0, unpriced: 0 };
    spent.set(key, row);
    return row;
  };
  for (const { job, outcome } of billed) if (outcome.billedUsd) getRow(job).usd += outcome.billedUsd;
  for (const { job, outcome } of ownedResults) {
    if (outcome.kind !== "answered" || outcome.answer.collectionMethod === "simulated") continue;
    const row = getRow(job);
    row.answers += 1;
    row.unpriced += outcome.answer.costUsd === null ? 1 : 0;
  }
  return [...spent.values()];
}
