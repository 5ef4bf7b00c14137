import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { openStore } from "../db/engine/open-store.ts";
import { tablesIn, tablesWrittenBy } from "../db/engine/table-versions.ts";

test("tables that a statement names, and those that it can write to", () => {
  const named =
    'select "brands"."id" from "brands" left join "tags" on "tags"."id" = "brands"."id" where "nothing" = ?';
  expect(tablesIn(named)).toEqual(["brands", "tags"]);
  expect(tablesWrittenBy(named)).toEqual([]);
  const written: [sql: string, tables: string[]][] = [
    ['insert into "tags" ("id") select "id" from "brands"', ["tags"]],
    ['update "answers" set "text" = ? where "id" in (select "id" from "jobs")', ["answers"]],
    // Rows that refer to the deleted ones are deleted, or forget them.
    ['delete from "brands" where "id" = ?', ["brands", "brand_claims", "brand_suggestions"]],
    ['with "old" as (select "id" from "jobs") delete from "answers" where "id" in "old"', ["jobs", "answers"]],
  ];
  for (const [sql, tables] of written) expect(tablesWrittenBy(sql).toSorted()).toEqual(tables.toSorted());
});

test("a table has another version after each transaction that wrote to it, and to no other, by any process", async () => {
  const folder = await mkdtemp(join(tmpdir(), "visibility-versions-"));
  const store = await openStore(folder);
  const other = await openStore(folder);
  const versions = () =>
    store.read(async ({ trace }) =>
      [["users"], ["background_jobs"], ["users", "background_jobs"]].map((of) => trace.versionOf(of)),
    );
  expect(await versions()).toEqual([0, 0, 0]);
  const user = { id: "1", email: "ada@acme.test", name: "Ada", createdAt: "2026-11-21T08:00:00.000Z" };
  await store.write(async ({ q, t }) => {
    await q.insert(t.users).values(user);
    await q.update(t.users).set({ name: "Ada L." });
  });
  expect(await versions()).toEqual([1, 0, 1]);
  await other.write((db) => db.bulkInsert(db.t.users, [{ ...user, id: "2", email: "grace@acme.test" }]));
  expect(await versions()).toEqual([2, 0, 2]);
  await store.write(async ({ q, t }) => void (await q.select().from(t.users)));
  const failed = store.write(async ({ q, t }) => {
    await q.update(t.users).set({ name: "Grace" }).where(eq(t.users.id, "1"));
    throw new Error("rolled back");
  });
  await expect(failed).rejects.toThrow("rolled back");
  expect((await store.read(({ q, t }) => q.select({ name: t.users.name }).from(t.users)))[0]?.name).toBe("Ada L.");
  await other.close();
  await store.close();
  await rm(folder, { recursive: true });
});

test("a snapshot knows which tables were read on it since it was asked to note them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "visibility-versions-"));
  const store = await openStore(folder);
  const tables = await store.read(async ({ q, t, trace }) => {
    await q.select({ id: t.users.id }).from(t.users);
    trace.begin();
    await q.select({ id: t.tags.id }).from(t.tags).where(eq(t.tags.id, "1"));
    await q.$count(t.brands);
    return trace.tables();
  });
  expect(tables).toEqual(["tags", "brands"]);
  await store.close();
  await rm(folder, { recursive: true });
});
