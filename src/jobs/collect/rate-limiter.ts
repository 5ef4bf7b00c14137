import { setTimeout as sleep } from "node:timers/promises";
import { FairQueue } from "../../../core/jobs/fair-queue.ts";
import type { LimitNews } from "../../../db/sources/provider-paces.ts";
import type { LimitsLeft } from "../../outside/retry-hints.ts";
import type { ProviderLimits } from "../../outside/sources/provider.ts";

/** Limits from a provider's responses. Times use the limiter's clock. */
interface Quota {
  /** End of the pause; 0 without a pause. */
  fullUntil(now: number): number;
  /**
   * Like `fullUntil`, but only from responses in the open window, without assumptions about the
   * next.
   */
  saidFullUntil(now: number): number;
  begin(now: number): void;
  end(): void;
  learn(said: NonNullable<LimitsLeft["requests"]>, now: number): void;
}

interface Window {
  left: number;
  until: number;
  lengthMs: number;
  limit: number | null;
}

/**
 * Subtracts requests in flight from each reported remainder, because the provider may not have
 * counted them. Within a window the remainder only falls. A new window starts with the full limit.
 */
function openQuota(): Quota {
  let window: Window | undefined;
  let underWay = 0;
  function windowAt(now: number): Window | undefined {
    if (!window || now < window.until) return window;
    const { limit, lengthMs } = window;
    return limit === null ? undefined : { ...window, left: limit - underWay, until: now + lengthMs };
  }
  return {
    fullUntil(now) {
      const open = windowAt(now);
      return open && open.left <= 0 ? open.until : 0;
    },
    saidFullUntil: (now) => (window && window.left <= 0 && window.until > now ? window.until : 0),
    begin(now) {
      window = windowAt(now);
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

/**
 * Waits for the next request slot of multi-request work. The first request uses the work's own
 * slot.
 */
export type BeforeRequest = () => Promise<unknown> | undefined;

type Begin = <T>(work: () => T) => Promise<T>;

const AT_ONCE: Begin = async (work) => work();

export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

const REAL: Clock = {
  now: () => performance.now(),
  // A timer truncates fractional milliseconds and would fire too early.
  sleep: (ms, signal) => sleep(Math.ceil(ms), undefined, { signal }),
};

/** Enforces provider limits: concurrency per process, requests per minute over all processes. */
export interface RateLimiter {
  /**
   * Runs `work` once concurrency and rate allow; rejects if aborted before. Waiting work is served
   * round-robin over `of`. Multi-request work awaits `beforeRequest` before each further request.
   */
  pass<T>(
    work: (beforeRequest: BeforeRequest) => Promise<T>,
    by: { of: string; signal: AbortSignal; begin?: Begin },
  ): Promise<T>;
  used(tokens: number): void;
  /** Pauses requests because the provider asked for it. */
  pause(ms: number): void;
  /** Pauses requests after a notice from another process. */
  hold(ms: number): void;
  learn: (left: LimitsLeft) => void;
  news(): Omit<LimitNews, "provider">;
  /** Marks these changes as known to other processes. */
  told(news: Pick<LimitNews, "tokenMs">): void;
}

const MINUTE_MS = 60_000;
/** Extends the planned minute, so that late starts never exceed the limit of a minute. */
const SPARE_MS = 1200;
/** Max delay of a start; the rest of SPARE_MS covers network jitter. */
const LATE_MS = 1100;
/** Max time ahead for reserved slots; each reservation is a transaction. */
const AHEAD_MS = 1000;

interface Shared {
  /** Reserves slots across all processes. Returns milliseconds until the first slot. */
  takeTurns: (turns: { msPerRequest: number; count: number }) => Promise<number>;
  clock?: Clock;
}

/**
 * Spaces starts evenly, so that no minute exceeds its share; a late start does not delay the next.
 * Token usage, known only afterwards, delays the next start by its worth.
 */
export function openRateLimiter(
  limits: Pick<ProviderLimits, "concurrency" | "requestsPerMinute" | "tokensPerMinute">,
  { takeTurns, clock = REAL }: Shared,
): RateLimiter {
  const apartMs = limits.requestsPerMinute === null ? 0 : (MINUTE_MS + SPARE_MS) / limits.requestsPerMinute;
  const msPerToken = limits.tokensPerMinute === null ? 0 : MINUTE_MS / limits.tokensPerMinute;
  const takesTurns = apartMs > 0 || msPerToken > 0;
  const turns: number[] = [];
  const waiting = new FairQueue<() => void>();
  let inside = 0;
  let nextToken = 0;
  let untoldTokenMs = 0;
  let pausedUntil = 0;
  const line: { length: number; last: Promise<unknown> } = { length: 0, last: Promise.resolve() };
  let heldUntil = 0;
  const quota = openQuota();

  function pause(ms: number): void {
    pausedUntil = Math.max(pausedUntil, clock.now() + ms);
  }
  async function enter(of: string): Promise<void> {
    if (inside < limits.concurrency) inside += 1;
    // Leaving transfers the slot, so `inside` stays the same.
    else await new Promise<void>((resolve) => waiting.add(of, resolve));
  }
  function leave(): void {
    const next = waiting.take();
    if (next) next();
    else inside -= 1;
  }
  function waitFrom(now: number): number {
    return Math.max(nextToken, pausedUntil, heldUntil, quota.fullUntil(now)) - now;
  }
  function tryNow<T>(work: () => Promise<T>): { made: Promise<T> } | undefined {
    const now = clock.now();
    const isTooLate = turns[0] !== undefined && turns[0] < now - LATE_MS;
    if (waitFrom(now) > 0 || isTooLate) return undefined;
    quota.begin(now);
    return { made: work().finally(() => quota.end()) };
  }
  /** Only the first waits for a slot, so that each process reserves at most one ahead. */
  function inLine<T>(work: () => Promise<T>): Promise<T> {
    line.length += 1;
    const mine = line.last.then(work).finally(() => (line.length -= 1));
    line.last = mine.catch(() => undefined);
    return mine;
  }
  /** Discards a slot that became too old, because another process may have it. */
  async function nextTurn(): Promise<number> {
    const earliest = Math.max(pausedUntil, heldUntil, clock.now() - LATE_MS);
    while (turns[0] !== undefined && turns[0] < earliest) turns.shift();
    if (turns[0] !== undefined) return turns[0];
    // Reserves one slot at a time under a token limit, because other processes' usage is known only
    // on reservation.
    const most = msPerToken > 0 ? 1 : Math.floor(AHEAD_MS / apartMs);
    const count = Math.max(1, Math.min(line.length, most));
    const untilFirst = await takeTurns({ msPerRequest: apartMs, count });
    const first = clock.now() + untilFirst;
    for (let nth = 0; nth < count; nth++) turns.push(first + nth * apartMs);
    return first;
  }
  async function turn<T>(work: () => Promise<T>, begin: Begin, signal: AbortSignal): Promise<{ made: Promise<T> }> {
    signal.throwIfAborted();
    const first = line.length === 0 && !takesTurns ? await begin(() => tryNow(work)) : undefined;
    if (first) return first;
    return inLine(async () => {
      for (;;) {
        signal.throwIfAborted();
        const wait = waitFrom(clock.now());
        if (wait > 0) await clock.sleep(wait, signal);
        const untilTurn = takesTurns ? (await nextTurn()) - clock.now() : 0;
        if (untilTurn > 0) await clock.sleep(untilTurn, signal);
        // A pause set meanwhile applies to this request too.
        const begun = await begin(() => tryNow(work));
        if (!begun) continue;
        turns.shift();
        return begun;
      }
    });
  }
  return {
    async pass(work, { of, signal, begin = AT_ONCE }) {
      await enter(of);
      let requests = 0;
      const beforeRequest = () => (requests++ === 0 ? undefined : turn(() => Promise.resolve(), AT_ONCE, signal));
      try {
        const { made } = await turn(() => work(beforeRequest), begin, signal);
        return await made;
      } finally {
        leave();
      }
    },
    used(tokens) {
      const ms = tokens * msPerToken;
      untoldTokenMs += ms;
      if (msPerToken > 0) nextToken = Math.max(nextToken, clock.now()) + ms;
    },
    pause,
    hold: (ms) => void (heldUntil = clock.now() + ms),
    learn({ requests, waitMs }) {
      if (waitMs !== undefined) pause(waitMs);
      if (requests) quota.learn(requests, clock.now());
    },
    news() {
      const now = clock.now();
      // Excludes notices of other processes, which would otherwise echo back and grow each time.
      return { heldMs: Math.max(0, pausedUntil - now, quota.saidFullUntil(now) - now), tokenMs: untoldTokenMs };
    },
    told: ({ tokenMs }) => void (untoldTokenMs -= tokenMs),
  };
}
