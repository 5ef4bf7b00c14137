import { hash } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { PasswordSubmission } from "../../auth/people/password-slots.ts";
import { openLimiter, setRateLimitHeaders, tooMany, type Limiter } from "./rate-limits.ts";

/** Attempts in 15 minutes; 0 for no limit. */
export interface MaxAttempts {
  /** Wrong passwords of one account from one address. */
  account: number;
  /** Wrong passwords of one account from all browsers that never signed in to it. */
  maxOtherDeviceFailures: number;
  /** Wrong passwords of all accounts from one address. */
  address: number;
  secrets: number;
  /** Right passwords of one account, counted separately for browsers known to the account. */
  signInsAccount: number;
  /** Right passwords from one address, by browsers that never signed in to the account. */
  signInsAddress: number;
}

export interface CodeTry {
  userId: string;
  /** Set if the browser has signed in to this account before. */
  device: string | undefined;
}

/** A secret cannot be guessed, but checking it has a cost. */
export interface SecretTry {
  address: string;
  secret?: string;
}

export interface PasswordAttempt {
  release(): Promise<void>;
  recordSuccess(): Promise<void>;
}

/** Failures never block a correct password in a browser that signed in before. */
export interface AttemptLimiter {
  /** Counts before the password check, so that concurrent attempts count. Throws RATE_LIMITED. */
  password(tried: PasswordSubmission): Promise<PasswordAttempt>;
  /** A guess succeeds once in 300,000, so the limit over all browsers is low, its window long. */
  code(tried: CodeTry): Promise<{ forgive(): Promise<void> }>;
  /** A repeated secret is blocked earlier, so it does not block others. Throws RATE_LIMITED. */
  admitSecret(tried: SecretTry, response: ServerResponse): Promise<void>;
  wrongSecret(tried: SecretTry): Promise<void>;
}

type CountedLimit = [limit: Limiter | undefined, key: string];

const TOO_MANY = "Too many sign-in attempts.";
const WINDOW_SECONDS = 15 * 60;
const CODE_WINDOW_SECONDS = 12 * 3600;
/** A misconfigured program repeats one wrong secret. */
const MAX_SAME_SECRET = 10;

export function openAttempts(max: MaxAttempts): AttemptLimiter {
  const account = limiter("sign-in-account", max.account);
  const strangers = limiter("sign-in-strangers", max.maxOtherDeviceFailures);
  const address = limiter("sign-in-address", max.address);
  const codes = limiter("second-factor", max.account, CODE_WINDOW_SECONDS);
  const signInsAccount = limiter("sign-ins-account", max.signInsAccount);
  const signInsAddress = limiter("sign-ins-address", max.signInsAddress);
  const secrets = limiter("failures", max.secrets);
  const sameSecret = limiter("failures-same", max.secrets === 0 ? 0 : Math.min(MAX_SAME_SECRET, max.secrets));

  return {
    async password(tried) {
      const email = hashText(tried.email.trim().toLowerCase());
      const signIns: CountedLimit[] =
        tried.device === undefined
          ? [
              [signInsAccount, email],
              [signInsAddress, tried.address],
            ]
          : [[signInsAccount, `${email} known`]];
      await rejectExceeded(signIns, TOO_MANY);
      const failures: CountedLimit[] =
        tried.device === undefined
          ? [
              [account, `${email} ${tried.address}`],
              [address, tried.address],
              [strangers, email],
            ]
          : // Attackers cannot lock out a known browser, because its attempts have a separate count.
            [[account, `${email} device ${tried.device}`]];
      const { forgive: release } = await countAll(failures, TOO_MANY);
      return {
        release,
        async recordSuccess() {
          await release();
          for (const [limit, key] of signIns) await limit?.consume(key);
        },
      };
    },
    async code({ userId, device = "" }) {
      return countAll(
        [[codes, `${userId} ${device}`]],
        "Too many wrong codes. A recovery code or a passkey still works.",
      );
    },
    async admitSecret(tried, response) {
      if (!secrets || !sameSecret) return;
      const all = await secrets.peek(tried.address);
      setRateLimitHeaders(response, secrets.policy, all.headerValue);
      const same = tried.secret === undefined ? undefined : await sameSecret.peek(toSecretKey(tried));
      if (same?.isExceeded) throw tooMany("The same credentials were rejected too often.", same.resetSeconds);
      if (all.isExceeded) throw tooMany("Too many attempts from this address.", all.resetSeconds);
    },
    async wrongSecret(tried) {
      await secrets?.consume(tried.address);
      if (tried.secret !== undefined) await sameSecret?.consume(toSecretKey(tried));
    },
  };
}

async function rejectExceeded(counted: readonly CountedLimit[], message: string): Promise<void> {
  for (const [limit, key] of counted) {
    const state = await limit?.peek(key);
    if (state?.isExceeded) throw tooMany(message, state.resetSeconds);
  }
}

/** Counts at all limits or at none. Throws RATE_LIMITED. */
async function countAll(counted: readonly CountedLimit[], message: string) {
  const keys: [Limiter, string][] = [];
  const forgive = async () => {
    for (const [limit, key] of keys.splice(0)) await limit.release(key);
  };
  for (const [limit, key] of counted) {
    if (!limit) continue;
    keys.push([limit, key]);
    const { isExceeded, resetSeconds } = await limit.consume(key);
    if (!isExceeded) continue;
    await forgive();
    throw tooMany(message, resetSeconds);
  }
  return { forgive };
}

function limiter(name: string, maxCount: number, windowSeconds = WINDOW_SECONDS): Limiter | undefined {
  return maxCount === 0 ? undefined : openLimiter({ name, maxCount, windowSeconds });
}

function toSecretKey({ address, secret = "" }: SecretTry): string {
  return `${hashText(secret)} ${address}`;
}

/** Counter key that is short and contains no e-mail or secret. */
function hashText(text: string): string {
  return hash("sha256", text, "base64url");
}
