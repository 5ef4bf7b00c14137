import { expect, test } from "vitest";
import { cacheStatements } from "../../db/engine/sqlite/connection.ts";
import { Database } from "../../db/engine/sqlite/sqlite.ts";

test("compiles a text once while it is among the recently used", () => {
  const compiled: string[] = [];
  class Counted extends Database {
    override prepare(sql: string) {
      compiled.push(sql);
      return super.prepare(sql) as never;
    }
  }
  const connection = new Counted(":memory:");
  const keeping = cacheStatements(connection, { maxStatements: 2 });
  connection.exec("create table t (n integer); insert into t values (1), (2), (3)");
  const read = (sql: string, ...values: unknown[]) =>
    keeping
      .prepare(sql)
      .pluck()
      .all(...values);
  expect(read("select n from t order by n limit ?", 2)).toEqual([1, 2]);
  expect(read("select n from t order by n limit ?", 1)).toEqual([1]);
  expect(read("select 1")).toEqual([1]);
  expect(read("select n from t order by n limit ?", 3)).toEqual([1, 2, 3]);
  expect(read("select 2")).toEqual([2]);
  expect(read("select 1")).toEqual([1]);
  connection.close();
  expect(compiled).toEqual(["select n from t order by n limit ?", "select 1", "select 2", "select 1"]);
});
