// Limits the harm of a job that crashes its worker. `workerFailures` counts the hangs and crashes
// during a job since its last progress.

/** Suspects run one at a time, so that the next failure identifies its cause. */
export const SUSPECT_FAILURES = 1;
export const POISONED_FAILURES = 2;

export const POISONED_REASON = "Processing stopped the worker twice and is not tried again.";

export function isSuspect({ workerFailures }: { workerFailures: number }): boolean {
  return workerFailures === SUSPECT_FAILURES;
}

export function isPoisoned({ workerFailures }: { workerFailures: number }): boolean {
  return workerFailures >= POISONED_FAILURES;
}
