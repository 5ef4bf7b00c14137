import { fork, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { ToReader } from "../reads/read-messages.ts";
import type { FromReader } from "../reads/read-messages.ts";
import { openWorkerReads, type WorkerReads } from "../reads/worker-reads.ts";
import { STOP_MS } from "../process/stop-in-time.ts";
import type { LeaseRunner } from "./lease-runner.ts";
import { WATCH_LIMITS, watchWorker, type WatchLimits, type WorkerProblem } from "./worker-watch.ts";

/** What the answering process tells its worker, besides the reads that it hands over. */
export type ToWorker = "wake" | "stop" | ToReader;

/** The worker process, as the answering one sees it. */
export interface WorkerProcess extends LeaseRunner {
  /** Starts it. Until then nothing is handed over. */
  start(): void;
  reads: WorkerReads;
  /** Why jobs wait for the worker process. Undefined while it works, and while it starts. */
  problem(): WorkerProblem | undefined;
}

const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [1000, 30_000];
/** A worker that lived for so long did not end because of how it starts. */
const STEADY_MS = 60_000;
/** A worker that is told to stop and was silent for so long hangs, and would stay behind. */
const SILENT_STOP_MS = 5000;

/**
 * Does the part `worker` in a separate process, so that heavy work does not delay requests. The process is started again when
 * it ends, is ended when it hangs, and ends itself when this process is gone.
 */
export function openWorkerProcess(
  config: Config,
  log: Logger,
  { program = process.argv[1] ?? "", watch: limits = WATCH_LIMITS, ...told }: WorkerOptions,
): WorkerProcess {
  const reads = openWorkerReads();
  let worker: ChildProcess | undefined;
  let pauseMs = SHORTEST_PAUSE_MS;
  let restart: NodeJS.Timeout | undefined;
  let onEnd: (() => void) | undefined;
  let wakes = false;
  /** The process that ended without being told to, until its successor has taken its jobs back. */
  let failed: string | undefined;
  const watch = watchWorker(limits, endHanging);

  function start(): void {
    const startedAt = performance.now();
    const id = randomUUID();
    const started = forkWorker(program, config, { ...told, id, failed });
    let begun = false;
    worker = started;
    reads.connect(worker);
    worker.on("message", (message: FromReader) => {
      // What a process sent before its end can arrive after it.
      if (hasEnded(started)) return;
      if (message !== "begins") return watch.sign();
      watch.working();
      [failed, begun] = [undefined, true];
    });
    worker.on("error", (error) => log.error({ err: error }, "the worker process could not be reached"));
    worker.once("exit", (code, signal) => {
      watch.ended();
      if (onEnd) return onEnd();
      if (performance.now() - startedAt > STEADY_MS) pauseMs = SHORTEST_PAUSE_MS;
      if (begun) failed = id;
      log.error({ code, signal, pauseMs }, "the worker process ended: it is started again");
      restart = setTimeout(start, pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    });
  }

  /** Only SIGKILL ends a process whose event loop stands still. */
  function endHanging(): void {
    log.error(
      { pid: worker?.pid, silentMs: watch.silentMs() },
      "the worker process gives no sign of life: it is ended. A job that was in progress at two such ends fails, and the log names it",
    );
    reads.endHanging();
    worker?.kill("SIGKILL");
  }

  function tell(message: ToWorker): void {
    if (worker?.connected) worker.send(message);
  }

  return {
    reads,
    start,
    problem: () => watch.problem(),
    wake() {
      if (wakes) return;
      wakes = true;
      // Once for all writes of a turn.
      setImmediate(() => {
        wakes = false;
        tell("wake");
      });
    },
    async close() {
      clearTimeout(restart);
      if (worker && !hasEnded(worker)) {
        const ended = new Promise<void>((resolve) => (onEnd = resolve));
        tell("stop");
        const hanging = setTimeout(
          () => void (watch.silentMs() >= SILENT_STOP_MS && worker?.kill("SIGKILL")),
          STOP_MS.leave - limits.tickMs,
        );
        await ended;
        clearTimeout(hanging);
      }
      watch.close();
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

type WorkerOptions = Omit<WorkerTold, "settings" | "id" | "failed"> & {
  /** This program unless given. */
  program?: string;
  watch?: WatchLimits;
};

/** What the worker is told besides the settings of the process that starts it. */
export interface WorkerTold {
  /** The owner of its leases. */
  id: string;
  /** The worker before it, where that hung or crashed. */
  failed: string | undefined;
  settings: Record<string, string>;
  /** Which database is meant: what is at its path may be another one by then. */
  database: string;
}

/** This program again, as a worker. */
function forkWorker(
  program: string,
  { baseUrl, searchBaseUrl, mcpUrl }: Config,
  told: Omit<WorkerTold, "settings">,
): ChildProcess {
  const settings = { SERVE: "worker", BASE_URL: baseUrl, SEARCH_BASE_URL: searchBaseUrl, MCP_URL: mcpUrl };
  const all: WorkerTold = { settings, ...told };
  return fork(program, ["--worker", JSON.stringify(all)], { serialization: "advanced" });
}
