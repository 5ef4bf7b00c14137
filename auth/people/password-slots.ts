import { AppError } from "../../core/shared/errors.ts";
import { FairQueue } from "../../core/jobs/fair-queue.ts";

/** A request that has a password hashed. */
export interface PasswordTry {
  address: string;
  email: string;
  /** The browser, if it has signed in to this account before. */
  device?: string | undefined;
}

/** Runs password hashes, a few at a time. */
export interface PasswordSlots {
  /** RATE_LIMITED if too many requests of the same address, account or browser wait; UNAVAILABLE if too many wait in all. */
  run<T>(tried: PasswordTry, hash: () => Promise<T>): Promise<T>;
}

/** Max requests that wait for one address, for one account from unknown browsers, and for one known browser. */
const MAX_WAITING = 2;
/** Max requests that wait for one account from all its known browsers. */
const MAX_WAITING_KNOWN = 8;
const RETRY_SECONDS = 2;
const RETRY_SECONDS_FULL = 5;

interface Waiter {
  /** The queue that the waiter is in: each address, and each account with known browsers, has its own. */
  lane: string;
  /** What the waiter counts for, with the max of each. */
  counts: readonly (readonly [key: string, max: number])[];
  start: () => void;
}

/**
 * Slots for `atOnce` concurrent hashes. Free slots go round-robin over addresses, and alternate between unknown and known
 * browsers, so that neither one address nor many can keep a known browser out. `maxWaiting` bounds each of the two.
 */
export function openPasswordSlots({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }): PasswordSlots {
  const [strangers, known] = [openLanes(maxWaiting), openLanes(maxWaiting)];
  let order = [known, strangers];
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
          (tried.device === undefined ? strangers : known).add(waiterOf(tried, start)),
        );
      try {
        return await hash();
      } finally {
        startNext();
      }
    },
  };
}

function waiterOf({ address, email, device }: PasswordTry, start: () => void): Waiter {
  const account = `account ${email.trim().toLowerCase()}`;
  if (device === undefined) {
    const lane = `address ${address}`;
    return { lane, start, counts: [lane, account].map((key) => [key, MAX_WAITING] as const) };
  }
  const counts = [[`device ${device}`, MAX_WAITING] as const, [account, MAX_WAITING_KNOWN] as const];
  return { lane: account, start, counts };
}

/** Waiters in the order that they start, with what limits their number. */
function openLanes(maxWaiting: number) {
  const queue = new FairQueue<Waiter>();
  const waiting = new Map<string, number>();
  const count = (by: Waiter, change: 1 | -1) => {
    for (const [key] of by.counts) {
      const left = (waiting.get(key) ?? 0) + change;
      if (left === 0) waiting.delete(key);
      else waiting.set(key, left);
    }
  };
  return {
    add(waiter: Waiter): void {
      if (waiter.counts.some(([key, max]) => (waiting.get(key) ?? 0) >= max)) throw tooManyOfOne();
      if (queue.size >= maxWaiting) throw tooManyInAll();
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

function tooManyOfOne(): AppError {
  const message = `Other sign-ins to this account or from this address are still in progress. Wait ${RETRY_SECONDS} seconds, then try again.`;
  return new AppError("RATE_LIMITED", message, { retryAfterSeconds: RETRY_SECONDS });
}

function tooManyInAll(): AppError {
  const message = "Too many people are signing in right now. Try again in a few seconds.";
  return new AppError("UNAVAILABLE", message, { retryAfterSeconds: RETRY_SECONDS_FULL });
}
