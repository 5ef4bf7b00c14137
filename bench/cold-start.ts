import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "./interleave.ts";
import { freePort } from "./product.ts";

// Time from process start to the first response of a server. Linux only.

/** Time until `/readyz` answers 200, with the CPU time of the process and its children. */
export interface ColdStart {
  ms: number;
  cpuMs: number;
}

const ROOT = join(import.meta.dirname, "..");
const POLL_MS = 5;
/** Linux clock ticks per second. */
const TICKS_PER_SECOND = 100;
const PAGE_KB = 4;

/** CPU time and memory of a process and its running descendants. */
export function readProcessTree(pid: number): { cpuMs: number; residentKb: number } {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // Fields after the program name, which may contain spaces: state, parent, …
        // (proc_pid_stat(5)).
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
    cpuMs: (1000 / TICKS_PER_SECOND) * sum((fields) => (fields[11] ?? 0) + (fields[12] ?? 0)),
    residentKb: PAGE_KB * sum((fields) => fields[21] ?? 0),
  };
}

/** Starts the build of a checkout on a data folder, and stops it. */
export async function startService(dataDir: string, root = ROOT): Promise<ColdStart> {
  const program = ["--enable-source-maps", join(root, "dist/src/start.js")];
  return measureUntilReady(program, { DATA_DIR: dataDir, LOG_LEVEL: "silent" });
}

/** Like startService, on a new folder. */
export async function startEmpty(root = ROOT): Promise<ColdStart> {
  const dataDir = await mkdtemp(join(tmpdir(), "visibility-start-"));
  return startService(dataDir, root).finally(() => rm(dataDir, { recursive: true }));
}

const EXPRESS = `import express from "express";
express().get("/readyz", (_request, response) => response.json({ status: "ready" })).listen(process.env.PORT);`;

/** Starts Express with one route, and stops it. */
export async function startExpress(): Promise<ColdStart> {
  return measureUntilReady(["--input-type=module", "--eval", EXPRESS], {});
}

async function measureUntilReady(program: readonly string[], env: Record<string, string>): Promise<ColdStart> {
  const port = await freePort();
  const begun = performance.now();
  const child = spawn(process.execPath, program, {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], PORT: String(port), ...env },
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const isReady = () =>
    fetch(`http://localhost:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`A server that should start ended with ${child.exitCode}.`);
    await sleep(POLL_MS);
  }
  const [ms, { cpuMs }] = [performance.now() - begun, readProcessTree(child.pid ?? 0)];
  child.kill("SIGTERM");
  await ended;
  return { ms, cpuMs };
}

const ROUNDS = 3;

/** Medians of alternating starts: the service on an empty folder, and Express with one route. */
export async function benchColdStart(): Promise<{ ours: ColdStart; express: ColdStart; ratio: number }> {
  const rounds: { ours: ColdStart; express: ColdStart }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ express: await startExpress(), ours: await startEmpty() });
  }
  const of = (who: "ours" | "express", what: keyof ColdStart) => median(rounds.map((round) => round[who][what]));
  return {
    ours: { ms: of("ours", "ms"), cpuMs: of("ours", "cpuMs") },
    express: { ms: of("express", "ms"), cpuMs: of("express", "cpuMs") },
    ratio: median(rounds.map(({ ours, express }) => ours.ms / express.ms)),
  };
}
