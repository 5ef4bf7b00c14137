import { setTimeout as sleep } from "node:timers/promises";
import { FairQueue } from "../../../core/jobs/fair-queue.ts";
import type { LimitNews } from "../../../db/sources/provider-paces.ts";
import type { LimitsLeft } from "../../outside/retry-hints.ts";
import type { ProviderLimits } from "../../outside/sources/provider.ts";

/** What a provider lets through, as its replies say. Instants are of its clock. */
interface Quota {
  /** Until when nothing may begin; 0 where something may. */
  fullUntil(now: number): number;
  /** The same where replies said so of the window that is open, and nothing is assumed of the next one. */
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
 * A reply says what was left when the provider counted its request: whether it had counted the others under way is not known, so they are
 * taken off, and within one window what is left only falls. The next window begins with the whole limit, where replies name it.
 */
function openQuota(): Quota {
  let window: Window | undefined;
  let underWay = 0;
  /** The window as it is by now. */
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

/** Waits until the next request of some work may be made. The first may be made at once: its turn is that of the work. */
export type BeforeRequest = () => Promise<unknown> | undefined;

/** How work begins: at once, or when this thread has a turn for it. */
type Begin = <T>(work: () => T) => Promise<T>;

const AT_ONCE: Begin = async (work) => work();

/** Time as a limiter sees it. */
export interface Clock {
  /** Milliseconds, which only grow. */
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

const REAL: Clock = {
  now: () => performance.now(),
  // A timer has no parts of a millisecond, and would end before them.
  sleep: (ms, signal) => sleep(Math.ceil(ms), undefined, { signal }),
};

/** Keeps the requests of a process to one provider within its limits, with those of other processes where they are per minute. */
export interface RateLimiter {
  /**
   * Runs `work` when there is room for it and a request may be made; rejects without running it when aborted. What waits
   * for room is let in by turns over `of`. Whether a request may be made is looked at as it begins, which `begin` may put off. Work that
   * makes several requests, one after another, waits for `beforeRequest` before each.
   */
  pass<T>(
    work: (beforeRequest: BeforeRequest) => Promise<T>,
    by: { of: string; signal: AbortSignal; begin?: Begin },
  ): Promise<T>;
  /** Tells what a request used, which holds back the next ones. */
  used(tokens: number): void;
  /** Starts no request for so long: the provider asked for it. */
  pause(ms: number): void;
  /** The same, as another process was told. */
  hold(ms: number): void;
  /** Keeps within what a reply says is left of the provider's own limits. */
  learn: (left: LimitsLeft) => void;
  /** What other processes do not know yet. */
  news(): Omit<LimitNews, "provider">;
  /** They know of these by now. */
  told(news: Pick<LimitNews, "tokenMs">): void;
}

const MINUTE_MS = 60_000;
/** Requests are planned for a minute that is so much longer, so that some may start late and no minute holds too many. */
const SPARE_MS = 1200;
/** How late one may start; the rest is for requests that do not take equally long to arrive. */
const LATE_MS = 1100;
/** Turns are taken for so long ahead at most: each time is a transaction. */
const AHEAD_MS = 1000;

interface Shared {
  /** Takes the next turns of all processes. Gives the milliseconds until the first of them begins. */
  takeTurns: (turns: { msPerRequest: number; count: number }) => Promise<number>;
  clock?: Clock;
}

/**
 * Requests start evenly spaced, so no minute holds more than its share. One that starts late, because this thread was busy, does not put off
 * those behind it. Tokens are known only afterwards, so they move the start of the next request back by the time that they are worth.
 */
export function openRateLimiter(
  limits: Pick<ProviderLimits, "concurrency" | "requestsPerMinute" | "tokensPerMinute">,
  { takeTurns, clock = REAL }: Shared,
): RateLimiter {
  const apartMs = limits.requestsPerMinute === null ? 0 : (MINUTE_MS + SPARE_MS) / limits.requestsPerMinute;
  const msPerToken = limits.tokensPerMinute === null ? 0 : MINUTE_MS / limits.tokensPerMinute;
  const takesTurns = apartMs > 0 || msPerToken > 0;
  /** When turns begin that this process has taken and not used. */
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
    // Leaving hands the place over, so `inside` stays the same.
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
  /** Begins `work` where a request may be made now. */
  function tryNow<T>(work: () => Promise<T>): { made: Promise<T> } | undefined {
    const now = clock.now();
    const isTooLate = turns[0] !== undefined && turns[0] < now - LATE_MS;
    if (waitFrom(now) > 0 || isTooLate) return undefined;
    quota.begin(now);
    return { made: work().finally(() => quota.end()) };
  }
  /** One waits for the next request that may be made, the others behind it: no turn lies further ahead than one of each process. */
  function inLine<T>(work: () => Promise<T>): Promise<T> {
    line.length += 1;
    const mine = line.last.then(work).finally(() => (line.length -= 1));
    line.last = mine.catch(() => undefined);
    return mine;
  }
  /** When the next turn begins. One that could not be used in time is another's by now. */
  async function nextTurn(): Promise<number> {
    const earliest = Math.max(pausedUntil, heldUntil, clock.now() - LATE_MS);
    while (turns[0] !== undefined && turns[0] < earliest) turns.shift();
    if (turns[0] !== undefined) return turns[0];
    // Tokens that other processes use are known when a turn is taken.
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
        // What was asked for meanwhile, such as a pause, holds for this one too.
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
      // Not what other processes told: it would come back to them, each time a little later.
      return { heldMs: Math.max(0, pausedUntil - now, quota.saidFullUntil(now) - now), tokenMs: untoldTokenMs };
    },
    told: ({ tokenMs }) => void (untoldTokenMs -= tokenMs),
  };
}
