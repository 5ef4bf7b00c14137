import { setTimeout } from "node:timers/promises";
import { MOST_CRAWL_DELAY_MS } from "../../../core/audits/crawler.ts";

/** Turns of requests to hosts: one at a time at each, in the order in which they were asked for. */
export interface HostTurns {
  /** Does `work` when it is this request's turn at the host, and at least `delayMs` after the one before it began. */
  take<T>(host: string, options: TurnOptions, work: () => Promise<T>): Promise<T>;
  /** Hosts that are remembered, as they have a request under way or may have a pause to keep. */
  readonly size: number;
}

interface TurnOptions {
  /** MOST_CRAWL_DELAY_MS at most. */
  delayMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

interface Line {
  /** Ends with the last request in line. */
  end: Promise<void>;
  length: number;
  /** When the last request began. */
  beganMs: number;
}

/** Both in milliseconds. A sleep may end early, as timers do. */
export interface TurnClock {
  now: () => number;
  sleep: (ms: number) => Promise<void>;
}

const REAL_CLOCK: TurnClock = { now: () => performance.now(), sleep: (ms) => setTimeout(ms) };

export function openHostTurns({ now, sleep }: TurnClock = REAL_CLOCK): HostTurns {
  const lines = new Map<string, Line>();

  function forgetIdle(): void {
    for (const [host, { length, beganMs }] of lines) {
      if (length === 0 && now() - beganMs >= MOST_CRAWL_DELAY_MS) lines.delete(host);
    }
  }

  return {
    get size() {
      return lines.size;
    },
    async take(host, { delayMs = 0, signal }, work) {
      forgetIdle();
      const line = lines.get(host) ?? { end: Promise.resolve(), length: 0, beganMs: -Infinity };
      lines.set(host, line);
      const before = line.end;
      let leave = NOTHING;
      line.end = new Promise((resolve) => {
        leave = resolve;
      });
      line.length++;
      try {
        await unlessAborted(before, signal);
        const mayBeginMs = line.beganMs + Math.min(delayMs, MOST_CRAWL_DELAY_MS);
        while (now() < mayBeginMs) await unlessAborted(sleep(Math.ceil(mayBeginMs - now())), signal);
        line.beganMs = now();
        return await work();
      } finally {
        line.length--;
        // A request that is given up while it waits leaves its place to the next one, and does not let it overtake.
        void before.then(leave);
      }
    },
  };
}

/** Until there is something to do. */
const NOTHING = (): void => undefined;

async function unlessAborted(wait: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  let onAbort = NOTHING;
  const aborted = new Promise<never>((_resolve, reject) => {
    // Safe: whatever aborts a signal here is an error.
    onAbort = () => reject(signal?.reason as Error);
    signal?.addEventListener("abort", onAbort);
  });
  await Promise.race([wait, aborted]).finally(() => signal?.removeEventListener("abort", onAbort));
}
