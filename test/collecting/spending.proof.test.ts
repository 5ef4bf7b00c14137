import { expect, test } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { openCommitted } from "../support/committed.ts";
import { startAssistant, responseBody } from "./provider.ts";
import { collectScene } from "./scene.ts";
import { PRICES, readAccounts } from "./spending-cases.ts";

test("a dead worker's reservation counts as spent after its lease", async () => {
  // Attack on the operator's budget: a process is killed repeatedly during billed questions.
  await using provider = await startAssistant((_, nth) => ({
    delayMs: nth === 1 ? 1500 : 0,
    body: responseBody("Acme"),
  }));
  const env = { OPENAI_PRICES: PRICES, OPENAI_MOST_USD: "2", OPENAI_MONTHLY_USD: "4" };
  await using s = await collectScene({ env: { ...provider.env, ...env, SERVE: "core" } });
  const analysis = await s.create(["phone"]);
  const { q, t } = openCommitted(s.store);
  {
    await using _gone = await s.otherWorker();
    while (!provider.asked.has("phone")) await sleep(5);
    expect((await readAccounts(s)).providerMonth).toEqual(["provider:openai", 0, 2]);
    // A killed process leaves its jobs leased.
    await s.store.write(async (db) => {
      await db.q.update(db.t.jobs).set({ leaseOwner: "gone", notBefore: s.deps.now() });
    });
    await sleep(20);
    await using _next = await s.otherWorker();
    expect(await s.ended(analysis)).toMatchObject({ succeeded: 1 });
  }
  expect((await readAccounts(s)).providerMonth).toEqual(["provider:openai", 3, 0]);
  expect(await q.$count(t.spendReservations)).toBe(0);
});
