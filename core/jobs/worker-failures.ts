// A job that stops its worker each time it is tried stops the jobs of everyone. `workerFailures` of a job counts the hangs and crashes of
// workers at which it was in progress since it last got on.

/** From the first failure on: suspects run one at a time, so that the next failure shows which of them caused it. */
export const SUSPECT = 1;
export const POISONED = 2;

/** Shown to people. */
export const POISONED_REASON = "It stopped the worker twice and is not tried again.";

export function isSuspect({ workerFailures }: { workerFailures: number }): boolean {
  return workerFailures === SUSPECT;
}

export function isPoisoned({ workerFailures }: { workerFailures: number }): boolean {
  return workerFailures >= POISONED;
}
