import type { SkipReason } from "../../../core/audits/crawler.ts";
import { backoffMs } from "../../../core/jobs/backoff.ts";
import { LONGEST_RETRY_MS } from "../../../core/jobs/waits.ts";

/** After how many tries a page, or a site, is taken as it is. */
export const MOST_TRIES = 4;

const PASSING = new Set<SkipReason>(["timeout", "connection_failed", "connection_lost", "name_not_resolved"]);

/** True of what may be gone by the next try. */
export function isPassing(reason: SkipReason): boolean {
  return PASSING.has(reason);
}

/** The same of a status. A refusal (429) passes only where the host says when. */
export function isPassingStatus(status: number, retryAfterMs?: number): boolean {
  return status >= 500 || (status === 429 && retryAfterMs !== undefined);
}

const BASE_MS = 5000;

/** How long to wait after the `tries`-th try. */
export function retryMs(tries: number, retryAfterMs: number | undefined): number {
  return Math.min(LONGEST_RETRY_MS, backoffMs(tries, { baseMs: BASE_MS, retryAfterMs, random: Math.random() }));
}
