import { AppError } from "../../core/shared/errors.ts";
import { FairQueue } from "../../core/jobs/fair-queue.ts";
import type { JsonBytes } from "./json-bytes.ts";
import type { HeavyRead } from "./read-messages.ts";
import { notRead, type WorkerReads } from "./worker-reads.ts";

/** Limits concurrent heavy reads and serves organizations round-robin. */
export interface HeavyReads {
  /**
   * Runs `read` in the worker process, or `here` without one. RATE_LIMITED at the organization's
   * max of waiting reads; UNAVAILABLE at the total max or if the wait is too long.
   */
  run<T>(read: HeavyRead, gone: AbortSignal | undefined, here: () => Promise<T>): Promise<T | JsonBytes>;
}

/** One read computes while the parts of another are sent. */
const AT_ONCE = 2;
/** A program's dashboard may request twenty metrics at once. */
const MOST_OF_ORGANIZATION = 40;
const MOST = 400;
const RETRY_AFTER_SECONDS = 5;
/** From the call until the worker starts the read. The read itself may take longer. */
const MAX_WAIT_MS = 5000;

/** Without `worker`, reads run in this process. */
export function openHeavyReads(worker: WorkerReads | undefined, { maxWaitMs = MAX_WAIT_MS } = {}): HeavyReads {
  const waiting = new FairQueue<() => void>();
  let underWay = 0;

  function refuseTooMany(organizationId: string): void {
    const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    if (waiting.sizeOf(organizationId) >= MOST_OF_ORGANIZATION)
      throw new AppError(
        "RATE_LIMITED",
        `Your organization has ${MOST_OF_ORGANIZATION} requests for metrics waiting. Send the next ones when these are answered.`,
        retry,
      );
    if (waiting.size >= MOST)
      throw new AppError("UNAVAILABLE", "Too many requests for metrics are waiting. Try again.", retry);
  }

  function turnOf(
    organizationId: string,
    { gone, late }: { gone: AbortSignal | undefined; late: AbortSignal },
  ): Promise<void> | undefined {
    if (underWay < AT_ONCE) {
      underWay += 1;
      return undefined;
    }
    refuseTooMany(organizationId);
    return new Promise((resolve, reject) => {
      const mine = () => {
        gone?.removeEventListener("abort", leave);
        late.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(organizationId, mine);
        reject(gone?.aborted ? callerIsGone() : notRead());
      };
      gone?.addEventListener("abort", leave, { once: true });
      late.addEventListener("abort", leave, { once: true });
      waiting.add(organizationId, mine);
    });
  }

  function giveTurn(): void {
    const next = waiting.take();
    if (next) next();
    else underWay -= 1;
  }

  return {
    async run(read, gone, here) {
      if (gone?.aborted) throw callerIsGone();
      const wait = new AbortController();
      const timer = setTimeout(() => wait.abort(), maxWaitMs);
      const onBegun = () => clearTimeout(timer);
      const late = wait.signal;
      try {
        await turnOf(read.granted.organizationId ?? "", { gone, late });
        try {
          const json = await worker?.ask(read, { gone, late, onBegun });
          if (gone?.aborted) throw callerIsGone();
          return json ?? (await here());
        } finally {
          giveTurn();
        }
      } finally {
        onBegun();
      }
    },
  };
}

/** Reaches no caller; ends the call and appears in the audit log. */
function callerIsGone(): AppError {
  return new AppError("UNAVAILABLE", "The caller has gone before the answer was ready.");
}
