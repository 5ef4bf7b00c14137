import { eq, inArray, isNull, sql } from "drizzle-orm";
import { openCommitted } from "../support/committed.ts";
import type { collectScene } from "./scene.ts";

type Scene = Awaited<ReturnType<typeof collectScene>>;

/** Initial credits of acme.test. */
const GRANTED_CREDITS = 10_000;

/**
 * Credit inconsistencies: reserved credits must be planned or in progress, movements must add up to
 * the balance, and credits are only spent on answers.
 */
export async function findCreditFaults(s: Scene): Promise<string[]> {
  const { q, t } = openCommitted(s.store);
  const [balance] = await q
    .select()
    .from(t.creditBalances)
    .where(eq(t.creditBalances.organizationId, s.organization.id));
  const collects = await q.select().from(t.collects);
  const analyses = await q.select().from(t.analyses);
  const ledger = await q.select().from(t.ledgerEntries).where(eq(t.ledgerEntries.organizationId, s.organization.id));
  const planned = sum(analyses.map(({ roundsLeft, roundCredits }) => roundsLeft * roundCredits));
  const underWay = sum(collects.map(({ reservedCredits }) => reservedCredits));
  const spent = sum(collects.map(({ costCredits }) => costCredits));
  const { available = 0, reserved = 0 } = balance ?? {};
  const facts: [string, number, number][] = [
    ["reserved is what is planned and under way", reserved, planned + underWay],
    ["every credit is available, reserved or spent", available + reserved + spent, GRANTED_CREDITS],
    ["the ledger comes to what is reserved", sum(ledger.map(({ reservedDelta }) => reservedDelta)), reserved],
    ["the ledger comes to what is available", sum(ledger.map(({ availableDelta }) => availableDelta)), available],
  ];
  const wrong = facts.filter(([, found, expected]) => found !== expected).map((fact) => fact.join(" "));
  const negative = [...analyses.map((one) => one.roundsLeft), ...collects.map((one) => one.reservedCredits)];
  const unplanned = analyses.filter((one) => one.roundsLeft > 0 !== (one.nextCollectAt !== null));
  return [
    ...wrong,
    ...(Math.min(0, ...negative) < 0 ? ["something is negative"] : []),
    ...unplanned.map(({ id }) => `${id} has rounds without an instant, or the reverse`),
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** How much a worker still has to do at `now`. */
export async function countPendingTasks(s: Scene, now: string): Promise<number> {
  const { q, t } = openCommitted(s.store);
  const open = await q.$count(t.collects, sql`${isNull(t.collects.finishedAt)} and ${eq(t.collects.isHeld, false)}`);
  const due = await q.$count(
    t.analyses,
    sql`${t.analyses.nextCollectAt} <= ${Date.parse(now)} and ${t.analyses.status} <> 'archived'`,
  );
  const jobs = await q.$count(
    t.backgroundJobs,
    sql`${inArray(t.backgroundJobs.status, ["queued", "leased"])} and ${inArray(t.backgroundJobs.kind, ["launch_analysis", "launch_collect", "end_collect"])}`,
  );
  return open + due + jobs;
}
