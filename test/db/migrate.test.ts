import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { addSqlFunctions, listMissingMigrations } from "../../db/engine/sqlite/migrate.ts";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import { Database, type Connection } from "../../db/engine/sqlite/sqlite.ts";
import { PACKAGE } from "../../src/process/package.ts";

/**
 * A folder with a database of version 0.1.0 or the current one, and a connection as of another
 * process.
 */
async function folderOf(database: "0.1.0" | "current") {
  const path = await mkdtemp(join(tmpdir(), "migrate-"));
  const file = join(path, "visibility.db");
  if (database === "current") await (await openStore(path)).close();
  else await writeFile(file, gunzipSync(await readFile(join(import.meta.dirname, "../upgrade/0.1.0.db.gz"))));
  const other = new Database(file, { timeout: 0 });
  other.pragma("journal_mode = WAL");
  return {
    path,
    other,
    async [Symbol.asyncDispose]() {
      other.close();
      await rm(path, { recursive: true });
    },
  };
}

const listOf = (connection: Connection) => connection.prepare("select * from __drizzle_migrations order by 3").all();

/** The schema of every table, and how often the file was changed. */
const stateOf = (connection: Connection) => [
  connection.prepare("select sql from sqlite_master order by sql").all(),
  connection.pragma("data_version"),
  listOf(connection),
];

test("processes that start during another's migration wait, report it once, and continue", async () => {
  await using folder = await folderOf("0.1.0");
  const { other } = folder;
  const told: string[] = [];
  other.pragma("foreign_keys = OFF");
  addSqlFunctions(other);
  other.exec("BEGIN IMMEDIATE");
  const opening = [1, 2, 3].map(() => openStore(folder.path, { onNotice: (notice) => told.push(notice) }));
  await sleep(200);
  for (const { sql, hash, folderMillis } of listMissingMigrations(other)) {
    for (const statement of sql) other.exec(statement);
    other.prepare("insert into __drizzle_migrations (hash, created_at) values (?, ?)").run(hash, folderMillis);
  }
  const listed = listOf(other);
  other.exec("COMMIT");
  const stores = await Promise.all(opening);
  await Promise.all(stores.map((store) => store.close()));
  expect(listOf(other)).toEqual(listed);
  expect(told.filter((notice) => notice.includes("This process waits."))).toHaveLength(3);
});

test("a database that needs no migration opens while another process writes to it", async () => {
  await using folder = await folderOf("current");
  folder.other.exec("BEGIN IMMEDIATE");
  const store = await openStore(folder.path);
  await store.close();
  folder.other.exec("ROLLBACK");
});

test("rejects a database of a newer version, naming the version to start, and changes nothing", async () => {
  await using folder = await folderOf("current");
  const { other } = folder;
  other.exec("insert into __drizzle_migrations (hash, created_at) values ('later', 9999999999999)");
  const before = stateOf(other);
  const refused = (version: string) =>
    expect(openStore(folder.path)).rejects.toThrow(
      `This database was migrated to the schema of ${version}, and this is version ${PACKAGE.version}. Start that version or a later one. Nothing was changed.`,
    );
  await refused(`version ${PACKAGE.version}`);
  expect(stateOf(other)).toEqual(before);
  other.pragma("user_version = 1012007");
  await refused("version 1.12.7");
  other.pragma("user_version = 0");
  await refused("a newer version");
});

test("an operator's command never migrates; it asks to start the service once", async () => {
  await using folder = await folderOf("0.1.0");
  const before = stateOf(folder.other);
  const env = { PATH: process.env["PATH"], DATA_DIR: folder.path };
  const command = promisify(execFile)(process.execPath, ["--import", "tsx", "bin/brand-visibility.ts", "quotas"], {
    env,
    cwd: join(import.meta.dirname, "../.."),
  });
  await expect(command).rejects.toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(
      /^This database was last used by an older version\. Start the service once with .*\n$/,
    ),
  });
  expect(stateOf(folder.other)).toEqual(before);
});
