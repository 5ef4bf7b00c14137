import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { openReadCache } from "../../db/engine/sqlite/read-cache.ts";
import { openCommitted } from "../support/committed.ts";
import { PROJECT, searchWorld } from "../metrics/search-metrics-scene.ts";
import { world } from "../support/world.ts";

const made = (value: string, bytes: number) => async () => ({ value, bytes });

test("caches recently used values up to their bytes, each computed once", async () => {
  // Attack: ask for the figures of ever more collects, until the process has no memory left.
  const kept = openReadCache(10);
  expect(await kept.get("a", made("first a", 4))).toBe("first a");
  expect(await kept.get("b", made("first b", 4))).toBe("first b");
  expect(await kept.get("a", made("second a", 4))).toBe("first a");
  expect(await kept.get("c", made("first c", 4))).toBe("first c");
  expect(await kept.get("a", made("second a", 4))).toBe("first a");
  expect(await kept.get("b", made("second b", 4))).toBe("second b");
  expect(await kept.get("huge", made("first huge", 11))).toBe("first huge");
  expect(await kept.get("huge", made("second huge", 11))).toBe("second huge");
});

test("computes a value in progress once for all callers, and recomputes failed ones", async () => {
  // Fault: two people opening a page at once had metrics of thousands of brands computed twice.
  const kept = openReadCache(10);
  let finish: (() => void) | undefined;
  const making = new Promise<{ value: string; bytes: number }>((resolve) => {
    finish = () => resolve({ value: "first a", bytes: 1 });
  });
  const asked = [kept.get("a", () => making), kept.get("a", made("second a", 1))];
  finish?.();
  expect(await Promise.all(asked)).toEqual(["first a", "first a"]);
  await expect(kept.get("b", () => Promise.reject(new Error("not made")))).rejects.toThrow("not made");
  expect(await kept.get("b", made("second b", 1))).toBe("second b");
});

test("reads share the cache, and a transaction caches nothing it may roll back", async () => {
  // Fault: a rolled back catalog was shown once another change got its version.
  await using w = await world();
  await expect(
    w.store.write(async (db) => {
      await db.cache.get("key", made("of a transaction", 1));
      throw new Error("taken back");
    }),
  ).rejects.toThrow("taken back");
  expect(await w.store.read((db) => db.cache.get("key", made("of a read", 1)))).toBe("of a read");
  expect(await w.store.read((db) => db.cache.get("key", made("of a later read", 1)))).toBe("of a read");
  expect(await w.store.write((db) => db.cache.get("key", made("of a write", 1)))).toBe("of a write");
});

test("figures of a country follow the setup's country when it changes", async () => {
  // Fault: a value cached for one country was shown after the analysis changed to another.
  await using w = await searchWorld();
  const at = `/v1/organizations/${w.organization.id}/workspaces/${w.workspace.id}/analyses/${PROJECT}/metrics`;
  const answers = async (query: string) => {
    const all = await Promise.all(["visibility", "citations"].map((of) => w.owner.get(`${at}/${of}${query}`)));
    return all.map(({ body }) => body.basis.answers as number);
  };
  const { analyses, questions } = openCommitted(w.store).t;
  await w.store.write(async ({ q }) => {
    const [one] = await q.select().from(questions).where(eq(questions.analysisId, PROJECT)).limit(1);
    await q
      .update(questions)
      .set({ country: "DE" })
      .where(eq(questions.id, one?.id ?? ""));
  });
  const whole = await answers("");
  const before = await answers("?countries=DE");
  expect(before.map((count, index) => count < (whole[index] ?? 0))).toEqual([true, true]);
  await w.store.write(async ({ q }) => {
    await q
      .update(analyses)
      .set({ setup: { country: "DE" } })
      .where(eq(analyses.id, PROJECT));
  });
  expect(await answers("?countries=DE")).toEqual(whole);
});
