import { EventEmitter, once } from "node:events";
import { statSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql, type SQL } from "drizzle-orm";
import { expect, test } from "vitest";
import { openStore } from "../db/engine/open-store.ts";
import { Database } from "../db/engine/sqlite.ts";
import { StoreError } from "../db/engine/store-error.ts";
import { prepared, type Db } from "../db/engine/store.ts";

async function temporaryStore() {
  const folder = await mkdtemp(join(tmpdir(), "store-"));
  const store = await openStore(folder);
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

const listAll = ({ q, t }: Db) => q.select().from(t.organizations).orderBy(t.organizations.id);

test("what an async transaction wrote before it failed is rolled back, and nobody saw it", async () => {
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

test("fault: a short write waits for every long one before it; it goes first, and one at a time past one that has waited a while", async () => {
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

test("two stores on one file take turns, and waiting for the other holds up nobody else", async () => {
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
  // Were the wait for the lock one that blocks, this process could never come to release it.
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

test("a read sees one moment: what is committed while it goes on is for the next one", async () => {
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

test("a read that fails gives its connection back, and more reads than there are connections take turns", async () => {
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

test("a store that is closed waits for the reads that are under way", async () => {
  await using opened = await temporaryStore();
  const other = await openStore(dirname(opened.store.file));
  const reading = other.read(async (db) => {
    await sleep(20);
    return listAll(db);
  });
  await other.close();
  expect(await reading).toEqual([]);
});

test("where the engine asks for it a transaction is rolled back whole and run again, and its effect is there once", async () => {
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

/** Asks the engine for a lock that somebody holds. Throws what it answers. */
function secondWriter(file: string): void {
  const connection = new Database(file, { timeout: 0 });
  try {
    connection.exec("BEGIN IMMEDIATE");
  } finally {
    connection.close();
  }
}

test("errors of the engine are told in words that every engine shares, without the values of the statement", async () => {
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

/** How many transactions are in the write-ahead log: its frames that end one (https://www.sqlite.org/fileformat2.html#walformat). */
async function commitsIn(file: string): Promise<number> {
  const wal = await readFile(`${file}-wal`);
  const pageSize = wal.readUInt32BE(8);
  let commits = 0;
  for (let frame = 32; frame + 24 + pageSize <= wal.length; frame += 24 + pageSize) {
    const isOfThisLog = wal.compare(wal, 16, 24, frame + 8, frame + 16) === 0;
    if (isOfThisLog && wal.readUInt32BE(frame + 4) > 0) commits++;
  }
  return commits;
}

test("writes that wait at the same moment share a commit, are told of it only then, and one that fails takes back nothing of others", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  await store.write(async ({ q, t }) => q.insert(t.organizations).values(organization("first")));
  const before = await commitsIn(store.file);
  const other = new Database(store.file, { readonly: true });
  const seen = other.prepare("select count(*) as n from organizations where id = ?");
  const ended = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      store
        .write(async ({ q, t }) => {
          await q.insert(t.organizations).values(organization(`o${at}`));
          if (at % 4 === 0) throw new Error("refused");
          return at;
        })
        // Another connection sees it already: it is committed.
        .then((value) => [value, (seen.get(`o${at}`) as { n: number }).n])
        .catch((error: Error) => [error.message, (seen.get(`o${at}`) as { n: number }).n]),
    ),
  );
  other.close();
  expect(ended).toEqual(Array.from({ length: 40 }, (_, at) => (at % 4 === 0 ? ["refused", 0] : [at, 1])));
  expect((await store.read(listAll)).length).toBe(31);
  expect((await commitsIn(store.file)) - before).toBeLessThan(10);
});

test("an error of the commit refuses every write of it, and none of them is there", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  const orphan = { ...organization("w"), organizationId: "none", updatedAt: organization("w").createdAt };
  // What runs for the first time takes long, and then others do not join it.
  await expect(
    store.write(async ({ q, t }) => {
      await q.insert(t.organizations).values(organization("first"));
      await q.insert(t.workspaces).values(orphan);
    }),
  ).rejects.toMatchObject({ reason: "constraint" });
  const ended = await Promise.allSettled([
    store.write(async ({ q, t }) => q.insert(t.organizations).values(organization("a"))),
    store.write(async (db) => {
      // References are checked at the commit instead of at the statement.
      pragma(db, "defer_foreign_keys = ON");
      await db.q.insert(db.t.workspaces).values(orphan);
    }),
    store.write(async ({ q, t }) => q.insert(t.organizations).values(organization("b"))),
  ]);
  expect(ended.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(ended[0]).toMatchObject({ reason: { name: "StoreError", reason: "constraint" } });
  expect(await store.read(listAll)).toEqual([]);
  await store.write(async ({ q, t }) => q.insert(t.organizations).values(organization("c")));
  expect((await store.read(listAll)).map(({ id }) => id)).toEqual(["c"]);
});

test("where the engine takes a whole transaction back, those who shared it are run again, and only the one at fault is refused", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  await store.write(async ({ q, t }) => q.insert(t.organizations).values(organization("a")));
  const add = (id: string) => store.write(async ({ q, t }) => q.insert(t.organizations).values(organization(id)));
  const ended = await Promise.allSettled([
    add("b"),
    store.write(async (db) => run(db, "insert or rollback into organizations select * from organizations")),
    add("c"),
  ]);
  expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect((await store.read(listAll)).map(({ id }) => id)).toEqual(["a", "b", "c"]);
});

test("who works in the background leaves room for a write of another process after each of its own", async () => {
  // Fault: a second process was answered 503 after ten seconds of transactions that followed each other without a gap.
  await using opened = await temporaryStore();
  const background = await openStore(dirname(opened.store.file), { leavesPauses: true, copies: true });
  let begun = 0;
  const over = new AbortController();
  const working = (async () => {
    while (!over.signal.aborted) {
      await background.write(async ({ q, t }) => {
        begun++;
        await q.insert(t.organizations).values(organization(`background ${begun}`));
        await sleep(15);
      });
    }
  })();
  const waited: number[] = [];
  for (let write = 0; write < 10; write++) {
    await sleep(3);
    const before = begun;
    await opened.store.write(async ({ q, t }) => q.insert(t.organizations).values(organization(`write ${write}`)));
    waited.push(begun - before);
  }
  over.abort();
  await working;
  await background.close();
  // The one under way when it asks, and one that it may just miss.
  expect(Math.max(...waited)).toBeLessThanOrEqual(3);
});

test("who works in the background copies what was written ahead into the database file in its pauses", async () => {
  // Fault: its commits did, which held the writer for a third longer.
  await using opened = await temporaryStore();
  const { file } = opened.store;
  const background = await openStore(dirname(file), { leavesPauses: true, copies: true });
  const sizes: number[] = [];
  for (let write = 0; write < 8; write++) {
    await background.write(async ({ q, t }) => {
      sizes.push(statSync(file).size);
      await q.insert(t.organizations).values(organization("x".repeat(700_000) + String(write)));
    });
  }
  await background.close();
  const written = statSync(file).size;
  await opened.store.write(async ({ q, t }) => q.insert(t.organizations).values(organization("last")));
  // More than a commit lets be ahead by default.
  expect(new Set(sizes).size).toBe(1);
  expect(written - (sizes[0] ?? 0)).toBeGreaterThan(1_000_000);
});

test("who works in the background copies what other processes wrote ahead when it has nothing to do", async () => {
  // Fault: the process that answers did, in the commit of whose write came next.
  await using opened = await temporaryStore();
  const { file } = opened.store;
  const background = await openStore(dirname(file), { leavesPauses: true, copies: true });
  const before = statSync(file).size;
  const long = organization("x".repeat(700_000));
  await opened.store.write(async ({ q, t }) => q.insert(t.organizations).values(long));
  expect(statSync(file).size).toBe(before);
  await expect.poll(() => statSync(file).size, { timeout: 5000 }).toBeGreaterThan(before + 700_000);
  await background.close();
});

async function synchronousOf({ q }: Db): Promise<number | undefined> {
  const [row] = await q.select({ synchronous: sql<number>`synchronous` }).from(sql`pragma_synchronous`);
  return row?.synchronous;
}

test("only work that can be done again is committed without waiting for the disk", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  const [FULL, NORMAL] = [2, 1];
  const asked = [
    store.write(synchronousOf),
    store.write(synchronousOf, { isRepeatable: true }),
    store.write(synchronousOf, { isLong: true }),
    store.write(synchronousOf, { isRepeatable: true }),
    store.write(synchronousOf),
  ];
  expect(await Promise.all(asked)).toEqual([FULL, NORMAL, FULL, NORMAL, FULL]);
});

test("a short write that can be done again does not take the wait for the disk from one beside it", async () => {
  // Fault: the two share a commit, which does not wait, and a failure of the power takes back what was acknowledged.
  await using opened = await temporaryStore();
  const { store } = opened;
  const [FULL, NORMAL] = [2, 1];
  const short = { isRepeatable: true, isLong: false };
  const asked = [store.write(synchronousOf, short), store.write(synchronousOf), store.write(synchronousOf, short)];
  expect(await Promise.all(asked)).toEqual([NORMAL, FULL, NORMAL]);
});

test("a store that is told which database is meant opens no other, and makes none", async () => {
  // Fault: the worker of a service whose folder was deleted would make an empty database, and work in it.
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

/** A statement that the query builder has not. */
function run(db: Db, statement: string): void {
  (db.q as unknown as { run(query: SQL): void }).run(sql.raw(statement));
}

function pragma(db: Db, setting: string): void {
  run(db, `PRAGMA ${setting}`);
}
