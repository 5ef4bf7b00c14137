import { expect, test } from "vitest";
import { openKept } from "../db/engine/kept.ts";
import { world } from "./world.ts";

const made = (value: string, bytes: number) => async () => ({ value, bytes });

test("what was used last is kept, up to its bytes, and made once", async () => {
  // Attack: ask for the figures of ever more collects, until the process has no memory left.
  const kept = openKept(10);
  expect(await kept.get("a", made("first a", 4))).toBe("first a");
  expect(await kept.get("b", made("first b", 4))).toBe("first b");
  expect(await kept.get("a", made("second a", 4))).toBe("first a");
  expect(await kept.get("c", made("first c", 4))).toBe("first c");
  expect(await kept.get("a", made("second a", 4))).toBe("first a");
  expect(await kept.get("b", made("second b", 4))).toBe("second b");
  expect(await kept.get("huge", made("first huge", 11))).toBe("first huge");
  expect(await kept.get("huge", made("second huge", 11))).toBe("second huge");
});

test("reads share what is kept, and a transaction keeps nothing of what it may take back", async () => {
  // Fault: a rolled back catalog that is shown once another change has its version.
  await using w = await world();
  await expect(
    w.store.write(async (db) => {
      await db.kept.get("key", made("of a transaction", 1));
      throw new Error("taken back");
    }),
  ).rejects.toThrow("taken back");
  expect(await w.store.read((db) => db.kept.get("key", made("of a read", 1)))).toBe("of a read");
  expect(await w.store.read((db) => db.kept.get("key", made("of a later read", 1)))).toBe("of a read");
  expect(await w.store.write((db) => db.kept.get("key", made("of a write", 1)))).toBe("of a write");
});
