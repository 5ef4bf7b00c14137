import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { computeBackoffMs } from "../../core/jobs/backoff.ts";
import { addMs } from "../../core/shared/time.ts";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import type { Store } from "../../db/engine/store.ts";
import { findPauseMs, reserveRequestSlots as takeTurnsAt, storeLimitUpdates } from "../../db/sources/provider-paces.ts";
import { openRateLimiter } from "../../src/jobs/collect/rate-limiter.ts";
import { parseRemainingLimits } from "../../src/outside/retry-hints.ts";
import { openCommitted } from "../support/committed.ts";
import { startAssistant, responseBody } from "./provider.ts";
import { collectScene } from "./scene.ts";

const open = { concurrency: 10, requestsPerMinute: null, tokensPerMinute: null };
/** No other process. */
const reserveSlots = () => Promise.resolve(0);
/** Shared slots with a fixed distance. */
function createSlotReserver(now: () => number) {
  let nextMs = 0;
  return async ({ msPerRequest, count }: { msPerRequest: number; count: number }) => {
    const beginsMs = Math.max(now(), nextMs);
    nextMs = beginsMs + count * msPerRequest;
    return beginsMs - now();
  };
}
const by = { fairnessKey: "a collect", signal: new AbortController().signal };

/** A manual clock; `next` advances it to the first sleeper. */
function manualClock() {
  let now = 0;
  const sleepers: { until: number; wake: () => void }[] = [];
  return {
    now: () => now,
    sleep: (ms: number, signal: AbortSignal) =>
      new Promise<void>((wake, reject) => {
        sleepers.push({ until: now + ms, wake });
        signal.addEventListener("abort", () => reject(new Error("aborted")));
      }),
    /** Resolves once something sleeps and was woken. */
    async next() {
      await expect.poll(() => sleepers.length).toBeGreaterThan(0);
      const [first] = sleepers.toSorted((one, other) => one.until - other.until).splice(0, 1);
      if (!first) return;
      sleepers.splice(sleepers.indexOf(first), 1);
      now = Math.max(now, first.until);
      first.wake();
    },
  };
}

function wait(attempt: number, random: number, retryAfterMs?: number): number {
  return computeBackoffMs(attempt, { baseMs: 1000, retryAfterMs, random });
}

test("waits double with each attempt, are spread over their whole length, and never undercut Retry-After", () => {
  expect([1, 2, 3, 4].map((attempt) => wait(attempt, 1))).toEqual([1000, 2000, 4000, 8000]);
  expect([0, 0.25, 0.5].map((random) => wait(3, random))).toEqual([0, 1000, 2000]);
  expect(wait(30, 1)).toBe(300_000);
  expect([wait(1, 0.1, 5000), wait(4, 1, 5000)]).toEqual([5000, 8000]);
});

test("tokens used by a request delay the next one, in all processes", async () => {
  const clock = manualClock();
  const limiter = openRateLimiter({ ...open, tokensPerMinute: 60_000 }, { clock, reserveSlots });
  await limiter.run(async () => limiter.recordTokens(200), by);
  const next = limiter.run(async () => clock.now(), by);
  await clock.next();
  expect(await next).toBe(200);
  expect(limiter.unsharedLimits()).toEqual({ pauseMs: 0, tokenMs: 200 });
  limiter.markShared({ tokenMs: 200 });
  expect(limiter.unsharedLimits()).toEqual({ pauseMs: 0, tokenMs: 0 });
});

test("a limit reported to another process delays requests without being reported again; an own one is reported", async () => {
  // Fault: a wait passed between two processes grew each time and never ended.
  const clock = manualClock();
  const limiter = openRateLimiter(open, { clock, reserveSlots });
  const said = { requests: { left: 0, limit: 5, resetMs: 100 }, waitMs: 50 };
  await limiter.run(async () => limiter.updateLimits(said), by);
  expect(limiter.unsharedLimits()).toEqual({ pauseMs: 100, tokenMs: 0 });
  limiter.applyRemotePause(300);
  expect(limiter.unsharedLimits()).toEqual({ pauseMs: 100, tokenMs: 0 });
  const next = limiter.run(async () => clock.now(), by);
  await clock.next();
  expect(await next).toBe(300);
  expect(limiter.unsharedLimits()).toEqual({ pauseMs: 0, tokenMs: 0 });
});

test("each request of work with several requests takes a slot of the per-minute limit", async () => {
  // Fault: a lookup of ten lists counted as one request, exceeding a provider's limit.
  const clock = manualClock();
  const inTurn = createSlotReserver(clock.now);
  const limiter = openRateLimiter({ ...open, requestsPerMinute: 60 }, { clock, reserveSlots: inTurn });
  const asked: number[] = [];
  const work = limiter.run(async (beforeRequest) => {
    for (let request = 0; request < 3; request++) {
      await beforeRequest();
      asked.push(clock.now());
    }
  }, by);
  for (let turn = 1; turn < 3; turn++) await clock.next();
  await work;
  expect(asked).toEqual([0, 1020, 2040]);
});

test("an aborted wait frees its place for the next", async () => {
  const clock = manualClock();
  const limiter = openRateLimiter({ ...open, concurrency: 1 }, { clock, reserveSlots });
  limiter.pause(200);
  const abort = new AbortController();
  const aborted = limiter.run(async () => "asked", { ...by, signal: abort.signal });
  const next = limiter.run(async () => "asked", by);
  await setImmediate();
  abort.abort(new Error("stop"));
  await expect(aborted).rejects.toThrow("aborted");
  // The aborted one wakes up, too, without effect.
  for (let woken = 0; woken < 2; woken++) await clock.next();
  expect(await next).toBe("asked");
});

test("processes share the per-minute limit, and a wait reported to one of them", async () => {
  // Fault: each process applied the limit separately, so that two sent twice as many.
  const folder = await mkdtemp(join(tmpdir(), "paces-"));
  const [one, other] = [await openStore(folder), await openStore(folder)];
  const now = "2026-11-23T08:00:00.000Z";
  const take = (store: Store, at = now) =>
    store.write((db) => takeTurnsAt(db, { provider: "openai", msPerRequest: 1000, count: 1, now: at }));
  const waits = [];
  for (let turn = 0; turn < 4; turn++) waits.push(await take(turn % 2 ? other : one));
  expect(waits).toEqual([0, 1000, 2000, 3000]);
  expect(await take(other, addMs(now, 10_000))).toBe(0);

  const tell = (pauseMs: number, tokenMs: number) =>
    one.write((db) => storeLimitUpdates(db, [{ provider: "openai", pauseMs, tokenMs }], now));
  await tell(0, 15_000);
  expect(await other.read((db) => findPauseMs(db, "openai", now))).toBe(0);
  expect(await take(other)).toBe(15_000);
  await tell(30_000, 0);
  await tell(20_000, 0);
  expect(await other.read((db) => findPauseMs(db, "openai", addMs(now, 1000)))).toBe(29_000);
  expect(await other.read((db) => findPauseMs(db, "another", now))).toBe(0);
  expect(await take(other)).toBe(30_000);
  // A clock a day ahead delays nothing.
  expect(await take(other, addMs(now, -86_400_000))).toBe(0);
  for (const store of [one, other]) await store.close();
  await rm(folder, { recursive: true });
});

test.each([1, 20, 60, 300, 1500])(
  "any minute has at most %i requests, and nearly that many however late each starts",
  async (requestsPerMinute) => {
    // Fault: each late request delayed all behind it, so that a busy process sent a third of the
    // allowed rate, and each slot needed a transaction.
    let [now, next, taken, nth] = [0, 0, 0, 0];
    const goOn = async (ms: number) => void (now += ms);
    const shared = {
      clock: { now: () => now, sleep: goOn },
      reserveSlots: async ({ msPerRequest, count }: { msPerRequest: number; count: number }) => {
        await goOn(10);
        const begins = Math.max(now, next);
        next = begins + count * msPerRequest;
        taken += 1;
        return begins - now;
      },
    };
    const limiter = openRateLimiter({ ...open, concurrency: 16, requestsPerMinute }, shared);
    const begin = async <T>(piece: () => T) => {
      await goOn([0, 60, 5, 35][nth++ % 4] ?? 0);
      return piece();
    };
    const starts: number[] = [];
    const all = Array.from({ length: 3 * requestsPerMinute }, () =>
      limiter.run(async () => void starts.push(now), { ...by, begin }),
    );
    await Promise.all(all);
    const within = (from: number) => starts.filter((at) => at >= from && at < from + 60_000).length;
    expect(Math.max(...starts.map(within))).toBeLessThanOrEqual(requestsPerMinute);
    expect(starts.at(-1)).toBeLessThan(60_000 * 3 * 1.06);
    expect(taken).toBeLessThanOrEqual(Math.max(starts.length / 8, 240));
  },
);

test("a wait reported to one process applies to a new one, for that provider only", async () => {
  await using provider = await startAssistant(() => ({ status: 429, headers: { "retry-after": "600" } }));
  const env = { SERVE: "core", ...provider.env, OPENAI_REQUESTS_PER_MINUTE: "60000" };
  await using s = await collectScene({ env });
  const { q, t } = openCommitted(s.store);
  await s.create(["told"]);
  const pace = async () => (await q.select().from(t.providerPaces))[0];
  {
    await using _first = await s.otherWorker();
    await expect.poll(async () => (await pace())?.heldUntilMs, { timeout: 10_000 }).toBeGreaterThan(0);
  }
  expect((await pace())?.nextRequestMs).toBeGreaterThan(0);
  await s.create(["held"], { sources: ["ASSISTANT_A", "ASSISTANT_B"] });
  await using _second = await s.otherWorker();
  const ends = async () => (await s.jobs()).map(({ prompt, source, status }) => `${prompt} ${source} ${status}`);
  await expect.poll(ends, { timeout: 10_000 }).toContain("held ASSISTANT_B succeeded");
  expect([...provider.asked.keys()]).toEqual(["told"]);
  expect(await ends()).toContain("held ASSISTANT_A queued");
});

test("a question waiting behind many of another collect starts when a slot is free", async () => {
  // Fault: slots were granted in request order, so that a short collect waited for a long one.
  const limiter = openRateLimiter({ ...open, concurrency: 1 }, { reserveSlots });
  const began: string[] = [];
  const pass = (fairnessKey: string) => limiter.run(async () => void began.push(fairnessKey), { ...by, fairnessKey });
  await Promise.all([pass("long"), pass("long"), pass("long"), pass("long"), pass("short")]);
  expect(began.slice(0, 3)).toContain("short");
  expect(began).toHaveLength(5);
});

test("a question waiting for the event loop respects a pause reported meanwhile", async () => {
  // Fault: the limit was checked before that wait, so that requests continued for most of a second
  // after a rejection.
  const clock = manualClock();
  const limiter = openRateLimiter(open, { clock, reserveSlots });
  const turns: (() => void)[] = [];
  const begin = <T>(piece: () => T) => new Promise<T>((resolve) => void turns.push(() => resolve(piece())));
  const nextTurn = async () => {
    while (turns.length === 0) await setImmediate();
    turns.shift()?.();
  };
  const asked: string[] = [];
  const passed = limiter.run(async () => void asked.push("asked"), { ...by, begin });
  await setImmediate();
  limiter.pause(20);
  await nextTurn();
  expect(asked).toEqual([]);
  await clock.next();
  await nextTurn();
  await passed;
  expect(asked).toEqual(["asked"]);
});

const NOW_MS = Date.parse("2026-11-23T08:00:00.000Z");

function parseLimits(headers: Record<string, string>) {
  return parseRemainingLimits(new Headers(headers), NOW_MS);
}

test("parses remaining limits in each header format, and ignores them without a reset", () => {
  const openai = {
    "x-ratelimit-limit-requests": "60",
    "x-ratelimit-remaining-requests": "59",
    "x-ratelimit-reset-requests": "1s",
    "x-ratelimit-remaining-tokens": "0",
    "x-ratelimit-reset-tokens": "6m0s",
  };
  expect(parseLimits(openai)).toEqual({ requests: { left: 59, limit: 60, resetMs: 1000 }, waitMs: 360_000 });
  const anthropic = {
    "anthropic-ratelimit-requests-limit": "50",
    "anthropic-ratelimit-requests-remaining": "0",
    "anthropic-ratelimit-requests-reset": "2026-11-23T08:00:30Z",
    "anthropic-ratelimit-input-tokens-remaining": "0",
    "anthropic-ratelimit-input-tokens-reset": "2026-11-23T08:00:10Z",
  };
  expect(parseLimits(anthropic)).toEqual({ requests: { left: 0, limit: 50, resetMs: 30_000 }, waitMs: 10_000 });
  expect(parseLimits({ "ratelimit-remaining": "3", "ratelimit-reset": "7" })).toEqual({
    requests: { left: 3, limit: null, resetMs: 7000 },
  });
  expect(parseLimits({ "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-tokens": "1s" })).toEqual({});
  expect(parseLimits({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "86400" }).requests?.resetMs).toBe(900_000);
});

test("with remaining limits on 200 responses, requests never exceed the limit", async () => {
  // Fault: limits were only read from 429 responses, so that each window ended with rejected
  // requests.
  const [LIMIT, WINDOW_MS] = [4, 120];
  const windows: number[] = [];
  let ends = -Infinity;
  await using provider = await startAssistant(() => {
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
  await using s = await collectScene({ env: { ...provider.env, COLLECT_CONCURRENCY: "3" } });
  const prompts = Array.from({ length: 10 }, (_, nth) => `phone ${nth}`);
  expect(await s.ended(await s.create(prompts))).toMatchObject({ status: "completed", succeeded: 10 });
  expect(Math.max(...windows)).toBeLessThanOrEqual(LIMIT);
  expect(windows.reduce((sum, counted) => sum + counted, 0)).toBe(10);
});
