import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { CORPORA, sendAll, type Corpus } from "./corpora.ts";
import type { Measured, Serving } from "./serve.ts";

// Sends requests that try to block or bloat the service, one corpus after another, while a light
// caller of another organization polls its own name. Prints the caller's longest wait next to the
// idle one, the longest block of the event loop, and the process's peak memory.

const { values } = parseArgs({ options: { root: { type: "string" }, only: { type: "string" } } });
const root = values.root ?? join(import.meta.dirname, "../..");
/**
 * A document is abandoned after 30 seconds of parsing, and retried later if the machine may have
 * been at fault.
 */
const MAX_WAIT_MS = 40_000;

const child = fork(join(import.meta.dirname, "serve.ts"), [root], { cwd: root, execArgv: ["--import", "tsx"] });
const [serving] = (await once(child, "message")) as [Serving];
try {
  console.info(`${"what is sent".padEnd(86)} longest wait  loop stood  p99 ms   peak MB  statuses`);
  await measure({ what: "nothing", prepare: () => [], atOnce: 1 });
  const wanted = CORPORA.filter(({ what }) => values.only === undefined || what.includes(values.only));
  for (const corpus of wanted) await measure(corpus);
} finally {
  child.kill();
}

async function measure(corpus: Corpus): Promise<void> {
  const { what, atOnce } = corpus;
  const sent = corpus.prepare(serving);
  child.send("begin");
  const over = new AbortController();
  const waits = lightCaller(over.signal);
  const statuses = await sendAll(sent, atOnce, serving);
  if (what.startsWith("document")) await waitUntilAllRead();
  else await sleep(1000);
  over.abort();
  const peakMb = peakOf(serving.pid);
  const { stallMs } = await askProcess(child);
  const sorted = (await waits).toSorted((a, b) => a - b);
  const [p99 = 0, longest = 0] = [sorted[Math.floor(sorted.length * 0.99)], sorted.at(-1)];
  const told = [...statuses].map(([status, count]) => `${count} x ${status}`).join(", ");
  const cells = [longest, stallMs, p99, peakMb].map((figure) => figure.toFixed(0).padStart(10)).join("  ");
  console.info(`${what.padEnd(86)} ${cells}  ${told}`);
}

/** Latencies in milliseconds of a caller that repeats a small read. */
async function lightCaller(over: AbortSignal): Promise<number[]> {
  const waits: number[] = [];
  const headers = { authorization: `Bearer ${serving.tokens.light}` };
  while (!over.aborted) {
    const began = performance.now();
    const answer = await fetch(`${serving.baseUrl}/v1/auth/me`, { headers });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`the light caller got ${answer.status}`);
    waits.push(performance.now() - began);
    await sleep(5);
  }
  return waits;
}

/** Waits until no document is waiting to be parsed. */
async function waitUntilAllRead(): Promise<void> {
  const headers = { authorization: `Bearer ${serving.tokens.owner}` };
  for (const deadline = Date.now() + MAX_WAIT_MS; Date.now() < deadline; await sleep(200)) {
    const answer = await fetch(`${serving.baseUrl}${serving.workspacePath}/assets?limit=10`, { headers });
    const { data } = (await answer.json()) as { data: { status: string }[] };
    if (data.every(({ status }) => status !== "processing")) return;
  }
}

async function askProcess(process: ChildProcess): Promise<Measured> {
  const answer = once(process, "message");
  process.send("end");
  const [measured] = (await answer) as [Measured];
  return measured;
}

/** Peak resident memory since the last reset (proc(5), VmHWM). */
function peakOf(pid: number): number {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1024;
}
