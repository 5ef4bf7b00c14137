import { setTimeout as sleep } from "node:timers/promises";
import type { LimitsLeft } from "../../outside/retry-hints.ts";
import type { ProviderLimits } from "../../outside/sources/provider.ts";

/** What a provider lets through, as its replies say. Instants are of `performance.now()`. */
interface Quota {
  /** Until when nothing may begin; 0 where something may. */
  fullUntil(now: number): number;
  begin(): void;
  end(): void;
  learn(said: NonNullable<LimitsLeft["requests"]>, now: number): void;
}

/**
 * A reply says what was left when the provider counted its request: whether it had counted the others under way is not known, so they are
 * taken off, and within one window what is left only falls. The next window begins with the whole limit, where replies name it.
 */
function openQuota(): Quota {
  let window: { left: number; until: number; lengthMs: number; limit: number | null } | undefined;
  let underWay = 0;
  return {
    fullUntil(now) {
      if (window && now >= window.until) {
        const { limit, lengthMs } = window;
        window = limit === null ? undefined : { ...window, left: limit - underWay, until: now + lengthMs };
      }
      return window && window.left <= 0 ? window.until : 0;
    },
    begin() {
      underWay += 1;
      if (window) window.left -= 1;
    },
    end: () => void (underWay -= 1),
    learn({ left: said, limit, resetMs }, now) {
      const left = Math.max(0, said - (underWay - 1));
      const known = window && now < window.until ? window : undefined;
      const until = now + resetMs;
      window = {
        limit,
        left: known ? Math.min(known.left, left) : left,
        until: known ? Math.max(known.until, until) : until,
        lengthMs: Math.max(window?.lengthMs ?? 0, resetMs),
      };
    },
  };
}

/** How work begins: at once, or when this thread has a turn for it. */
type Begin = <T>(work: () => T) => Promise<T>;

/** Keeps one process's requests to one provider within the provider's limits. */
export interface RateLimiter {
  /**
   * Runs `work` when there is room for it and a request may be made; rejects without running it when aborted. What waits
   * for room is let in by turns over `of`. Whether a request may be made is looked at as it begins, which `begin` may put off.
   */
  pass<T>(work: () => Promise<T>, by: { of: string; signal: AbortSignal; begin?: Begin }): Promise<T>;
  /** Tells what a request used, which holds back the next ones. */
  used(tokens: number): void;
  /** Starts no request for so long: the provider asked for it. */
  pause(ms: number): void;
  /** Keeps within what a reply says is left of the provider's own limits. */
  learn: (left: LimitsLeft) => void;
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
  const line: { length: number; last: Promise<unknown> } = { length: 0, last: Promise.resolve() };
  const quota = openQuota();

  function pause(ms: number): void {
    pausedUntil = Math.max(pausedUntil, performance.now() + ms);
  }
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
  function waitFrom(now: number): number {
    return Math.max(nextRequest, nextToken, pausedUntil, quota.fullUntil(now)) - now;
  }
  /** Begins `work` where a request may be made now. */
  function tryNow<T>(work: () => Promise<T>): { made: Promise<T> } | undefined {
    const now = performance.now();
    if (waitFrom(now) > 0) return undefined;
    nextRequest = now + msPerRequest;
    quota.begin();
    return { made: work().finally(() => quota.end()) };
  }
  /** One waits for the next request that may be made, the others behind it. */
  function inLine<T>(work: () => Promise<T>): Promise<T> {
    line.length += 1;
    const mine = line.last.then(work).finally(() => (line.length -= 1));
    line.last = mine.catch(() => undefined);
    return mine;
  }
  async function turn<T>(work: () => Promise<T>, begin: Begin, signal: AbortSignal): Promise<{ made: Promise<T> }> {
    signal.throwIfAborted();
    const first = line.length === 0 ? await begin(() => tryNow(work)) : undefined;
    if (first) return first;
    return inLine(async () => {
      for (;;) {
        signal.throwIfAborted();
        const wait = waitFrom(performance.now());
        if (wait > 0) await sleep(wait, undefined, { signal });
        // What was asked for meanwhile, such as a pause, holds for this one too.
        const begun = await begin(() => tryNow(work));
        if (begun) return begun;
      }
    });
  }
  return {
    async pass(work, { of, signal, begin = async (piece) => piece() }) {
      await enter(of);
      try {
        const { made } = await turn(work, begin, signal);
        return await made;
      } finally {
        leave();
      }
    },
    used(tokens) {
      if (msPerToken > 0) nextToken = Math.max(nextToken, performance.now()) + tokens * msPerToken;
    },
    pause,
    learn({ requests, waitMs }) {
      if (waitMs !== undefined) pause(waitMs);
      if (requests) quota.learn(requests, performance.now());
    },
  };
}
