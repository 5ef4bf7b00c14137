import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { inTurns, isLongList, type LongList } from "./long-list.ts";

/** What the output schema does not declare never leaves; a result that does not fit it is a fault of ours. */
export async function filterOutput(endpoint: AnyEndpoint, result: unknown): Promise<unknown> {
  if (!isLongList(result)) return filtered(endpoint, result);
  const data: unknown[] = [];
  for await (const rows of inTurns(result.data)) {
    // A list's schema gives a list; what stands beside it is filtered again with each part, and is the same.
    data.push(...(filtered(endpoint, { ...result, data: rows }) as LongList).data);
  }
  return { ...(filtered(endpoint, { ...result, data: [] }) as LongList), data };
}

function filtered(endpoint: AnyEndpoint, result: unknown): unknown {
  const parsed = endpoint.output.safeParse(result);
  if (parsed.success) return parsed.data;
  throw new Error(`${endpoint.name} answered what its output schema does not allow`, { cause: parsed.error });
}
