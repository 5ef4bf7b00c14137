import { setImmediate as nextTurn } from "node:timers/promises";
import { FairQueue } from "../../core/jobs/fair-queue.ts";

/**
 * Serialises CPU work of this thread, round-robin over organizations, and yields to the event loop
 * after each piece.
 */
export interface WorkLine {
  /**
   * Scheduled collects come last. The queue continues once `work` returns, without awaiting its
   * promise.
   */
  run<T>(of: { organizationId: string; isScheduled: boolean }, work: () => T | Promise<T>): Promise<T>;
  isBusy(): boolean;
}

/** `onIdle` is called when the queue becomes empty. */
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
