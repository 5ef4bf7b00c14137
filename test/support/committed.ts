import { dbOf, openReader } from "../../db/engine/sqlite/connection.ts";
import type { Db, Store } from "../../db/engine/store.ts";

const opened = new WeakMap<Store, Db>();

/** What is committed, on a connection of the test's own: every statement sees the data of its own moment. */
export function committed(store: Store): Db {
  let db = opened.get(store);
  if (!db) opened.set(store, (db = dbOf(openReader(store.file))));
  return db;
}
