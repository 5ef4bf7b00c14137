import { hash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Caller } from "../../auth/caller.ts";
import { AppError } from "../../core/shared/errors.ts";

/** Fixed window, counted in this process only. */
export interface Limiter {
  /** `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-08 section 3). */
  policy: string;
  consume(key: string, quantity?: number): Promise<LimitState>;
  release(key: string): Promise<void>;
  peek(key: string): Promise<LimitState>;
}

export interface LimitState {
  isExceeded: boolean;
  resetSeconds: number;
  /** `RateLimit` (section 4 of the draft). */
  headerValue: string;
}

/** Bounds memory when an attacker uses many addresses. */
const MAX_KEYS = 50_000;
/** Keys above MAX_KEYS share these counters, so that many addresses stay limited. */
const SHARED_KEYS = 1024;

export function openLimiter(of: { name: string; maxCount: number; windowSeconds: number; maxKeys?: number }): Limiter {
  const { name, maxCount, windowSeconds, maxKeys = MAX_KEYS } = of;
  const counters = new RateLimiterMemory({ points: maxCount, duration: windowSeconds, keyPrefix: "" });
  let keys = 0;

  async function toCounterKey(key: string): Promise<string> {
    if (keys < maxKeys || (await counters.get(key)) !== null) return key;
    return `shared ${hash("sha1", key, "buffer").readUInt32BE() % SHARED_KEYS}`;
  }

  function toLimitState({
    consumedPoints,
    msBeforeNext,
  }: {
    consumedPoints: number;
    msBeforeNext: number;
  }): LimitState {
    // Bounds the wait to one window, even after the clock was set back.
    const resetSeconds = Math.min(Math.max(1, Math.ceil(msBeforeNext / 1000)), windowSeconds);
    const left = Math.max(0, maxCount - consumedPoints);
    return {
      isExceeded: consumedPoints > maxCount,
      resetSeconds,
      headerValue: `"${name}";r=${left};t=${resetSeconds}`,
    };
  }

  return {
    policy: `"${name}";q=${maxCount};w=${windowSeconds}`,
    async consume(key, points = 1) {
      const counted = await counters.penalty(await toCounterKey(key), points);
      if (counted.isFirstInDuration) {
        keys++;
        setTimeout(() => keys--, windowSeconds * 1000).unref();
      }
      return toLimitState(counted);
    },
    async release(key) {
      const counted = await toCounterKey(key);
      if ((await counters.get(counted)) !== null) await counters.reward(counted);
    },
    async peek(key) {
      const counted = await counters.get(await toCounterKey(key));
      // Simulates one more request, without counting it.
      return toLimitState({
        consumedPoints: (counted?.consumedPoints ?? 0) + 1,
        msBeforeNext: counted?.msBeforeNext ?? 0,
      });
    },
  };
}

export interface RequestsPerMinute {
  address: number;
  account: number;
  key: number;
  client: number;
}

/** Each count also sets the `RateLimit` headers of the response. */
export interface RequestLimits {
  /** Called before the body is read. */
  countByAddress(address: string, response: ServerResponse): Promise<AppError | undefined>;
  countByCaller(caller: Caller, response: ServerResponse, requests?: number): Promise<AppError | undefined>;
  countByToken(tokenId: string, response: ServerResponse): Promise<AppError | undefined>;
}

const WINDOW_SECONDS = 60;

export function openRequestLimits(perMinute: RequestsPerMinute): RequestLimits {
  const limiter = (name: keyof RequestsPerMinute) =>
    perMinute[name] === 0 ? undefined : openLimiter({ name, maxCount: perMinute[name], windowSeconds: WINDOW_SECONDS });
  const [address, account, key, client] = [limiter("address"), limiter("account"), limiter("key"), limiter("client")];
  return {
    async countByAddress(from, response) {
      return address && countRequest(address, { key: from, noun: "address" }, response);
    },
    async countByToken(tokenId, response) {
      return key && countRequest(key, { key: tokenId, noun: "SCIM token" }, response);
    },
    async countByCaller({ userId, clientId, door }, response, requests = 1) {
      const program = door === "rest" ? key : client;
      // Counts a client id per person, so that one user of an assistant cannot block the others.
      const refused =
        program && clientId !== null
          ? await countRequest(program, { key: `${userId} ${clientId}`, noun: CALLER_NAMES[door], requests }, response)
          : undefined;
      return refused ?? (account && countRequest(account, { key: userId, noun: "account", requests }, response));
    },
  };
}

const CALLER_NAMES = { rest: "API key", mcp: "assistant", web: "browser" } as const;

async function countRequest(
  limiter: Limiter,
  { key, noun, requests = 1 }: { key: string; noun: string; requests?: number },
  response: ServerResponse,
): Promise<AppError | undefined> {
  const taken = await limiter.consume(key, requests);
  setRateLimitHeaders(response, limiter.policy, taken.headerValue);
  if (!taken.isExceeded) return undefined;
  return tooMany(`Too many requests by one ${noun}.`, taken.resetSeconds);
}

export function tooMany(what: string, retryAfterSeconds: number): AppError {
  const wait =
    retryAfterSeconds < 120 ? `${retryAfterSeconds} seconds` : `${Math.ceil(retryAfterSeconds / 60)} minutes`;
  return new AppError("RATE_LIMITED", `${what} Wait ${wait}, then try again.`, { retryAfterSeconds });
}

/** The headers list every limit that counted the request. */
export function setRateLimitHeaders(response: ServerResponse, policy: string, state: string): void {
  for (const [name, value] of [
    ["ratelimit-policy", policy],
    ["ratelimit", state],
  ] as const) {
    const before = response.getHeader(name);
    response.setHeader(name, before === undefined ? value : `${String(before)}, ${value}`);
  }
}
