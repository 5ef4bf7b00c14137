import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { z } from "zod";
import { AppError } from "../../../../core/shared/errors.ts";
import { errorBody } from "../../error-body.ts";
import type { Serving, McpContext } from "../mcp-context.ts";

/** The protocol's error for parameters that the client can mend. */
export function wrong(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** An error of an endpoint in the protocol's words: what the person can mend is a wrong parameter, the rest is ours. */
export function refusal(error: unknown, { mcp, serving }: { mcp: McpContext; serving: Serving }): ProtocolError {
  if (error instanceof z.ZodError) {
    return wrong(`Correct these arguments: ${error.issues.map(({ path }) => path.join(".")).join(", ")}.`);
  }
  const { requestId } = serving.call;
  const { status, message } = errorBody(error, requestId);
  if (status < 500) return wrong(message);
  mcp.log.error({ err: error, requestId }, "prompt or resource failed");
  return new ProtocolError(ProtocolErrorCode.InternalError, `${message} Request ${requestId}.`);
}

/** The same of what is at an address: what the person may not see is as if it did not exist. */
export function resourceRefusal(uri: string, error: unknown, at: { mcp: McpContext; serving: Serving }): ProtocolError {
  if (error instanceof ProtocolError) return error;
  return error instanceof AppError && error.code === "NOT_FOUND" ? new ResourceNotFoundError(uri) : refusal(error, at);
}
