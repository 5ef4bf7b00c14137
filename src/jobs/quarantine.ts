/** Lets one suspect at a time run in a process, so that no two are in progress when the process fails. */
export interface Quarantine {
  isFree(): boolean;
  enter(jobId: string): void;
  leave(jobId: string): void;
}

/** Others wait no longer for a suspect than this: it has not stopped the worker so far. */
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
