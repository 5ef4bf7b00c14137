import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";

/** Milliseconds since the stop signal. Containers are killed after ten seconds. */
export const STOP_DEADLINES_MS = {
  /** Outgoing requests are then aborted and jobs released. */
  breakOff: 5000,
  /** Cuts open connections, whose clients read too slowly or send nothing. */
  cut: 6500,
  /** Abandons unfinished parts; the next process resumes their jobs. */
  leave: 8000,
  /** Abandons unfinished writes to the store. */
  leaveStore: 8700,
} as const;

export function openStopDeadlines(log: Logger) {
  const began = performance.now();
  const pending: string[] = [];
  return {
    /** Resolves when `part` settles or its time is over. Never rejects. */
    async waitFor(name: string, part: Promise<unknown>, byMs: number = STOP_DEADLINES_MS.leave): Promise<void> {
      const late = new AbortController();
      const time = sleep(Math.max(0, began + byMs - performance.now()), false, { signal: late.signal });
      const ended = part.then(
        () => true,
        (error: unknown) => {
          log.error({ err: error }, `could not stop ${name}`);
          return false;
        },
      );
      if (!(await Promise.race([ended, time]))) pending.push(name);
      late.abort();
      await time.catch(() => undefined);
    },
    finish(): void {
      if (pending.length > 0) throw new Error(`Not stopped in time: ${pending.join(", ")}.`);
    },
  };
}
