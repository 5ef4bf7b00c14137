import { AppError } from "../../core/shared/errors.ts";
import { FairQueue } from "../../core/jobs/fair-queue.ts";

export interface PasswordSubmission {
  address: string;
  email: string;
  /** Device that has signed in to this account before, if any. */
  device?: string | undefined;
}

export interface PasswordSlots {
  /** RATE_LIMITED at the max per address, account or browser; UNAVAILABLE at the total max. */
  run<T>(tried: PasswordSubmission, hash: () => Promise<T>): Promise<T>;
}

/** Max waiting requests per address, per account from unknown browsers, and per known browser. */
const MAX_WAITING = 2;
/** Max waiting requests per account from all its known browsers. */
const MAX_WAITING_KNOWN = 8;
const RETRY_SECONDS = 2;
const RETRY_SECONDS_FULL = 5;

interface Waiter {
  /** Queue name: one per address, and one per account with known browsers. */
  lane: string;
  keyLimits: readonly (readonly [key: string, max: number])[];
  start: () => void;
}

/** Alternates known and unknown browsers: many addresses cannot lock out a known browser. */
export function openPasswordSlots({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }): PasswordSlots {
  const [strangers, knownLane] = [openLanes(maxWaiting), openLanes(maxWaiting)];
  let order = [knownLane, strangers];
  let running = 0;

  function startNext(): void {
    const [first, second] = order;
    const next = first?.take() ?? second?.take();
    order = order.toReversed();
    if (next) next.start();
    else running--;
  }

  return {
    async run(tried, hash) {
      if (running < atOnce) running++;
      else
        await new Promise<void>((start) =>
          (tried.device === undefined ? strangers : knownLane).add(createWaiter(tried, start)),
        );
      try {
        return await hash();
      } finally {
        startNext();
      }
    },
  };
}

function createWaiter({ address, email, device }: PasswordSubmission, start: () => void): Waiter {
  const account = `account ${email.trim().toLowerCase()}`;
  if (device === undefined) {
    const lane = `address ${address}`;
    return { lane, start, keyLimits: [lane, account].map((key) => [key, MAX_WAITING] as const) };
  }
  const keyLimits = [[`device ${device}`, MAX_WAITING] as const, [account, MAX_WAITING_KNOWN] as const];
  return { lane: account, start, keyLimits };
}

function openLanes(maxWaiting: number) {
  const queue = new FairQueue<Waiter>();
  const waiting = new Map<string, number>();
  const count = (by: Waiter, change: 1 | -1) => {
    for (const [key] of by.keyLimits) {
      const left = (waiting.get(key) ?? 0) + change;
      if (left === 0) waiting.delete(key);
      else waiting.set(key, left);
    }
  };
  return {
    add(waiter: Waiter): void {
      if (waiter.keyLimits.some(([key, max]) => (waiting.get(key) ?? 0) >= max)) throw sourceLimitError();
      if (queue.size >= maxWaiting) throw totalLimitError();
      queue.add(waiter.lane, waiter);
      count(waiter, 1);
    },
    take(): Waiter | undefined {
      const next = queue.take();
      if (next) count(next, -1);
      return next;
    },
  };
}

function sourceLimitError(): AppError {
  const message = `Other sign-ins to this account or from this address are still in progress. Wait ${RETRY_SECONDS} seconds, then try again.`;
  return new AppError("RATE_LIMITED", message, { retryAfterSeconds: RETRY_SECONDS });
}

function totalLimitError(): AppError {
  const message = "Too many people are signing in right now. Try again in a few seconds.";
  return new AppError("UNAVAILABLE", message, { retryAfterSeconds: RETRY_SECONDS_FULL });
}
