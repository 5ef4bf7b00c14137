import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { figure, quantile } from "./light-calls.ts";
import { freePort } from "./product.ts";

// How long the service takes to compile and to start on an empty folder, three times each: until `/readyz` answers 200, and CPU of all of its
// processes by then. `--command "tsc -p tsconfig.build.json"` compiles otherwise, for comparison; `--root DIR` measures another checkout.

const ROOT = join(import.meta.dirname, "../..");
const { values } = parseArgs({
  options: { command: { type: "string", default: "node build.js" }, root: { type: "string", default: ROOT } },
});
const ROUNDS = 3;
const LOOK_MS = 5;
/** Clock ticks of Linux a second. */
const TICKS = 100;
const PAGE_KB = 4;

/** Processes below one, itself among them, that still run. */
function family(pid: number): { cpuMs: number; residentKb: number } {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // After the name of the program, which may hold anything: state, parent, … (proc_pid_stat(5)).
        const fields = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
        return [{ pid: Number(name), parent: Number(fields[1]), fields: fields.map(Number) }];
      } catch {
        return [];
      }
    });
  const own = new Set([pid]);
  for (const one of all.toSorted((a, b) => a.pid - b.pid)) if (own.has(one.parent)) own.add(one.pid);
  const members = all.filter((one) => own.has(one.pid));
  const sum = (value: (fields: number[]) => number) => members.reduce((total, { fields }) => total + value(fields), 0);
  return {
    cpuMs: (1000 / TICKS) * sum((fields) => (fields[11] ?? 0) + (fields[12] ?? 0)),
    residentKb: PAGE_KB * sum((fields) => fields[21] ?? 0),
  };
}

async function compiled() {
  await rm(join(values.root, "dist"), { recursive: true, force: true });
  const begun = performance.now();
  const child = spawn("sh", ["-c", values.command], { cwd: values.root, stdio: "inherit" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let most = 0;
  while (child.exitCode === null) {
    if (child.pid !== undefined) most = Math.max(most, family(child.pid).residentKb);
    await Promise.race([ended, sleep(LOOK_MS)]);
  }
  return { ms: performance.now() - begun, mostMb: most / 1024 };
}

async function started() {
  const dataDir = await mkdtemp(join(tmpdir(), "visibility-start-"));
  const port = await freePort();
  const begun = performance.now();
  const child = spawn(process.execPath, ["--enable-source-maps", join(values.root, "dist/src/start.js")], {
    env: { PATH: process.env["PATH"], DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: "silent" },
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const isReady = () =>
    fetch(`http://localhost:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady()) && child.exitCode === null) await sleep(LOOK_MS);
  const [ms, { cpuMs }] = [performance.now() - begun, family(child.pid ?? 0)];
  child.kill("SIGTERM");
  await ended;
  await rm(dataDir, { recursive: true });
  return { ms, cpuMs };
}

const builds: Awaited<ReturnType<typeof compiled>>[] = [];
const starts: Awaited<ReturnType<typeof started>>[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  builds.push(await compiled());
  starts.push(await started());
}
const told = (all: readonly number[]) =>
  `${figure(quantile(all, 0.5))} (${all.map((one) => figure(one).trim()).join(", ")})`;
console.info(`Compiled with ${values.command}, medians of ${ROUNDS} runs:`);
console.info(`  compiling, ms                     ${told(builds.map(({ ms }) => ms))}`);
console.info(`  compiling, most memory in MB      ${told(builds.map(({ mostMb }) => mostMb))}`);
console.info(`  ready on an empty folder, ms      ${told(starts.map(({ ms }) => ms))}`);
console.info(`  CPU of all processes by then, ms  ${told(starts.map(({ cpuMs }) => cpuMs))}`);
