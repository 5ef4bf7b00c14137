import { eq, lt } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { sweepExpired } from "../../auth/sweep.ts";
import { openCommitted } from "../support/committed.ts";
import { watchHolds } from "../../proofs/holds/watch.ts";
import { world } from "../support/world.ts";

const TEN_MINUTES_MS = 600_000;

test("each process with the worker deletes expired rows, and no other does", async () => {
  // Fault: the sweep ran where pages were served, so a worker-only process never deleted expired
  // rows.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    for (const [SERVE, left] of [
      ["worker", 0],
      ["core,worker", 0],
      ["core,web", 1],
    ] as const) {
      let now = "2026-11-01T00:00:00.000Z";
      await using w = await world({ env: { SERVE }, now: () => now });
      const { q, t } = openCommitted(w.store);
      const link = { secretHash: "expired", purpose: "setup", expiresAt: now, createdAt: now };
      await w.store.write(async (db) => void (await db.q.insert(db.t.oneTimeLinks).values(link)));
      now = "2026-11-02T00:00:00.000Z";
      await vi.advanceTimersByTimeAsync(TEN_MINUTES_MS);
      // Each deletion is a separate transaction.
      for (let turn = 0; turn < 20; turn++) await w.store.write(async () => undefined);
      expect([SERVE, await q.$count(t.oneTimeLinks, eq(t.oneTimeLinks.secretHash, "expired"))]).toEqual([SERVE, left]);
    }
  } finally {
    vi.useRealTimers();
  }
});

test("fault: one transaction deletes all expired rows, blocking the writer", async () => {
  using watch = watchHolds();
  const now = "2026-11-03T00:00:00.000Z";
  await using w = await world({ now: () => now });
  const { q, t } = openCommitted(w.store);
  const createdAt = "2026-11-01T00:00:00.000Z";
  const of = Array.from({ length: 1200 }, (_, at) => `${at}`);
  const links = of.map((secretHash) => ({ secretHash, purpose: "setup", expiresAt: createdAt, createdAt }));
  const keys = of.map((key) => ({ userId: "u", endpoint: "e", key, inputHash: "", response: {}, createdAt }));
  await w.store.write(async (db) => {
    await db.bulkInsert(t.oneTimeLinks, links);
    await db.bulkInsert(t.idempotencyKeys, keys);
  });
  const before = watch.holds.length;
  await sweepExpired(w.store, now);
  expect([
    await q.$count(t.oneTimeLinks, lt(t.oneTimeLinks.expiresAt, now)),
    await q.$count(t.idempotencyKeys),
  ]).toEqual([0, 0]);
  // Plus the version counter of the table.
  expect(Math.max(...watch.holds.slice(before).map(({ rows: changed }) => changed))).toBeLessThanOrEqual(500 + 1);
});
