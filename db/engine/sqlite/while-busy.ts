import { setTimeout as sleep } from "node:timers/promises";
import { mayRunAgain } from "../store-error.ts";

/**
 * Runs `work` again from its start while another process is in its way, for `mostMs` at most. Pauses between tries, for
 * `pauseMs` and up to five times that, so that the wait blocks nothing of this process.
 */
export async function whileBusy<T>(
  work: () => T | Promise<T>,
  { mostMs, pauseMs, onWait = () => {} }: { mostMs: number; pauseMs: number; onWait?: () => void },
): Promise<T> {
  const deadline = performance.now() + mostMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!mayRunAgain(error) || performance.now() > deadline) throw error;
      onWait();
      await sleep(pauseMs * (1 + 4 * Math.random()));
    }
  }
}
