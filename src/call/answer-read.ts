import { isDeepStrictEqual } from "node:util";
import type { Granted } from "../../auth/authorise.ts";
import type { Caller } from "../../auth/caller.ts";
import type { AnyEndpoint, Context } from "../../tools/endpoint.ts";
import type { Instant } from "../../core/time.ts";
import { JsonBytes } from "../reads/json-bytes.ts";
import type { HeavyRead, Selection } from "../reads/read-messages.ts";
import { contextOf } from "./context.ts";
import { filterOutput } from "./filter-output.ts";
import type { Call, Deps } from "./invoke.ts";
import type { MadeOf, ResultKey } from "./kept-results.ts";
import { isLongList } from "./long-list.ts";
import type { Input } from "./parse-input.ts";
import { traceRead } from "./trace-read.ts";

/** How a tool shows what an endpoint gives. */
export interface Shown {
  selection: Selection;
  render(output: unknown): object;
}

/** A read that was begun on the snapshot on which its caller was admitted. */
export interface BegunRead {
  granted: Granted;
  input: Input;
  /** Undefined for a read that is not kept. */
  key: ResultKey | undefined;
  kept?: JsonBytes | undefined;
  isHeavy: boolean;
  /** Before its filter. Undefined for what is kept or heavy. */
  result: unknown;
  madeOf?: MadeOf | undefined;
}

/** The result of a read: as JSON where it is kept or the worker made it, as the value that it is otherwise. */
export type ReadOutput = { json: JsonBytes; value?: unknown } | { json?: undefined; value: unknown };

/** Finds what was kept, or reads. What is heavy is left to `endRead`. */
export async function beginRead(
  endpoint: AnyEndpoint,
  { input, granted, shown }: { input: Input; granted: Granted; shown: Shown | undefined },
  { caller }: Pick<Call, "caller">,
  { context, deps }: { context: Context; deps: Deps },
): Promise<BegunRead> {
  const key = keyOf(endpoint, { input, granted, selection: shown?.selection }, caller);
  const kept = key && deps.keptResults.find(key, context.db.trace);
  if (kept) {
    if (deps.checksItself) await refuseOther(endpoint, { kept, input, shown }, context);
    return { granted, input, key, kept, isHeavy: false, result: undefined };
  }
  if ((await endpoint.isHeavy?.(input, context)) ?? false) {
    return { granted, input, key, isHeavy: true, result: undefined };
  }
  return { granted, input, key, isHeavy: false, ...(await traceRead(endpoint, input, context)) };
}

/** What a begun read comes to. Keeps it for those who ask next. */
export async function endRead(
  endpoint: AnyEndpoint,
  { key, kept, isHeavy, result, madeOf, ...read }: BegunRead,
  { at, shown }: { at: Instant; shown: Shown | undefined },
  call: Call,
  deps: Deps,
): Promise<ReadOutput> {
  if (kept) return { json: kept };
  if (!isHeavy) return keep({ value: await filterOutput(endpoint, result, deps) }, { key, madeOf, shown }, deps);
  const heavy = await readHeavy(endpoint, { ...read, at, shown }, call, deps);
  if (!(heavy instanceof JsonBytes)) return keep({ value: heavy.output }, { key, madeOf: heavy.madeOf, shown }, deps);
  if (key && heavy.madeOf) deps.keptResults.keep(key, heavy.madeOf, heavy);
  return { json: heavy };
}

/** What would hold up other calls: done by the worker process if there is one, on a snapshot of its own. */
async function readHeavy(
  endpoint: AnyEndpoint,
  { input, granted, at, shown }: Pick<HeavyRead, "input" | "granted" | "at"> & { shown: Shown | undefined },
  call: Call,
  deps: Deps,
): Promise<JsonBytes | { output: unknown; madeOf: MadeOf | undefined }> {
  const read = {
    endpoint: endpoint.name,
    input,
    granted,
    caller: call.caller,
    at,
    selection: shown?.selection,
  };
  return deps.heavyReads.run(read, call.gone?.(), async () => {
    const { result, madeOf } = await deps.store.read((db) =>
      traceRead(endpoint, input, contextOf(db, granted, call, deps, at)),
    );
    return { output: await filterOutput(endpoint, result, deps), madeOf };
  });
}

function keep(
  { value }: { value: unknown },
  { key, madeOf, shown }: { key: ResultKey | undefined; madeOf: MadeOf | undefined; shown: Shown | undefined },
  { keptResults }: Deps,
): ReadOutput {
  if (!key || !madeOf || isLongList(value)) return { value };
  const json = jsonOf(value, shown);
  keptResults.keep(key, madeOf, json);
  return shown ? { json } : { json, value };
}

function jsonOf(value: unknown, shown: Shown | undefined): JsonBytes {
  return new JsonBytes([Buffer.from(JSON.stringify(shown ? shown.render(value) : value))]);
}

/**
 * Undefined for what is not kept: what is waited for, and files. Callers who are admitted to the same have one `shared`; `own` holds all of
 * a caller that a result can depend on.
 */
function keyOf(
  endpoint: AnyEndpoint,
  { input, granted, selection }: { input: Input; granted: Granted; selection: Selection | undefined },
  caller: Caller | undefined,
): ResultKey | undefined {
  if (endpoint.isSettled || endpoint.sendsFile) return undefined;
  const { organizationId, workspaceId } = granted;
  const shared = JSON.stringify([endpoint.name, organizationId, workspaceId, input, selection]);
  return { shared, own: `${shared} ${JSON.stringify({ ...caller, scopes: [...(caller?.scopes ?? [])] })}` };
}

/** What is kept has to be what is read. Only where the service checks itself. */
async function refuseOther(
  endpoint: AnyEndpoint,
  { kept, input, shown }: { kept: JsonBytes; input: Input; shown: Shown | undefined },
  context: Context,
): Promise<void> {
  const { result } = await traceRead(endpoint, input, context);
  const anew = jsonOf(await filterOutput(endpoint, result, { checksItself: true }), shown);
  if (isDeepStrictEqual(anew.value(), kept.value())) return;
  throw new Error(`${endpoint.name} was kept although what it is made of has changed`);
}
