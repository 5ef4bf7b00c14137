import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openHeavyReads } from "../../src/reads/heavy-reads.ts";
import type { WorkerOutput, HeavyRead, ReadInput } from "../../src/reads/read-messages.ts";
import { openWorkerReads } from "../../src/reads/worker-reads.ts";

function readOf(organizationId: string): HeavyRead {
  const authorisedIds = { userId: "u", organizationId, workspaceId: "w" };
  const at = "2026-11-21T08:00:00.000Z";
  return { endpoint: "listTopBrands", input: {}, authorisedIds, caller: undefined, at, selection: undefined };
}

/** Reads that end on command, each identified by organization and number. */
function scene() {
  const reads = openHeavyReads(undefined);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (organization: string, nth: number, gone?: AbortSignal) => {
    const name = `${organization}${nth}`;
    return reads.runRead(readOf(organization), gone, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { run, end, begun };
}

test("alternates heavy reads between organizations, so that a busy one does not delay another", async () => {
  // Attack: ask for every figure at once, so that nobody else gets theirs.
  const { run, end, begun } = scene();
  const all = [0, 1, 2, 3, 4].map((nth) => run("a", nth));
  all.push(run("b", 0), run("b", 1), run("c", 0));
  await end("");
  expect(begun).toEqual(["a0", "a1"]);
  for (const name of ["a0", "a1", "a2", "b0", "c0", "a3", "b1", "a4"]) await end(name);
  expect(begun).toEqual(["a0", "a1", "a2", "b0", "c0", "a3", "b1", "a4"]);
  expect(await Promise.all(all)).toEqual(["a0", "a1", "a2", "a3", "a4", "b0", "b1", "c0"]);
});

test("rejects heavy reads above the queue limit with a retry time, first those of the busiest organization", async () => {
  // Attack: fill the memory with requests that wait.
  const { run } = scene();
  const refusals: unknown[] = [];
  const ask = (organization: string, count: number) => {
    for (let nth = 0; nth < count; nth++) run(organization, nth).catch((error: unknown) => refusals.push(error));
  };
  ask("a", 2 + 40);
  await new Promise((resolve) => setImmediate(resolve));
  expect(refusals).toEqual([]);
  ask("a", 1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(refusals.splice(0)).toMatchObject([{ code: "RATE_LIMITED", retryAfterSeconds: 5 }]);
  for (const organization of "bcdefghij") ask(organization, 40);
  await new Promise((resolve) => setImmediate(resolve));
  expect(refusals).toEqual([]);
  ask("k", 1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(refusals).toMatchObject([{ code: "UNAVAILABLE", retryAfterSeconds: 5 }]);
});

test("drops a queued read whose caller disconnects, and frees its slot", async () => {
  // Attack: ask, and hang up, again and again.
  const { run, end, begun } = scene();
  void run("a", 0);
  void run("a", 1);
  const leaving = new AbortController();
  const left = run("a", 2, leaving.signal);
  void run("a", 3);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(run("b", 0, leaving.signal)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await end("a0");
  expect(begun).toEqual(["a0", "a1", "a3"]);
});

/** Heavy reads of a scripted worker process. Nothing may be read in this process. */
function workerScene() {
  const reads = openWorkerReads();
  const heavy = openHeavyReads(reads, { maxWaitMs: 100 });
  const sent: ReadInput[] = [];
  const connect = () => {
    const worker = Object.assign(new EventEmitter(), {
      connected: true,
      send: (message: ReadInput) => void sent.push(message),
    });
    reads.connect(worker as unknown as ChildProcess);
    return (message: WorkerOutput) => worker.emit("message", message);
  };
  const run = (organization: string) =>
    heavy.runRead(readOf(organization), undefined, () => Promise.reject(new Error("read by the main process")));
  return { reads, run, sent, connect };
}

const NOT_READ = { code: "UNAVAILABLE", retryAfterSeconds: 5, message: expect.stringContaining("busy or restarting") };
const JSON_END = { part: Buffer.from("{}"), end: "done" } as const;

test("rejects reads that a hanging worker does not begin, and queued ones, in time and with a retry time", async () => {
  // Attack: stop the worker, and have all reads pile up behind it or on the process that answers.
  const { run, sent, connect } = workerScene();
  connect()("working");
  const began = performance.now();
  const results = await Promise.allSettled(["a", "a", "a", "b"].map(run));
  expect(performance.now() - began).toBeLessThan(2000);
  expect(results.map((result) => result.status === "rejected" && result.reason)).toMatchObject(
    Array.from({ length: 4 }, () => NOT_READ),
  );
  // The worker drops the sent reads once its event loop runs again.
  const idsOf = (isCancel: boolean) =>
    sent.filter(({ read }) => (read === "cancelled") === isCancel).map(({ id }) => id);
  expect(idsOf(true)).toEqual(idsOf(false));
});

test("a read that has begun may take longer than it may wait", async () => {
  const { run, sent, connect } = workerScene();
  const say = connect();
  say("working");
  const asked = run("a");
  await expect.poll(() => sent.length).toBe(1);
  say({ id: 1, begun: true });
  await sleep(200);
  say({ id: 1, ...JSON_END });
  expect(await asked).toMatchObject({ parts: [{ length: 2 }] });
});

test("rejects the reads of a hung worker that is killed, and sends later ones to its successor", async () => {
  // Attack: a read that stops the worker, and then the process that answers.
  const { reads, run, sent, connect } = workerScene();
  const say = connect();
  say("working");
  const asked = run("a");
  await expect.poll(() => sent.length).toBe(1);
  say({ id: 1, begun: true });
  reads.endHanging();
  await expect(asked).rejects.toMatchObject(NOT_READ);
  await expect(run("a")).rejects.toMatchObject(NOT_READ);
  const waiting = run("a");
  const next = connect();
  next("working");
  await expect.poll(() => sent.length).toBe(2);
  next({ id: 2, ...JSON_END });
  expect(await waiting).toMatchObject({ parts: [{ length: 2 }] });
});
