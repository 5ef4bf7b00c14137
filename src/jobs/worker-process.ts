import { fork, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { ReadInput, WorkerOutput } from "../reads/read-messages.ts";
import { openWorkerReads, type WorkerReads } from "../reads/worker-reads.ts";
import { STOP_DEADLINES_MS } from "../process/stop-in-time.ts";
import type { LeaseRunner } from "./lease-runner.ts";
import { WATCH_LIMITS, watchWorker, type WatchLimits, type WorkerProblem } from "./worker-watch.ts";

export type WorkerInput = "wake" | "stop" | ReadInput;

export interface WorkerProcess extends LeaseRunner {
  /** No job or read is handed over before the start. */
  start(): void;
  workerReads: WorkerReads;
  /** Undefined while the worker runs or starts. */
  findProblem(): WorkerProblem | undefined;
}

const [MIN_RESTART_PAUSE_MS, MAX_RESTART_PAUSE_MS] = [1000, 30_000];
/** A later failure of the worker is not blamed on its start. */
const STABLE_AFTER_MS = 60_000;
/** A worker that is silent for this long hangs, and would outlive this process. */
const MAX_SILENT_STOP_MS = 5000;

/**
 * Runs jobs and heavy reads in a child process, so that they do not delay requests.
 * Restarts it after an exit, kills it when it hangs; it exits when this process exits.
 */
export function openWorkerProcess(
  config: Config,
  log: Logger,
  { program = process.argv[1] ?? "", watch: limits = WATCH_LIMITS, ...told }: WorkerOptions,
): WorkerProcess {
  const workerReads = openWorkerReads();
  let worker: ChildProcess | undefined;
  let pauseMs = MIN_RESTART_PAUSE_MS;
  let restart: NodeJS.Timeout | undefined;
  let onEnd: (() => void) | undefined;
  let isWakePending = false;
  /** Id of the crashed process, until its successor has taken its jobs back. */
  let failedWorker: string | undefined;
  const watch = watchWorker(limits, killHanging);

  function start(): void {
    const startedAt = performance.now();
    const id = randomUUID();
    const started = forkWorker(program, config, { ...told, id, failedWorker });
    let hasWorked = false;
    worker = started;
    workerReads.connect(worker);
    worker.on("message", (message: WorkerOutput) => {
      // Messages of an exited process can arrive late.
      if (hasEnded(started)) return;
      if (message !== "begins") return watch.onHeartbeat();
      watch.onReady();
      [failedWorker, hasWorked] = [undefined, true];
    });
    worker.on("error", (error) => log.error({ err: error }, "could not reach the worker process"));
    worker.once("exit", (code, signal) => {
      watch.onExit();
      if (onEnd) return onEnd();
      if (performance.now() - startedAt > STABLE_AFTER_MS) pauseMs = MIN_RESTART_PAUSE_MS;
      if (hasWorked) failedWorker = id;
      log.error({ code, signal, pauseMs }, "the worker process ended: restarting it");
      restart = setTimeout(start, pauseMs);
      pauseMs = Math.min(2 * pauseMs, MAX_RESTART_PAUSE_MS);
    });
  }

  /** Only SIGKILL ends a process with a blocked event loop. */
  function killHanging(): void {
    log.error(
      { pid: worker?.pid, silentMs: watch.silentMs() },
      "the worker process sends no heartbeat: killing it. A job that was in progress at two kills fails, and the log names it",
    );
    workerReads.endHanging();
    worker?.kill("SIGKILL");
  }

  function sendToWorker(message: WorkerInput): void {
    if (worker?.connected) worker.send(message);
  }

  return {
    workerReads,
    start,
    findProblem: () => watch.findProblem(),
    wake() {
      if (isWakePending) return;
      isWakePending = true;
      // Coalesces all writes of one event loop iteration.
      setImmediate(() => {
        isWakePending = false;
        sendToWorker("wake");
      });
    },
    async close() {
      clearTimeout(restart);
      if (worker && !hasEnded(worker)) {
        const workerExit = new Promise<void>((resolve) => (onEnd = resolve));
        sendToWorker("stop");
        const hanging = setTimeout(
          () => void (watch.silentMs() >= MAX_SILENT_STOP_MS && worker?.kill("SIGKILL")),
          STOP_DEADLINES_MS.leave - limits.tickMs,
        );
        await workerExit;
        clearTimeout(hanging);
      }
      watch.close();
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

type WorkerOptions = Omit<WorkerStart, "settings" | "id" | "failedWorker"> & {
  program?: string;
  watch?: WatchLimits;
};

export interface WorkerStart {
  id: string;
  failedWorker: string | undefined;
  settings: Record<string, string>;
  /** Identity of the database, because another file may replace it at the path. */
  database: string;
}

function forkWorker(program: string, { baseUrl, searchBaseUrl, mcpUrl }: Config, told: Omit<WorkerStart, "settings">) {
  const settings = { SERVE: "worker", BASE_URL: baseUrl, SEARCH_BASE_URL: searchBaseUrl, MCP_URL: mcpUrl };
  const all: WorkerStart = { settings, ...told };
  return fork(program, ["--worker", JSON.stringify(all)], { serialization: "advanced" });
}
