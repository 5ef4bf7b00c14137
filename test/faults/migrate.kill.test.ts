import { statSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { listMissingMigrations } from "../../db/engine/sqlite/migrate.ts";
import { Database, type Connection } from "../../db/engine/sqlite/sqlite.ts";
import { startKillableService, startServiceProcess } from "../support/killable-process.ts";
import { longFault } from "./fault.ts";

const QUESTIONS = 200_000;
const PROCESSES = 9;

/** Master key of the secrets in the 0.1.0 database. */
const MASTER_KEY = "GNWtgbZNg00ZG+pYnzSZ8RxCPpjVSjhXEwOVXatMrvk=";

/** A 0.1.0 database with enough questions to make migration slow. */
async function olderFolder() {
  const dataDir = await mkdtemp(join(tmpdir(), "visibility-fault-"));
  const file = join(dataDir, "visibility.db");
  await writeFile(file, gunzipSync(await readFile(join(import.meta.dirname, "../upgrade/0.1.0.db.gz"))));
  const look = <T>(at: (connection: Connection) => T): T => {
    const connection = new Database(file);
    try {
      return at(connection);
    } finally {
      connection.close();
    }
  };
  const questions = look((connection) => {
    connection.pragma("journal_mode = WAL");
    connection.exec("create temp table one as select * from keywords limit 1");
    connection.exec(`create temp table many as with recursive n(n) as (select 1 union all select n + 1 from n where n < ${QUESTIONS})
      select n.n, one.* from n, one`);
    connection.exec("update many set id = 'q' || n, position = 1000 + n, text = 'question ' || n");
    connection.exec("alter table many drop column n");
    connection.exec("insert into keywords select * from many");
    return connection.prepare("select count(*) as n from keywords").get();
  });
  return {
    env: { DATA_DIR: dataDir, MASTER_KEY, PORT: "0", DEMO: "0", SERVE: "core" },
    file,
    questions,
    look,
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  };
}

longFault(
  {
    fault: "Several processes start at once on a database of an older version",
    seen: "One process logs `The database was migrated to this version.` Others log `Another process holds the database, which must be migrated to this version.` All log `listening`",
    lost: "Nothing",
    recovers: "Automatically",
  },
  async (see) => {
    await using folder = await olderFolder();
    const services = await Promise.allSettled(Array.from({ length: PROCESSES }, () => startServiceProcess(folder.env)));
    for (const service of services) {
      if (service.status === "rejected") continue;
      await service.value.writes(`"msg":"listening"`);
      await service.value.kill();
    }
    const logs = services.map((service) =>
      service.status === "fulfilled" ? service.value.written() : String(service.reason),
    );
    for (const log of logs) see(log);
    expect(logs.filter((log) => log.includes(`"msg":"listening"`))).toEqual(logs);
    expect(logs.filter((log) => log.includes("The database was migrated to this version."))).toHaveLength(1);
    expect(folder.look(listMissingMigrations)).toEqual([]);
    expect(folder.look((connection) => connection.prepare("select count(*) as n from questions").get())).toEqual(
      folder.questions,
    );
  },
);

longFault(
  {
    fault: "The service is killed during a migration",
    seen: "The next start repeats the migration and logs `listening`",
    lost: "Nothing: the interrupted migration leaves the database unchanged",
    recovers: "At the next start",
  },
  async (see) => {
    await using folder = await olderFolder();
    const missing = folder.look(listMissingMigrations).length;
    const child = startKillableService(folder.env);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    // Uncommitted changes spill into this file.
    const written = () => statSync(`${folder.file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    while (written() < 100_000) await sleep(1);
    child.kill("SIGKILL");
    await ended;
    expect(folder.look(listMissingMigrations)).toHaveLength(missing);
    await using service = await startServiceProcess(folder.env);
    await service.writes(`"msg":"listening"`);
    see(service.written());
    expect(folder.look(listMissingMigrations)).toEqual([]);
    expect(folder.look((connection) => connection.prepare("select count(*) as n from questions").get())).toEqual(
      folder.questions,
    );
  },
);
