import { Worker } from "node:worker_threads";
import type { ExportFilters, ExportKind, ExportFormat } from "../../../core/exports/exports.ts";
import { SOURCE_NAMES, type Source } from "../../../core/sources/sources.ts";
import { resolveWorkerProgram } from "../../../core/shared/program-url.ts";

export interface ExportTask {
  databaseFile: string;
  organizationId: string;
  workspaceId: string;
  what: ExportKind;
  format: ExportFormat;
  filters: ExportFilters;
}

export type ExportThreadInput = { exportTask: ExportTask; sourceNames: Readonly<Record<Source, string>> } | "next";
export type ExportThreadOutput = "begun" | { bytes: Uint8Array } | { rowCount: number } | { error: unknown };

export interface ExportWatch {
  onSnapshot(): void;
  onComplete(rows: number): void;
}

export interface Exporter {
  /** Yields with backpressure. Throws the thread's error. */
  streamFile(order: ExportTask, signal: AbortSignal, watch: ExportWatch): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

/** A few parts of a file. Exceeding it ends the thread, not the process. */
const HEAP_MEGABYTES = 256;
/** Starting a thread takes longer than a small export. */
const MAX_IDLE_MS = 30_000;

export function openExporter(): Exporter {
  const idle = new Map<Worker, NodeJS.Timeout>();

  function takeThread(): Worker {
    for (const [thread, ending] of idle) {
      clearTimeout(ending);
      idle.delete(thread);
      return thread;
    }
    const thread = startThread();
    thread.once("exit", () => void idle.delete(thread));
    return thread;
  }

  function giveBack(thread: Worker): void {
    idle.set(thread, setTimeout(() => void thread.terminate(), MAX_IDLE_MS).unref());
  }

  return {
    async *streamFile(exportTask, signal, watch) {
      signal.throwIfAborted();
      const thread = takeThread();
      let isReusable = false;
      try {
        sendTo(thread, { exportTask, sourceNames: SOURCE_NAMES });
        for (;;) {
          const message = await waitForMessage(thread, signal);
          if (message === "begun") watch.onSnapshot();
          else if ("bytes" in message) yield message.bytes;
          else if ("error" in message) throw message.error;
          else {
            watch.onComplete(message.rowCount);
            isReusable = true;
            return;
          }
          sendTo(thread, "next");
        }
      } finally {
        if (isReusable) giveBack(thread);
        else await thread.terminate();
      }
    },
    async close() {
      await Promise.all([...idle.keys()].map((thread) => thread.terminate()));
    },
  };
}

function sendTo(thread: Worker, message: ExportThreadInput): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  thread.postMessage(message);
}

function waitForMessage(thread: Worker, signal: AbortSignal): Promise<ExportThreadOutput> {
  return new Promise((resolve, reject) => {
    const settle = (then: () => void) => {
      signal.removeEventListener("abort", onAbort);
      thread.off("message", onMessage).off("error", onError).off("exit", onExit);
      then();
    };
    const onAbort = () => settle(() => reject(signal.reason as Error));
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = () => settle(() => reject(new Error("the thread of an export ended before its file")));
    const onMessage = (message: ExportThreadOutput) => settle(() => resolve(message));
    signal.addEventListener("abort", onAbort);
    thread.on("message", onMessage).on("error", onError).on("exit", onExit);
  });
}

/** An error of an idle thread is ignored. */
function startThread(): Worker {
  const { program, eval: isCode } = resolveWorkerProgram("src/jobs/exports/export-worker");
  const limits = { maxOldGenerationSizeMb: HEAP_MEGABYTES, maxYoungGenerationSizeMb: HEAP_MEGABYTES / 8 };
  const thread = new Worker(program, { eval: isCode, execArgv: [], env: {}, resourceLimits: limits });
  thread.on("error", () => undefined).unref();
  return thread;
}
