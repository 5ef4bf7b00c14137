import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";

/**
 * How long a process takes to stop, in milliseconds since it was told to, whatever hangs. All of it is over within nine
 * seconds: containers are killed after ten.
 */
export const STOP_MS = {
  /** Until then requests and jobs may end. Then what they wait for outside is broken off, and jobs are given back. */
  breakOff: 5000,
  /** Connections that are still open are cut: their clients read too slowly, or send nothing. */
  cut: 6500,
  /** What has not ended is left as it is: the next process takes it up. */
  leave: 8000,
  /** The same for what writes to the store what is still in memory. */
  leaveStore: 8700,
} as const;

/** Waits for one part after another, each only as long as there is time. */
export function stopInTime(log: Logger) {
  const began = performance.now();
  const left: string[] = [];
  return {
    /** Resolves when `part` has ended or its time is over, also where it failed. */
    async ends(name: string, part: Promise<unknown>, byMs: number = STOP_MS.leave): Promise<void> {
      const late = new AbortController();
      const time = sleep(Math.max(0, began + byMs - performance.now()), false, { signal: late.signal });
      const ended = part.then(
        () => true,
        (error: unknown) => {
          log.error({ err: error }, `${name} could not be ended`);
          return false;
        },
      );
      if (!(await Promise.race([ended, time]))) left.push(name);
      late.abort();
      await time.catch(() => undefined);
    },
    /** Throws an error that names what did not end. */
    finish(): void {
      if (left.length > 0) throw new Error(`What did not end in time: ${left.join(", ")}.`);
    },
  };
}
