import type { z } from "zod";
import type { Endpoint } from "../../../../tools/endpoint.ts";
import { invoke } from "../../../call/invoke.ts";
import type { Serving, ToolHost } from "../mcp-context.ts";

/** Calls an endpoint for the person of this exchange: with their role, their scopes and an audit row, like every call. */
export type Asking = <I extends z.ZodObject, O extends z.ZodType>(
  endpoint: Endpoint<I, O>,
  input: z.input<I>,
) => Promise<z.output<O>>;

export function askingFor(host: ToolHost, { call }: Serving): Asking {
  return async <I extends z.ZodObject, O extends z.ZodType>(endpoint: Endpoint<I, O>, input: z.input<I>) =>
    // invoke() gives what the endpoint's own output schema let through.
    (await invoke(endpoint, input, call, host.deps)) as z.output<O>;
}
