import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { MAX_CRAWL_DELAY_MS } from "../../core/audits/crawler.ts";
import { openHostQueues } from "../../src/outside/crawler/host-queues.ts";
import { createCrawler, startSite } from "./crawler-scene.ts";

test("fetches one page at a time per host, in order, and others meanwhile", async () => {
  const underWay = new Map<string, number>();
  const most = new Map<string, number>();
  const order: string[] = [];
  await using there = await startSite((request, response) => {
    const host = request.headers.host ?? "";
    order.push(`${host}${request.url ?? ""}`);
    underWay.set(host, (underWay.get(host) ?? 0) + 1);
    most.set(host, Math.max(most.get(host) ?? 0, underWay.get(host) ?? 0));
    most.set(
      "all",
      Math.max(
        most.get("all") ?? 0,
        [...underWay.values()].reduce((sum, count) => sum + count, 0),
      ),
    );
    setTimeout(() => {
      underWay.set(host, (underWay.get(host) ?? 0) - 1);
      response.end();
    }, 20);
  });
  const crawler = createCrawler(there);
  const urls = [1, 2, 3, 4].flatMap((page) => ["a.example", "b.example"].map((host) => `http://${host}/${page}`));
  await Promise.all(urls.map((url) => crawler.fetchPage(url)));
  expect(Object.fromEntries(most)).toEqual({ "a.example": 1, "b.example": 1, all: 2 });
  expect(order.filter((url) => url.startsWith("a"))).toEqual([
    "a.example/1",
    "a.example/2",
    "a.example/3",
    "a.example/4",
  ]);
});

/**
 * A clock that only waits move, each of which ends `early` milliseconds before its time, as timers
 * may.
 */
function manualClock({ early = 0 } = {}) {
  const clock = { ms: 0, now: () => clock.ms, sleep: async (ms: number) => void (clock.ms += Math.max(1, ms - early)) };
  return clock;
}

test("the pause that a site asks for lies between the starts of two requests, and is 30 seconds at most", async () => {
  const clock = manualClock({ early: 1 });
  const turns = openHostQueues(clock);
  const starts: number[] = [];
  const asked = (delayMs: number) => turns.run("a", { delayMs }, () => Promise.resolve(starts.push(clock.ms)));
  await Promise.all([40, 40, 40.5, 3_600_000].map(asked));
  expect(starts).toEqual([0, 40, 81, 81 + MAX_CRAWL_DELAY_MS]);
  clock.ms += 25;
  await Promise.all([10, 40].map(asked));
  expect(starts.slice(4).map((start) => start - MAX_CRAWL_DELAY_MS)).toEqual([106, 146]);
});

test("a request that fails or is given up ends its turn, and lets no other overtake", async () => {
  const turns = openHostQueues();
  const done: string[] = [];
  const held = new EventEmitter();
  const giveUp = new AbortController();
  const first = turns.run("a", {}, () => once(held, "release"));
  const second = turns.run("a", { signal: giveUp.signal }, () => Promise.resolve(void done.push("given up")));
  const third = turns.run("a", {}, () => Promise.reject(new Error("failed")));
  const fourth = turns.run("a", {}, () => Promise.resolve(void done.push("fourth")));
  const outcomes = Promise.allSettled([first, second, third, fourth]);
  giveUp.abort(new Error("given up"));
  await expect(second).rejects.toThrow("given up");
  await sleep(5);
  expect(done).toEqual([]);
  held.emit("release");
  expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
  expect(done).toEqual(["fourth"]);
});

test("forgets a host once no delay can be pending", async () => {
  // Attack: a sitemap that names a million hosts.
  const clock = manualClock();
  const turns = openHostQueues(clock);
  for (let host = 0; host < 100; host++) await turns.run(`${host}.example`, {}, () => Promise.resolve());
  expect(turns.size).toBe(100);
  clock.ms = MAX_CRAWL_DELAY_MS;
  await turns.run("other.example", {}, () => Promise.resolve());
  expect(turns.size).toBe(1);
});
