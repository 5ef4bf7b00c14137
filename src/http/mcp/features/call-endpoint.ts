import type { z } from "zod";
import type { Endpoint } from "../../../../tools/endpoint.ts";
import { invoke } from "../../../call/invoke.ts";
import type { Serving, McpContext } from "../mcp-context.ts";

/** Calls an endpoint as the person of the exchange, with role, scopes and audit row. */
export type CallEndpoint = <I extends z.ZodObject, O extends z.ZodType>(
  endpoint: Endpoint<I, O>,
  input: z.input<I>,
) => Promise<z.output<O>>;

export function endpointCaller(mcp: McpContext, { call }: Serving): CallEndpoint {
  return async <I extends z.ZodObject, O extends z.ZodType>(endpoint: Endpoint<I, O>, input: z.input<I>) =>
    // Safe: invoke() returns output parsed by the endpoint's schema.
    (await invoke(endpoint, input, call, mcp.deps)) as z.output<O>;
}
