import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { parseJson } from "../../core/json.ts";
import { Queued, type AnyEndpoint } from "../../tools/endpoint.ts";
import type { Deps } from "./invoke.ts";
import { inTurns, isLongList, type LongList } from "./long-list.ts";
import { declaredOf } from "./output-filter.ts";

/**
 * Removes fields that the output schema does not declare. A result that does not match the schema is a bug: one that checks itself
 * throws there.
 */
export async function filterOutput(
  endpoint: AnyEndpoint,
  result: unknown,
  { checksItself }: Pick<Deps, "checksItself">,
): Promise<unknown> {
  const filtered = (schema: z.ZodType, value: unknown) =>
    checksItself ? checked(endpoint, schema, value) : declaredOf(schema, value);
  if (result instanceof Queued) {
    if (!endpoint.job) throw new Error(`${endpoint.name} queued a job, which it does not declare`);
    // The casts are safe: the schema of an object returns an object, that of a list a list.
    return new Queued(filtered(endpoint.job.queued, result.body) as Queued["body"]);
  }
  const output: z.ZodType = endpoint.output;
  if (!isLongList(result)) return filtered(output, result);
  const data: unknown[] = [];
  for await (const rows of inTurns(result.data)) {
    // The fields beside `data` are the same in every part.
    data.push(...(filtered(output, { ...result, data: rows }) as LongList).data);
  }
  return { ...(filtered(output, { ...result, data: [] }) as LongList), data };
}

/** What the schema makes of it, which has to be what the compiled filter makes of it. */
function checked({ name }: AnyEndpoint, schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new Error(`${name} answered what its output schema does not allow`, { cause: parsed.error });
  if (!isDeepStrictEqual(jsonOf(declaredOf(schema, value)), jsonOf(parsed.data)))
    throw new Error(`The filter of ${name} gives something else than its output schema`);
  return parsed.data;
}

function jsonOf(value: unknown): unknown {
  return parseJson(JSON.stringify(value) ?? "null");
}
