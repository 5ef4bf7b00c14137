import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startBuild } from "../../bench/product.ts";
import { freePort } from "../../test/support/killable-process.ts";

// Opens 10,000 connections from 250 loopback addresses that send nothing, part of the headers, or
// part of a body. Prints the latency of /healthz, the memory of the main process, and when the
// last connection is cut. `--root DIR` measures another checkout first.

const CONNECTIONS = 10_000;
const ADDRESSES = 250;
const GOALS = { healthzMs: 100, memoryMegabytes: 200, cutSeconds: 30 };

const { values } = parseArgs({ options: { root: { type: "string" }, open: { type: "string" } } });
const OWN = join(import.meta.dirname, "../..");
if (values.open === undefined) {
  for (const root of values.root === undefined ? [OWN] : [values.root, OWN]) await measure(root);
  process.exit();
}
await openAll(Number(values.open));
process.send?.("opened");

async function measure(root: string): Promise<void> {
  execFileSync(process.execPath, ["build.js"], { cwd: root, stdio: "inherit" });
  const dataDir = await mkdtemp(join(tmpdir(), "half-open-"));
  const port = await freePort();
  const settings = { DEMO: "0", LOG_LEVEL: "silent", RATE_LIMIT_ADDRESS: "0", TOKEN_FAILURES_ADDRESS: "0" };
  const build = await startBuild(root, { dataDir, port, settings });
  const [pid = 0] = build.processIds();
  try {
    await sleep(5000);
    const idle = await healthz(port, sleep(2000));
    const before = await residentMegabytes(pid);
    const files = await openFiles(pid);
    // A separate process, so that its work does not delay /healthz.
    const client = fork(import.meta.filename, ["--open", String(port)], { execArgv: ["--import", "tsx"] });
    const opening = await healthz(port, once(client, "message"));
    const held = (await openFiles(pid)) - files;
    const beside = await healthz(port, sleep(3000));
    const peak = await residentMegabytes(pid);
    const [closing, cutSeconds] = await closeAll(port, measureSecondsToClose(pid, files, GOALS.cutSeconds * 1000));
    client.kill();
    report(root, { idle, opening, beside, closing, held, growth: peak - before, cutSeconds });
  } finally {
    await build.stop();
    await rm(dataDir, { recursive: true });
  }
}

async function closeAll<T>(port: number, closed: Promise<T>): Promise<[number[], T]> {
  return [await healthz(port, closed), await closed];
}

interface Measured {
  /** Milliseconds of /healthz. */
  idle: number[];
  opening: number[];
  beside: number[];
  closing: number[];
  /** Connections held by the process when all were open. */
  held: number;
  /** Growth of memory in megabytes. */
  growth: number;
  cutSeconds: number | undefined;
}

function report(root: string, { idle, opening, beside, closing, held, growth, cutSeconds }: Measured): void {
  const cut = cutSeconds === undefined ? `not all cut within ${GOALS.cutSeconds} s` : `all cut after ${cutSeconds} s`;
  console.info(
    `${root === OWN ? "This checkout" : root}: ${held} half-open connections held; longest /healthz ${formatLongest(idle)} idle, ` +
      `${formatLongest(opening)} while they open, ${formatLongest(beside)} beside them, ${formatLongest(closing)} while they are cut; ` +
      `memory +${growth.toFixed(0)} MB; ${cut}`,
  );
  const isMet = Math.max(...beside) < GOALS.healthzMs && growth < GOALS.memoryMegabytes && cutSeconds !== undefined;
  if (root === OWN && !isMet) process.exitCode = 1;
}

function formatLongest(ms: readonly number[]): string {
  const sorted = ms.toSorted((a, b) => a - b);
  return `${Math.max(...ms).toFixed(0)} ms (median ${(sorted[sorted.length >> 1] ?? 0).toFixed(0)})`;
}

/** Opens all connections within about four seconds. */
async function openAll(port: number): Promise<void> {
  const host = `Host: localhost:${port}\r\n`;
  const json = `POST /v1/auth/token HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n`;
  const starts = ["", `GET /healthz HTTP/1.1\r\n${host}`, `${json}{"api_key":"`, json + "x".repeat(12_000)];
  for (let at = 0; at < CONNECTIONS; at += 1) {
    const localAddress = `127.0.1.${1 + (at % ADDRESSES)}`;
    const start = starts[at % starts.length] ?? "";
    const socket = connect({ host: "127.0.0.1", port, localAddress }, () => socket.write(start));
    socket.on("error", () => undefined).resume();
    if (at % 250 === 249) await sleep(100);
  }
}

/**
 * Seconds until the process has as few open files as before; undefined if it has more after the
 * limit.
 */
async function measureSecondsToClose(pid: number, filesBefore: number, withinMs: number): Promise<number | undefined> {
  const begunAt = performance.now();
  while ((await openFiles(pid)) > filesBefore + 10) {
    if (performance.now() - begunAt > withinMs) return undefined;
    await sleep(100);
  }
  return Math.round((performance.now() - begunAt) / 100) / 10;
}

async function openFiles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** Milliseconds of sequential requests, each on a new connection. */
async function healthz(port: number, during: Promise<unknown>): Promise<number[]> {
  const ms: number[] = [];
  const over = new AbortController();
  void during.then(() => over.abort());
  while (!over.signal.aborted) {
    const begunAt = performance.now();
    await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: "close" } }).then((answer) =>
      answer.text(),
    );
    ms.push(performance.now() - begunAt);
    await sleep(20);
  }
  return ms;
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
