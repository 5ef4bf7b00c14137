import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { backoffMs } from "../../core/backoff.ts";
import { openRateLimiter } from "../../src/jobs/collect/rate-limiter.ts";

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
