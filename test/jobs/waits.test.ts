import { expect, test } from "vitest";
import { isRecent } from "../../auth/recent-sign-in.ts";
import { claimJobs, hasLostJobs, requeueLostJobs } from "../../db/jobs/collect-jobs.ts";
import { INITIAL_CURSOR } from "../../db/jobs/pick-jobs.ts";
import { SOURCES } from "../../core/sources/sources.ts";
import { addMs } from "../../core/shared/time.ts";
import { MAX_LEASE_MS, MAX_RECOVERY_MS } from "../../core/jobs/waits.ts";
import { readConfig } from "../../src/config/config.ts";
import { openCommitted } from "../support/committed.ts";
import { startAssistant, responseBody } from "../collecting/provider.ts";
import { collectScene } from "../collecting/scene.ts";
import { findCallerOf, mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

// The clock was a year ahead and is corrected: nothing waits for its timestamps.

const NOW = "2026-11-02T08:00:00.000Z";
const AHEAD = "2027-11-02T08:00:00.000Z";
const FIRST = {
  sources: SOURCES,
  limit: 2,
  maxPerCollect: 2,
  usedPerCollect: new Map<string, number>(),
  cursor: INITIAL_CURSOR,
};

test("questions leased or postponed until a year from now run immediately", async () => {
  // Fault: they stood still until that day, and the collect with them.
  await using s = await collectScene({ env: { SERVE: "core" }, now: () => NOW });
  const analysis = await s.create(["phone 0", "phone 1", "phone 2", "phone 3"]);
  await s.store.write(async (db) => {
    const claim = { ...FIRST, owner: "gone", now: NOW, leaseEnd: addMs(AHEAD, 30_000) };
    expect((await claimJobs(db, claim)).jobs).toHaveLength(2);
    await db.q.update(db.t.jobs).set({ notBefore: AHEAD });
  });
  await using _worker = await s.otherWorker();
  expect(await s.ended(analysis)).toMatchObject({ status: "completed", planned: 4 });
  expect(await openCommitted(s.store).q.$count(openCommitted(s.store).t.answers)).toBe(4);
});

test("no setting allows a lease or wait beyond the limit that counts as over", () => {
  const [most, more] = [MAX_LEASE_MS, MAX_RECOVERY_MS].map((ms) => ms / 1000);
  expect(() => readConfig({ COLLECT_LEASE_SECONDS: `${most}`, PARTNER_RECOVERY_SECONDS: `${more}` })).not.toThrow();
  expect(() => readConfig({ COLLECT_LEASE_SECONDS: `${Number(most) + 1}` })).toThrow("COLLECT_LEASE_SECONDS");
  expect(() => readConfig({ PARTNER_RECOVERY_SECONDS: `${Number(more) + 1}` })).toThrow("PARTNER_RECOVERY_SECONDS");
});

test("an own lease is renewed, not treated as over, when the clock is corrected", async () => {
  // Fault: each question in flight would be sent and paid twice.
  await using s = await collectScene({ env: { SERVE: "core" }, now: () => NOW });
  await s.create(["phone 0"]);
  await s.store.write(async (db) => {
    await claimJobs(db, { ...FIRST, owner: "we", now: NOW, leaseEnd: AHEAD });
    expect([await hasLostJobs(db, "we", NOW), await hasLostJobs(db, "they", NOW)]).toEqual([false, true]);
    await requeueLostJobs(db, "we", NOW);
    expect(await hasLostJobs(db, "they", NOW)).toBe(true);
  });
});

test("a schedule with wrongly missed rounds continues as planned, with its credits", async () => {
  // Fault: five weeks were refunded as missed, and nothing was collected for a year.
  let now = NOW;
  await using s = await collectScene({ now: () => now });
  // Mondays from 2 November to 7 December: six collects of two questions.
  const setup = { schedule: "weekly", ends_at: "2026-12-07T08:00:00.000Z", sources: ["ASSISTANT_B"] };
  const analysis = await s.create(["phone 0", "phone 1"], setup);
  await s.ended(analysis, 1);
  now = AHEAD;
  await s.signInAgain();
  await s.ended(analysis, 2);
  expect(await s.credits()).toMatchObject({ available: 9996, reserved: 0 });
  now = "2026-11-03T08:00:00.000Z";
  await s.signInAgain();
  const { q, t } = openCommitted(s.store);
  const next = async () => (await q.select({ next: t.analyses.nextCollectAt }).from(t.analyses))[0]?.next;
  {
    await using _worker = await s.otherWorker();
    await expect.poll(next, { timeout: 5000 }).toBe("2026-11-09T06:00:00.000Z");
  }
  // One of the five ran early; four remain.
  expect(await s.credits()).toMatchObject({ available: 9988, reserved: 8 });
  now = "2026-11-09T08:00:00.000Z";
  await s.signInAgain();
  expect(await s.ended(analysis, 3)).toMatchObject({ status: "completed", planned: 2 });
  expect([await next(), (await s.credits()).reserved]).toEqual(["2026-11-16T06:00:00.000Z", 6]);
});

test("an analysis that was created while the clock was ahead collects from now on, not from then on", async () => {
  let now = AHEAD;
  await using s = await collectScene({ now: () => now });
  const setup = { schedule: "weekly", ends_at: addMs(AHEAD, 30 * 86_400_000), sources: ["ASSISTANT_B"] };
  const analysis = await s.create(["phone 0"], setup);
  await s.ended(analysis, 1);
  const before = await s.credits();
  now = NOW;
  const { q, t } = openCommitted(s.store);
  const next = async () => (await q.select({ next: t.analyses.nextCollectAt }).from(t.analyses))[0]?.next;
  await using _worker = await s.otherWorker();
  await expect.poll(next, { timeout: 5000 }).toBe("2026-11-03T06:00:00.000Z");
  await s.signInAgain();
  expect(await s.credits()).toMatchObject({ available: before.available, reserved: before.reserved });
});

test("a collect continues when the clock is corrected, and sends nothing twice", async () => {
  let now = AHEAD;
  await using provider = await startAssistant((prompt) => ({
    delayMs: 20,
    body: responseBody(`**Acme** for ${prompt}`),
  }));
  await using s = await collectScene({ env: { ...provider.env, COLLECT_CONCURRENCY: "2" }, now: () => now });
  const analysis = await s.create(Array.from({ length: 20 }, (_, nth) => `phone ${nth}`));
  await expect.poll(() => provider.asked.size, { interval: 5 }).toBeGreaterThan(4);
  now = NOW;
  await s.signInAgain();
  expect(await s.ended(analysis)).toMatchObject({ status: "completed", succeeded: 20 });
  expect([...provider.asked.values()]).toEqual(Array.from({ length: 20 }, () => 1));
});

test("a sign-in dated in the future is not recent", () => {
  // Attack: a browser left open under a wrong clock would get lasting access.
  expect([isRecent(AHEAD, NOW), isRecent(addMs(NOW, 30_000), NOW), isRecent(addMs(NOW, -30_000), NOW)]).toEqual([
    false,
    true,
    true,
  ]);
});

test("rejects a token issued under a wrong clock after its correction, even if it was accepted before", async () => {
  // Attack: such a token would open everything for a year, although its life is a quarter of an
  // hour.
  let now = AHEAD;
  await using w = await world({ now: () => now });
  const { owner } = await w.acme();
  const { token } = await mintToolToken(w, owner);
  const verify = async (given: string) =>
    findCallerOf(w.deps.toolTokens, w.store, given, now).then(
      () => "accepted",
      (error: { code?: string }) => error.code,
    );
  expect([await verify(token), (await owner.get("/v1/workspaces")).status]).toEqual(["accepted", 200]);
  now = NOW;
  expect([await verify(token), (await owner.get("/v1/workspaces")).status]).toEqual(["UNAUTHENTICATED", 401]);
  const again = await w.signIn(owner.email);
  expect([await verify((await mintToolToken(w, again)).token), (await again.get("/v1/workspaces")).status]).toEqual([
    "accepted",
    200,
  ]);
});
