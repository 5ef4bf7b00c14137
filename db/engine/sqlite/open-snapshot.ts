import { dbOf, openReader } from "./connection.ts";
import type { Db } from "../store.ts";

/** A view of the whole database at one moment, on a connection of its own: for long reads in a thread of their own. */
export interface Snapshot {
  db: Db;
  close(): void;
}

/** Opens the database file at the moment of the call. What is committed later is not seen until it is closed. */
export function openSnapshot(file: string): Snapshot {
  const connection = openReader(file);
  connection.exec("BEGIN");
  // A transaction sees the state of its first statement that reads.
  connection.prepare("select count(*) from sqlite_schema").get();
  return { db: dbOf(connection), close: () => connection.close() };
}
