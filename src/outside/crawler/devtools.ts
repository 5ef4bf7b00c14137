import type { Readable, Writable } from "node:stream";
import { z } from "zod";
import { parseJson } from "../../../core/shared/json.ts";

const DevtoolsMessageSchema = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});

export interface Devtools {
  /** Rejects if the command fails or the browser exits. */
  send(method: string, params: Record<string, unknown>, sessionId?: string): Promise<unknown>;
  onEvent(listener: (method: string, params: Record<string, unknown>) => void): void;
}

/** Protocol of `--remote-debugging-pipe`: messages end with a zero byte. */
export function openDevtools(
  { commandStream, answerStream }: { commandStream: Writable; answerStream: Readable },
  maxBytes: number,
): Devtools {
  const pendingCommands = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  const listeners: ((method: string, params: Record<string, unknown>) => void)[] = [];
  let parts: Buffer[] = [];
  let size = 0;
  let lastId = 0;
  let ended: Error | undefined;

  const end = (error: Error) => {
    ended ??= error;
    for (const { reject } of pendingCommands.values()) reject(ended);
    pendingCommands.clear();
  };

  function handleMessage(text: string): void {
    const { id, method, params = {}, result, error } = DevtoolsMessageSchema.parse(parseJson(text));
    const asked = id === undefined ? undefined : pendingCommands.get(id);
    if (id !== undefined) pendingCommands.delete(id);
    if (error !== undefined) asked?.reject(new Error("the browser refused a command"));
    else asked?.resolve(result);
    if (method !== undefined) for (const listener of listeners) listener(method, params);
  }

  answerStream.on("data", (chunk: Buffer) => {
    let from = 0;
    for (let to = chunk.indexOf(0); to !== -1; from = to + 1, to = chunk.indexOf(0, from)) {
      const text = Buffer.concat([...parts, chunk.subarray(from, to)]).toString("utf8");
      parts = [];
      size = 0;
      try {
        handleMessage(text);
      } catch (error) {
        end(new Error("the browser said what cannot be read", { cause: error }));
      }
    }
    parts.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > maxBytes) {
      answerStream.destroy();
      end(new Error("the browser said too much"));
    }
  });
  const onEnd = () => end(new Error("the browser ended"));
  answerStream.on("close", onEnd).on("error", onEnd);
  commandStream.on("error", onEnd);

  return {
    send(method, params, sessionId) {
      return new Promise((resolve, reject) => {
        if (ended) return reject(ended);
        const id = ++lastId;
        pendingCommands.set(id, { resolve, reject });
        commandStream.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      });
    },
    onEvent: (listener) => void listeners.push(listener),
  };
}
