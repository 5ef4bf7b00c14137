import { setTimeout } from "node:timers/promises";
import { MOST_CRAWL_DELAY_MS } from "../../../core/audits/crawler.ts";

export interface HostTurns {
  /** Runs `work` at least `delayMs` after the start of the previous request to the host. */
  take<T>(host: string, options: TurnOptions, work: () => Promise<T>): Promise<T>;
  readonly size: number;
}

interface TurnOptions {
  delayMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

interface Line {
  end: Promise<void>;
  length: number;
  beganMs: number;
}

/** Both in milliseconds. A sleep may end early, like timers do. */
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
        // An aborted waiting request hands its slot to the next one, without letting it overtake.
        void before.then(leave);
      }
    },
  };
}

const NOTHING = (): void => undefined;

async function unlessAborted(wait: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  let onAbort = NOTHING;
  const aborted = new Promise<never>((_resolve, reject) => {
    // Safe: every abort reason is an Error.
    onAbort = () => reject(signal?.reason as Error);
    signal?.addEventListener("abort", onAbort);
  });
  await Promise.race([wait, aborted]).finally(() => signal?.removeEventListener("abort", onAbort));
}
