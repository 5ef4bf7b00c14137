import { later, type Instant } from "../shared/time.ts";

// The longest that things wait. A process whose clock was ahead stores instants that lie ahead of every real one: what waits
// for an instant that is further away than one can be waits no more.

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
/** How far the clocks of two processes may differ without anything following from it. */
const SLACK_MS = MINUTE_MS;

/** The settings of leases end there: a lease is renewed for as long as its process lives. */
export const LONGEST_LEASE_MS = 5 * MINUTE_MS;
/** Until the next attempt, of a question or a job: longer waits that a provider asks for are not believed. */
export const LONGEST_RETRY_MS = 15 * MINUTE_MS;
/** Until a send that was interrupted is resumed: the setting ends there. */
export const LONGEST_RECOVERY_MS = HOUR_MS;

/** What waits at `now` for an instant later than this waits for one that is further away than `longestMs`. */
export function furthest(now: Instant, longestMs: number): Instant {
  return later(now, longestMs + SLACK_MS);
}

/** True where `at` lies ahead of now: it was written by a clock that was ahead, and means no more than now. */
export function isAhead(at: Instant, now: Instant): boolean {
  return at > furthest(now, 0);
}
