import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Shorter stops are not recorded. */
const MIN_STOP_MS = 20;
const TICK_MS = 5;

/** CPU milliseconds that one thread spent without yielding. */
export interface ThreadStop {
  process: string;
  ms: number;
}

/**
 * Records how long the main thread of each service process is blocked: the CPU time between two
 * event loop turns (Linux, proc(5) schedstat), which other load hardly affects. Start the service
 * with `nodeOptions` as NODE_OPTIONS.
 */
export function recordStops() {
  const folder = mkdtempSync(join(tmpdir(), "stops-"));
  const monitor = `
    import { appendFileSync, readFileSync } from "node:fs";
    import { isMainThread } from "node:worker_threads";
    const cpuMs = () => Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
    const role = process.argv.includes("--worker") ? "worker" : "server";
    const file = ${JSON.stringify(folder)} + "/" + role + "-" + process.pid;
    if (isMainThread) {
      let before = cpuMs();
      setInterval(() => {
        const now = cpuMs();
        if (now - before > ${MIN_STOP_MS}) appendFileSync(file, (now - before).toFixed(1) + "\\n");
        before = now;
      }, ${TICK_MS}).unref();
    }`;
  const read = new Map<string, number>();
  return {
    nodeOptions: `--import=data:text/javascript,${encodeURIComponent(monitor)}`,
    /** The stops since the last call. */
    take(): ThreadStop[] {
      return readdirSync(folder).flatMap((file) => {
        const lines = readFileSync(join(folder, file), "utf8").split("\n").slice(0, -1);
        const fresh = lines.slice(read.get(file) ?? 0);
        read.set(file, lines.length);
        return fresh.map((line) => ({ process: file.replace(/-\d+$/, ""), ms: Number(line) }));
      });
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type StopRecorder = ReturnType<typeof recordStops>;
