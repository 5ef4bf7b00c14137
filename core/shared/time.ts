/** ISO 8601 UTC with milliseconds, such as `2026-11-21T04:31:00.000Z`. Sorts by time. */
export type Instant = string;

export function toInstant(ms: number): Instant {
  return new Date(ms).toISOString();
}

/** Adds milliseconds. */
export function addMs(at: Instant, ms: number): Instant {
  return toInstant(Date.parse(at) + ms);
}

/** Start of the calendar month, UTC. */
export function startOfMonth(at: Instant): Instant {
  return `${at.slice(0, 7)}-01T00:00:00.000Z`;
}
