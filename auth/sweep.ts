import { deleteExpiredRestTokens } from "../db/api-keys.ts";
import { deleteOldAnswers } from "../db/idempotency.ts";
import { deleteExpiredOAuthRecords, deleteSpentGrants, deleteUnusedClients } from "../db/oauth-records.ts";
import { deleteExpiredOneTimeLinks } from "../db/one-time-links.ts";
import { deleteExpiredSso } from "../db/sso.ts";
import { deleteExpiredWebSessions } from "../db/web-sessions.ts";
import type { Store } from "../db/store.ts";
import { later, type Instant } from "../src/core/time.ts";
import { CLOCK_TOLERANCE_SECONDS } from "./access-tokens.ts";

const EVERY_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
/** A client that registered and was not used within this time is forgotten; one that had a grant never is. */
const UNUSED_CLIENT_MS = 30 * 24 * HOUR_MS;

/** How long the first answer to an Idempotency-Key is given again. */
const REPEATED_MS = 24 * HOUR_MS;

/** Deletes what people and programs have no more use for. What expired stays as long as clocks may differ. */
export async function sweepExpired(store: Store, now: Instant): Promise<void> {
  const expired = later(now, -CLOCK_TOLERANCE_SECONDS * 1000);
  await store.write(async (db) => {
    await deleteExpiredOAuthRecords(db, expired);
    await deleteUnusedClients(db, later(now, -UNUSED_CLIENT_MS));
    await deleteSpentGrants(db, later(now, -HOUR_MS));
    await deleteExpiredRestTokens(db, expired);
    await deleteExpiredWebSessions(db, expired);
    await deleteExpiredOneTimeLinks(db, expired);
    await deleteExpiredSso(db, expired);
    await deleteOldAnswers(db, later(now, -REPEATED_MS));
  });
}

/** Sweeps every ten minutes until it is stopped. */
export function startSweeping(
  store: Store,
  options: { now: () => Instant; onError: (error: unknown) => void },
): { stop: () => void } {
  const timer = setInterval(() => void sweepExpired(store, options.now()).catch(options.onError), EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
