import { EventEmitter, once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import { Database } from "../../db/engine/sqlite/sqlite.ts";
import { StoreError } from "../../db/engine/store-error.ts";
import { prepareQuery } from "../../db/engine/store.ts";

import { listAll, organization, temporaryStore } from "./temporary-store.ts";

test("a failed async transaction is rolled back, invisible to others", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  const count = async () => (await store.read(listAll)).length;
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

test("transactions run one by one, in request order", async () => {
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

test("fault: a short write waits for all long ones; it goes first, passing a waiting one only once", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  const order: string[] = [];
  const write = (name: string, isLong: boolean, takesMs: number, isRepeatable = false) =>
    store.write(
      async () => {
        order.push(name);
        await sleep(takesMs);
      },
      { isLong, isRepeatable },
    );
  await Promise.all([write("under way", true, 30), write("long", true, 0), write("short", false, 0)]);
  const first = write("under way", true, 250);
  const late = write("waits long", true, 0);
  await sleep(150);
  // These two share no commit.
  await Promise.all([first, late, write("comes later", false, 0), write("comes last", false, 0, true)]);
  expect(order).toEqual(["short", "under way", "long", "under way", "comes later", "waits long", "comes last"]);
});

test("instants are ISO 8601 in code, and a prepared query equals one built per call", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  await store.write(async ({ q, t }) => q.insert(t.organizations).values(organization("a")));
  const byId = prepareQuery(({ q, t }) =>
    q
      .select()
      .from(t.organizations)
      .where(eq(t.organizations.id, sql.placeholder("id"))),
  );
  const [row] = await store.read((db) => byId(db, { id: "a" }));
  expect(row?.createdAt).toBe("2026-11-21T04:31:00.000Z");
  expect(await store.read(listAll)).toEqual([row]);
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
  await expect(failing).rejects.toMatchObject({ name: "StoreError", reason: "duplicate" });
  const kept = await store.read(listAll);
  expect(kept).toMatchObject(rows);
  expect(kept).toHaveLength(2);
  const inserting = store.read((db) => db.bulkInsert(db.t.organizations, rows));
  await expect(inserting).rejects.toMatchObject({ reason: "readonly" });
});

test("two stores on one file alternate, and a waiting one blocks no other", async () => {
  await using opened = await temporaryStore();
  const other = await openStore(dirname(opened.store.file));
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
  // A blocking wait would prevent this process from releasing the lock.
  await sleep(50);
  gate.emit("released");
  await waiting;
  await slow;
  expect(await other.read(({ q, t }) => q.select({ id: t.organizations.id }).from(t.organizations))).toEqual([
    { id: "a" },
    { id: "b" },
  ]);
  await other.close();
});

test("a read sees one snapshot; later commits are visible to the next one", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  await store.write(async ({ q, t }) => q.insert(t.organizations).values(organization("a")));
  const seen = await store.read(async (db) => {
    const before = await listAll(db);
    await store.write(async ({ q, t }) => q.insert(t.organizations).values(organization("b")));
    return [before.length, (await listAll(db)).length, (await store.read(listAll)).length];
  });
  expect(seen).toEqual([1, 1, 2]);
  expect(await store.read(listAll)).toHaveLength(2);
});

test("a failed read returns its connection, and excess reads queue", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  await store.write(async ({ q, t }) => q.insert(t.organizations).values(organization("a")));
  const gate = new EventEmitter();
  gate.setMaxListeners(100);
  let begun = 0;
  const slow = Array.from({ length: 40 }, (_, n) =>
    store.read(async (db) => {
      begun++;
      if (n < 20) await once(gate, "open");
      if (n % 2 === 0) throw new Error("stop");
      return (await listAll(db)).length;
    }),
  );
  const all = Promise.allSettled(slow);
  await sleep(5);
  const atOnce = begun;
  const opening = setInterval(() => gate.emit("open"), 1);
  const ends = await all;
  clearInterval(opening);
  expect(atOnce).toBeGreaterThan(1);
  expect(atOnce).toBeLessThan(20);
  expect(ends.filter(({ status }) => status === "fulfilled")).toEqual(
    Array.from({ length: 20 }, () => ({ status: "fulfilled", value: 1 })),
  );
});

test("closing a store waits for reads in progress", async () => {
  await using opened = await temporaryStore();
  const other = await openStore(dirname(opened.store.file));
  const reading = other.read(async (db) => {
    await sleep(20);
    return listAll(db);
  });
  await other.close();
  expect(await reading).toEqual([]);
});

test("if the engine requires it, a transaction rolls back completely and reruns, with one effect", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  let runs = 0;
  const result = await store.write(async ({ q, t }) => {
    runs++;
    await q.insert(t.organizations).values(organization(`run ${runs}`));
    if (runs < 3) secondWriter(store.file);
    return runs;
  });
  expect(result).toBe(3);
  expect((await store.read(listAll)).map(({ id }) => id)).toEqual(["run 3"]);
});

/** Requests a lock that is taken. Throws the engine's error. */
function secondWriter(file: string): void {
  const connection = new Database(file, { timeout: 0 });
  try {
    connection.exec("BEGIN IMMEDIATE");
  } finally {
    connection.close();
  }
}

test("engine errors have engine-independent messages, without statement values", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  const add = () => store.write(async ({ q, t }) => q.insert(t.organizations).values(organization("secret name")));
  await add();
  const error = await add().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StoreError);
  expect(error).toMatchObject({ reason: "duplicate", cause: { code: "SQLITE_CONSTRAINT_PRIMARYKEY" } });
  expect(JSON.stringify([String(error), String((error as Error).cause)])).not.toContain("secret name");
  const orphan = store.write(async ({ q, t }) =>
    q
      .insert(t.workspaces)
      .values({ ...organization("w"), organizationId: "nobody", updatedAt: organization("w").createdAt }),
  );
  await expect(orphan).rejects.toMatchObject({ reason: "constraint" });
  const folder = await mkdtemp(join(tmpdir(), "store-"));
  await writeFile(
    join(folder, "visibility.db"),
    "not a database, but long enough to be read as the head of one ".repeat(100),
  );
  await expect(openStore(folder)).rejects.toMatchObject({ reason: "corrupt" });
  await rm(folder, { recursive: true });
});

test("a store bound to a database opens no other, and creates none", async () => {
  // Fault: the worker of a service with a deleted folder created an empty database.
  await using opened = await temporaryStore();
  const folder = dirname(opened.store.file);
  const other = await openStore(folder, { expects: opened.store.identity });
  await other.close();
  await expect(openStore(folder, { expects: "1:1" })).rejects.toMatchObject({ reason: "replaced" });
  const empty = await mkdtemp(join(tmpdir(), "store-"));
  await expect(openStore(empty, { expects: opened.store.identity })).rejects.toMatchObject({ reason: "replaced" });
  expect(await readdir(empty)).toEqual([]);
  await rm(empty, { recursive: true });
});
