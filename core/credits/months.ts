import type { Instant } from "../shared/time.ts";

/** Max days of an import's period that is not split by month. */
const MAX_UNSPLIT_DAYS = 31;

/**
 * Months (UTC) after the first one of a period over 31 days; empty for shorter ones. The last month
 * is open-ended, since answers without a date get the instant of their import.
 */
export function listLaterMonths(from: Instant, to: Instant): { from: Instant; to: Instant }[] {
  const [start, end] = [new Date(from), new Date(to)];
  if (end.getTime() - start.getTime() <= MAX_UNSPLIT_DAYS * 86_400_000) return [];
  const months: { from: Instant; to: Instant }[] = [];
  for (let month = 1; ; month += 1) {
    const begins = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + month));
    if (begins > end) break;
    const ends = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + month + 1));
    months.push({ from: begins.toISOString(), to: ends > end ? END_OF_TIME : ends.toISOString() });
  }
  return months;
}

const END_OF_TIME: Instant = "9999-12-31T23:59:59.999Z";
