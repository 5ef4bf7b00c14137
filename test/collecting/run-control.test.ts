import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startAssistant, responseBody } from "./provider.ts";
import { findCreditFaults, countPendingTasks } from "./run-state.ts";
import { collectScene } from "./scene.ts";

const MONDAY = "2026-11-02T08:00:00.000Z";

const WEEKLY = { schedule: "weekly", ends_at: "2026-11-30T08:00:00.000Z", sources: ["ASSISTANT_B"] };

const TWO = ["phone 0", "phone 1"];

test("a collect is priced and run outside its schedule, once per quote", async () => {
  await using s = await collectScene({ now: () => MONDAY });
  const analysis = await s.create(TWO, WEEKLY);
  const early = await s.owner.post(`${analysis}/collects/price`);
  expect([200, 409]).toContain(early.status);
  await s.ended(analysis, 1);
  const priced = await s.owner.post(`${analysis}/collects/price`);
  expect(priced).toMatchObject({
    status: 200,
    body: {
      cost: { credits: 2, total_credits: 2, breakdown: [{ quantity: 2, unit_credits: 1, credits: 2 }] },
      balance: { available: 9990, after: 9988 },
    },
  });
  expect(priced.body.presentation).toContain('Collect "Phones" once more, now?');
  expect(priced.body.presentation).toContain("Cost: 2 credits.");
  const other = await s.create(["else"], { sources: ["ASSISTANT_B"] });
  const body = { quote_id: priced.body.quote_id, confirmed: true };
  expect(await s.owner.post(`${other}/collects`, body)).toMatchObject({ status: 404 });
  expect(await s.owner.post(`${analysis}/collects`, body)).toMatchObject({
    status: 201,
    body: { number: 2, planned: 2, cost: { reserved_credits: 2 } },
  });
  expect(await s.owner.post(`${analysis}/collects`, body)).toMatchObject({ status: 409, body: { code: "QUOTE_USED" } });
  expect(await s.ended(analysis, 2)).toMatchObject({ status: "completed", succeeded: 2 });
  expect((await s.owner.get(analysis)).body).toMatchObject({
    collects_left: 4,
    reserved_credits: 8,
    next_collect_at: "2026-11-09T06:00:00.000Z",
  });
  expect(await findCreditFaults(s)).toEqual([]);
});

test("returns 409 for a state that does not allow the call, with the state and remedy", async () => {
  await using s = await collectScene({ env: { SERVE: "core" }, now: () => MONDAY });
  const analysis = await s.create(TWO, WEEKLY);
  const post = async (what: string) => {
    const { status, body } = await s.owner.post(`${analysis}/${what}`);
    return [status, body.message ?? body.status];
  };
  expect(await post("resume")).toEqual([409, "The analysis is launching. Only a paused analysis can be resumed."]);
  expect(await post("collects/price")).toEqual([
    409,
    "The analysis is launching, and a collect is in progress. Try again when the collect has completed.",
  ]);
  expect(await post("pause")).toEqual([200, "paused"]);
  for (const what of ["pause", "collects/price"]) {
    expect(await post(what)).toEqual([409, "The analysis is paused. It collects again once it is resumed."]);
  }
  expect(await post("resume")).toEqual([200, "launching"]);
  expect(await post("archive")).toEqual([200, "archived"]);
  for (const what of ["pause", "resume", "archive", "collects/price"]) {
    expect(await post(what)).toEqual([409, "The analysis is archived. That is final: duplicate it to collect again."]);
  }
});

test("during a pause, questions in flight complete, others wait, and due rounds are skipped", async () => {
  // Fault: a recurring analysis could not be stopped, and its credits stayed reserved.
  let now = MONDAY;
  await using provider = await startAssistant(() => ({ delayMs: 150, body: responseBody("**Acme**") }));
  await using s = await collectScene({ env: { ...provider.env, COLLECT_CONCURRENCY: "2" }, now: () => now });
  const keywords = Array.from({ length: 6 }, (_, nth) => `phone ${nth}`);
  const analysis = await s.create(keywords, { ...WEEKLY, sources: ["ASSISTANT_A"] });
  await expect.poll(() => provider.asked.size, { interval: 2 }).toBeGreaterThan(0);
  expect(await s.owner.post(`${analysis}/pause`)).toMatchObject({ status: 200, body: { status: "paused" } });
  await sleep(500);
  const asked = provider.asked.size;
  expect(asked).toBeLessThan(6);
  const collect = async () => (await s.owner.get(`${analysis}/collects`)).body.data[0];
  expect(await collect()).toMatchObject({ status: "running", succeeded: asked });

  now = "2026-11-17T08:00:00.000Z";
  const owner = await s.signInAgain();
  // The rounds of the 9th and 16th are skipped; those of the 23rd and 30th remain.
  await expect.poll(async () => (await owner.get(analysis)).body.collects_left, { timeout: 5000 }).toBe(2);
  expect(await findCreditFaults(s)).toEqual([]);
  expect(await owner.post(`${analysis}/resume`)).toMatchObject({
    status: 200,
    body: {
      status: "collecting",
      collects_left: 2,
      reserved_credits: 12,
      next_collect_at: "2026-11-23T06:00:00.000Z",
      ends_at: WEEKLY.ends_at,
    },
  });
  expect(await s.ended(analysis, 1)).toMatchObject({ status: "completed", succeeded: 6 });
  expect([...provider.asked.values()]).toEqual(keywords.map(() => 1));
  expect((await owner.get(analysis)).body.status).toBe("live");
  expect(await findCreditFaults(s)).toEqual([]);
});

test("archiving cancels pending questions, releases their credits immediately, and keeps answers", async () => {
  await using provider = await startAssistant(() => ({ delayMs: 150, body: responseBody("**Acme**") }));
  await using s = await collectScene({ env: { ...provider.env, COLLECT_CONCURRENCY: "2" }, now: () => MONDAY });
  const keywords = Array.from({ length: 410 }, (_, nth) => `phone ${nth}`);
  const analysis = await s.create(keywords, { ...WEEKLY, sources: ["ASSISTANT_A"] });
  await expect.poll(() => provider.asked.size, { interval: 2 }).toBeGreaterThan(2);
  expect(await s.owner.post(`${analysis}/archive`)).toMatchObject({
    status: 200,
    body: { status: "archived", collects_left: 0, reserved_credits: 0, next_collect_at: null },
  });
  // Credits reserved out of 2,050: those of answers and of two questions in flight stay reserved.
  expect((await s.credits()).reserved).toBeLessThanOrEqual(provider.asked.size + 2);
  expect(await findCreditFaults(s)).toEqual([]);
  const ended = await s.ended(analysis, 1);
  expect(ended).toMatchObject({ status: "partial", succeeded: provider.asked.size });
  expect(ended.planned).toBe(ended.succeeded + ended.failed);
  expect(provider.asked.size).toBeLessThan(50);
  expect(await s.credits()).toMatchObject({ available: 10_000 - provider.asked.size, reserved: 0 });
  expect((await s.owner.get(`${analysis}/answers?limit=100`)).body.data).toHaveLength(provider.asked.size);
  expect(await findCreditFaults(s)).toEqual([]);
});

test("archiving a workspace cancels and releases planned collects, and restoring it plans none", async () => {
  // Fault: credits of an archived workspace stayed reserved for good.
  let now = MONDAY;
  await using s = await collectScene({ env: { SERVE: "core" }, now: () => now });
  const analysis = await s.create(TWO, WEEKLY);
  const paused = await s.create(TWO, WEEKLY);
  await s.owner.post(`${paused}/pause`);
  expect(await s.credits()).toMatchObject({ available: 9980, reserved: 20 });
  expect((await s.owner.post(`${s.workspace.path}/archive`)).status).toBe(200);
  // The first analysis's collect in progress remains.
  expect(await s.credits()).toMatchObject({ available: 9998, reserved: 2 });
  expect(await findCreditFaults(s)).toEqual([]);
  now = "2026-11-17T08:00:00.000Z";
  const owner = await s.signInAgain();
  await using _worker = await s.otherWorker();
  await expect.poll(() => countPendingTasks(s, now), { timeout: 10_000 }).toBe(0);
  expect(await s.credits()).toMatchObject({ available: 9998, reserved: 0 });
  expect((await owner.post(`${s.workspace.path}/restore`)).status).toBe(200);
  expect((await owner.get(analysis)).body).toMatchObject({ status: "live", collects_left: 0, next_collect_at: null });
  expect(await findCreditFaults(s)).toEqual([]);
});

test("a pause at the moment a collect ends leaves the analysis paused and the collect settled", async () => {
  await using s = await collectScene({ now: () => MONDAY });
  for (const delayMs of [0, 5, 10, 20, 40]) {
    const analysis = await s.create([`phone ${delayMs}`], { sources: ["ASSISTANT_B"] });
    await sleep(delayMs);
    expect((await s.owner.post(`${analysis}/pause`)).status).toBe(200);
    await sleep(100);
    expect((await s.owner.get(analysis)).body.status).toBe("paused");
    expect(await findCreditFaults(s)).toEqual([]);
    const { status } = (await s.owner.post(`${analysis}/resume`)).body;
    expect(["launching", "collecting", "live"]).toContain(status);
    await s.ended(analysis, 1);
    await expect.poll(async () => (await s.owner.get(analysis)).body.status).toBe("live");
  }
});

test("concurrent archiving and collecting either rejects or cancels the collect", async () => {
  await using s = await collectScene({ now: () => MONDAY });
  const analyses = await Promise.all(
    [1, 2, 3, 4].map((nth) => s.create([`phone ${nth}`], { sources: ["ASSISTANT_B"] })),
  );
  for (const analysis of analyses) {
    await s.ended(analysis, 1);
    const priced = await s.owner.post(`${analysis}/collects/price`);
    const body = { quote_id: priced.body.quote_id, confirmed: true };
    const [run, archived] = await Promise.all([
      s.owner.post(`${analysis}/collects`, body),
      s.owner.post(`${analysis}/archive`),
    ]);
    expect(archived.status).toBe(200);
    expect([201, 409]).toContain(run.status);
    expect(await findCreditFaults(s)).toEqual([]);
    if (run.status === 201) await s.ended(analysis, 2);
  }
  await expect.poll(() => s.credits()).toMatchObject({ reserved: 0 });
  expect(await findCreditFaults(s)).toEqual([]);
});
