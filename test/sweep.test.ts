import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { committed } from "./committed.ts";
import { world } from "./world.ts";

const TEN_MINUTES_MS = 600_000;

test("every process with the worker deletes what has expired, and no other does", async () => {
  // Fault: the sweep ran where pages were served, so a process for the worker alone left every expired record.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    for (const [SERVE, left] of [
      ["worker", 0],
      ["core,worker", 0],
      ["core,web", 1],
    ] as const) {
      let now = "2026-11-01T00:00:00.000Z";
      await using w = await world({ env: { SERVE }, now: () => now });
      const { q, t } = committed(w.store);
      const link = { secretHash: "expired", purpose: "setup", expiresAt: now, createdAt: now };
      await w.store.write(async (db) => void (await db.q.insert(db.t.oneTimeLinks).values(link)));
      now = "2026-11-02T00:00:00.000Z";
      await vi.advanceTimersByTimeAsync(TEN_MINUTES_MS);
      // Each deletion is a transaction of its own.
      for (let turn = 0; turn < 20; turn++) await w.store.write(async () => undefined);
      expect([SERVE, await q.$count(t.oneTimeLinks, eq(t.oneTimeLinks.secretHash, "expired"))]).toEqual([SERVE, left]);
    }
  } finally {
    vi.useRealTimers();
  }
});
