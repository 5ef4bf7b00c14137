import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { startAssistant, responseBody } from "./provider.ts";
import { collectScene } from "./scene.ts";
import { openCommitted } from "../support/committed.ts";

test("a weekly analysis collects when due, sends the priced prompts, and refunds missed rounds", async () => {
  let now = "2026-11-02T08:00:00.000Z";
  await using s = await collectScene({ now: () => now });
  // Five Mondays: 2, 9, 16, 23 and 30 November.
  const setup = { schedule: "weekly", ends_at: "2026-11-30T08:00:00.000Z", sources: ["ASSISTANT_B", "SEARCH_A"] };
  const analysis = await s.create(["phone 0", "phone 1"], setup);
  await s.ended(analysis, 1);
  expect(await s.credits()).toMatchObject({ available: 9980, reserved: 16, spent_this_month: 4 });
  // Imported keywords were never priced, so they are not sent.
  await s.owner.request("POST", `${analysis}/answers/import`, {
    body: JSON.stringify({ keyword: "imported", source: "ASSISTANT_A", text: "Acme" }),
    headers: { "content-type": "application/x-ndjson" },
  });

  now = "2026-11-09T08:00:00.000Z";
  await s.signInAgain();
  expect(await s.ended(analysis, 3)).toMatchObject({ status: "completed", planned: 4, cost: { spent_credits: 4 } });
  expect(await s.credits()).toMatchObject({ available: 9980, reserved: 12, spent_this_month: 8 });

  // The process missed the 16th and 23rd: one collect runs, the other's credits are refunded.
  now = "2026-11-23T09:00:00.000Z";
  await s.signInAgain();
  expect(await s.ended(analysis, 4)).toMatchObject({ status: "completed", planned: 4 });
  expect(await s.credits()).toMatchObject({ available: 9984, reserved: 4, spent_this_month: 12 });

  now = "2026-11-30T08:00:00.000Z";
  await s.signInAgain();
  await s.ended(analysis, 5);
  now = "2027-02-01T08:00:00.000Z";
  const owner = await s.signInAgain();
  await sleep(1200);
  expect((await owner.get(`${analysis}/collects`)).body.data).toHaveLength(5);
  expect(await s.credits()).toMatchObject({ available: 9984, reserved: 0 });
  const { q, t } = openCommitted(s.store);
  expect(await q.select({ next: t.analyses.nextCollectAt }).from(t.analyses)).toEqual([{ next: null }]);
});

test("an answer is extracted with the catalog current at its storage", async () => {
  await using provider = await startAssistant(() => ({ delayMs: 400, body: responseBody("Acme, then Zeta") }));
  await using s = await collectScene({ env: provider.env });
  const analysis = await s.create(["phone"]);
  while (!provider.asked.has("phone")) await sleep(10);
  const zeta = await s.owner.post(`${s.workspace.path}/brands`, { name: "Zeta", relationship: "competitor" });
  await s.ended(analysis);
  const { q, t } = openCommitted(s.store);
  expect(
    await q
      .select({ brandId: t.brands.id, rank: t.places.rank })
      .from(t.places)
      .innerJoin(t.brands, eq(t.brands.number, t.places.brandNumber))
      .orderBy(t.places.rank),
  ).toEqual([
    { brandId: s.brandId, rank: 1 },
    { brandId: zeta.body.id, rank: 2 },
  ]);
});
