// A job that stops its worker each time it is tried stops the jobs of everyone. `suspicion` counts the ends of workers at which a job
// was in progress since it last got on.

/** Added where a lease ended unrenewed: its worker may have been killed, lost the store, or lost its machine. */
export const LOST_LEASE = 1;
/** Added besides where the parent of the worker saw that it hung or crashed. */
export const WORKER_FAILED = 9;
/** From one known failure on. Suspects run one at a time, so that the next failure says which of them caused it. */
export const SUSPECT = LOST_LEASE + WORKER_FAILED;
/** From two known failures on. */
export const POISONED = 2 * SUSPECT;

/** Shown to people. */
export const POISONED_REASON = "It stopped the worker twice and is not tried again.";

export function isSuspect({ suspicion }: { suspicion: number }): boolean {
  return suspicion >= SUSPECT && suspicion < POISONED;
}

export function isPoisoned({ suspicion }: { suspicion: number }): boolean {
  return suspicion >= POISONED;
}
