import { ne, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import {
  greaterThan,
  lessThan,
  deleteRows,
  findRow,
  listPage,
  matches,
  updateRows,
  type RowConditions,
} from "../../db/engine/rows.ts";
import type { Tables } from "../../db/schema.ts";
import { organization, temporaryStore } from "./temporary-store.ts";

test("conditions by column select the rows that meet all of them", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  const rows = ["a", "b", "c"].map((id) => ({ ...organization(id), monthlyCreditCap: id === "c" ? 7 : null }));
  await store.write((db) => db.bulkInsert(db.t.organizations, rows));
  const cases: [RowConditions<Tables["organizations"]>, string][] = [
    [{}, "abc"],
    [{ id: "b" }, "b"],
    [{ id: ["a", "c"] }, "ac"],
    [{ id: [] }, ""],
    [{ id: undefined }, "abc"],
    [{ monthlyCreditCap: null }, "ab"],
    [{ monthlyCreditCap: null, id: "c" }, ""],
    [{ id: sql`'a'` }, "a"],
    [{ id: (id) => ne(id, "b") }, "ac"],
    [{ id: greaterThan("a") }, "bc"],
    [{ id: lessThan("b") }, "a"],
    [{ id: greaterThan(undefined) }, "abc"],
  ];
  await store.read(async ({ q, t }) => {
    for (const [conditions, expected] of cases) {
      const found = await q
        .select({ id: t.organizations.id })
        .from(t.organizations)
        .where(matches(t.organizations, conditions));
      expect(found.map(({ id }) => id).join("")).toBe(expected);
    }
  });
});

test("a page follows a key in either direction and has one row more than its limit", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  await store.write((db) => db.bulkInsert(db.t.organizations, ["a", "b", "c", "d"].map(organization)));
  const page = (limit: number, after: string | null, isNewestFirst: boolean) =>
    store.read(async ({ q, t }) => {
      const key = after === null ? null : [after];
      const found = await listPage(q, t.organizations, { where: {}, limit, after: key, isNewestFirst });
      return found.map(({ id }) => id).join("");
    });
  expect(await page(2, null, false)).toBe("abc");
  expect(await page(2, "b", false)).toBe("cd");
  expect(await page(1, "c", true)).toBe("ba");
});

test("changes and deletions say whether a row matched", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  await store.write(async ({ q, t }) => {
    await q.insert(t.organizations).values([organization("a"), organization("b")]);
    expect(await updateRows(q, t.organizations, { id: "a" }, { name: "new" })).toBe(true);
    expect(await updateRows(q, t.organizations, { id: "x" }, { name: "new" })).toBe(false);
    expect(await findRow(q, t.organizations, { name: "new" })).toMatchObject({ id: "a" });
    expect(await deleteRows(q, t.organizations, { id: "x" })).toBe(false);
    expect(await deleteRows(q, t.organizations, { id: "a" })).toBe(true);
    expect(await findRow(q, t.organizations, { id: "a" })).toBeUndefined();
  });
});
