import { eq, sql } from "drizzle-orm";
import { later, type Instant } from "../../core/shared/time.ts";
import { furthest, LONGEST_RETRY_MS } from "../../core/jobs/waits.ts";
import { pick } from "../engine/rows.ts";
import { prepared, type Db } from "../engine/store.ts";

// What all processes keep together towards a provider. It is the operator's account, so these functions take no tenant.

/** When a request may begin, by what holds it back. Milliseconds since 1970. */
interface Pace {
  nextRequestMs: number;
  nextTokenMs: number;
  heldUntilMs: number;
}

/** What other processes must know of what a process was told and used. */
export interface LimitNews {
  provider: string;
  /** For how long nothing may begin, as its replies said. */
  heldMs: number;
  /** How long the tokens take that were used, at the limit per minute. */
  tokenMs: number;
}

async function findPace(db: Db, provider: string, now: Instant): Promise<Pace> {
  const [row] = await paceOf(db, { provider });
  // What lies further ahead than anything waits was written by a clock that was ahead.
  const last = Date.parse(furthest(now, LONGEST_RETRY_MS));
  const known = (ms: number | undefined) => (ms === undefined || ms > last ? 0 : ms);
  return {
    nextRequestMs: known(row?.nextRequestMs),
    nextTokenMs: known(row?.nextTokenMs),
    heldUntilMs: known(row?.heldUntilMs),
  };
}

const paceOf = prepared(({ q, t: { providerPaces } }) =>
  q
    .select(pick(providerPaces, "nextRequestMs", "nextTokenMs", "heldUntilMs"))
    .from(providerPaces)
    .where(eq(providerPaces.provider, sql.placeholder("provider"))),
);

async function storePace({ q, t }: Db, provider: string, pace: Pace): Promise<void> {
  await q
    .insert(t.providerPaces)
    .values({ provider, ...pace })
    .onConflictDoUpdate({ target: t.providerPaces.provider, set: pace });
}

/**
 * Takes the next turns of requests, each `msPerRequest` after the one before, whichever process took that. Gives the milliseconds from
 * `now` until the first of them begins.
 */
export async function takeTurns(
  db: Db,
  { provider, msPerRequest, count, now }: { provider: string; msPerRequest: number; count: number; now: Instant },
): Promise<number> {
  const pace = await findPace(db, provider, now);
  const nowMs = Date.parse(now);
  const beginsMs = Math.max(nowMs, pace.nextRequestMs, pace.nextTokenMs, pace.heldUntilMs);
  await storePace(db, provider, { ...pace, nextRequestMs: beginsMs + count * msPerRequest });
  return beginsMs - nowMs;
}

/** Tells other processes. */
export async function tellLimits(db: Db, news: readonly LimitNews[], now: Instant): Promise<void> {
  const nowMs = Date.parse(now);
  // A row of each provider with limits: few.
  for (const { provider, heldMs, tokenMs } of news) {
    const pace = await findPace(db, provider, now);
    const nextTokenMs = Math.max(pace.nextTokenMs, nowMs) + tokenMs;
    await storePace(db, provider, {
      ...pace,
      nextTokenMs: Math.min(nextTokenMs, Date.parse(later(now, LONGEST_RETRY_MS))),
      heldUntilMs: Math.max(pace.heldUntilMs, nowMs + heldMs),
    });
  }
}

/** For how many milliseconds from `now` nothing may begin at a provider, as some process was told. */
export async function heldFor(db: Db, provider: string, now: Instant): Promise<number> {
  return Math.max(0, (await findPace(db, provider, now)).heldUntilMs - Date.parse(now));
}
