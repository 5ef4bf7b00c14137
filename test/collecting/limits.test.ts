import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { backoffMs } from "../../core/backoff.ts";
import { openRateLimiter } from "../../src/jobs/collect/rate-limiter.ts";
import { limitsLeft } from "../../src/outside/retry-hints.ts";
import { assistant, responseBody } from "./provider.ts";
import { collecting } from "./scene.ts";

const open = { concurrency: 10, requestsPerMinute: null, tokensPerMinute: null };
const by = { of: "a collect", signal: new AbortController().signal };

function wait(attempt: number, random: number, retryAfterMs?: number): number {
  return backoffMs(attempt, { baseMs: 1000, retryAfterMs, random });
}

test("waits double with each attempt, are spread over their whole length, and never undercut Retry-After", () => {
  expect([1, 2, 3, 4].map((attempt) => wait(attempt, 1))).toEqual([1000, 2000, 4000, 8000]);
  expect([0, 0.25, 0.5].map((random) => wait(3, random))).toEqual([0, 1000, 2000]);
  expect(wait(30, 1)).toBe(300_000);
  expect([wait(1, 0.1, 5000), wait(4, 1, 5000)]).toEqual([5000, 8000]);
});

test("tokens that a request used hold back the next one", async () => {
  const limiter = openRateLimiter({ ...open, tokensPerMinute: 60_000 });
  await limiter.pass(async () => limiter.used(200), by);
  const startedAt = performance.now();
  await limiter.pass(async () => undefined, by);
  expect(performance.now() - startedAt).toBeGreaterThan(190);
});

test("an aborted wait frees its place for the next", async () => {
  const limiter = openRateLimiter({ ...open, concurrency: 1 });
  limiter.pause(200);
  const abort = new AbortController();
  const aborted = limiter.pass(async () => "asked", { ...by, signal: abort.signal });
  const next = limiter.pass(async () => "asked", by);
  await sleep(10);
  abort.abort(new Error("stop"));
  await expect(aborted).rejects.toThrow("aborted");
  expect(await next).toBe("asked");
});

test("a question that waits behind many of another collect is asked once a place is free", async () => {
  // Fault: places were handed on in the order of asking, so that a short collect waited for all that a long one had taken.
  const limiter = openRateLimiter({ ...open, concurrency: 1 });
  const began: string[] = [];
  const pass = (of: string) => limiter.pass(async () => void began.push(of), { ...by, of });
  await Promise.all([pass("long"), pass("long"), pass("long"), pass("long"), pass("short")]);
  expect(began.slice(0, 3)).toContain("short");
  expect(began).toHaveLength(5);
});

test("a question that waits for a turn of the thread keeps a pause that is asked for meanwhile", async () => {
  // Fault: whether a request may be made was looked at before that wait, so that a refusal was followed by requests for most of a second.
  const limiter = openRateLimiter(open);
  const turns: (() => void)[] = [];
  const begin = <T>(piece: () => T) => new Promise<T>((resolve) => void turns.push(() => resolve(piece())));
  const nextTurn = async () => {
    while (turns.length === 0) await sleep(1);
    turns.shift()?.();
  };
  const asked: string[] = [];
  const passed = limiter.pass(async () => void asked.push("asked"), { ...by, begin });
  await sleep(1);
  limiter.pause(20);
  await nextTurn();
  expect(asked).toEqual([]);
  await nextTurn();
  await passed;
  expect(asked).toEqual(["asked"]);
});

const NOW_MS = Date.parse("2026-11-23T08:00:00.000Z");

function left(headers: Record<string, string>) {
  return limitsLeft(new Headers(headers), NOW_MS);
}

test("what an answer says is left of limits is read in every form, and where no reset stands beside it, it says nothing", () => {
  const openai = {
    "x-ratelimit-limit-requests": "60",
    "x-ratelimit-remaining-requests": "59",
    "x-ratelimit-reset-requests": "1s",
    "x-ratelimit-remaining-tokens": "0",
    "x-ratelimit-reset-tokens": "6m0s",
  };
  expect(left(openai)).toEqual({ requests: { left: 59, limit: 60, resetMs: 1000 }, waitMs: 360_000 });
  const anthropic = {
    "anthropic-ratelimit-requests-limit": "50",
    "anthropic-ratelimit-requests-remaining": "0",
    "anthropic-ratelimit-requests-reset": "2026-11-23T08:00:30Z",
    "anthropic-ratelimit-input-tokens-remaining": "0",
    "anthropic-ratelimit-input-tokens-reset": "2026-11-23T08:00:10Z",
  };
  expect(left(anthropic)).toEqual({ requests: { left: 0, limit: 50, resetMs: 30_000 }, waitMs: 10_000 });
  expect(left({ "ratelimit-remaining": "3", "ratelimit-reset": "7" })).toEqual({
    requests: { left: 3, limit: null, resetMs: 7000 },
  });
  expect(left({ "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-tokens": "1s" })).toEqual({});
  expect(left({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "86400" }).requests?.resetMs).toBe(900_000);
});

test("a provider that says on 200 what is left of its limit never counts more requests than it allows", async () => {
  // Fault: what was left was read on 429 alone, so that each window ended with requests that were refused.
  const [LIMIT, WINDOW_MS] = [5, 250];
  const windows: number[] = [];
  let ends = -Infinity;
  await using provider = await assistant(() => {
    const now = performance.now();
    if (now >= ends) {
      windows.push(0);
      ends = now + WINDOW_MS;
    }
    const counted = (windows.pop() ?? 0) + 1;
    windows.push(counted);
    const headers = {
      "x-ratelimit-limit-requests": String(LIMIT),
      "x-ratelimit-remaining-requests": String(Math.max(0, LIMIT - counted)),
      "x-ratelimit-reset-requests": `${Math.ceil(ends - now)}ms`,
    };
    return counted > LIMIT ? { status: 429, headers } : { headers, delayMs: 5, body: responseBody("Acme") };
  });
  await using s = await collecting({ env: { ...provider.env, COLLECT_CONCURRENCY: "3" } });
  const prompts = Array.from({ length: 20 }, (_, nth) => `phone ${nth}`);
  expect(await s.ended(await s.create(prompts))).toMatchObject({ status: "completed", succeeded: 20 });
  expect(Math.max(...windows)).toBeLessThanOrEqual(LIMIT);
  expect(windows.reduce((sum, counted) => sum + counted, 0)).toBe(20);
});
