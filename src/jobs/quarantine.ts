/** Runs one suspect job at a time, so that a crash identifies the job that caused it. */
export interface Quarantine {
  isFree(): boolean;
  enter(jobId: string): void;
  leave(jobId: string): void;
}

/** Max wait for a suspect; by then it has not crashed the worker. */
const MAX_WAIT_MS = 60_000;

export function openQuarantine(): Quarantine {
  let suspect: { jobId: string; since: number } | undefined;
  return {
    isFree: () => suspect === undefined || performance.now() - suspect.since > MAX_WAIT_MS,
    enter(jobId) {
      suspect = { jobId, since: performance.now() };
    },
    leave(jobId) {
      if (suspect?.jobId === jobId) suspect = undefined;
    },
  };
}
