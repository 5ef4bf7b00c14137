import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { expect, test } from "vitest";
import { readConfig, addAddresses } from "../../src/config/config.ts";
import { openWorkerProcess } from "../../src/jobs/worker-process.ts";

/** Unexpected ends of the program. */
type Fault = "crashes" | "hangs once" | "hangs at stop" | "starts slowly";

/** A program that records its start and messages; ends on request or by `fault`. */
const programOf = (notes: string, fault: Fault | undefined) => `
import { appendFileSync, readFileSync } from "node:fs";
const note = (text) => appendFileSync(${JSON.stringify(notes)}, text + "\\n");
const { settings: { SERVE, BASE_URL }, database, failedWorker } = JSON.parse(process.argv[3]);
if (failedWorker !== undefined) note("takes back jobs");
note(["started", SERVE, BASE_URL, database, process.argv[2]].join(" "));
const starts = readFileSync(${JSON.stringify(notes)}, "utf8").split("started").length - 1;
const hang = () => { for (;;); };
process.on("message", (message) => {
  note(message);
  if (message === "stop" && ${fault === "hangs at stop"}) hang();
  if (message === "stop") process.exit(0);
});
if (${fault === "crashes"}) setTimeout(() => process.exit(7), 50);
if (${fault === "starts slowly"}) for (const until = Date.now() + 1500; Date.now() < until;);
process.send("begins");
setInterval(() => process.send("alive"), 50);
if (${fault === "hangs once"} && starts === 1) setTimeout(hang, 50);
`;

/** Short enough for a test, long enough for a machine that does other things. */
const WATCH = { tickMs: 50, maxSilentMs: 1000, warnSilentMs: 300, maxStartMs: 1000 };

async function scene({ fault }: { fault?: Fault } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "worker-process-"));
  const [program, notes] = [join(folder, "program.mjs"), join(folder, "notes")];
  await writeFile(program, programOf(notes, fault));
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push((JSON.parse(line) as { msg: string }).msg) });
  const config = addAddresses(readConfig({ BASE_URL: "https://visibility.test" }), 3000);
  const worker = openWorkerProcess(config, log, { database: "1:2", program, watch: WATCH });
  worker.start();
  return {
    worker,
    logged,
    notes: async () => (await readFile(notes, "utf8").catch(() => "")).split("\n").filter(Boolean),
    async [Symbol.asyncDispose]() {
      await worker.close();
      await rm(folder, { recursive: true });
    },
  };
}

const STARTED = "started worker https://visibility.test 1:2 --worker";

test("the worker is this program with the worker part and public addresses, is woken once per turn with writes, and stops on request", async () => {
  await using s = await scene();
  await expect.poll(s.notes, { timeout: 5000 }).toEqual([STARTED]);
  for (let write = 0; write < 5; write++) s.worker.wake();
  await expect.poll(s.notes).toEqual([STARTED, "wake"]);
  await s.worker.close();
  expect(await s.notes()).toEqual([STARTED, "wake", "stop"]);
  expect(s.logged).toEqual([]);
});

test("a worker that exits is restarted, with a log line", async () => {
  await using s = await scene({ fault: "crashes" });
  await expect.poll(s.notes, { timeout: 10_000 }).toEqual([STARTED, "takes back jobs", STARTED]);
  expect(s.logged[0]).toBe("the worker process ended: restarting it");
});

test("a hanging worker is killed and restarted, and readiness reports it until the next one works", async () => {
  // Attack: a page or answer whose parsing takes hours, blocking everyone's jobs.
  await using s = await scene({ fault: "hangs once" });
  const problems: unknown[] = [];
  const watching = setInterval(() => {
    const problem = s.worker.findProblem();
    if (problem !== problems.at(-1)) problems.push(problem);
  }, 5);
  await expect.poll(s.notes, { timeout: 10_000 }).toEqual([STARTED, "takes back jobs", STARTED]);
  await expect.poll(() => s.worker.findProblem(), { timeout: 5000 }).toBe(undefined);
  clearInterval(watching);
  expect(problems).toEqual(["worker_silent", "worker_missing", undefined]);
  expect(s.logged).toEqual([
    expect.stringContaining("the worker process sends no heartbeat: killing it"),
    "the worker process ended: restarting it",
  ]);
});

test("a slowly starting worker is not killed, and readiness reports it as missing", async () => {
  await using s = await scene({ fault: "starts slowly" });
  await expect.poll(() => s.worker.findProblem(), { timeout: 5000 }).toBe("worker_missing");
  await expect.poll(() => s.worker.findProblem(), { timeout: 5000 }).toBe(undefined);
  expect(await s.notes()).toEqual([STARTED]);
  expect(s.logged).toEqual([]);
});

test("a suspended or blocked service does not take its worker for hanging", async () => {
  await using s = await scene();
  await expect.poll(s.notes, { timeout: 5000 }).toEqual([STARTED]);
  await sleep(200);
  // Like SIGSTOP: no timers and messages for longer than a silent worker's limit.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * WATCH.maxSilentMs);
  await sleep(200);
  expect(s.worker.findProblem()).toBe(undefined);
  expect(await s.notes()).toEqual([STARTED]);
  expect(s.logged).toEqual([]);
});

test("a worker that hangs while the service stops is not left behind", async () => {
  const s = await scene({ fault: "hangs at stop" });
  await expect.poll(s.notes, { timeout: 5000 }).toEqual([STARTED]);
  await s.worker.close();
  await s[Symbol.asyncDispose]();
}, 15_000);
