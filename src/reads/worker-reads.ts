import type { ChildProcess } from "node:child_process";
import { AppError } from "../../core/errors.ts";
import { JsonBytes } from "./json-bytes.ts";
import type { FromReader, HeavyRead, ToReader } from "./read-messages.ts";

/** The reads that the worker process does for this one. */
export interface WorkerReads {
  /**
   * The JSON that a read gives. Undefined where no worker is there to do it, where it ends before it has, and where it could
   * not: then it is done here. Throws what `handle` refuses.
   */
  ask(read: HeavyRead, gone: AbortSignal | undefined): Promise<JsonBytes | undefined>;
  /** Asks this process from now on, once it says that it works. */
  connect(worker: ChildProcess): void;
}

interface UnderWay {
  parts: Uint8Array[];
  end(result: JsonBytes | AppError | undefined): void;
}

type End = Extract<FromReader, { end: unknown }>;

function resultOf(message: End, parts: readonly Uint8Array[]): JsonBytes | AppError | undefined {
  if ("part" in message) return new JsonBytes(parts, message.madeOf);
  const { end } = message;
  return end === "failed" ? undefined : new AppError(end.code, end.message, end);
}

/** Nothing is passed on before its end has come, so that a read whose worker ends can be done again. */
export function openWorkerReads(): WorkerReads {
  const underWay = new Map<number, UnderWay>();
  let working: ChildProcess | undefined;
  let last = 0;

  function take(message: FromReader, from: ChildProcess): void {
    if (message === "working") working = from;
    else {
      const read = underWay.get(message.id);
      if ("part" in message) read?.parts.push(message.part);
      if ("end" in message) read?.end(resultOf(message, read.parts));
    }
  }

  function endAll(): void {
    working = undefined;
    for (const read of underWay.values()) read.end(undefined);
  }

  return {
    connect(worker) {
      worker.on("message", (message: FromReader) => take(message, worker));
      worker.once("disconnect", endAll);
    },
    async ask(read, gone) {
      const worker = working;
      if (!worker?.connected) return undefined;
      const id = ++last;
      const send = (message: ToReader) => worker.send(message, () => undefined);
      // It has its turn until the worker says that it has ended.
      const cancel = () => void (worker.connected && send({ id, read: "cancelled" }));
      gone?.addEventListener("abort", cancel, { once: true });
      try {
        return await new Promise<JsonBytes | undefined>((resolve, reject) => {
          const end = (result: JsonBytes | AppError | undefined) =>
            result instanceof AppError ? reject(result) : resolve(result);
          underWay.set(id, { parts: [], end });
          send({ id, read });
        });
      } finally {
        gone?.removeEventListener("abort", cancel);
        underWay.delete(id);
      }
    },
  };
}
