/** An instant in ISO 8601 UTC with milliseconds, as `2026-11-21T04:31:00.000Z`. Such texts sort by time. */
export type Instant = string;

export function instantOf(ms: number): Instant {
  return new Date(ms).toISOString();
}

/** `at` moved by `ms` milliseconds. */
export function later(at: Instant, ms: number): Instant {
  return instantOf(Date.parse(at) + ms);
}

/** The first instant of the calendar month of `at`, in UTC. */
export function monthStart(at: Instant): Instant {
  return `${at.slice(0, 7)}-01T00:00:00.000Z`;
}
