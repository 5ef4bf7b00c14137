import { AppError } from "../../core/shared/errors.ts";
import { FairQueue } from "../../core/jobs/fair-queue.ts";
import type { JsonBytes } from "./json-bytes.ts";
import type { HeavyRead } from "./read-messages.ts";
import { readUnavailable, type WorkerReads } from "./worker-reads.ts";

/** Serves organizations round-robin. */
export interface HeavyReads {
  /**
   * `here` runs without a worker process. Throws RATE_LIMITED at the organization's max of waiting
   * reads, UNAVAILABLE at the total max or if the wait is too long.
   */
  runRead<T>(read: HeavyRead, disconnected: AbortSignal | undefined, here: () => Promise<T>): Promise<T | JsonBytes>;
}

/** One read computes while the parts of another are sent. */
const MAX_CONCURRENT = 2;
/** A program's dashboard may request twenty metrics at once. */
const MAX_WAITING_PER_ORGANIZATION = 40;
const MAX_WAITING = 400;
const RETRY_AFTER_SECONDS = 5;
/** Until the worker starts the read, which itself may take longer. */
const MAX_WAIT_MS = 5000;

/** Without `worker`, reads run in this process. */
export function openHeavyReads(worker: WorkerReads | undefined, { maxWaitMs = MAX_WAIT_MS } = {}): HeavyReads {
  const waiting = new FairQueue<() => void>();
  let inProgress = 0;

  function rejectTooMany(organizationId: string): void {
    const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    if (waiting.sizeOf(organizationId) >= MAX_WAITING_PER_ORGANIZATION)
      throw new AppError(
        "RATE_LIMITED",
        `Your organization has ${MAX_WAITING_PER_ORGANIZATION} requests for metrics waiting. Send the next ones when these are answered.`,
        retry,
      );
    if (waiting.size >= MAX_WAITING)
      throw new AppError("UNAVAILABLE", "Too many requests for metrics are waiting. Try again.", retry);
  }

  function waitForSlot(
    organizationId: string,
    { disconnectSignal, deadline }: { disconnectSignal: AbortSignal | undefined; deadline: AbortSignal },
  ): Promise<void> | undefined {
    if (inProgress < MAX_CONCURRENT) {
      inProgress += 1;
      return undefined;
    }
    rejectTooMany(organizationId);
    return new Promise((resolve, reject) => {
      const onSlot = () => {
        disconnectSignal?.removeEventListener("abort", leave);
        deadline.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(organizationId, onSlot);
        reject(disconnectSignal?.aborted ? callerDisconnectedError() : readUnavailable());
      };
      disconnectSignal?.addEventListener("abort", leave, { once: true });
      deadline.addEventListener("abort", leave, { once: true });
      waiting.add(organizationId, onSlot);
    });
  }

  function releaseSlot(): void {
    const next = waiting.take();
    if (next) next();
    else inProgress -= 1;
  }

  return {
    async runRead(read, disconnectSignal, runHere) {
      if (disconnectSignal?.aborted) throw callerDisconnectedError();
      const wait = new AbortController();
      const timer = setTimeout(() => wait.abort(), maxWaitMs);
      const stopTimer = () => clearTimeout(timer);
      const deadline = wait.signal;
      try {
        await waitForSlot(read.authorisedIds.organizationId ?? "", { disconnectSignal, deadline });
        try {
          const json = await worker?.requestRead(read, { disconnectSignal, deadline, onStarted: stopTimer });
          if (disconnectSignal?.aborted) throw callerDisconnectedError();
          return json ?? (await runHere());
        } finally {
          releaseSlot();
        }
      } finally {
        stopTimer();
      }
    },
  };
}

/** Reaches no caller; appears in the audit log. */
function callerDisconnectedError(): AppError {
  return new AppError("UNAVAILABLE", "The caller disconnected before the answer was ready.");
}
