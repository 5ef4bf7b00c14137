import type { z } from "zod";
import type { Endpoint } from "../../../../tools/endpoint.ts";
import { invoke } from "../../../call/invoke.ts";
import type { Serving, McpContext } from "../mcp-context.ts";

/** Calls an endpoint for the person of this exchange: with their role, their scopes and an audit row, like every call. */
export type CallEndpoint = <I extends z.ZodObject, O extends z.ZodType>(
  endpoint: Endpoint<I, O>,
  input: z.input<I>,
) => Promise<z.output<O>>;

export function endpointCaller(mcp: McpContext, { call }: Serving): CallEndpoint {
  return async <I extends z.ZodObject, O extends z.ZodType>(endpoint: Endpoint<I, O>, input: z.input<I>) =>
    // invoke() gives what the endpoint's own output schema let through.
    (await invoke(endpoint, input, call, mcp.deps)) as z.output<O>;
}
