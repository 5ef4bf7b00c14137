import { Queued, type AnyEndpoint } from "../../tools/endpoint.ts";
import { inTurns, isLongList, type LongList } from "./long-list.ts";
import { declaredOf } from "./output-filter.ts";

/** Removes fields that the output schema does not declare. */
export async function filterOutput(endpoint: AnyEndpoint, result: unknown): Promise<unknown> {
  if (result instanceof Queued) {
    if (!endpoint.job) throw new Error(`${endpoint.name} queued a job, which it does not declare`);
    // The casts are safe: the schema of an object returns an object, that of a list a list.
    return new Queued(declaredOf(endpoint.job.queued, result.body) as Queued["body"]);
  }
  const { output } = endpoint;
  if (!isLongList(result)) return declaredOf(output, result);
  const data: unknown[] = [];
  for await (const rows of inTurns(result.data)) {
    // The fields beside `data` are the same in every part.
    data.push(...(declaredOf(output, { ...result, data: rows }) as LongList).data);
  }
  return { ...(declaredOf(output, { ...result, data: [] }) as LongList), data };
}
