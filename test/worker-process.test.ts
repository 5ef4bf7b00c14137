import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { readConfig, withAddresses } from "../src/config.ts";
import { SOURCES } from "../core/sources.ts";
import type { Sources } from "../src/outside/sources/provider.ts";
import { openWorkerProcess, openWorkers } from "../src/jobs/worker-process.ts";

/** A program that notes what it was started with and what it is told, and ends when it is told to, or by itself. */
const programOf = (notes: string, crashes: boolean) => `
import { appendFileSync } from "node:fs";
import { getPriority } from "node:os";
const note = (text) => appendFileSync(${JSON.stringify(notes)}, text + "\\n");
const { settings: { SERVE, BASE_URL }, database, share = "all" } = JSON.parse(process.argv[3]);
note(["started", SERVE, BASE_URL, database, process.argv[2], getPriority(), share].join(" "));
process.on("message", (message) => {
  note(message);
  if (message === "stop") process.exit(0);
});
if (${crashes}) setTimeout(() => process.exit(7), 50);
`;

async function scene({ crashes = false, sources }: { crashes?: boolean; sources?: Sources } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "worker-process-"));
  const [program, notes] = [join(folder, "program.mjs"), join(folder, "notes")];
  await writeFile(program, programOf(notes, crashes));
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push((JSON.parse(line) as { msg: string }).msg) });
  const config = withAddresses(readConfig({ BASE_URL: "https://visibility.test", WORKER_NICENESS: "7" }), 3000);
  const told = { database: "1:2", program };
  const worker = sources ? openWorkers(config, log, { ...told, sources }) : openWorkerProcess(config, log, told);
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

const STARTED = "started worker https://visibility.test 1:2 --worker 7 all";

test("the worker is this program again with the part worker and the public addresses, is woken once for all writes of a turn, and is told to stop", async () => {
  await using s = await scene();
  await expect.poll(s.notes, { timeout: 5000 }).toEqual([STARTED]);
  for (let write = 0; write < 5; write++) s.worker.wake();
  await expect.poll(s.notes).toEqual([STARTED, "wake"]);
  await s.worker.close();
  expect(await s.notes()).toEqual([STARTED, "wake", "stop"]);
  expect(s.logged).toEqual([]);
});

test("a worker that ends by itself is started again, and its log says so", async () => {
  await using s = await scene({ crashes: true });
  await expect.poll(s.notes, { timeout: 10_000 }).toEqual([STARTED, STARTED]);
  expect(s.logged[0]).toBe("the worker process ended: it is started again");
});

/** Sources of these methods, the first of them where there are no more. */
function sourcesOf(methods: string[]): Sources {
  const entries = SOURCES.map((source, at) => [
    source,
    { name: "test", methods: { [source]: methods[at] ?? methods[0] } },
  ]);
  return Object.fromEntries(entries) as Sources;
}

test("where all sources answer at once, a second worker does small collects alone, at the priority of the service", async () => {
  // Fault: a collect of two questions waits for the event loop that reads another organization's import.
  await using simulated = await scene({ sources: sourcesOf(["simulated"]) });
  const priority = getPriority();
  const both = [STARTED.replace("all", "large"), STARTED.replace("7 all", `${priority} small`)].toSorted();
  await expect.poll(async () => (await simulated.notes()).toSorted(), { timeout: 5000 }).toEqual(both);
  simulated.worker.wake();
  await expect.poll(simulated.notes).toHaveLength(4);
  await simulated.worker.close();
  expect((await simulated.notes()).slice(2)).toEqual(["wake", "wake", "stop", "stop"]);
  await using asked = await scene({ sources: sourcesOf(["simulated", "api"]) });
  await expect.poll(asked.notes, { timeout: 5000 }).toEqual([STARTED]);
});
