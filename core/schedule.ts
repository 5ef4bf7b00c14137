import type { Schedule } from "./analysis.ts";
import type { Instant } from "./time.ts";

const DAY_MS = 86_400_000;
/** The longest time between two collects. */
export const LONGEST_PERIOD_MS = { daily: DAY_MS, weekly: 7 * DAY_MS, monthly: 31 * DAY_MS };

/** The instant of the collect after the one at `start` + `index` periods; undefined for a schedule of one collect. */
export function collectInstant(schedule: Schedule, start: Instant, index: number): Instant | undefined {
  if (index === 0) return start;
  if (schedule === "once") return undefined;
  const at = new Date(start);
  if (schedule === "monthly") {
    // A month that is too short takes its last day, and the next one the day of the start again.
    const day = at.getUTCDate();
    at.setUTCDate(1);
    at.setUTCMonth(at.getUTCMonth() + index);
    const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
    at.setUTCDate(Math.min(day, lastDay));
  } else {
    at.setUTCDate(at.getUTCDate() + (schedule === "weekly" ? 7 : 1) * index);
  }
  return at.toISOString();
}

/** How many collects fall between `start` and `endsAt`, the first at `start`; at most 366. */
export function countCollects(schedule: Schedule, start: Instant, endsAt: Instant | null): number {
  if (schedule === "once" || endsAt === null) return 1;
  let count = 1;
  while (count < 366) {
    const next = collectInstant(schedule, start, count);
    if (next === undefined || next > endsAt) break;
    count++;
  }
  return count;
}
