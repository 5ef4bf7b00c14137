import type { z } from "zod";
import { Queued, type AnyEndpoint } from "../../tools/endpoint.ts";
import { inTurns, isLongList, type LongList } from "./long-list.ts";

/** Removes fields that the output schema does not declare. A result that does not match the schema is a bug. */
export async function filterOutput(endpoint: AnyEndpoint, result: unknown): Promise<unknown> {
  if (result instanceof Queued) return new Queued(matching(endpoint, endpoint.job?.queued, result.body));
  if (!isLongList(result)) return filtered(endpoint, result);
  const data: unknown[] = [];
  for await (const rows of inTurns(result.data)) {
    // The cast is safe: the schema of a list returns a list. The fields beside `data` are the same in every part.
    data.push(...(filtered(endpoint, { ...result, data: rows }) as LongList).data);
  }
  return { ...(filtered(endpoint, { ...result, data: [] }) as LongList), data };
}

function filtered(endpoint: AnyEndpoint, result: unknown): unknown {
  return matching(endpoint, endpoint.output, result);
}

function matching<T extends z.ZodType>({ name }: AnyEndpoint, schema: T | undefined, result: unknown): z.output<T> {
  if (!schema) throw new Error(`${name} queued a job, which it does not declare`);
  const parsed = schema.safeParse(result);
  if (parsed.success) return parsed.data;
  throw new Error(`${name} answered what its output schema does not allow`, { cause: parsed.error });
}
