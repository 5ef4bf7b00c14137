import { createDb, openReadConnection } from "../../db/engine/sqlite/connection.ts";
import type { Db, Store } from "../../db/engine/store.ts";

const opened = new WeakMap<Store, Db>();

/** Committed data on the test's own connection; each statement sees the latest state. */
export function openCommitted(store: Store): Db {
  let db = opened.get(store);
  if (!db) opened.set(store, (db = createDb(openReadConnection(store.file))));
  return db;
}
