import { eq, sql } from "drizzle-orm";
import { drizzle, type BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { withFastRows } from "../db/engine/fast-rows.ts";
import { Database } from "../db/engine/sqlite.ts";

const brands = sqliteTable("brands", {
  id: integer().primaryKey(),
  name: text(),
  aliases: text({ mode: "json" }).$type<string[]>(),
  isOwn: integer({ mode: "boolean" }),
  addedAt: integer({ mode: "timestamp_ms" }),
});
const tags = sqliteTable("tags", { brandId: integer(), label: text() });

test("rows are those that the builder makes", async () => {
  const connection = new Database(":memory:");
  connection.exec(`
    create table brands (id integer primary key, name text, aliases text, isOwn integer, addedAt integer);
    create table tags (brandId integer, label text);
    insert into brands values (1, 'Kestrova', '["KV","K"]', 1, 1764000000000), (2, null, null, null, null);
    insert into tags values (1, 'quiet');`);
  const total = sql<number>`count(*) over ()`.mapWith(Number);
  const of = (q: BetterSQLite3Database) =>
    Promise.all([
      q.select().from(brands).orderBy(brands.id),
      q.select({ id: brands.id, total, written: sql`'a'`.as("written") }).from(brands),
      q.select({ name: brands.name, label: tags.label }).from(brands).leftJoin(tags, eq(tags.brandId, brands.id)),
      q
        .select({ id: brands.id, tag: { label: tags.label } })
        .from(brands)
        .leftJoin(tags, eq(tags.brandId, brands.id)),
      q.select().from(brands).leftJoin(tags, eq(tags.brandId, brands.id)),
      q.select({ id: brands.id }).from(brands).where(eq(brands.id, 3)),
      q
        .update(brands)
        .set({ aliases: ["KV", "K"] })
        .where(eq(brands.id, 1))
        .returning(),
    ]);
  const plain = await of(drizzle(connection));
  const fast = await of(withFastRows(drizzle(connection)));
  expect(fast).toEqual(plain);
  expect(fast[0]).toEqual([
    { id: 1, name: "Kestrova", aliases: ["KV", "K"], isOwn: true, addedAt: new Date(1764000000000) },
    { id: 2, name: null, aliases: null, isOwn: null, addedAt: null },
  ]);
  connection.close();
});
