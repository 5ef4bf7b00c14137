import type { SkipReason } from "../../../core/audits/crawler.ts";
import { backoffMs } from "../../../core/jobs/backoff.ts";
import { LONGEST_RETRY_MS } from "../../../core/jobs/waits.ts";

/** Max attempts before a page or site is accepted with its error. */
export const MOST_TRIES = 4;

const PASSING = new Set<SkipReason>(["timeout", "connection_failed", "connection_lost", "name_not_resolved"]);

export function isPassing(reason: SkipReason): boolean {
  return PASSING.has(reason);
}

/** A 429 is temporary only if the host names a wait. */
export function isPassingStatus(status: number, retryAfterMs?: number): boolean {
  return status >= 500 || (status === 429 && retryAfterMs !== undefined);
}

const BASE_MS = 5000;

export function retryMs(tries: number, retryAfterMs: number | undefined): number {
  return Math.min(LONGEST_RETRY_MS, backoffMs(tries, { baseMs: BASE_MS, retryAfterMs, random: Math.random() }));
}
