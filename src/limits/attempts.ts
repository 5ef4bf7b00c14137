import { hash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { openLimiter, type Limiter } from "./limiter.ts";
import { tell, tooMany } from "./request-limits.ts";

/** Most failures in 15 minutes; 0 for no limit. */
export interface MostFailures {
  /** Passwords of one account from one place. */
  account: number;
  /** Passwords of one account from everywhere that it never signed in from. */
  strangers: number;
  /** Passwords of all accounts from one place. */
  address: number;
  /** Keys, tokens, codes and links from one place. */
  secrets: number;
}

/** A password that somebody tries. */
export interface PasswordTry {
  address: string;
  email: string;
  /** The browser, where it has signed in to this very account before. */
  device: string | undefined;
}

/** A key, token, code or link that somebody tries: nobody guesses one, but trying costs us. */
export interface SecretTry {
  address: string;
  /** What is tried, where it is known before it is looked at. */
  secret?: string;
}

/** Attempts to get in. Failed ones alone count, so that who succeeds is never held up by their own success. */
export interface Attempts {
  /**
   * Counts a try before the password is looked at, so that tries at the same time count too. RATE_LIMITED where it is
   * one too many. Who made a mistake about nothing (`failed` not called) is to be given it back with `forgive`.
   */
  password(tried: PasswordTry): Promise<{ forgive(): Promise<void> }>;
  /** RATE_LIMITED where too many secrets were wrong. The same one is stopped sooner, and does not count for others. */
  admitSecret(tried: SecretTry, response: ServerResponse): Promise<void>;
  wrongSecret(tried: SecretTry): Promise<void>;
}

const WINDOW_SECONDS = 15 * 60;
/** One wrong secret again and again is a program that nobody looks after. */
const SAME_SECRET = 10;

export function openAttempts(most: MostFailures): Attempts {
  const account = limiter("sign-in-account", most.account);
  const strangers = limiter("sign-in-strangers", most.strangers);
  const address = limiter("sign-in-address", most.address);
  const secrets = limiter("failures", most.secrets);
  const sameSecret = limiter("failures-same", most.secrets === 0 ? 0 : Math.min(SAME_SECRET, most.secrets));

  return {
    async password(tried) {
      const email = digest(tried.email.trim().toLowerCase());
      const counted: [Limiter | undefined, string][] =
        tried.device === undefined
          ? [
              [account, `${email} ${tried.address}`],
              [address, tried.address],
              [strangers, email],
            ]
          : // Strangers cannot lock out a browser that knows the account: its tries count for itself alone.
            [[account, `${email} device ${tried.device}`]];
      const taken: [Limiter, string][] = [];
      const forgive = async () => {
        for (const [limit, key] of taken.splice(0)) await limit.giveBack(key);
      };
      for (const [limit, key] of counted) {
        if (!limit) continue;
        taken.push([limit, key]);
        const { isOver, resetSeconds } = await limit.take(key);
        if (!isOver) continue;
        await forgive();
        throw tooMany("Too many attempts to sign in.", resetSeconds);
      }
      return { forgive };
    },
    async admitSecret(tried, response) {
      if (!secrets || !sameSecret) return;
      const all = await secrets.look(tried.address);
      tell(response, secrets.policy, all.state);
      const same = tried.secret === undefined ? undefined : await sameSecret.look(secretKey(tried));
      if (same?.isOver) throw tooMany("This was refused too often.", same.resetSeconds);
      if (all.isOver) throw tooMany("Too many attempts from this address.", all.resetSeconds);
    },
    async wrongSecret(tried) {
      await secrets?.take(tried.address);
      if (tried.secret !== undefined) await sameSecret?.take(secretKey(tried));
    },
  };
}

function limiter(name: string, quantity: number): Limiter | undefined {
  return quantity === 0 ? undefined : openLimiter({ name, quantity, windowSeconds: WINDOW_SECONDS });
}

function secretKey({ address, secret = "" }: SecretTry): string {
  return `${digest(secret)} ${address}`;
}

/** Keys of counters are short, and hold nobody's e-mail or secret. */
function digest(text: string): string {
  return hash("sha256", text, "base64url");
}
