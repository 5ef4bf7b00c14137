import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import { AppError } from "../../core/shared/errors.ts";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { endpoints } from "../../tools/index.ts";
import { createContext } from "../call/admit.ts";
import { filterOutput, isLongList, serialiseInChunks } from "../call/output.ts";
import type { Deps } from "../call/deps.ts";
import { handleRead } from "../call/run-read.ts";
import type { WorkerOutput, HeavyRead, SerialisedError, ReadInput } from "./read-messages.ts";

/** The receiving process handles one message in under a millisecond. */
const MAX_MESSAGE_BYTES = 256 * 1024;

type SendMessage = (message: WorkerOutput) => Promise<void>;
type ToolRendering = (
  endpoint: AnyEndpoint,
  output: unknown,
  selection: NonNullable<HeavyRead["selection"]>,
  notes: readonly string[],
) => unknown;

/** Each read has a separate snapshot. */
export function serveReads(deps: Deps, log: Logger, send: SendMessage): (message: ReadInput) => void {
  const pending = new Set<number>();
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  let rendering: Promise<ToolRendering> | undefined;

  async function readJson(read: HeavyRead) {
    const endpoint = byName.get(read.endpoint);
    if (!endpoint) throw new Error(`unknown endpoint ${read.endpoint}`);
    const { result, notes } = await deps.store.read((db) =>
      handleRead(endpoint, read.input, createContext(db, read.authorisedIds, read, deps, read.at), read.selection),
    );
    const output = await filterOutput(endpoint, result, read.selection && read.input);
    if (read.selection) {
      const render = await (rendering ??= openRendering(deps.baseUrl));
      return [JSON.stringify(render(endpoint, output, read.selection, notes))];
    }
    return isLongList(output) ? serialiseInChunks(output) : [JSON.stringify(output)];
  }

  async function answer(id: number, read: HeavyRead): Promise<void> {
    await send({ id, begun: true });
    // After a hang, cancellations arrive behind the waiting reads.
    await nextTurn();
    if (!pending.has(id)) return send({ id, end: "failed" });
    try {
      // The last part is sent with the end marker: most results are one message.
      let last: Uint8Array | undefined;
      for await (const part of splitIntoMessages(await readJson(read))) {
        if (!pending.has(id)) return await send({ id, end: "failed" });
        if (last) {
          await send({ id, part: last });
          await nextTurn();
        }
        last = part;
      }
      await send(last ? { id, part: last, end: "done" } : { id, end: "failed" });
    } catch (error) {
      if (error instanceof AppError) return await send({ id, end: serialiseError(error) });
      log.warn(
        { err: error, endpoint: read.endpoint },
        "a read failed in the worker process: the main process runs it",
      );
      await send({ id, end: "failed" });
    }
  }

  function begin(id: number, read: HeavyRead): void {
    pending.add(id);
    answer(id, read)
      // The main process has exited, and this one exits too.
      .catch(() => undefined)
      .finally(() => pending.delete(id));
  }

  return ({ id, read }) => {
    if (read === "cancelled") pending.delete(id);
    else begin(id, read);
  };
}

async function* splitIntoMessages(texts: AsyncIterable<string> | string[]): AsyncGenerator<Uint8Array> {
  for await (const text of texts) {
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += MAX_MESSAGE_BYTES)
      yield bytes.subarray(from, from + MAX_MESSAGE_BYTES);
  }
}

/** Most workers never render a tool result. */
async function openRendering(baseUrl: string): Promise<ToolRendering> {
  const [{ buildToolTable: toolTable }, { buildToolResult: toolResult }] = await Promise.all([
    import("../http/mcp/tools/tool-table.ts"),
    import("../http/mcp/tools/tool-result.ts"),
  ]);
  const tools = new Map(toolTable(endpoints, baseUrl).tools.map((tool) => [tool.endpoint, tool]));
  return (endpoint, output, selection, notes) => {
    const tool = tools.get(endpoint);
    if (!tool) throw new Error(`${endpoint.name} is not a tool`);
    // An endpoint with a tool always returns an object.
    return toolResult(tool, output as Record<string, unknown>, selection, notes);
  };
}

function serialiseError(error: AppError): SerialisedError {
  const { code, message, fields, subject, isFromOutsider, details, retryAfterSeconds } = error;
  return { code, message, fields, subject, isFromOutsider, details, retryAfterSeconds };
}
