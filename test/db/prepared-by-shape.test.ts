import { and, asc, desc, eq, gt, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { preparedByShape } from "../../db/engine/store.ts";
import { organization, temporaryStore } from "./temporary-store.ts";

test("a query is built once for each set of values that are given, and each shape", async () => {
  await using opened = await temporaryStore();
  const { store } = opened;
  await store.write((db) => db.bulkInsert(db.t.organizations, ["a", "b", "c"].map(organization)));
  const built: string[] = [];
  const list = preparedByShape<
    { name: string | undefined; after: string | undefined; limit: number },
    { order: "up" | "down" },
    { id: string }[]
  >(({ q, t }, { name, after }, { order }) => {
    built.push([name && "name", after && "after", order].filter(Boolean).join(" "));
    return q
      .select({ id: t.organizations.id })
      .from(t.organizations)
      .where(and(name && eq(t.organizations.name, name), after && gt(t.organizations.id, after)))
      .orderBy(order === "up" ? asc(t.organizations.id) : desc(t.organizations.id))
      .limit(sql.placeholder("limit"));
  });
  const asked = [
    [{ name: undefined, after: undefined, limit: 9 }, "up"],
    [{ name: undefined, after: undefined, limit: 2 }, "down"],
    [{ name: undefined, after: undefined, limit: 1 }, "up"],
    [{ name: "b", after: undefined, limit: 9 }, "up"],
    [{ name: undefined, after: "b", limit: 9 }, "up"],
    [{ name: undefined, after: "a", limit: 9 }, "up"],
    [{ name: "", after: undefined, limit: 9 }, "up"],
  ] as const;
  const rows = await store.read(async (db) => {
    const found: string[] = [];
    for (const [values, order] of asked) found.push((await list(db, values, { order })).map(({ id }) => id).join(""));
    return found;
  });
  expect(rows).toEqual(["abc", "cb", "a", "b", "c", "bc", ""]);
  expect(built).toEqual(["up", "down", "name up", "after up"]);
});
