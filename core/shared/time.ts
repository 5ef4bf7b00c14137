/** ISO 8601 UTC with milliseconds, such as `2026-11-21T04:31:00.000Z`. Sorts by time. */
export type Instant = string;

export function toInstant(ms: number): Instant {
  return new Date(ms).toISOString();
}

export function addMs(at: Instant, ms: number): Instant {
  return toInstant(Date.parse(at) + ms);
}

/** Start of the calendar month, UTC. */
export function startOfMonth(at: Instant): Instant {
  return `${at.slice(0, 7)}-01T00:00:00.000Z`;
}

/** Tolerated clock difference between processes. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Latest plausible instant at `now` for a wait of at most `longestMs`. */
export function latestPlausible(now: Instant, longestMs: number): Instant {
  return addMs(now, longestMs + CLOCK_TOLERANCE_MS);
}

/** True if `at` is in the future, and so from a wrong clock. */
export function isFuture(at: Instant, now: Instant): boolean {
  return at > latestPlausible(now, 0);
}
