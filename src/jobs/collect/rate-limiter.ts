import { setTimeout as sleep } from "node:timers/promises";
import { FairQueue } from "../../../core/jobs/fair-queue.ts";
import type { LimitUpdate } from "../../../db/sources/provider-paces.ts";
import type { RemainingLimits } from "../../outside/retry-hints.ts";
import type { ProviderLimits } from "../../outside/sources/provider.ts";

/** From a provider's responses. Times use the limiter's clock. */
interface RequestQuota {
  /** 0 without a pause. */
  pausedUntil(now: number): number;
  /** Only from responses in the open window, without assumptions about the next. */
  reportedPausedUntil(now: number): number;
  beginRequest(now: number): void;
  endRequest(): void;
  update(said: NonNullable<RemainingLimits["requests"]>, now: number): void;
}

interface QuotaWindow {
  left: number;
  endsAtMs: number;
  lengthMs: number;
  limit: number | null;
}

/**
 * Subtracts requests in flight, because the provider may not have counted them.
 * Within a window the remainder only falls. A new window starts with the full limit.
 */
function openQuota(): RequestQuota {
  let window: QuotaWindow | undefined;
  let inFlight = 0;
  function findWindowAt(now: number): QuotaWindow | undefined {
    if (!window || now < window.endsAtMs) return window;
    const { limit, lengthMs } = window;
    return limit === null ? undefined : { ...window, left: limit - inFlight, endsAtMs: now + lengthMs };
  }
  return {
    pausedUntil(now) {
      const open = findWindowAt(now);
      return open && open.left <= 0 ? open.endsAtMs : 0;
    },
    reportedPausedUntil: (now) => (window && window.left <= 0 && window.endsAtMs > now ? window.endsAtMs : 0),
    beginRequest(now) {
      window = findWindowAt(now);
      inFlight += 1;
      if (window) window.left -= 1;
    },
    endRequest: () => void (inFlight -= 1),
    update({ left: reportedMs, limit, resetMs }, now) {
      const left = Math.max(0, reportedMs - (inFlight - 1));
      const known = window && now < window.endsAtMs ? window : undefined;
      const until = now + resetMs;
      window = {
        limit,
        left: known ? Math.min(known.left, left) : left,
        endsAtMs: known ? Math.max(known.endsAtMs, until) : until,
        lengthMs: Math.max(window?.lengthMs ?? 0, resetMs),
      };
    },
  };
}

/** Multi-request work awaits this before each request. The first uses the work's own slot. */
export type BeforeRequest = () => Promise<unknown> | undefined;

type RunStart = <T>(work: () => T) => Promise<T>;

const runNow: RunStart = async (work) => work();

export interface LimiterClock {
  /** Monotonic. */
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

const REAL_CLOCK: LimiterClock = {
  now: () => performance.now(),
  // A timer truncates fractional milliseconds and would fire too early.
  sleep: (ms, signal) => sleep(Math.ceil(ms), undefined, { signal }),
};

/** Concurrency per process, requests per minute over all processes. */
export interface RateLimiter {
  /** Rejects if aborted before the start. Serves `fairnessKey`s round-robin. */
  run<T>(
    work: (beforeRequest: BeforeRequest) => Promise<T>,
    by: { fairnessKey: string; signal: AbortSignal; begin?: RunStart },
  ): Promise<T>;
  recordTokens(tokens: number): void;
  pause(ms: number): void;
  applyRemotePause(ms: number): void;
  updateLimits: (left: RemainingLimits) => void;
  unsharedLimits(): Omit<LimitUpdate, "provider">;
  markShared(news: Pick<LimitUpdate, "tokenMs">): void;
}

const MINUTE_MS = 60_000;
/** Extends the planned minute, so that late starts never exceed the limit of a minute. */
const SPACING_MARGIN_MS = 1200;
/** The rest of SPACING_MARGIN_MS covers network jitter. */
const MAX_LATE_MS = 1100;
/** Each reservation of slots is a transaction. */
const MAX_AHEAD_MS = 1000;

interface SlotReservation {
  /** Reserves across all processes. Returns milliseconds until the first slot. */
  reserveSlots: (turns: { msPerRequest: number; count: number }) => Promise<number>;
  clock?: LimiterClock;
}

/**
 * Spaces starts evenly; a late start does not delay the next.
 * Token usage, known only afterwards, delays the next start by its worth.
 */
export function openRateLimiter(
  limits: Pick<ProviderLimits, "concurrency" | "requestsPerMinute" | "tokensPerMinute">,
  { reserveSlots, clock = REAL_CLOCK }: SlotReservation,
): RateLimiter {
  const spacingMs = limits.requestsPerMinute === null ? 0 : (MINUTE_MS + SPACING_MARGIN_MS) / limits.requestsPerMinute;
  const msPerToken = limits.tokensPerMinute === null ? 0 : MINUTE_MS / limits.tokensPerMinute;
  const needsSlots = spacingMs > 0 || msPerToken > 0;
  const reservedSlots: number[] = [];
  const waiting = new FairQueue<() => void>();
  let running = 0;
  let tokensAvailableAt = 0;
  let unsharedTokenMs = 0;
  let pausedUntil = 0;
  const startQueue: { length: number; lastStart: Promise<unknown> } = { length: 0, lastStart: Promise.resolve() };
  let remotePauseUntil = 0;
  const quota = openQuota();

  function pause(ms: number): void {
    pausedUntil = Math.max(pausedUntil, clock.now() + ms);
  }
  async function acquireSlot(of: string): Promise<void> {
    if (running < limits.concurrency) running += 1;
    // Leaving transfers the slot, so `running` stays the same.
    else await new Promise<void>((resolve) => waiting.add(of, resolve));
  }
  function releaseSlot(): void {
    const next = waiting.take();
    if (next) next();
    else running -= 1;
  }
  function waitMsAt(now: number): number {
    return Math.max(tokensAvailableAt, pausedUntil, remotePauseUntil, quota.pausedUntil(now)) - now;
  }
  function tryStart<T>(work: () => Promise<T>): { result: Promise<T> } | undefined {
    const now = clock.now();
    const isTooLate = reservedSlots[0] !== undefined && reservedSlots[0] < now - MAX_LATE_MS;
    if (waitMsAt(now) > 0 || isTooLate) return undefined;
    quota.beginRequest(now);
    return { result: work().finally(() => quota.endRequest()) };
  }
  /** Only the first waits for a slot, so that each process reserves at most one ahead. */
  function enqueue<T>(work: () => Promise<T>): Promise<T> {
    startQueue.length += 1;
    const mine = startQueue.lastStart.then(work).finally(() => (startQueue.length -= 1));
    startQueue.lastStart = mine.catch(() => undefined);
    return mine;
  }
  /** Another process may have a slot that became too old. */
  async function findNextSlot(): Promise<number> {
    const earliest = Math.max(pausedUntil, remotePauseUntil, clock.now() - MAX_LATE_MS);
    while (reservedSlots[0] !== undefined && reservedSlots[0] < earliest) reservedSlots.shift();
    if (reservedSlots[0] !== undefined) return reservedSlots[0];
    // Under a token limit, other processes' usage is known only on reservation.
    const most = msPerToken > 0 ? 1 : Math.floor(MAX_AHEAD_MS / spacingMs);
    const count = Math.max(1, Math.min(startQueue.length, most));
    const untilFirst = await reserveSlots({ msPerRequest: spacingMs, count });
    const first = clock.now() + untilFirst;
    for (let nth = 0; nth < count; nth++) reservedSlots.push(first + nth * spacingMs);
    return first;
  }
  async function startInOrder<T>(work: () => Promise<T>, begin: RunStart, signal: AbortSignal) {
    signal.throwIfAborted();
    const first = startQueue.length === 0 && !needsSlots ? await begin(() => tryStart(work)) : undefined;
    if (first) return first;
    return enqueue(async () => {
      for (;;) {
        signal.throwIfAborted();
        const wait = waitMsAt(clock.now());
        if (wait > 0) await clock.sleep(wait, signal);
        const untilTurn = needsSlots ? (await findNextSlot()) - clock.now() : 0;
        if (untilTurn > 0) await clock.sleep(untilTurn, signal);
        // A pause set meanwhile applies to this request too.
        const begun = await begin(() => tryStart(work));
        if (!begun) continue;
        reservedSlots.shift();
        return begun;
      }
    });
  }
  return {
    async run(work, { fairnessKey, signal, begin = runNow }) {
      await acquireSlot(fairnessKey);
      let requests = 0;
      const beforeRequest = () =>
        requests++ === 0 ? undefined : startInOrder(() => Promise.resolve(), runNow, signal);
      try {
        const { result } = await startInOrder(() => work(beforeRequest), begin, signal);
        return await result;
      } finally {
        releaseSlot();
      }
    },
    recordTokens(tokens) {
      const ms = tokens * msPerToken;
      unsharedTokenMs += ms;
      if (msPerToken > 0) tokensAvailableAt = Math.max(tokensAvailableAt, clock.now()) + ms;
    },
    pause,
    applyRemotePause: (ms) => void (remotePauseUntil = clock.now() + ms),
    updateLimits({ requests, waitMs }) {
      if (waitMs !== undefined) pause(waitMs);
      if (requests) quota.update(requests, clock.now());
    },
    unsharedLimits() {
      const now = clock.now();
      // Excludes notices of other processes, which would otherwise echo back and grow each time.
      return {
        pauseMs: Math.max(0, pausedUntil - now, quota.reportedPausedUntil(now) - now),
        tokenMs: unsharedTokenMs,
      };
    },
    markShared: ({ tokenMs }) => void (unsharedTokenMs -= tokenMs),
  };
}
