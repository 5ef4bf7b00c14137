import type { ServerResponse } from "node:http";
import { AppError } from "../../core/shared/errors.ts";

/** Bounds memory for request bodies of all requests in progress in this process. */
export interface BodyBudget {
  /** The share lasts until the response closes. */
  open(holder: BodyHolder, response: ServerResponse): BodyHold;
}

/** The address identifies callers who have not signed in. */
export type BodyHolder = { account: string } | { address: string };

export interface BodyHold {
  /** UNAVAILABLE above a share. */
  take(bytes: number): void;
}

/** Free bytes per body, so that large bodies never block a form, a key or a tool call. */
const UNCOUNTED_BYTES = 16 * 1024;
/** Divisors of the total budget. */
const [ACCOUNT_SHARE, ADDRESS_SHARE, STRANGERS_SHARE] = [4, 16, 2];
const STRANGERS = "strangers";
const ALL = "all";

/** Counts received bytes, because an attacker can announce bytes at no cost. */
export function openBodyBudget(bytes: number): BodyBudget {
  const held = new Map<string, number>();

  function add(key: string, more: number): void {
    const now = (held.get(key) ?? 0) + more;
    if (now === 0) held.delete(key);
    else held.set(key, now);
  }

  return {
    open(holder, response) {
      const shares: [key: string, max: number][] =
        "account" in holder
          ? [[`account ${holder.account}`, bytes / ACCOUNT_SHARE]]
          : [
              [`address ${holder.address}`, bytes / ADDRESS_SHARE],
              [STRANGERS, bytes / STRANGERS_SHARE],
            ];
      shares.push([ALL, bytes]);
      let [received, counted] = [0, 0];
      response.once("close", () => {
        for (const [key] of shares) add(key, -counted);
      });
      return {
        take(more) {
          received += more;
          const uncounted = Math.max(0, received - UNCOUNTED_BYTES) - counted;
          if (uncounted === 0) return;
          if (bytes > 0 && shares.some(([key, max]) => (held.get(key) ?? 0) + uncounted > max)) throw tooManyAtOnce();
          counted += uncounted;
          for (const [key] of shares) add(key, uncounted);
        },
      };
    },
  };
}

function tooManyAtOnce(): AppError {
  const message = "Too many large bodies are being sent at once. Wait a moment, then send this one again.";
  return new AppError("UNAVAILABLE", message, { retryAfterSeconds: 1 });
}
