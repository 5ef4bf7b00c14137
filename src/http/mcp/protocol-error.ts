import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { errorBody } from "../error-body.ts";
import { AppError, type ErrorCode } from "../../../core/errors.ts";
import { sendJson } from "./exchange.ts";
import type { ProtectedResource } from "./protected-resources.ts";

/** JSON-RPC's own codes where it has one; the range that is left to servers for the rest. */
const CODES: Partial<Record<ErrorCode, number>> = { VALIDATION_FAILED: -32_700, INTERNAL: -32_603, NOT_FOUND: -32_001 };
const WRONG_PARAMETER = -32_602;

/** Refuses a whole HTTP request: what came before, or in place of, a message that could be answered. */
export function protocolError(
  error: unknown,
  at: {
    request: IncomingMessage;
    response: ServerResponse;
    resource: ProtectedResource;
    requestId: string;
    log: Logger;
  },
): void {
  const { request, response, resource, requestId, log } = at;
  const { status, code, message, fields } = errorBody(error, requestId);
  if (status >= 500) log.error({ err: error, requestId }, "tool request failed");
  if (response.headersSent) {
    response.end();
    return;
  }
  if (status === 401) {
    const { noToken, badToken } = resource.challenge;
    response.setHeader("www-authenticate", request.headers.authorization === undefined ? noToken : badToken);
  }
  if (error instanceof AppError && error.retryAfterSeconds !== undefined) {
    response.setHeader("retry-after", String(error.retryAfterSeconds));
  }
  if (status === 413) response.setHeader("connection", "close");
  const body = {
    jsonrpc: "2.0",
    id: null,
    error: { code: fields ? WRONG_PARAMETER : (CODES[code] ?? -32_000), message },
  };
  sendJson(response, status, JSON.stringify(body));
}
