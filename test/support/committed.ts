import { dbOf, openReader } from "../../db/engine/sqlite/connection.ts";
import type { Db, Store } from "../../db/engine/store.ts";

const opened = new WeakMap<Store, Db>();

/** Committed data on the test's own connection; each statement sees the latest state. */
export function committed(store: Store): Db {
  let db = opened.get(store);
  if (!db) opened.set(store, (db = dbOf(openReader(store.file))));
  return db;
}
