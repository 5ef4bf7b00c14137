import { addMs, type Instant } from "../shared/time.ts";

// Max waits. A process with a wrong clock can store instants in the far future; such waits count as
// over.

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
/** Tolerated clock difference between processes. */
const CLOCK_TOLERANCE_MS = MINUTE_MS;

/** Max lease setting; a lease is renewed while its process lives. */
export const MAX_LEASE_MS = 5 * MINUTE_MS;
/** Max delay before a retry; longer hints of providers are ignored. */
export const MAX_RETRY_MS = 15 * MINUTE_MS;
/** Max setting for resuming an interrupted send. */
export const MAX_RECOVERY_MS = HOUR_MS;

/** Latest plausible instant at `now` for a wait of at most `longestMs`. */
export function latestPlausible(now: Instant, longestMs: number): Instant {
  return addMs(now, longestMs + CLOCK_TOLERANCE_MS);
}

/** True if `at` is in the future, and so from a wrong clock. */
export function isFuture(at: Instant, now: Instant): boolean {
  return at > latestPlausible(now, 0);
}
