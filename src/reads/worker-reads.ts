import type { ChildProcess } from "node:child_process";
import { AppError } from "../../core/shared/errors.ts";
import { JsonBytes } from "./json-bytes.ts";
import type { FromReader, HeavyRead, ToReader } from "./read-messages.ts";

/** The reads that the worker process does for this one. */
export interface WorkerReads {
  /**
   * The JSON of a read. Undefined, so that the caller reads by itself, where there is no worker, where it ends, and where it
   * could not read. Rejects with the refusal of `handle`, and with UNAVAILABLE where the worker hangs.
   */
  ask(read: HeavyRead, waiting: Waiting): Promise<JsonBytes | undefined>;
  /** Sends reads to this process once it works. */
  connect(worker: ChildProcess): void;
  /** Rejects the reads of a worker that hangs, and has others wait for the next one: they must not stop this process, too. */
  endHanging(): void;
}

export interface Waiting {
  /** Aborted when the caller disconnects. The read holds its turn until the worker has dropped it. */
  gone: AbortSignal | undefined;
  /** Aborted when the read should have begun: it is rejected then. */
  late: AbortSignal;
  /** Called when the worker begins the read. */
  onBegun: () => void;
}

/** A read that did not begin in time, or whose worker hangs. */
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

/** Resolves when a worker works again, and when the read is late. */
async function replaced(waiting: Set<() => void>, late: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    waiting.add(resolve);
    late.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Nothing is passed on before its end has come, so that a read whose worker ends can be done again. */
export function openWorkerReads(): WorkerReads {
  const underWay = new Map<number, UnderWay>();
  /** Reads that wait for the successor of a worker that hung; undefined while there is nothing to wait for. */
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
