import { hash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { openLimiter, type Limiter } from "./limiter.ts";
import { tell, tooMany } from "./request-limits.ts";

/** Maximum failures in 15 minutes; 0 for no limit. */
export interface MostFailures {
  /** Passwords of one account from one address. */
  account: number;
  /** Passwords of one account from all browsers that never signed in to it. */
  strangers: number;
  /** Passwords of all accounts from one address. */
  address: number;
  /** Keys, tokens, codes and links from one address. */
  secrets: number;
}

/** An attempt with a password. */
export interface PasswordTry {
  address: string;
  email: string;
  /** The browser, if it has signed in to this account before. */
  device: string | undefined;
}

/** An attempt with a code of six digits, after the right password. */
export interface CodeTry {
  userId: string;
  /** The browser, if it has signed in to this account before. */
  device: string | undefined;
}

/** An attempt with a key, token, code or link. These cannot be guessed, but checking attempts has a cost. */
export interface SecretTry {
  address: string;
  /** The secret, if it is known before it is checked. */
  secret?: string;
}

/** Limits of sign-in attempts. Only failures count, so that success never blocks the next attempt. */
export interface Attempts {
  /**
   * Counts an attempt before the password is checked, so that concurrent attempts count too. RATE_LIMITED above the
   * limit. If the attempt did not fail, take the count back with `forgive`.
   */
  password(tried: PasswordTry): Promise<{ forgive(): Promise<void> }>;
  /**
   * The same for a code of a second factor. One in 300,000 guesses is right, so few are taken from all browsers together,
   * and in a longer time.
   */
  code(tried: CodeTry): Promise<{ forgive(): Promise<void> }>;
  /** RATE_LIMITED after too many wrong secrets. A repeated one is stopped sooner, and does not count against others. */
  admitSecret(tried: SecretTry, response: ServerResponse): Promise<void>;
  wrongSecret(tried: SecretTry): Promise<void>;
}

const WINDOW_SECONDS = 15 * 60;
const CODE_WINDOW_SECONDS = 12 * 3600;
/** The same wrong secret again and again is a forgotten program. */
const SAME_SECRET = 10;

export function openAttempts(most: MostFailures): Attempts {
  const account = limiter("sign-in-account", most.account);
  const strangers = limiter("sign-in-strangers", most.strangers);
  const address = limiter("sign-in-address", most.address);
  const codes = limiter("second-factor", most.account, CODE_WINDOW_SECONDS);
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
          : // Others cannot lock out a browser known to the account: its attempts have their own count.
            [[account, `${email} device ${tried.device}`]];
      return takeAll(counted, "Too many sign-in attempts.");
    },
    async code({ userId, device = "" }) {
      return takeAll(
        [[codes, `${userId} ${device}`]],
        "Too many wrong codes. A recovery code or a passkey still works.",
      );
    },
    async admitSecret(tried, response) {
      if (!secrets || !sameSecret) return;
      const all = await secrets.look(tried.address);
      tell(response, secrets.policy, all.state);
      const same = tried.secret === undefined ? undefined : await sameSecret.look(secretKey(tried));
      if (same?.isOver) throw tooMany("The same credentials were rejected too often.", same.resetSeconds);
      if (all.isOver) throw tooMany("Too many attempts from this address.", all.resetSeconds);
    },
    async wrongSecret(tried) {
      await secrets?.take(tried.address);
      if (tried.secret !== undefined) await sameSecret?.take(secretKey(tried));
    },
  };
}

/** Counts one attempt in each of these limits; RATE_LIMITED, and counted in none, if it is too many for one of them. */
async function takeAll(counted: [Limiter | undefined, string][], message: string) {
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
    throw tooMany(message, resetSeconds);
  }
  return { forgive };
}

function limiter(name: string, quantity: number, windowSeconds = WINDOW_SECONDS): Limiter | undefined {
  return quantity === 0 ? undefined : openLimiter({ name, quantity, windowSeconds });
}

function secretKey({ address, secret = "" }: SecretTry): string {
  return `${digest(secret)} ${address}`;
}

/** Counter keys are short, and contain no e-mail or secret. */
function digest(text: string): string {
  return hash("sha256", text, "base64url");
}
