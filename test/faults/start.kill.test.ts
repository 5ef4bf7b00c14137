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
async function startError(env: Record<string, string>, under: readonly string[] = []): Promise<string> {
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
    fault: "The data folder is a file, is on a read-only disk, or belongs to another user",
    seen: "`exit code 1` and one of `is a file or inside a file. Set DATA_DIR to a folder.`, `is on a read-only disk. Mount it writable`, `Make that user its owner with chown`",
    lost: "Nothing: the service does not start",
    recovers: "Make the folder usable, then start the service",
  },
  async (see) => {
    await using folder = await emptyFolder();
    const file = join(folder.path, "file");
    await writeFile(file, "");
    see(await startError({ DATA_DIR: file }));
    const other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"];
    see(await startError({ DATA_DIR: folder.path }, other));
    using disk = mountDisk(16);
    await using made = await faultFolder();
    await cp(made.env.DATA_DIR, disk.path, { recursive: true });
    disk.makeReadOnly();
    see(await startError({ DATA_DIR: disk.path }));
  },
  mountUnavailableReason,
);

longFault(
  {
    fault: "The data folder has no database in production, because its disk is not mounted",
    seen: "`exit code 1` and `There is no database in`, with `start once with --init: npm start -- --init`",
    lost: "Nothing: the service does not start and creates no files",
    recovers: "Mount the disk, then start the service",
  },
  async (see) => {
    await using folder = await emptyFolder();
    see(await startError({ DATA_DIR: folder.path, NODE_ENV: "production" }));
  },
);

longFault(
  {
    fault: "The database file is corrupt, or is not a database",
    seen: "`exit code 1` and `is corrupt or belongs to another program. Restore a backup`",
    lost: "The contents of the file",
    recovers: "Manually: restore a backup, then start the service",
  },
  async (see) => {
    await using folder = await faultFolder();
    const file = join(folder.env.DATA_DIR, "visibility.db");
    const connection = new Database(file);
    connection.pragma("wal_checkpoint(TRUNCATE)");
    connection.close();
    await writeFile(file, Buffer.alloc(4096, 0xff), { flag: "r+" });
    see(await startError(folder.env));
  },
);

longFault(
  {
    fault: "The limit on open files (`ulimit -n`) is too low to start",
    seen: "`exit code 1` and `ulimit -n 4096`",
    lost: "Nothing: the service does not start, or exits within a second",
    recovers: "Raise the limit, then start the service. 4096 is enough",
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
    fault: "The disk is full at the start",
    seen: "`exit code 1` and `is full. Free some space, then start again.`",
    lost: "Nothing: the service does not start",
    recovers: "Free some space, then start the service",
  },
  async (see) => {
    using disk = mountDisk(1);
    await writeFile(join(disk.path, "filler"), Buffer.alloc(1024 * 1024 - 4096));
    see(await startError({ DATA_DIR: disk.path }));
    expect(await startError({ DATA_DIR: disk.path, NODE_ENV: "production" })).toContain("exit code 1");
  },
  mountUnavailableReason,
);
