import { fork, type ChildProcess } from "node:child_process";
import { setPriority } from "node:os";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { ToReader } from "../reads/read-messages.ts";
import type { Sources } from "../outside/sources/provider.ts";
import { openWorkerReads, type WorkerReads } from "../reads/worker-reads.ts";
import type { CollectShare } from "./collect/worker.ts";
import type { LeaseRunner } from "./lease-runner.ts";

/** What the answering process tells its worker, besides the reads that it hands over. */
export type ToWorker = "wake" | "stop" | ToReader;

/** The worker process, as the answering one sees it. */
export interface WorkerProcess extends LeaseRunner {
  /** Starts it. Until then nothing is handed over. */
  start(): void;
  reads: WorkerReads;
}

const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [1000, 30_000];
/** A worker that lived for so long did not end because of how it starts. */
const STEADY_MS = 60_000;

/**
 * The worker. Where all sources are simulated, and so answer at once, a second one does small collects alone: the turns of an
 * event loop that reads imports would be most of what they wait for. Elsewhere they wait for their answers.
 */
export function openWorkers(
  config: Config,
  log: Logger,
  { sources, ...told }: { sources: Sources; database: string; program?: string },
): WorkerProcess {
  const isSimulated = Object.values(sources).every(
    (source) => source.name === null || Object.values(source.methods).every((method) => method === "simulated"),
  );
  if (!isSimulated) return openWorkerProcess(config, log, told);
  const [large, small] = [
    openWorkerProcess(config, log, { ...told, share: "large" }),
    openWorkerProcess(config, log, { ...told, share: "small" }),
  ];
  return {
    reads: large.reads,
    start() {
      large.start();
      small.start();
    },
    wake() {
      small.wake();
      large.wake();
    },
    async close() {
      await Promise.all([small.close(), large.close()]);
    },
  };
}

/**
 * Does the part `worker` in a process of its own, so that no heavy work holds up what answers. It is started again when it
 * ends, and ends itself when this process is gone.
 */
export function openWorkerProcess(
  config: Config,
  log: Logger,
  { program = process.argv[1] ?? "", ...told }: Omit<WorkerTold, "settings"> & { program?: string },
): WorkerProcess {
  const reads = openWorkerReads();
  let worker: ChildProcess | undefined;
  let pauseMs = SHORTEST_PAUSE_MS;
  let restart: NodeJS.Timeout | undefined;
  let onEnd: (() => void) | undefined;
  let wakes = false;

  function start(): void {
    const startedAt = performance.now();
    worker = forkWorker(program, config, told);
    reads.connect(worker);
    worker.on("error", (error) => log.error({ err: error }, "the worker process could not be reached"));
    worker.once("exit", (code, signal) => {
      if (onEnd) return onEnd();
      if (performance.now() - startedAt > STEADY_MS) pauseMs = SHORTEST_PAUSE_MS;
      log.error({ code, signal, pauseMs }, "the worker process ended: it is started again");
      restart = setTimeout(start, pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    });
  }

  function tell(message: ToWorker): void {
    if (worker?.connected) worker.send(message);
  }

  return {
    reads,
    start,
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
      if (!worker || worker.exitCode !== null || worker.signalCode !== null) return;
      const ended = new Promise<void>((resolve) => (onEnd = resolve));
      tell("stop");
      await ended;
    },
  };
}

/** What the worker is told besides the settings of the process that starts it. */
export interface WorkerTold {
  settings: Record<string, string>;
  /** Which database is meant: what is at its path may be another one by then. */
  database: string;
  /** Which collects it does; all unless told. */
  share?: CollectShare;
}

/** This program again, as a worker. */
function forkWorker(
  program: string,
  { baseUrl, searchBaseUrl, mcpUrl, WORKER_NICENESS }: Config,
  told: Omit<WorkerTold, "settings">,
): ChildProcess {
  const settings = { SERVE: "worker", BASE_URL: baseUrl, SEARCH_BASE_URL: searchBaseUrl, MCP_URL: mcpUrl };
  const all: WorkerTold = { settings, ...told };
  const worker = fork(program, ["--worker", JSON.stringify(all)], { serialization: "advanced" });
  try {
    // People wait for what is small, and it takes no time.
    if (worker.pid !== undefined && told.share !== "small") setPriority(worker.pid, WORKER_NICENESS);
  } catch {
    // It works at the same priority then.
  }
  return worker;
}
