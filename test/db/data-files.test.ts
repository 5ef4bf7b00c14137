import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../db/engine/sqlite/open-store.ts";

async function folder() {
  const path = await mkdtemp(join(tmpdir(), "files-"));
  return { path, data: join(path, "data"), [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** The mode of a folder and of everything in it, in octal. */
async function modesOf(path: string): Promise<Record<string, string>> {
  const names = [".", ...(await readdir(path))];
  const modes = names.map(async (name) => [name, ((await stat(join(path, name))).mode & 0o777).toString(8)]);
  return Object.fromEntries(await Promise.all(modes)) as Record<string, string>;
}

const CLOSED = { ".": "700", "visibility.db": "600", "visibility.db-wal": "600", "visibility.db-shm": "600" };

test.for([0o000, 0o022, 0o777])("other users cannot read the database, whatever the umask: %o", async (umask) => {
  await using at = await folder();
  const before = process.umask(umask);
  const store = await openStore(at.data).finally(() => process.umask(before));
  expect(await modesOf(at.data)).toEqual(CLOSED);
  await store.close();
});

test("restricts permissions left open by an earlier version or a restored backup, with a notice", async () => {
  await using at = await folder();
  await (await openStore(at.data)).close();
  await writeFile(join(at.data, "master.key"), "key");
  await mkdir(join(at.data, "assets"));
  for (const name of [".", "assets"]) await chmod(join(at.data, name), 0o755);
  for (const name of ["visibility.db", "master.key"]) await chmod(join(at.data, name), 0o644);
  const told: string[] = [];
  const store = await openStore(at.data, { onNotice: (notice) => told.push(notice) });
  expect(await modesOf(at.data)).toEqual({ ...CLOSED, "master.key": "600", assets: "700" });
  expect(told.filter((notice) => notice.includes("was open to other users"))).toHaveLength(told.length);
  expect(told.map((notice) => notice.split(" ")[0])).toEqual(
    ["", "visibility.db", "visibility.db-wal", "visibility.db-shm", "master.key", "assets"].map((name) =>
      join(at.data, name),
    ),
  );
  await store.close();
});

test("keeps the mode of a folder with other content", async () => {
  await using at = await folder();
  await writeFile(join(at.path, "of-others"), "");
  await chmod(at.path, 0o755);
  const store = await openStore(at.path);
  expect(await modesOf(at.path)).toMatchObject({ ...CLOSED, ".": "755" });
  await store.close();
});
