import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { backoffMs } from "../../core/jobs/backoff.ts";
import { later } from "../../core/shared/time.ts";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import type { Store } from "../../db/engine/store.ts";
import { heldFor, takeTurns as takeTurnsAt, tellLimits } from "../../db/sources/provider-paces.ts";
import { openRateLimiter } from "../../src/jobs/collect/rate-limiter.ts";
import { limitsLeft } from "../../src/outside/retry-hints.ts";
import { committed } from "../support/committed.ts";
import { assistant, responseBody } from "./provider.ts";
import { collecting } from "./scene.ts";

const open = { concurrency: 10, requestsPerMinute: null, tokensPerMinute: null };
/** No other process is there. */
const takeTurns = () => Promise.resolve(0);
/** The same where turns lie apart. */
function inTurns(now: () => number) {
  let nextMs = 0;
  return async ({ msPerRequest, count }: { msPerRequest: number; count: number }) => {
    const beginsMs = Math.max(now(), nextMs);
    nextMs = beginsMs + count * msPerRequest;
    return beginsMs - now();
  };
}
const by = { of: "a collect", signal: new AbortController().signal };

/** A clock that stands still until `next` moves it on to where the first sleeper wakes. */
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
  return backoffMs(attempt, { baseMs: 1000, retryAfterMs, random });
}

test("waits double with each attempt, are spread over their whole length, and never undercut Retry-After", () => {
  expect([1, 2, 3, 4].map((attempt) => wait(attempt, 1))).toEqual([1000, 2000, 4000, 8000]);
  expect([0, 0.25, 0.5].map((random) => wait(3, random))).toEqual([0, 1000, 2000]);
  expect(wait(30, 1)).toBe(300_000);
  expect([wait(1, 0.1, 5000), wait(4, 1, 5000)]).toEqual([5000, 8000]);
});

test("tokens that a request used hold back the next one, here and in other processes", async () => {
  const clock = manualClock();
  const limiter = openRateLimiter({ ...open, tokensPerMinute: 60_000 }, { clock, takeTurns });
  await limiter.pass(async () => limiter.used(200), by);
  const next = limiter.pass(async () => clock.now(), by);
  await clock.next();
  expect(await next).toBe(200);
  expect(limiter.news()).toEqual({ heldMs: 0, tokenMs: 200 });
  limiter.told({ tokenMs: 200 });
  expect(limiter.news()).toEqual({ heldMs: 0, tokenMs: 0 });
});

test("what another process was told holds requests back, and is not told again; what this one was told is", async () => {
  // Fault: a wait that went to and fro between two processes grew with each turn, and never ended.
  const clock = manualClock();
  const limiter = openRateLimiter(open, { clock, takeTurns });
  const said = { requests: { left: 0, limit: 5, resetMs: 100 }, waitMs: 50 };
  await limiter.pass(async () => limiter.learn(said), by);
  expect(limiter.news()).toEqual({ heldMs: 100, tokenMs: 0 });
  limiter.hold(300);
  expect(limiter.news()).toEqual({ heldMs: 100, tokenMs: 0 });
  const next = limiter.pass(async () => clock.now(), by);
  await clock.next();
  expect(await next).toBe(300);
  expect(limiter.news()).toEqual({ heldMs: 0, tokenMs: 0 });
});

test("each request of work that makes several takes a turn of the limit per minute, the first with the work itself", async () => {
  // Fault: a look-up that reads ten lists counted as one request, and a provider was asked more often than it allows.
  const clock = manualClock();
  const inTurn = inTurns(clock.now);
  const limiter = openRateLimiter({ ...open, requestsPerMinute: 60 }, { clock, takeTurns: inTurn });
  const asked: number[] = [];
  const work = limiter.pass(async (beforeRequest) => {
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
  const limiter = openRateLimiter({ ...open, concurrency: 1 }, { clock, takeTurns });
  limiter.pause(200);
  const abort = new AbortController();
  const aborted = limiter.pass(async () => "asked", { ...by, signal: abort.signal });
  const next = limiter.pass(async () => "asked", by);
  await setImmediate();
  abort.abort(new Error("stop"));
  await expect(aborted).rejects.toThrow("aborted");
  // The one that was aborted wakes too, and nothing follows.
  for (let woken = 0; woken < 2; woken++) await clock.next();
  expect(await next).toBe("asked");
});

test("requests of several processes take turns at the limit per minute, and wait as long as one of them was told", async () => {
  // Fault: each process kept to the limit for itself, so that two of them asked twice as often.
  const folder = await mkdtemp(join(tmpdir(), "paces-"));
  const [one, other] = [await openStore(folder), await openStore(folder)];
  const now = "2026-11-23T08:00:00.000Z";
  const take = (store: Store, at = now) =>
    store.write((db) => takeTurnsAt(db, { provider: "openai", msPerRequest: 1000, count: 1, now: at }));
  const waits = [];
  for (let turn = 0; turn < 4; turn++) waits.push(await take(turn % 2 ? other : one));
  expect(waits).toEqual([0, 1000, 2000, 3000]);
  expect(await take(other, later(now, 10_000))).toBe(0);

  const tell = (heldMs: number, tokenMs: number) =>
    one.write((db) => tellLimits(db, [{ provider: "openai", heldMs, tokenMs }], now));
  await tell(0, 15_000);
  expect(await other.read((db) => heldFor(db, "openai", now))).toBe(0);
  expect(await take(other)).toBe(15_000);
  await tell(30_000, 0);
  await tell(20_000, 0);
  expect(await other.read((db) => heldFor(db, "openai", later(now, 1000)))).toBe(29_000);
  expect(await other.read((db) => heldFor(db, "another", now))).toBe(0);
  expect(await take(other)).toBe(30_000);
  // A clock that was a day ahead holds nothing back.
  expect(await take(other, later(now, -86_400_000))).toBe(0);
  for (const store of [one, other]) await store.close();
  await rm(folder, { recursive: true });
});

test.each([1, 20, 60, 300, 1500])(
  "%i requests a minute are what any minute holds at most, and nearly that many however late each starts",
  async (requestsPerMinute) => {
    // Fault: each request that started late put off all behind it, so that a busy process asked a third as often as it might; and each took
    // its turn in a transaction of its own.
    let [now, next, taken, nth] = [0, 0, 0, 0];
    const goOn = async (ms: number) => void (now += ms);
    const shared = {
      clock: { now: () => now, sleep: goOn },
      takeTurns: async ({ msPerRequest, count }: { msPerRequest: number; count: number }) => {
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
      limiter.pass(async () => void starts.push(now), { ...by, begin }),
    );
    await Promise.all(all);
    const within = (from: number) => starts.filter((at) => at >= from && at < from + 60_000).length;
    expect(Math.max(...starts.map(within))).toBeLessThanOrEqual(requestsPerMinute);
    expect(starts.at(-1)).toBeLessThan(60_000 * 3 * 1.06);
    expect(taken).toBeLessThanOrEqual(Math.max(starts.length / 8, 240));
  },
);

test("what a provider told one process holds another one that begins, at that provider alone", async () => {
  await using provider = await assistant(() => ({ status: 429, headers: { "retry-after": "600" } }));
  const env = { SERVE: "core", ...provider.env, OPENAI_REQUESTS_PER_MINUTE: "60000" };
  await using s = await collecting({ env });
  const { q, t } = committed(s.store);
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

test("a question that waits behind many of another collect is asked once a place is free", async () => {
  // Fault: places were handed on in the order of asking, so that a short collect waited for all that a long one had taken.
  const limiter = openRateLimiter({ ...open, concurrency: 1 }, { takeTurns });
  const began: string[] = [];
  const pass = (of: string) => limiter.pass(async () => void began.push(of), { ...by, of });
  await Promise.all([pass("long"), pass("long"), pass("long"), pass("long"), pass("short")]);
  expect(began.slice(0, 3)).toContain("short");
  expect(began).toHaveLength(5);
});

test("a question that waits for a turn of the thread keeps a pause that is asked for meanwhile", async () => {
  // Fault: whether a request may be made was looked at before that wait, so that a refusal was followed by requests for most of a second.
  const clock = manualClock();
  const limiter = openRateLimiter(open, { clock, takeTurns });
  const turns: (() => void)[] = [];
  const begin = <T>(piece: () => T) => new Promise<T>((resolve) => void turns.push(() => resolve(piece())));
  const nextTurn = async () => {
    while (turns.length === 0) await setImmediate();
    turns.shift()?.();
  };
  const asked: string[] = [];
  const passed = limiter.pass(async () => void asked.push("asked"), { ...by, begin });
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
  const [LIMIT, WINDOW_MS] = [4, 120];
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
  const prompts = Array.from({ length: 10 }, (_, nth) => `phone ${nth}`);
  expect(await s.ended(await s.create(prompts))).toMatchObject({ status: "completed", succeeded: 10 });
  expect(Math.max(...windows)).toBeLessThanOrEqual(LIMIT);
  expect(windows.reduce((sum, counted) => sum + counted, 0)).toBe(10);
});
