import type { ChildProcess } from "node:child_process";
import { AppError } from "../../core/shared/errors.ts";
import { JsonBytes } from "./json-bytes.ts";
import type { FromReader, HeavyRead, ToReader } from "./read-messages.ts";

export interface WorkerReads {
  /**
   * Undefined without a worker or if it exits or fails to read, so that the caller reads itself.
   * Rejects with errors of `handle`, and UNAVAILABLE if the worker hangs.
   */
  ask(read: HeavyRead, waiting: Waiting): Promise<JsonBytes | undefined>;
  /** Sends reads to this process once it is ready. */
  connect(worker: ChildProcess): void;
  /**
   * Rejects the reads of a hanging worker and holds others for its successor, so that they do not
   * block this process.
   */
  endHanging(): void;
}

export interface Waiting {
  /**
   * Aborted when the caller disconnects. The read occupies its slot until the worker has dropped
   * it.
   */
  gone: AbortSignal | undefined;
  /** Aborted at the deadline for the start of the read, which is then rejected. */
  late: AbortSignal;
  onBegun: () => void;
}

export function notRead(): AppError {
  return new AppError(
    "UNAVAILABLE",
    "The process that computes metrics is busy or restarting. Send the request again in a few seconds.",
    { retryAfterSeconds: 5 },
  );
}

interface UnderWay {
  parts: Uint8Array[];
  begun(): void;
  end(result: JsonBytes | AppError | undefined): void;
}

type End = Extract<FromReader, { end: unknown }>;

function resultOf(message: End, parts: readonly Uint8Array[]): JsonBytes | AppError | undefined {
  if ("part" in message) return new JsonBytes(parts);
  const { end } = message;
  return end === "failed" ? undefined : new AppError(end.code, end.message, end);
}

/** Resolves when a replacement worker is ready or at the read's deadline. */
async function replaced(waiting: Set<() => void>, late: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    waiting.add(resolve);
    late.addEventListener("abort", () => resolve(), { once: true });
  });
}

/**
 * Forwards parts only after the last one arrives, so that a read whose worker exits can be
 * repeated.
 */
export function openWorkerReads(): WorkerReads {
  const underWay = new Map<number, UnderWay>();
  /** Reads that wait for the successor of a hanging worker; undefined otherwise. */
  let replacing: Set<() => void> | undefined;
  let working: ChildProcess | undefined;
  let last = 0;

  function take(message: FromReader, from: ChildProcess): void {
    if (message === "alive" || message === "begins") return;
    if (message === "working") {
      working = from;
      for (const goOn of replacing ?? []) goOn();
      replacing = undefined;
      return;
    }
    const read = underWay.get(message.id);
    if ("begun" in message) read?.begun();
    if ("part" in message) read?.parts.push(message.part);
    if ("end" in message) read?.end(resultOf(message, read.parts));
  }

  function endAll(result: AppError | undefined): void {
    working = undefined;
    for (const read of underWay.values()) read.end(result);
  }

  return {
    connect(worker) {
      worker.on("message", (message: FromReader) => take(message, worker));
      worker.once("disconnect", () => endAll(undefined));
    },
    endHanging() {
      replacing ??= new Set();
      endAll(notRead());
    },
    async ask(read, { gone, late, onBegun }) {
      if (replacing) await replaced(replacing, late);
      if (late.aborted) throw notRead();
      const worker = working;
      if (!worker?.connected) return undefined;
      const id = ++last;
      const send = (message: ToReader) => worker.send(message, () => undefined);
      const cancel = () => void (worker.connected && send({ id, read: "cancelled" }));
      gone?.addEventListener("abort", cancel, { once: true });
      try {
        return await new Promise<JsonBytes | undefined>((resolve, reject) => {
          const end = (result: JsonBytes | AppError | undefined) =>
            result instanceof AppError ? reject(result) : resolve(result);
          const giveUp = () => {
            cancel();
            reject(notRead());
          };
          late.addEventListener("abort", giveUp, { once: true });
          const begun = () => {
            late.removeEventListener("abort", giveUp);
            onBegun();
          };
          underWay.set(id, { parts: [], begun, end });
          send({ id, read });
        });
      } finally {
        gone?.removeEventListener("abort", cancel);
        underWay.delete(id);
      }
    },
  };
}
