import type { Granted } from "../../auth/authorise.ts";
import type { Instant } from "../../core/time.ts";
import type { AnyEndpoint, Context } from "../../tools/endpoint.ts";
import type { Selection } from "../reads/read-messages.ts";
import { contextOf } from "./context.ts";
import { filterOutput } from "./filter-output.ts";
import type { Call, Deps } from "./invoke.ts";
import type { Input } from "./parse-input.ts";

/** A read that was begun on the snapshot on which its caller was admitted. */
export interface BegunRead {
  granted: Granted;
  input: Input;
  isHeavy: boolean;
  /** Before its filter. Undefined for a heavy read, which `endRead` runs. */
  result: unknown;
}

export async function beginRead(
  endpoint: AnyEndpoint,
  { input, granted }: { input: Input; granted: Granted },
  context: Context,
): Promise<BegunRead> {
  const isHeavy = (await endpoint.isHeavy?.(input, context)) ?? false;
  return { granted, input, isHeavy, result: isHeavy ? undefined : await endpoint.handle(input, context) };
}

/** Heavy reads run in the worker process, where there is one, on a snapshot of their own. */
export async function endRead(
  endpoint: AnyEndpoint,
  { isHeavy, result, input, granted }: BegunRead,
  { at, selection }: { at: Instant; selection: Selection | undefined },
  call: Call,
  deps: Deps,
): Promise<unknown> {
  if (!isHeavy) return filterOutput(endpoint, result);
  const read = { endpoint: endpoint.name, input, granted, caller: call.caller, at, selection };
  return deps.heavyReads.run(read, call.gone?.(), async () => {
    const own: unknown = await deps.store.read((db) => endpoint.handle(input, contextOf(db, granted, call, deps, at)));
    return filterOutput(endpoint, own);
  });
}
