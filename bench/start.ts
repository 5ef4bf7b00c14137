import { spawn } from "node:child_process";
import { mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { readProcessTree, startEmpty, startExpress, startService, type ColdStart } from "./cold-start.ts";
import { fillFolder, leaveUncheckpointed } from "./large-folder.ts";
import { formatNumber, quantile } from "./light-calls.ts";

// Time to compile, and to start until `/readyz` answers 200: on an empty folder, and with
// `--gigabytes 3` on one of that size, also after a kill with a large write-ahead log. Alternates
// with Express with one route. `--command "tsc -p tsconfig.json"` compares another way to compile;
// `--root DIR` measures another checkout; `--folder DIR` uses an existing large folder.

const ROOT = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    command: { type: "string", default: "node build.js" },
    root: { type: "string", default: ROOT },
    gigabytes: { type: "string", default: "0" },
    folder: { type: "string" },
  },
});
const ROUNDS = 3;
const POLL_MS = 5;
const GIGABYTE = 1e9;
const WRITTEN_AHEAD = 256e6;
const CHANGED = join(values.root, "core/shared/time.ts");

interface Compiled {
  ms: number;
  maxMb: number;
  cpuMs: number;
}

async function compile(): Promise<Compiled> {
  const begun = performance.now();
  const child = spawn("sh", ["-c", `exec ${values.command}`], { cwd: values.root, stdio: "inherit" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let [most, cpuMs] = [0, 0];
  while (child.exitCode === null) {
    const used = readProcessTree(child.pid ?? 0);
    [most, cpuMs] = [Math.max(most, used.residentKb), Math.max(cpuMs, used.cpuMs)];
    await Promise.race([ended, sleep(POLL_MS)]);
  }
  return { ms: performance.now() - begun, maxMb: most / 1024, cpuMs };
}

async function compileAll(): Promise<Compiled> {
  await rm(join(values.root, "dist"), { recursive: true, force: true });
  return compile();
}

async function compileChanged(): Promise<Compiled> {
  const { atime, mtime } = await stat(CHANGED);
  await utimes(CHANGED, new Date(), new Date());
  return compile().finally(() => utimes(CHANGED, atime, mtime));
}

async function startKilled(dataDir: string): Promise<ColdStart> {
  await leaveUncheckpointed(dataDir, WRITTEN_AHEAD);
  return startService(dataDir, values.root);
}

/** Runs each once per round and prints the medians. */
async function measureInTurns(large: string | undefined): Promise<void> {
  const builds = { "compiling everything": compileAll, "nothing changed": compile, "one file changed": compileChanged };
  const starts = {
    "Express, one route": startExpress,
    "an empty folder": () => startEmpty(values.root),
    ...(large !== undefined && {
      "a large folder": () => startService(large, values.root),
      "the same, killed with 256 MB written ahead": () => startKilled(large),
    }),
  };
  const built: Record<string, Compiled[]> = {};
  const started: Record<string, ColdStart[]> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [what, run] of Object.entries(builds)) (built[what] ??= []).push(await run());
    for (const [what, run] of Object.entries(starts)) (started[what] ??= []).push(await run());
  }
  console.info(`Compiled with ${values.command}, medians of ${ROUNDS} rounds:`);
  for (const [what, all] of Object.entries(built)) {
    line(`${what}, ms`, all, ({ ms }) => ms);
    line(`${what}, CPU in ms`, all, ({ cpuMs }) => cpuMs);
    line(`${what}, most memory in MB`, all, ({ maxMb }) => maxMb);
  }
  console.info(`From the start of the process to the first 200 of /readyz, with the CPU of all processes by then:`);
  for (const [what, all] of Object.entries(started)) {
    line(`${what}, ms`, all, ({ ms }) => ms);
    line(`${what}, CPU in ms`, all, ({ cpuMs }) => cpuMs);
  }
}

function line<T>(what: string, all: readonly T[], value: (one: T) => number): void {
  const each = all.map(value);
  console.info(
    `  ${what.padEnd(54)} ${formatNumber(quantile(each, 0.5))} (${each.map((one) => formatNumber(one).trim()).join(", ")})`,
  );
}

async function makeLarge(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "visibility-large-"));
  const answers = await fillFolder(dataDir, Number(values.gigabytes) * GIGABYTE);
  const { size } = await stat(join(dataDir, "visibility.db"));
  console.info(`A large folder has ${(size / GIGABYTE).toFixed(1)} GB, ${answers} answers.`);
  return dataDir;
}

const makesLarge = values.folder === undefined && Number(values.gigabytes) > 0;
const large = makesLarge ? await makeLarge() : values.folder;
try {
  await measureInTurns(large);
} finally {
  if (makesLarge && large !== undefined) await rm(large, { recursive: true });
}
