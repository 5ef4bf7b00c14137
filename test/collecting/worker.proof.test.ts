import { setTimeout as sleep } from "node:timers/promises";
import { Database } from "../../db/engine/sqlite/sqlite.ts";
import { expect, test } from "vitest";
import { startAssistant, responseBody } from "./provider.ts";
import { collectScene } from "./scene.ts";
import { openCommitted } from "../support/committed.ts";

const keywords = (count: number) => Array.from({ length: count }, (_, index) => `phone ${index}`);

test("Retry-After is waited for, by every question to that provider", async () => {
  const at: number[] = [];
  await using provider = await startAssistant((_, nth) => {
    at.push(performance.now());
    return nth === 1 && at.length === 1
      ? { status: 429, headers: { "retry-after": "1" } }
      : { body: responseBody("Acme") };
  });
  await using s = await collectScene({ env: { ...provider.env, COLLECT_CONCURRENCY: "1" } });
  expect(await s.ended(await s.create(keywords(3)))).toMatchObject({ status: "completed" });
  expect(at).toHaveLength(4);
  for (const later of at.slice(1)) expect(later - (at[0] ?? 0)).toBeGreaterThan(990);
});

test("enforces concurrency, requests per minute and monthly spend cap", async () => {
  await using provider = await startAssistant(() => ({ delayMs: 30, body: responseBody("Acme") }));
  await using s = await collectScene({ env: { ...provider.env, COLLECT_CONCURRENCY: "3" } });
  await s.ended(await s.create(keywords(12)));
  expect(provider.mostOpen()).toBe(3);

  await using paced = await startAssistant();
  await using p = await collectScene({ env: { ...paced.env, OPENAI_REQUESTS_PER_MINUTE: "300" } });
  const startedAt = performance.now();
  await p.ended(await p.create(keywords(5)));
  expect(performance.now() - startedAt).toBeGreaterThan(790);

  await using dear = await startAssistant();
  const prices = { input_per_million: 50_000, output_per_million: 100_000, per_search: 0 };
  const env = {
    ...dear.env,
    COLLECT_CONCURRENCY: "1",
    OPENAI_PRICES: JSON.stringify(prices),
    OPENAI_MONTHLY_USD: "3.5",
    OPENAI_MOST_USD: "1",
  };
  await using d = await collectScene({ env });
  // Each answer costs 10 x 0.05 + 5 x 0.1 = 1 US dollar.
  expect(await d.ended(await d.create(keywords(8)))).toMatchObject({ status: "partial", succeeded: 3, failed: 5 });
  expect((await d.answers()).map((answer) => answer.costUsd)).toEqual([1, 1, 1]);
  const { q, t } = openCommitted(d.store);
  expect(
    await q.select({ provider: t.providerSpend.provider, usd: t.providerSpend.usd }).from(t.providerSpend),
  ).toEqual([{ provider: "openai", usd: 3 }]);
  expect((await d.jobs()).at(-1)?.reason).toBe("The monthly spending cap of the provider is reached.");
});

test("an answer that comes after its lease was lost to another worker is not stored a second time", async () => {
  await using provider = await startAssistant((_, nth) => ({
    delayMs: nth === 1 ? 700 : 0,
    body: responseBody("Acme"),
  }));
  await using s = await collectScene({ env: { ...provider.env, SERVE: "core" } });
  const analysis = await s.create(["phone"]);
  await using _slow = await s.otherWorker();
  while (!provider.asked.has("phone")) await sleep(10);
  // The lease expires, as when a process stalls.
  await s.store.write(async ({ q, t }) => {
    await q.update(t.jobs).set({ status: "queued", leaseOwner: null, notBefore: s.deps.now() });
  });
  await using _quick = await s.otherWorker();
  expect(await s.ended(analysis)).toMatchObject({ succeeded: 1, failed: 0 });
  await sleep(900);
  expect(provider.asked.get("phone")).toBe(2);
  expect(await s.answers()).toHaveLength(1);
  expect(await s.credits()).toMatchObject({ available: 9999, reserved: 0 });
});

test("a question of a vanished worker is sent again after its lease", async () => {
  await using provider = await startAssistant();
  await using s = await collectScene({ env: { ...provider.env, SERVE: "core" } });
  const analysis = await s.create(["phone"]);
  await s.store.write(async ({ q, t }) => {
    const leaseEnd = new Date(Date.now() + 600).toISOString();
    await q.update(t.jobs).set({ status: "leased", leaseOwner: "vanished", notBefore: leaseEnd, attempts: 1 });
    await q.update(t.collects).set({ status: "running" });
  });
  const startedAt = performance.now();
  await using _worker = await s.otherWorker();
  expect(await s.ended(analysis)).toMatchObject({ status: "completed" });
  expect(performance.now() - startedAt).toBeGreaterThan(500);
  expect(provider.asked.get("phone")).toBe(1);
});

test("stopping returns an open question unharmed, and the next start sends it", async () => {
  await using provider = await startAssistant((_, nth) => ({
    delayMs: nth === 1 ? 5000 : 0,
    body: responseBody("Acme"),
  }));
  await using s = await collectScene({ env: { ...provider.env, SERVE: "core" } });
  const analysis = await s.create(["phone"]);
  {
    await using _first = await s.otherWorker();
    while (!provider.asked.has("phone")) await sleep(10);
  }
  expect((await s.jobs()).map(({ status, attempts }) => [status, attempts])).toEqual([["queued", 0]]);
  await using _next = await s.otherWorker();
  expect(await s.ended(analysis)).toMatchObject({ status: "completed" });
});

test("an answer that the store rejects fails its own question only", async () => {
  await using provider = await startAssistant();
  await using s = await collectScene({ env: { ...provider.env, SERVE: "core" } });
  const analysis = await s.create(keywords(5));
  const refusing = new Database(s.store.file);
  refusing.exec(
    `create trigger refuse before insert on answers when new.prompt = 'phone 2' begin select raise(abort, 'no'); end`,
  );
  refusing.close();
  await using _worker = await s.otherWorker();
  expect(await s.ended(analysis)).toMatchObject({ status: "partial", succeeded: 4, failed: 1 });
  expect((await s.jobs()).flatMap(({ prompt, reason }) => (reason === null ? [] : [[prompt, reason]]))).toEqual([
    ["phone 2", "The answer could not be stored."],
  ]);
  expect([...provider.asked.values()]).toEqual([1, 1, 1, 1, 1]);
});
