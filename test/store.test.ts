import { EventEmitter, once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openStore, prepared } from "../db/engine/store.ts";

async function temporaryStore() {
  const folder = await mkdtemp(join(tmpdir(), "store-"));
  const store = openStore(folder);
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}
const organization = (id: string) => ({
  id,
  name: id,
  plan: "free",
  modules: [],
  quotas: {},
  createdAt: "2026-11-21T04:31:00.000Z",
});

test("what an async transaction wrote before it failed is rolled back, and nobody saw it", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  const count = async () => (await store.read.q.select().from(store.read.t.organizations)).length;
  let seen = -1;
  const failing = store.write(async ({ q, t }) => {
    await q.insert(t.organizations).values(organization("a"));
    await sleep(5);
    seen = await count();
    throw new Error("stop");
  });
  await expect(failing).rejects.toThrow("stop");
  expect([seen, await count()]).toEqual([0, 0]);
});

test("transactions run one after another, in the order they were asked for", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  const order: string[] = [];
  await Promise.all(
    ["a", "b", "c"].map((name) =>
      store.write(async ({ q, t }) => {
        order.push(`${name} in`);
        await q.insert(t.organizations).values(organization(name));
        await sleep(2);
        order.push(`${name} out`);
      }),
    ),
  );
  expect(order).toEqual(["a in", "a out", "b in", "b out", "c in", "c out"]);
});

test("instants are ISO 8601 in code, and a prepared query gives the same rows as one that is built", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  await store.write(async ({ q, t }) => q.insert(t.organizations).values(organization("a")));
  const byId = prepared(({ q, t }) =>
    q
      .select()
      .from(t.organizations)
      .where(eq(t.organizations.id, sql.placeholder("id"))),
  );
  const [row] = await byId(store.read, { id: "a" });
  expect(row?.createdAt).toBe("2026-11-21T04:31:00.000Z");
  expect(await store.read.q.select().from(store.read.t.organizations)).toEqual([row]);
});

test("bulk rows are stored as the builder stores them, and are rolled back with their transaction", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  const rows = [
    { ...organization("a"), modules: ["search"], quotas: { keywords: 3 } },
    { ...organization("b"), name: "O'Brien; drop table organizations" },
  ];
  await store.write((db) => db.bulkInsert(db.t.organizations, rows));
  const failing = store.write(async (db) => {
    await db.bulkInsert(db.t.organizations, [organization("c"), organization("a")]);
  });
  await expect(failing).rejects.toThrow("UNIQUE");
  const kept = await store.read.q.select().from(store.read.t.organizations);
  expect(kept).toMatchObject(rows);
  expect(kept).toHaveLength(2);
  await expect(store.read.bulkInsert(store.read.t.organizations, rows)).rejects.toThrow("readonly");
});

test("two stores on one file take turns, and waiting for the other holds up nobody else", async () => {
  await using opened = await temporaryStore();
  const other = openStore(dirname(opened.store.file));
  const gate = new EventEmitter();
  const begun = once(gate, "begun");
  const released = once(gate, "released");
  const slow = opened.store.write(async ({ q, t }) => {
    await q.insert(t.organizations).values(organization("a"));
    gate.emit("begun");
    await released;
  });
  await begun;
  const waiting = other.write(async ({ q, t }) => q.insert(t.organizations).values(organization("b")));
  // Were the wait for the lock one that blocks, this process could never come to release it.
  await sleep(50);
  gate.emit("released");
  await waiting;
  await slow;
  expect(await other.read.q.select({ id: other.read.t.organizations.id }).from(other.read.t.organizations)).toEqual([
    { id: "a" },
    { id: "b" },
  ]);
  await other.close();
});
