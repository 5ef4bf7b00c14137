import { setImmediate as nextTurn } from "node:timers/promises";

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

/** Pieces by organization; the one whose turn is next first. */
type Waiting = Map<string, (() => void)[]>;

/** `onIdle` is called when no piece waits any more. */
export function openWorkLine(onIdle: () => void): WorkLine {
  const asked: Waiting = new Map();
  const scheduled: Waiting = new Map();
  let isWorking = false;

  async function goOn(): Promise<void> {
    isWorking = true;
    for (let next = take(asked) ?? take(scheduled); next; next = take(asked) ?? take(scheduled)) {
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
        const waiting = isScheduled ? scheduled : asked;
        waiting.set(organizationId, [...(waiting.get(organizationId) ?? []), piece]);
        if (!isWorking) void goOn();
      }),
    isBusy: () => asked.size + scheduled.size > 0,
  };
}

/** Takes the next piece; its organization has its next turn after the others. */
function take(waiting: Waiting): (() => void) | undefined {
  const [first] = waiting;
  if (!first) return undefined;
  const [organizationId, [piece, ...others]] = first;
  waiting.delete(organizationId);
  if (others.length > 0) waiting.set(organizationId, others);
  return piece;
}
