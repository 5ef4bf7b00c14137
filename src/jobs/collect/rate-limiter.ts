import { setTimeout as sleep } from "node:timers/promises";
import type { ProviderLimits } from "../../outside/sources/provider.ts";

/** Keeps one process's requests to one provider within the provider's limits. */
export interface RateLimiter {
  /**
   * Runs `work` when there is room for it and a request may be made; rejects without running it when aborted. What waits
   * for room is let in by turns over `of`.
   */
  pass<T>(work: () => Promise<T>, by: { of: string; signal: AbortSignal }): Promise<T>;
  /** Tells what a request used, which holds back the next ones. */
  used(tokens: number): void;
  /** Starts no request for so long: the provider asked for it. */
  pause(ms: number): void;
}

/**
 * Requests start evenly spaced, so no minute holds more than its share; tokens are known only afterwards, so they move
 * the start of the next request back by the time that they are worth.
 */
export function openRateLimiter(
  limits: Pick<ProviderLimits, "concurrency" | "requestsPerMinute" | "tokensPerMinute">,
): RateLimiter {
  const msPerRequest = limits.requestsPerMinute === null ? 0 : 60_000 / limits.requestsPerMinute;
  const msPerToken = limits.tokensPerMinute === null ? 0 : 60_000 / limits.tokensPerMinute;
  /** Those whose turn is next first. */
  const waiting = new Map<string, (() => void)[]>();
  let inside = 0;
  let nextRequest = 0;
  let nextToken = 0;
  let pausedUntil = 0;

  async function enter(of: string): Promise<void> {
    if (inside < limits.concurrency) inside += 1;
    // Leaving hands the place over, so `inside` stays the same.
    else await new Promise<void>((resolve) => waiting.set(of, [...(waiting.get(of) ?? []), resolve]));
  }
  function leave(): void {
    const [first] = waiting;
    if (!first) {
      inside -= 1;
      return;
    }
    const [of, [next, ...others]] = first;
    waiting.delete(of);
    if (others.length > 0) waiting.set(of, others);
    next?.();
  }
  async function turn(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const now = performance.now();
      const wait = Math.max(nextRequest, nextToken, pausedUntil) - now;
      if (wait <= 0) {
        nextRequest = now + msPerRequest;
        return;
      }
      await sleep(wait, undefined, { signal });
    }
  }
  return {
    async pass(work, { of, signal }) {
      await enter(of);
      try {
        await turn(signal);
        return await work();
      } finally {
        leave();
      }
    },
    used(tokens) {
      if (msPerToken > 0) nextToken = Math.max(nextToken, performance.now()) + tokens * msPerToken;
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, performance.now() + ms);
    },
  };
}
