import { AppError } from "../../core/shared/errors.ts";
import { FairQueue } from "../../core/jobs/fair-queue.ts";
import type { JsonBytes } from "./json-bytes.ts";
import type { HeavyRead } from "./read-messages.ts";
import { notRead, type WorkerReads } from "./worker-reads.ts";

/** Runs heavy reads, a few at once, round-robin over organizations. */
export interface HeavyReads {
  /**
   * The result of `read`: as JSON from the worker process, or the result of `here` where there is no worker or it ends
   * meanwhile. RATE_LIMITED where too many of the organization wait, UNAVAILABLE where too many wait in all or the read does
   * not begin in time.
   */
  run<T>(read: HeavyRead, gone: AbortSignal | undefined, here: () => Promise<T>): Promise<T | JsonBytes>;
}

/** One is computed while the parts of another are sent. */
const AT_ONCE = 2;
/** A page of a program may well ask for twenty figures at once. */
const MOST_OF_ORGANIZATION = 40;
const MOST = 400;
const RETRY_AFTER_SECONDS = 5;
/** From the call until the worker begins the read. The read itself may take longer. */
const MAX_WAIT_MS = 5000;

/** Without `worker` this process does them itself. */
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

  /** Resolves when it is the turn of this read. */
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

  /** Hands the place of a read that has ended to the next one. */
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

/** Reaches no caller: it ends the call, and names it in the audit log. */
function callerIsGone(): AppError {
  return new AppError("UNAVAILABLE", "The caller has gone before the answer was ready.");
}
