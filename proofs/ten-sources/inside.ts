import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { DeclaredProvider } from "../../src/outside/sources/provider.ts";
import { PROVIDERS } from "../../src/outside/sources/providers.ts";
import { marketplace } from "./marketplace.ts";

// Preloaded into the service's processes: registers the plug-in, and reports process measurements.

// Safe: this process's list, before anything reads it.
(PROVIDERS as DeclaredProvider[]).push(marketplace);

const RESOLUTION_MS = 10;
const MEGABYTE = 1024 * 1024;
const file = process.env["FIGURES_FILE"];
if (file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const role = process.argv.includes("--worker") ? "worker" : "answering";
  setInterval(() => {
    const [p99Ms, mostMs] = [delay.percentile(99), delay.max].map((ns) => Math.max(0, ns / 1e6 - RESOLUTION_MS));
    const { rss, heapUsed } = process.memoryUsage();
    const [rssMb, heapMb] = [rss / MEGABYTE, heapUsed / MEGABYTE];
    const cpuS = (process.cpuUsage().user + process.cpuUsage().system) / 1e6;
    appendFileSync(file, `${JSON.stringify({ pid: process.pid, role, p99Ms, mostMs, rssMb, heapMb, cpuS })}\n`);
  }, 1000).unref();
}
