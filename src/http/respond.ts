import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { AppError } from "../../core/errors.ts";
import { errorBody } from "./error-body.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

/** Sends a value as JSON that no cache keeps. */
export function respondJson(response: ServerResponse, status: number, value: unknown, type = JSON_TYPE): void {
  respondText(response, status, JSON.stringify(value), type);
}

/** The same of what is JSON already. */
export function respondText(response: ServerResponse, status: number, text: string, type = JSON_TYPE): void {
  response.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
  });
  response.end(text);
}

/** Sends a refusal, and writes it to the log. A response that has begun is cut off: what it said until then is not whole. */
export function respondError(
  thrown: unknown,
  at: { request: IncomingMessage; response: ServerResponse; requestId: string; path: string; log: Logger },
): void {
  const { request, response, requestId, path, log } = at;
  const error = httpFault(thrown);
  const { status, ...body } = errorBody(error, requestId);
  if (status >= 500) log.error({ err: error, requestId, path }, "request failed");
  else log.debug({ err: error, requestId }, "request refused");
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (status === 401) response.setHeader("www-authenticate", wwwAuthenticate(request));
  if (status === 413) response.setHeader("connection", "close");
  if (error instanceof AppError && error.retryAfterSeconds !== undefined) {
    response.setHeader("retry-after", String(error.retryAfterSeconds));
  }
  respondJson(response, status, body);
}

/** RFC 6750 section 3: no error code where no credentials were sent. */
function wwwAuthenticate(request: IncomingMessage): string {
  return request.headers.authorization === undefined ? "Bearer" : 'Bearer error="invalid_token"';
}

/** A path that is not valid percent-encoding, as an AppError. */
function httpFault(error: unknown): unknown {
  if (error instanceof URIError)
    return new AppError("VALIDATION_FAILED", "The URL is not valid percent-encoding.", { cause: error });
  return error;
}
