import { setImmediate as nextTurn } from "node:timers/promises";
import { FairQueue } from "../../core/jobs/fair-queue.ts";

/** Work of this thread, one piece at a time with a turn of the event loop after each, in turn over organizations. */
export interface WorkLine {
  /**
   * Runs `work` when it is its turn, that of scheduled collects after that of all others. The line goes on once `work` has
   * returned: what a promise that it returns waits for is not work of this thread.
   */
  run<T>(of: { organizationId: string; isScheduled: boolean }, work: () => T | Promise<T>): Promise<T>;
  /** True while some piece waits for its turn. */
  isBusy(): boolean;
}

/** `onIdle` is called when no piece waits any more. */
export function openWorkLine(onIdle: () => void): WorkLine {
  const asked = new FairQueue<() => void>();
  const scheduled = new FairQueue<() => void>();
  let isWorking = false;

  const take = () => asked.take() ?? scheduled.take();

  async function goOn(): Promise<void> {
    isWorking = true;
    for (let next = take(); next; next = take()) {
      next();
      await nextTurn();
    }
    isWorking = false;
    onIdle();
  }

  return {
    run: ({ organizationId, isScheduled }, work) =>
      new Promise((resolve, reject) => {
        const piece = () => {
          try {
            resolve(work());
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        };
        (isScheduled ? scheduled : asked).add(organizationId, piece);
        if (!isWorking) void goOn();
      }),
    isBusy: () => asked.size + scheduled.size > 0,
  };
}
