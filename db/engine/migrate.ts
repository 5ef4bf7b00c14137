import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { Connection } from "./sqlite.ts";

const migrationsFolder = fileURLToPath(import.meta.resolve("#root/db/migrations"));

/** Brings a database to the current schema. Refuses one that is older than the first migration there is. */
export function bringToCurrentSchema(connection: Connection): void {
  const [first] = readMigrationFiles({ migrationsFolder });
  const last = lastMigrationOf(connection);
  if (first && last !== undefined && last < first.folderMillis) {
    throw new Error(
      "This database was written by a version before 0.1.0. Start it once with version 0.1.0, then with this one.",
    );
  }
  // A table is changed by making it anew. Dropping the old one would delete it row by row, against the rows that refer to it.
  connection.pragma("foreign_keys = OFF");
  migrate(drizzle(connection), { migrationsFolder });
  connection.pragma("foreign_keys = ON");
}

/** When the last migration of this database was made, in milliseconds since 1970; undefined for a new database. */
function lastMigrationOf(connection: Connection): number | undefined {
  const { n } = connection
    .prepare("select count(*) as n from sqlite_master where name = '__drizzle_migrations'")
    .get() as { n: number };
  if (n === 0) return undefined;
  const { last } = connection.prepare("select max(created_at) as last from __drizzle_migrations").get() as {
    last: number | null;
  };
  return last ?? undefined;
}
