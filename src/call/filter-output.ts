import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { inTurns, isLongList, type LongList } from "./long-list.ts";

/** Removes fields that the output schema does not declare. A result that does not match the schema is a bug. */
export async function filterOutput(endpoint: AnyEndpoint, result: unknown): Promise<unknown> {
  if (!isLongList(result)) return filtered(endpoint, result);
  const data: unknown[] = [];
  for await (const rows of inTurns(result.data)) {
    // The cast is safe: the schema of a list returns a list. The fields beside `data` are the same in every part.
    data.push(...(filtered(endpoint, { ...result, data: rows }) as LongList).data);
  }
  return { ...(filtered(endpoint, { ...result, data: [] }) as LongList), data };
}

function filtered(endpoint: AnyEndpoint, result: unknown): unknown {
  const parsed = endpoint.output.safeParse(result);
  if (parsed.success) return parsed.data;
  throw new Error(`${endpoint.name} answered what its output schema does not allow`, { cause: parsed.error });
}
