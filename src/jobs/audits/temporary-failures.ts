import type { SkipReason } from "../../../core/audits/crawler.ts";
import { computeBackoffMs } from "../../../core/jobs/backoff.ts";
import { MAX_RETRY_MS } from "../../../core/jobs/waits.ts";

export const MAX_ATTEMPTS = 4;

const TEMPORARY_REASONS = new Set<SkipReason>(["timeout", "connection_failed", "connection_lost", "name_not_resolved"]);

export function isTemporary(reason: SkipReason): boolean {
  return TEMPORARY_REASONS.has(reason);
}

/** A 429 counts only if the host names a wait. */
export function isTemporaryStatus(status: number, retryAfterMs?: number): boolean {
  return status >= 500 || (status === 429 && retryAfterMs !== undefined);
}

const BASE_MS = 5000;

export function retryMs(tries: number, retryAfterMs: number | undefined): number {
  return Math.min(MAX_RETRY_MS, computeBackoffMs(tries, { baseMs: BASE_MS, retryAfterMs, random: Math.random() }));
}
