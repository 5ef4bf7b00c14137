import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql, type SQL } from "drizzle-orm";
import { expect, test } from "vitest";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import { Database } from "../../db/engine/sqlite/sqlite.ts";
import { type Db } from "../../db/engine/store.ts";

import { listAll, organization, temporaryStore } from "./temporary-store.ts";

/**
 * Transactions in the write-ahead log: commit frames
 * (https://www.sqlite.org/fileformat2.html#walformat).
 */
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

test("concurrent writes share a commit, are acknowledged after it, and a failing one rolls back only itself", async () => {
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
  expect((await commitsIn(store.file)) - before).toBeLessThan(30);
});

test("a commit error rejects all its writes, and stores none", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  const orphan = { ...organization("w"), organizationId: "none", updatedAt: organization("w").createdAt };
  const insert = (id: string) => store.write(async ({ q, t }) => q.insert(t.organizations).values(organization(id)));
  const kept: string[] = [];
  /** Three concurrent writes, the second rejected at commit; returns their outcomes. */
  async function three(ids: [string, string]) {
    const ended = await Promise.allSettled([
      insert(ids[0]),
      store.write(async (db) => {
        // References are checked at the commit instead of at the statement.
        pragma(db, "defer_foreign_keys = ON");
        await db.q.insert(db.t.workspaces).values(orphan);
      }),
      insert(ids[1]),
    ]);
    kept.push(...ids.filter((_, at) => ended[at * 2]?.status === "fulfilled"));
    expect((await store.read(listAll)).map(({ id }) => id)).toEqual(kept.toSorted());
    return ended;
  }
  // A slow write, such as a process's first ones, shares no commit: repeat until all three do.
  let ended = await three(["a0", "b0"]);
  for (let at = 1; ended.some(({ status }) => status === "fulfilled"); at++) ended = await three([`a${at}`, `b${at}`]);
  expect(ended.map((one) => one.status === "rejected" && one.reason)).toMatchObject(
    Array.from({ length: 3 }, () => ({ name: "StoreError", reason: "constraint" })),
  );
  await insert("d");
  expect((await store.read(listAll)).map(({ id }) => id)).toEqual([...kept, "d"].toSorted());
});

test("if the engine rolls back a whole transaction, its members rerun, and only the faulty one is rejected", async () => {
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

test("background writes yield to another process's write after each of their own", async () => {
  // Fault: a second process was answered 503 after ten seconds of transactions that followed each
  // other without a gap.
  await using opened = await temporaryStore();
  const background = await openStore(dirname(opened.store.file), { leavesPauses: true });
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
  // The one in progress at the request, and one that it may just miss.
  expect(Math.max(...waited)).toBeLessThanOrEqual(3);
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

test("a short repeatable write does not disable disk sync for another one", async () => {
  // Fault: both shared a commit without sync, and a power failure lost an acknowledged write.
  await using opened = await temporaryStore();
  const { store } = opened;
  const [FULL, NORMAL] = [2, 1];
  const short = { isRepeatable: true, isLong: false };
  const asked = [store.write(synchronousOf, short), store.write(synchronousOf), store.write(synchronousOf, short)];
  expect(await Promise.all(asked)).toEqual([NORMAL, FULL, NORMAL]);
});

/** A statement that the query builder has not. */
function run(db: Db, statement: string): void {
  (db.q as unknown as { run(query: SQL): void }).run(sql.raw(statement));
}

function pragma(db: Db, setting: string): void {
  run(db, `PRAGMA ${setting}`);
}
