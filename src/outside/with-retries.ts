import { setTimeout as sleep } from "node:timers/promises";
import { computeBackoffMs } from "../../core/jobs/backoff.ts";

export interface RetryPolicy {
  maxAttempts: number;
  /** Before the second attempt; doubles with each further attempt. */
  backoffBaseMs: number;
  maxWaitMs: number;
  signal: AbortSignal;
  findRetryHint: (error: unknown) => { retryAfterMs: number | undefined } | undefined;
}

export async function runWithRetries<T>(work: () => Promise<T>, policy: RetryPolicy): Promise<T> {
  const { maxAttempts, backoffBaseMs, maxWaitMs, signal } = policy;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const hint = attempt < maxAttempts && !signal.aborted ? policy.findRetryHint(error) : undefined;
      if (!hint) throw error;
      const wait = computeBackoffMs(attempt, { baseMs: backoffBaseMs, random: Math.random(), ...hint });
      await sleep(Math.min(wait, maxWaitMs), undefined, { signal }).catch(() => {
        throw error;
      });
    }
  }
}
