import type { ServerResponse } from "node:http";
import { AppError } from "../../core/errors.ts";

/** How much of the bodies of requests is in memory at once, over all requests of this process that are not answered yet. */
export interface BodyBudget {
  /** What one request holds until its response is over. */
  open(holder: BodyHolder, response: ServerResponse): BodyHold;
}

/** An account, or the address of a caller without one. */
export type BodyHolder = { account: string } | { address: string };

export interface BodyHold {
  /** Counts bytes that came in. UNAVAILABLE where they are more than may be held. */
  take(bytes: number): void;
}

/** What one account or address may hold of the whole, and what all together may that have no account. */
const ONE_OF = 4;
const STRANGERS_OF = 2;
const STRANGERS = "strangers";
const ALL = "all";

/**
 * Counts the bytes that came, not those that were announced: announcing costs a caller nothing. Who sends the most is
 * refused first, so that one caller cannot keep others from sending.
 */
export function openBodyBudget(bytes: number): BodyBudget {
  const held = new Map<string, number>();

  function add(key: string, more: number): void {
    const now = (held.get(key) ?? 0) + more;
    if (now === 0) held.delete(key);
    else held.set(key, now);
  }

  return {
    open(holder, response) {
      const shares: [key: string, most: number][] =
        "account" in holder
          ? [[`account ${holder.account}`, bytes / ONE_OF]]
          : [
              [`address ${holder.address}`, bytes / ONE_OF],
              [STRANGERS, bytes / STRANGERS_OF],
            ];
      shares.push([ALL, bytes]);
      let taken = 0;
      response.once("close", () => {
        for (const [key] of shares) add(key, -taken);
      });
      return {
        take(more) {
          if (bytes > 0 && shares.some(([key, most]) => (held.get(key) ?? 0) + more > most)) throw tooManyAtOnce();
          taken += more;
          for (const [key] of shares) add(key, more);
        },
      };
    },
  };
}

function tooManyAtOnce(): AppError {
  const message = "Too many large bodies are being sent at once. Wait a moment, then send this one again.";
  return new AppError("UNAVAILABLE", message, { retryAfterSeconds: 1 });
}
