import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { measure, type Load } from "./load.ts";
import { startProduct, WIDE_LIMITS, type Product } from "./product.ts";
import { insertFigures, routesOf } from "./rest-reads.ts";
import { toolLoad } from "./tool-call.ts";

// Memory of the compiled service's two processes at rest, after calls, and after a simulated day.
// Each process collects garbage first, so only live memory is measured.

const preload = (file: string) => `--import=${join(import.meta.dirname, file)}`;
const COLLECTING = preload("collect-garbage.js");
const CALLS = Number(process.env["CALLS"] ?? 100_000);
const [DAY_MINUTES, TIMES] = [24 * 60, 240];
/**
 * Max ratio to the memory after half of the calls, or after a simulated hour. Freed pages return
 * late.
 */
const MAX_GROWTH_RATIO = 1.25;
/** Wait that is long enough to flush buffers and return pages. */
const QUIET_MS = 3000;
let missedGoals = 0;

await measureAfterCalls();
await measureAfterDay();
process.exitCode = missedGoals === 0 ? 0 : 1;

async function measureAfterCalls(): Promise<void> {
  const product = await startProduct({ ...WIDE_LIMITS, NODE_OPTIONS: COLLECTING }, insertFigures);
  try {
    print("At rest", await memoryOf(product));
    const loads = loadsOf(product);
    print(`After ${CALLS / 10} calls`, await measureAfterMore(product, loads, CALLS / 10));
    const half = await measureAfterMore(product, loads, CALLS / 2 - CALLS / 10);
    print(`After ${CALLS / 2} calls`, half);
    judge(`After ${CALLS} calls`, half, await measureAfterMore(product, loads, CALLS / 2));
  } finally {
    await product.stop();
  }
}

async function measureAfterDay(): Promise<void> {
  const env = { NODE_OPTIONS: `${COLLECTING} ${preload("fast-clock.js")}`, FAST_CLOCK: String(TIMES) };
  const product = await startProduct({ ...WIDE_LIMITS, ...env }, insertFigures);
  try {
    const pass = (minutes: number) => sleep((minutes * 60_000) / TIMES);
    await pass(60);
    const hour = await memoryOf(product);
    print("After an hour of the clock", hour);
    await pass(DAY_MINUTES - 60);
    judge("After a day of the clock", hour, await memoryOf(product));
    const headers = { authorization: `Bearer ${product.accessToken}` };
    const { status } = await fetch(`http://localhost:${product.port}/v1/workspaces`, { headers });
    if (status !== 401)
      throw new Error(`A token of a quarter of an hour was answered ${status}: the clock did not run.`);
  } finally {
    await product.stop();
  }
}

/** A tool call and the benchmark's four reads. */
function loadsOf(product: Product): Load[] {
  const headers = { accept: "application/json", authorization: `Bearer ${product.accessToken}` };
  const call = { name: "list_workspaces", arguments: {} };
  return [
    toolLoad(product, "tools/call", call, { authorization: `Bearer ${product.token}` }),
    ...Object.values(routesOf(product)).map((path) => {
      return { port: product.port, method: "GET" as const, path, headers, body: "", connections: 16, ms: 2000 };
    }),
  ];
}

/** Makes `calls` more requests, alternating between loads; returns the memory at rest. */
async function measureAfterMore(product: Product, loads: readonly Load[], calls: number): Promise<number[]> {
  let made = 0;
  for (let at = 0; made < calls; at += 1) {
    const load = loads[at % loads.length];
    if (load) made += ((await measure(load)).requestsPerSecond * load.ms) / 1000;
  }
  return memoryOf(product);
}

/** Private memory in MB of each process, after garbage collection. */
async function memoryOf(product: Product): Promise<number[]> {
  await sleep(QUIET_MS);
  for (const id of product.processIds()) process.kill(id, "SIGUSR2");
  await sleep(QUIET_MS);
  return product.processIds().map((id) => {
    const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1];
    return Number(kilobytes) / 1024;
  });
}

function print(what: string, megabytes: readonly number[], verdict = ""): void {
  console.info(
    `  ${what.padEnd(28)} ${megabytes.map((each) => `${each.toFixed(0)} MB`.padStart(8)).join(" ")} ${verdict}`,
  );
}

function judge(what: string, before: readonly number[], now: readonly number[]): void {
  const grown = now.map((each, at) => each / (before[at] ?? Number.NaN));
  const isFlat = grown.every((ratio) => ratio <= MAX_GROWTH_RATIO);
  if (!isFlat) missedGoals += 1;
  print(
    what,
    now,
    `ratio ${grown.map((ratio) => ratio.toFixed(2)).join(" and ")}, goal ${MAX_GROWTH_RATIO}${isFlat ? "" : " MISSED"}`,
  );
}
