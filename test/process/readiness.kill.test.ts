import { EventEmitter, once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdtemp, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { expect, test } from "vitest";
import { Database } from "../../db/engine/sqlite/sqlite.ts";
import type { WorkerProblem } from "../../src/jobs/worker-watch.ts";
import { openReadiness } from "../../src/process/readiness.ts";
import { world } from "../support/world.ts";

/** A service on a folder that a test may do anything to, and the messages of its log. */
async function scene(env: Record<string, string> = {}) {
  const above = await mkdtemp(join(tmpdir(), "readiness-"));
  const dataDir = join(above, "data");
  const messages: string[] = [];
  const log = pino(
    { level: "info" },
    { write: (line) => void messages.push((JSON.parse(line) as { msg: string }).msg) },
  );
  const w = await world({ dataDir, env, log });
  const { owner, workspace } = await w.acme();
  const tags = `${workspace.path}/tags`;
  return {
    w,
    owner,
    workspace,
    above,
    dataDir,
    file: w.store.file,
    messages,
    tags,
    addTag: (name: string) => owner.post(tags, { name }),
    async ready() {
      const { status, body } = await w.request("GET", "/readyz");
      return { status, codes: (body.problems as { code: string }[] | undefined)?.map(({ code }) => code), body };
    },
    async [Symbol.asyncDispose]() {
      await w[Symbol.asyncDispose]();
      await rm(above, { recursive: true });
    },
  };
}

/** Requests check at most once per second whether the files exist; `/readyz` runs all checks. */
const LOOK_MS = 1010;

const LOST = {
  status: 503,
  body: { code: "UNAVAILABLE", message: expect.stringContaining("data files of the service are missing") },
};

test("reports unready, rejects writes and creates no new folder when its folder is deleted while running", async () => {
  await using s = await scene();
  await rm(s.dataDir, { recursive: true });
  expect(await s.addTag("lost")).toMatchObject(LOST);
  expect(await s.ready()).toMatchObject({ status: 503, codes: ["database_replaced"] });
  await sleep(LOOK_MS);
  expect(await s.owner.get(s.tags)).toMatchObject(LOST);
  const form = new FormData();
  form.set("file", new Blob(["A text about phones."]), "text.txt");
  expect((await s.owner.post(`${s.workspace.path}/assets`, form)).status).toBe(503);
  expect(await readdir(s.above)).toEqual([]);
  expect((await s.ready()).body.problems[0].message).not.toContain(tmpdir());
  expect(s.messages.filter((message) => message === "not ready")).toHaveLength(1);
});

test("writes into neither folder when its folder is replaced by an older copy, and recovers when it is restored", async () => {
  await using s = await scene();
  const aside = join(s.above, "aside");
  await cp(s.dataDir, join(s.above, "copy"), { recursive: true });
  expect((await s.addTag("kept")).status).toBe(201);
  await rename(s.dataDir, aside);
  await rename(join(s.above, "copy"), s.dataDir);
  const before = await readFile(join(aside, "visibility.db-wal"));
  expect(await s.addTag("lost")).toMatchObject(LOST);
  expect(await s.ready()).toMatchObject({ status: 503, codes: ["database_replaced"] });
  expect(before.equals(await readFile(join(aside, "visibility.db-wal")))).toBe(true);
  await rm(s.dataDir, { recursive: true });
  await rename(aside, s.dataDir);
  await sleep(LOOK_MS);
  expect(await s.ready()).toMatchObject({ status: 200, body: { status: "ready" } });
  expect((await s.addTag("after")).status).toBe(201);
  const { body } = await s.owner.get(s.tags);
  expect((body.data as { name: string }[]).map(({ name }) => name).toSorted()).toEqual(["after", "kept"]);
  expect(s.messages.filter((message) => /ready/.test(message))).toEqual(["not ready", "ready again"]);
});

test("folder deleted in the middle of a transaction: it is not committed", async () => {
  await using s = await scene();
  const writing = s.w.store.write(async ({ q, t }) => {
    await q.delete(t.workspaceMembers);
    await rm(s.dataDir, { recursive: true });
  });
  await expect(writing).rejects.toMatchObject({ reason: "replaced" });
});

test("rejects writes when the write-ahead log is deleted while running", async () => {
  await using s = await scene();
  await rm(`${s.file}-wal`);
  expect(await s.addTag("lost")).toMatchObject(LOST);
  expect(await s.ready()).toMatchObject({ status: 503, codes: ["database_replaced"] });
});

test("damaged pages that a request met are remembered", async () => {
  await using s = await scene();
  const other = new Database(s.file);
  other.pragma("wal_checkpoint(TRUNCATE)");
  other.close();
  const { size } = await stat(s.file);
  const handle = await open(s.file, "r+");
  await handle.write(Buffer.alloc(size - 8192, 0xff), 0, undefined, 8192);
  await handle.close();
  const statuses = [];
  for (let nth = 0; nth < 5; nth++) statuses.push((await s.owner.get("/v1/workspaces")).status);
  expect(statuses).toContain(500);
  expect(await s.ready()).toMatchObject({ status: 503, codes: expect.arrayContaining(["database_damaged"]) });
});

test("detects damaged pages that no query reads, after the first check", async () => {
  await using s = await scene();
  const other = new Database(s.file);
  const found = other.prepare(
    "select rootpage as page from sqlite_master where name = 'saml_messages' or name = 'passkeys'",
  );
  const pages = found.all() as { page: number }[];
  other.pragma("wal_checkpoint(TRUNCATE)");
  const size = Number(other.pragma("page_size", { simple: true }));
  other.close();
  const handle = await open(s.file, "r+");
  for (const { page } of pages) await handle.write(Buffer.alloc(size, 0xff), 0, size, (page - 1) * size);
  await handle.close();
  expect(await s.ready()).toMatchObject({ status: 200 });
  while (!s.w.store.health.hasMetDamage()) await sleep(20);
  await sleep(LOOK_MS);
  expect(await s.ready()).toMatchObject({ status: 503, codes: ["database_damaged"] });
});

test("reports low disk space below the configured limit", async () => {
  await using s = await scene({ MIN_FREE_DISK_MB: "1000000000" });
  expect(await s.ready()).toMatchObject({ status: 503, codes: ["disk_low"] });
  expect((await s.addTag("fits")).status).toBe(201);
});

test("answers the probe while the writer is stuck, and reports waiting writes after a few seconds", async () => {
  await using s = await scene();
  const gate = new EventEmitter();
  const stuck = s.w.store.write(() => once(gate, "open"));
  expect(await s.ready()).toMatchObject({ status: 200 });
  expect(s.w.store.health.oldestWriteMs()).toBeGreaterThan(0);
  const { store } = s.w;
  const health = { ...store.health, oldestWriteMs: () => 5001 };
  const options = { dataDir: s.dataDir, minFreeBytes: 0, log: pino({ level: "silent" }) };
  const readiness = openReadiness({ ...options, store: { ...store, health } });
  expect(await readiness.report()).toMatchObject({ status: "not ready", problems: [{ code: "writes_waiting" }] });
  gate.emit("open");
  await stuck;
});

test("a worker process that is missing or silent is a problem, until it works again", async () => {
  // Attack: stop the worker by a page or an answer, while everybody takes the service for well.
  await using s = await scene();
  const options = { store: s.w.store, dataDir: s.dataDir, minFreeBytes: 0, log: pino({ level: "silent" }) };
  let problem: WorkerProblem | undefined = "worker_silent";
  const readiness = openReadiness({ ...options, workerProblem: () => problem });
  expect(await readiness.report()).toEqual({
    status: "not ready",
    problems: [{ code: "worker_silent", message: expect.stringContaining("sends no heartbeat") }],
  });
  problem = undefined;
  await sleep(LOOK_MS);
  expect(await readiness.report()).toEqual({ status: "ready" });
});

test("writes once per second under a flood of probes, without growing the file", async () => {
  await using s = await scene();
  await s.ready();
  const { size } = await stat(`${s.file}-wal`);
  const began = performance.now();
  await Promise.all(Array.from({ length: 300 }, () => s.w.request("GET", "/readyz")));
  const seconds = Math.ceil((performance.now() - began) / 1000);
  // A frame of the log is a page and its head (https://www.sqlite.org/fileformat2.html#walformat).
  expect((await stat(`${s.file}-wal`)).size).toBeLessThanOrEqual(size + (seconds + 1) * 4120);
  const other = new Database(s.file);
  const pages = () => other.pragma("page_count", { simple: true });
  const before = pages();
  for (let nth = 0; nth < 1500; nth++) await s.w.store.health.tryWrite();
  expect(pages()).toBe(before);
  expect((await stat(`${s.file}-wal`)).size).toBeLessThan(8_000_000);
  other.close();
  expect(existsSync(s.dataDir)).toBe(true);
});
