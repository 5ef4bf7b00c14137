import { closeSync, constants, openSync, writeSync } from "node:fs";
import { cp, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { Database } from "../../db/engine/sqlite/sqlite.ts";
import { startServiceProcess } from "../support/killable-process.ts";
import { longFault } from "./fault.ts";
import { mountUnavailableReason, mountDisk } from "./mount-disk.ts";
import { faultFolder } from "./scene.ts";

type Folder = Awaited<ReturnType<typeof faultFolder>>;
type See = (text: string) => void;

const tagsOf = (folder: Folder) => `${folder.workspace.path}/tags`;

/** Sends a request and records its response like an operator's log or client. */
async function observe(folder: Folder, see: See, method: string, path: string, body?: unknown) {
  const answer = await folder.call(method, path, body);
  const { code = "OK", problems } = answer.body as { code?: string; problems?: unknown };
  see(`${answer.status} ${code}`);
  if (problems !== undefined) see(JSON.stringify(problems));
  return answer;
}

/** Result of `/readyz` after the cached one has expired. */
async function ready(folder: Folder, see: See) {
  await sleep(1010);
  const { status, body } = await observe(folder, see, "GET", "/readyz");
  return { status, codes: (body["problems"] as { code: string }[] | undefined)?.map(({ code }) => code) };
}

longFault(
  {
    fault: "The data folder is deleted while the service runs",
    seen: "`/readyz` reports `database_replaced`, and the log has `not ready`. Requests get `503 UNAVAILABLE`",
    lost: "The contents of the folder. The service writes nothing into deleted files, and does not recreate the folder",
    recovers: "Manually: stop the service, restore a backup, then start the service",
  },
  async (see) => {
    await using folder = await faultFolder();
    await using service = await startServiceProcess(folder.env);
    expect((await folder.call("POST", tagsOf(folder), { name: "before" })).status).toBe(201);
    await rm(folder.env.DATA_DIR, { recursive: true });
    await observe(folder, see, "POST", tagsOf(folder), { name: "after" });
    see("/readyz");
    expect(await ready(folder, see)).toEqual({ status: 503, codes: ["database_replaced"] });
    service.signal("SIGTERM");
    expect(await service.ended).toBe(0);
    see(service.written());
    await expect(readdir(folder.env.DATA_DIR)).rejects.toThrow("ENOENT");
  },
);

longFault(
  {
    fault: "The data folder is replaced while the service runs, such as by a backup",
    seen: "`/readyz` reports `database_replaced`, and the log has `not ready`. Requests get `503 UNAVAILABLE`",
    lost: "Data that only the old folder has. The service writes to neither folder",
    recovers: "Restart the service to use the new folder, or move the old folder back",
  },
  async (see) => {
    await using folder = await faultFolder();
    const { DATA_DIR } = folder.env;
    await using aside = {
      path: `${DATA_DIR}-aside`,
      [Symbol.asyncDispose]: () => rm(`${DATA_DIR}-aside`, { recursive: true }),
    };
    await using service = await startServiceProcess(folder.env);
    expect((await folder.call("POST", tagsOf(folder), { name: "in both" })).status).toBe(201);
    await cp(DATA_DIR, `${DATA_DIR}-copy`, { recursive: true });
    await rename(DATA_DIR, aside.path);
    await rename(`${DATA_DIR}-copy`, DATA_DIR);
    const files = ["visibility.db", "visibility.db-wal"].map((name) => join(DATA_DIR, name));
    const before = await Promise.all(files.map((file) => readFile(file)));
    await observe(folder, see, "POST", tagsOf(folder), { name: "in none" });
    see("/readyz");
    expect(await ready(folder, see)).toEqual({ status: 503, codes: ["database_replaced"] });
    service.signal("SIGTERM");
    await service.ended;
    see(service.written());
    const after = await Promise.all(files.map((file) => readFile(file)));
    expect(after.map((bytes, index) => bytes.equals(before[index] ?? bytes))).toEqual([true, true]);
    await using next = await startServiceProcess(folder.env);
    expect((await folder.call("GET", tagsOf(folder))).body["data"]).toMatchObject([{ name: "in both" }]);
    await next.kill();
  },
);

longFault(
  {
    fault: "A page of the database file is damaged, before or after the start",
    seen: "Requests that read the page get `500 INTERNAL`. After the first such request, or once the scan of the file finds the page, `/readyz` reports `database_damaged` and the log has `not ready`. Other requests succeed: `200 OK`",
    lost: "The contents of the page",
    recovers: "Manually: stop the service, restore a backup, then start the service",
  },
  async (see) => {
    for (const when of ["before", "while"]) {
      await using folder = await faultFolder();
      if (when === "before") await damage(folder, "tags");
      await using service = await startServiceProcess(folder.env);
      if (when === "while") await damage(folder, "tags");
      expect((await observe(folder, see, "GET", tagsOf(folder))).status).toBe(500);
      expect((await observe(folder, see, "GET", "/v1/workspaces")).status).toBe(200);
      see("/readyz");
      expect(await ready(folder, see)).toEqual({ status: 503, codes: ["database_damaged"] });
      see(service.written());
    }
    await using folder = await faultFolder();
    await damage(folder, "passkeys");
    await using service = await startServiceProcess(folder.env);
    while ((await ready(folder, see)).status === 200);
    await service.writes(`"problems":["database_damaged"]`);
  },
);

/** Overwrites the pages of a table in the file. */
async function damage(folder: Folder, table: string): Promise<void> {
  const file = join(folder.env.DATA_DIR, "visibility.db");
  const connection = new Database(file);
  const pages = connection.prepare("select rootpage as page from sqlite_master where tbl_name = ?").all(table);
  const size = Number(connection.pragma("page_size", { simple: true }));
  connection.pragma("wal_checkpoint(TRUNCATE)");
  connection.close();
  const handle = await open(file, "r+");
  for (const { page } of pages as { page: number }[])
    await handle.write(Buffer.alloc(size, 0xff), 0, size, (page - 1) * size);
  await handle.close();
}

longFault(
  {
    fault: "The disk of the data folder is full",
    seen: "Writes get `507 STORAGE_FULL`; reads succeed. `/readyz` reports `disk_low`, then `disk_full`. The log has `not ready`, then `ready again`",
    lost: "Acknowledged writes survive",
    recovers: "Automatically, once there is free space",
  },
  async (see) => {
    using disk = mountDisk(16);
    await using folder = await faultFolder();
    await cp(folder.env.DATA_DIR, disk.path, { recursive: true });
    const env = { ...folder.env, DATA_DIR: disk.path, MIN_FREE_DISK_MB: "1" };
    await using service = await startServiceProcess(env);
    expect(await ready(folder, see)).toEqual({ status: 200 });
    fill(join(disk.path, "filler"));
    see("/readyz");
    expect((await ready(folder, see)).codes).toContain("disk_low");
    const answered: string[] = [];
    for (let nth = 0; ; nth++) {
      const { status } = await observe(folder, see, "POST", tagsOf(folder), { name: `tag ${nth}` });
      if (status !== 201) break;
      answered.push(`tag ${nth}`);
    }
    expect(await ready(folder, see)).toMatchObject({ status: 503, codes: expect.arrayContaining(["disk_low"]) });
    expect((await folder.call("GET", `${tagsOf(folder)}?limit=1`)).status).toBe(200);
    await rm(join(disk.path, "filler"));
    expect(await ready(folder, see)).toEqual({ status: 200 });
    expect((await folder.call("POST", tagsOf(folder), { name: "room again" })).status).toBe(201);
    const connection = new Database(join(disk.path, "visibility.db"), { readonly: true });
    const names = connection.prepare("select name from tags").all() as { name: string }[];
    connection.close();
    expect(names.map(({ name }) => name).toSorted()).toEqual([...answered, "room again"].toSorted());
    await service.writes(`"msg":"ready again"`);
    see(service.written());
  },
  mountUnavailableReason,
);

/** Writes a file until the disk is full. */
function fill(path: string): void {
  const file = openSync(path, constants.O_CREAT | constants.O_WRONLY);
  try {
    for (;;) writeSync(file, Buffer.alloc(4096));
  } catch {
    closeSync(file);
  }
}
