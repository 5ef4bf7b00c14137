import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readMigrationFiles, type MigrationMeta } from "drizzle-orm/migrator";
import { listBrandClaims } from "../../../core/brands/brand-conflicts.ts";
import type { Connection } from "./sqlite.ts";

const resolveRootFile = (path: string) => fileURLToPath(import.meta.resolve(`#root/${path}`));

const PACKAGE_VERSION = (JSON.parse(readFileSync(resolveRootFile("package.json"), "utf8")) as { version: string })
  .version;

/** Throws if the database is older or newer than the schemas that this version knows. */
export function listMissingMigrations(connection: Connection): MigrationMeta[] {
  const migrations = readMigrationFiles({ migrationsFolder: resolveRootFile("db/migrations") });
  const last = findLastMigration(connection);
  if (last === undefined) return migrations;
  const [first, newest] = [migrations[0]?.folderMillis ?? 0, migrations.at(-1)?.folderMillis ?? 0];
  if (last < first) {
    throw new Error(
      "This database was written by a version before 0.1.0. Start it once with version 0.1.0, then with this one.",
    );
  }
  if (last > newest) {
    throw new Error(
      `This database was migrated to the schema of ${describeSchemaVersion(connection)}, and this is version ${PACKAGE_VERSION}. Start that version or a later one. Nothing was changed.`,
    );
  }
  return migrations.filter(({ folderMillis }) => folderMillis > last);
}

/** Checks under the lock: concurrent starts migrate once. True if an existing database changed. */
export function migrate(connection: Connection): boolean {
  addSqlFunctions(connection);
  const apply = connection.transaction(() => {
    const isNew = findLastMigration(connection) === undefined;
    const missing = listMissingMigrations(connection);
    connection.exec(CREATE_MIGRATION_TABLE);
    const note = connection.prepare("insert into __drizzle_migrations (hash, created_at) values (?, ?)");
    for (const { sql, hash, folderMillis } of missing) {
      for (const statement of sql) connection.exec(statement);
      note.run(hash, folderMillis);
    }
    if (missing.length > 0) connection.pragma(`user_version = ${toVersionNumber(PACKAGE_VERSION)}`);
    return missing.length > 0 && !isNew;
  });
  // Dropping a recreated table with foreign keys on would delete rows that are referenced. SQLite
  // ignores this pragma inside a transaction.
  connection.pragma("foreign_keys = OFF");
  try {
    return apply.immediate();
  } finally {
    connection.pragma("foreign_keys = ON");
  }
}

/** For data that SQL cannot compute. */
export function addSqlFunctions(connection: Connection): void {
  connection.function("brand_claims_of", { deterministic: true }, (name, aliases, domains) => {
    const brand = { name: String(name), aliases: JSON.parse(String(aliases)), domains: JSON.parse(String(domains)) };
    return JSON.stringify(listBrandClaims(brand));
  });
}

/** The table format of drizzle-kit's migrator, which created it before 0.4.0. */
const CREATE_MIGRATION_TABLE =
  "create table if not exists __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)";

/** Milliseconds since 1970; undefined for a new database. */
function findLastMigration(connection: Connection): number | undefined {
  const { n } = connection
    .prepare("select count(*) as n from sqlite_master where name = '__drizzle_migrations'")
    .get() as { n: number };
  if (n === 0) return undefined;
  const { last } = connection.prepare("select max(created_at) as last from __drizzle_migrations").get() as {
    last: number | null;
  };
  return last ?? undefined;
}

/** 0.4.12 is 4012, for `user_version`. */
function toVersionNumber(version: string): number {
  return version.split(/[.-]/, 3).reduce((sum, part) => sum * 1000 + Number(part), 0);
}

function describeSchemaVersion(connection: Connection): string {
  const stored = Number(connection.pragma("user_version", { simple: true }));
  if (stored === 0) return "a newer version";
  return `version ${[stored / 1_000_000, (stored / 1000) % 1000, stored % 1000].map(Math.floor).join(".")}`;
}
