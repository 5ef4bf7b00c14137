import type { ChildProcess } from "node:child_process";
import { AppError } from "../../core/shared/errors.ts";
import { JsonBytes } from "./json-bytes.ts";
import type { WorkerOutput, HeavyRead, ReadInput } from "./read-messages.ts";

export interface WorkerReads {
  /**
   * Undefined without a worker or if it fails, so that the caller reads itself.
   * Rejects with errors of `handle`, and UNAVAILABLE if the worker hangs.
   */
  requestRead(read: HeavyRead, waiting: ReadSignals): Promise<JsonBytes | undefined>;
  /** Reads go to this process once it is ready. */
  connect(worker: ChildProcess): void;
  /** Rejects the reads of a hanging worker; later reads wait for its successor. */
  endHanging(): void;
}

export interface ReadSignals {
  /** On abort, the read occupies its slot until the worker has dropped it. */
  disconnectSignal: AbortSignal | undefined;
  /** For the start of the read, which is then rejected. */
  deadline: AbortSignal;
  onStarted: () => void;
}

export function readUnavailable(): AppError {
  return new AppError(
    "UNAVAILABLE",
    "The process that computes metrics is busy or restarting. Send the request again in a few seconds.",
    { retryAfterSeconds: 5 },
  );
}

interface PendingRead {
  jsonParts: Uint8Array[];
  onStarted(): void;
  settleRead(result: JsonBytes | AppError | undefined): void;
}

type EndMessage = Extract<WorkerOutput, { end: unknown }>;

function toReadResult(message: EndMessage, parts: readonly Uint8Array[]): JsonBytes | AppError | undefined {
  if ("part" in message) return new JsonBytes(parts);
  const { end } = message;
  return end === "failed" ? undefined : new AppError(end.code, end.message, end);
}

/** Resolves also at the read's deadline. */
async function waitForReplacement(waiting: Set<() => void>, late: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    waiting.add(resolve);
    late.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Forwards only complete results, so that a read whose worker exits can be repeated. */
export function openWorkerReads(): WorkerReads {
  const pendingReads = new Map<number, PendingRead>();
  /** Undefined unless a hanging worker has no successor yet. */
  let waitingForSuccessor: Set<() => void> | undefined;
  let working: ChildProcess | undefined;
  let last = 0;

  function handleMessage(message: WorkerOutput, from: ChildProcess): void {
    if (message === "alive" || message === "begins") return;
    if (message === "working") {
      working = from;
      for (const proceed of waitingForSuccessor ?? []) proceed();
      waitingForSuccessor = undefined;
      return;
    }
    const read = pendingReads.get(message.id);
    if ("begun" in message) read?.onStarted();
    if ("part" in message) read?.jsonParts.push(message.part);
    if ("end" in message) read?.settleRead(toReadResult(message, read.jsonParts));
  }

  function endAll(result: AppError | undefined): void {
    working = undefined;
    for (const read of pendingReads.values()) read.settleRead(result);
  }

  return {
    connect(worker) {
      worker.on("message", (message: WorkerOutput) => handleMessage(message, worker));
      worker.once("disconnect", () => endAll(undefined));
    },
    endHanging() {
      waitingForSuccessor ??= new Set();
      endAll(readUnavailable());
    },
    async requestRead(read, { disconnectSignal, deadline, onStarted }) {
      if (waitingForSuccessor) await waitForReplacement(waitingForSuccessor, deadline);
      if (deadline.aborted) throw readUnavailable();
      const worker = working;
      if (!worker?.connected) return undefined;
      const id = ++last;
      const send = (message: ReadInput) => worker.send(message, () => undefined);
      const cancel = () => void (worker.connected && send({ id, read: "cancelled" }));
      disconnectSignal?.addEventListener("abort", cancel, { once: true });
      try {
        return await new Promise<JsonBytes | undefined>((resolve, reject) => {
          const settleRead = (result: JsonBytes | AppError | undefined) =>
            result instanceof AppError ? reject(result) : resolve(result);
          const giveUp = () => {
            cancel();
            reject(readUnavailable());
          };
          deadline.addEventListener("abort", giveUp, { once: true });
          const begin = () => {
            deadline.removeEventListener("abort", giveUp);
            onStarted();
          };
          pendingReads.set(id, { jsonParts: [], onStarted: begin, settleRead });
          send({ id, read });
        });
      } finally {
        disconnectSignal?.removeEventListener("abort", cancel);
        pendingReads.delete(id);
      }
    },
  };
}
