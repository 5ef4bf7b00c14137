import { setTimeout } from "node:timers/promises";
import { MAX_CRAWL_DELAY_MS } from "../../../core/audits/crawler.ts";

export interface HostQueues {
  /** Starts at least `delayMs` after the start of the previous request to the host. */
  run<T>(host: string, options: QueueOptions, work: () => Promise<T>): Promise<T>;
  readonly size: number;
}

interface QueueOptions {
  delayMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

interface HostQueue {
  lastEnd: Promise<void>;
  length: number;
  lastStartMs: number;
}

/** A sleep may end early, like timers do. */
export interface QueueClock {
  now: () => number;
  sleep: (ms: number) => Promise<void>;
}

const REAL_CLOCK: QueueClock = { now: () => performance.now(), sleep: (ms) => setTimeout(ms) };

export function openHostQueues({ now, sleep }: QueueClock = REAL_CLOCK): HostQueues {
  const queues = new Map<string, HostQueue>();

  function forgetIdle(): void {
    for (const [host, { length, lastStartMs }] of queues) {
      if (length === 0 && now() - lastStartMs >= MAX_CRAWL_DELAY_MS) queues.delete(host);
    }
  }

  return {
    get size() {
      return queues.size;
    },
    async run(host, { delayMs = 0, signal }, work) {
      forgetIdle();
      const line = queues.get(host) ?? { lastEnd: Promise.resolve(), length: 0, lastStartMs: -Infinity };
      queues.set(host, line);
      const before = line.lastEnd;
      let leave = noop;
      line.lastEnd = new Promise((resolve) => {
        leave = resolve;
      });
      line.length++;
      try {
        await waitUnlessAborted(before, signal);
        const mayBeginMs = line.lastStartMs + Math.min(delayMs, MAX_CRAWL_DELAY_MS);
        while (now() < mayBeginMs) await waitUnlessAborted(sleep(Math.ceil(mayBeginMs - now())), signal);
        line.lastStartMs = now();
        return await work();
      } finally {
        line.length--;
        // An aborted waiting request hands its slot to the next one, without letting it overtake.
        void before.then(leave);
      }
    },
  };
}

const noop = (): void => undefined;

async function waitUnlessAborted(wait: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  let onAbort = noop;
  const aborted = new Promise<never>((_resolve, reject) => {
    // Safe: every abort reason is an Error.
    onAbort = () => reject(signal?.reason as Error);
    signal?.addEventListener("abort", onAbort);
  });
  await Promise.race([wait, aborted]).finally(() => signal?.removeEventListener("abort", onAbort));
}
