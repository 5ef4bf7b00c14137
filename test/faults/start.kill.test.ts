import { spawnSync } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { Database } from "../../db/engine/sqlite/sqlite.ts";
import { startServiceProcess } from "../support/killable-process.ts";
import { longFault } from "./fault.ts";
import { mountUnavailableReason, mountDisk } from "./mount-disk.ts";
import { faultFolder } from "./scene.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Output of a process that cannot start; `under` changes its rights. */
async function refusal(env: Record<string, string>, under: readonly string[] = []): Promise<string> {
  const started = startServiceProcess({ PORT: "0", DEMO: "0", ...env }, { under });
  return started.then(
    async (service) => {
      await service.kill();
      return "It started.";
    },
    (error: Error) => error.message.replace("The service ended with ", "exit code "),
  );
}

async function emptyFolder() {
  const path = await mkdtemp(join(tmpdir(), "visibility-fault-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

longFault(
  {
    fault: "A data folder that is a file, on a read-only disk, or another user's",
    seen: "`exit code 1` and a sentence: `is a file or within one. Set DATA_DIR to a folder.`, `on a disk that can only be read. Mount it writable`, `Give it to that user with chown`",
    lost: "Nothing: it does not start",
    recovers: "Once the folder can be used: start it again",
  },
  async (see) => {
    await using folder = await emptyFolder();
    const file = join(folder.path, "file");
    await writeFile(file, "");
    see(await refusal({ DATA_DIR: file }));
    const other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"];
    see(await refusal({ DATA_DIR: folder.path }, other));
    using disk = mountDisk(16);
    await using made = await faultFolder();
    await cp(made.env.DATA_DIR, disk.path, { recursive: true });
    disk.makeReadOnly();
    see(await refusal({ DATA_DIR: disk.path }));
  },
  mountUnavailableReason,
);

longFault(
  {
    fault: "A data folder without a database in production: its disk was not mounted",
    seen: "`exit code 1` and `There is no database in`, with `start once with --init: npm start -- --init`",
    lost: "Nothing: it does not start, and makes nothing",
    recovers: "Once the disk is mounted: start it again",
  },
  async (see) => {
    await using folder = await emptyFolder();
    see(await refusal({ DATA_DIR: folder.path, NODE_ENV: "production" }));
  },
);

longFault(
  {
    fault: "The database file is corrupt, or is not a database",
    seen: "`exit code 1` and `is damaged or is not ours. Put a backup in its place`",
    lost: "What is in the file",
    recovers: "No: put a backup in its place, and start it",
  },
  async (see) => {
    await using folder = await faultFolder();
    const file = join(folder.env.DATA_DIR, "visibility.db");
    const connection = new Database(file);
    connection.pragma("wal_checkpoint(TRUNCATE)");
    connection.close();
    await writeFile(file, Buffer.alloc(4096, 0xff), { flag: "r+" });
    see(await refusal(folder.env));
  },
);

longFault(
  {
    fault: "A limit on open files (`ulimit -n`) that is too low for the start",
    seen: "`exit code 1` and `ulimit -n 4096`",
    lost: "Nothing: it does not start, or ends within a second of its start",
    recovers: "With a higher limit: start it again. 4096 is plenty",
  },
  async (see) => {
    see("ulimit -n");
    await using folder = await emptyFolder();
    const { status, stderr } = spawnSync("prlimit", ["--nofile=60", "--", process.execPath, "dist/src/start.js"], {
      cwd: ROOT,
      env: { PATH: process.env["PATH"], DATA_DIR: folder.path, PORT: "0" },
      encoding: "utf8",
      timeout: 30_000,
    });
    see(`exit code ${status} ${stderr}`);
  },
);

longFault(
  {
    fault: "A disk that is full at the start",
    seen: "`exit code 1` and `is full. Free some space, and start again.`",
    lost: "Nothing: it does not start",
    recovers: "Once there is room: start it again",
  },
  async (see) => {
    using disk = mountDisk(1);
    await writeFile(join(disk.path, "filler"), Buffer.alloc(1024 * 1024 - 4096));
    see(await refusal({ DATA_DIR: disk.path }));
    expect(await refusal({ DATA_DIR: disk.path, NODE_ENV: "production" })).toContain("exit code 1");
  },
  mountUnavailableReason,
);
