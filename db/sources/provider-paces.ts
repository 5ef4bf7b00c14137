import { eq, sql } from "drizzle-orm";
import { addMs, type Instant, latestPlausible } from "../../core/shared/time.ts";
import { MAX_RETRY_MS } from "../../core/jobs/waits.ts";
import { pick } from "../engine/rows.ts";
import { prepareQuery, type Db } from "../engine/store.ts";

// Rate limits are the operator's and shared by all processes, so no tenant applies.

/** Milliseconds since 1970. */
interface ProviderPace {
  nextRequestMs: number;
  nextTokenMs: number;
  heldUntilMs: number;
}

export interface LimitUpdate {
  provider: string;
  /** Pause requested by the provider. */
  pauseMs: number;
  /** Time that the used tokens take at the limit per minute. */
  tokenMs: number;
}

async function findPace(db: Db, provider: string, now: Instant): Promise<ProviderPace> {
  const [row] = await selectPace(db, { provider });
  // A time beyond the longest wait was written by a clock that was ahead.
  const last = Date.parse(latestPlausible(now, MAX_RETRY_MS));
  const known = (ms: number | undefined) => (ms === undefined || ms > last ? 0 : ms);
  return {
    nextRequestMs: known(row?.nextRequestMs),
    nextTokenMs: known(row?.nextTokenMs),
    heldUntilMs: known(row?.heldUntilMs),
  };
}

const selectPace = prepareQuery(({ q, t: { providerPaces } }) =>
  q
    .select(pick(providerPaces, "nextRequestMs", "nextTokenMs", "heldUntilMs"))
    .from(providerPaces)
    .where(eq(providerPaces.provider, sql.placeholder("provider"))),
);

async function storePace({ q, t }: Db, provider: string, pace: ProviderPace): Promise<void> {
  await q
    .insert(t.providerPaces)
    .values({ provider, ...pace })
    .onConflictDoUpdate({ target: t.providerPaces.provider, set: pace });
}

/** Returns the wait for the first slot in milliseconds. */
export async function reserveRequestSlots(
  db: Db,
  { provider, msPerRequest, count, now }: { provider: string; msPerRequest: number; count: number; now: Instant },
): Promise<number> {
  const pace = await findPace(db, provider, now);
  const nowMs = Date.parse(now);
  const beginsMs = Math.max(nowMs, pace.nextRequestMs, pace.nextTokenMs, pace.heldUntilMs);
  await storePace(db, provider, { ...pace, nextRequestMs: beginsMs + count * msPerRequest });
  return beginsMs - nowMs;
}

export async function storeLimitUpdates(db: Db, news: readonly LimitUpdate[], now: Instant): Promise<void> {
  const nowMs = Date.parse(now);
  // One update per provider with limits, of which there are few.
  for (const { provider, pauseMs, tokenMs } of news) {
    const pace = await findPace(db, provider, now);
    const nextTokenMs = Math.max(pace.nextTokenMs, nowMs) + tokenMs;
    await storePace(db, provider, {
      ...pace,
      nextTokenMs: Math.min(nextTokenMs, Date.parse(addMs(now, MAX_RETRY_MS))),
      heldUntilMs: Math.max(pace.heldUntilMs, nowMs + pauseMs),
    });
  }
}

export async function findPauseMs(db: Db, provider: string, now: Instant): Promise<number> {
  return Math.max(0, (await findPace(db, provider, now)).heldUntilMs - Date.parse(now));
}
