import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { z } from "zod";
import { AppError } from "../../../../core/shared/errors.ts";
import { errorBody } from "../../error-body.ts";
import type { Serving, McpContext } from "../mcp-context.ts";

export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** Converts an endpoint error: client errors become invalid parameters, others internal errors. */
export function toProtocolError(
  error: unknown,
  { mcp, serving }: { mcp: McpContext; serving: Serving },
): ProtocolError {
  if (error instanceof z.ZodError) {
    return invalidParams(`Correct these arguments: ${error.issues.map(({ path }) => path.join(".")).join(", ")}.`);
  }
  const { requestId } = serving.call;
  const { status, message } = errorBody(error, requestId);
  if (status < 500) return invalidParams(message);
  mcp.log.error({ err: error, requestId }, "prompt or resource failed");
  return new ProtocolError(ProtocolErrorCode.InternalError, `${message} Request ${requestId}.`);
}

/** Like `toProtocolError`, but for a resource: missing and inaccessible ones are not found. */
export function toResourceError(uri: string, error: unknown, at: { mcp: McpContext; serving: Serving }): ProtocolError {
  if (error instanceof ProtocolError) return error;
  return error instanceof AppError && error.code === "NOT_FOUND"
    ? new ResourceNotFoundError(uri)
    : toProtocolError(error, at);
}
