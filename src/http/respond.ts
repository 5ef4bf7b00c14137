import type { ServerResponse } from "node:http";
import type { Request, Response } from "express";
import type { Logger } from "pino";
import { AppError } from "../../core/shared/errors.ts";
import { errorBody, type ErrorBody } from "./error-body.ts";
import { buildErrorMessage, isScimPath } from "./scim/messages.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

/** Sends JSON that must not be stored (`cache-control: no-store`). */
export function respondJson(response: ServerResponse, status: number, value: unknown, type = JSON_TYPE): void {
  respondText(response, status, JSON.stringify(value), type);
}

export function respondText(response: ServerResponse, status: number, text: string, type = JSON_TYPE): void {
  response.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
  });
  response.end(text);
}

interface FailedRequest {
  request: Request;
  response: Response;
  log: Logger;
}

export function respondError(thrown: unknown, at: FailedRequest): void {
  const { request, response } = at;
  const isScim = isScimPath(request.path);
  const error = beginError(thrown instanceof URIError ? createInvalidUrlError(isScim, thrown) : thrown, at);
  if (!error) return;
  const { status, ...body } = error;
  // RFC 6750 section 3: no error code if the request had no credentials.
  const challenge = request.headers.authorization === undefined ? "Bearer" : 'Bearer error="invalid_token"';
  if (status === 401) response.setHeader("www-authenticate", challenge);
  if (isScim) respondJson(response, status, buildErrorMessage(error), "application/scim+json");
  else respondJson(response, status, body);
}

/** Undefined after the response has begun, which is then cut off as incomplete. */
export function beginError(
  error: unknown,
  { request, response, log }: FailedRequest,
): (ErrorBody & { status: number }) | undefined {
  const requestId = response.locals["requestId"] as string;
  const body = errorBody(error, requestId);
  if (body.status >= 500) log.error({ err: error, requestId, path: request.path }, "request failed");
  else log.debug({ err: error, requestId }, "request rejected");
  if (response.headersSent) {
    response.destroy();
    return undefined;
  }
  if (body.status === 413) response.setHeader("connection", "close");
  if (error instanceof AppError && error.retryAfterSeconds !== undefined) {
    response.setHeader("retry-after", String(error.retryAfterSeconds));
  }
  return body;
}

function createInvalidUrlError(isScim: boolean, cause: URIError): AppError {
  return new AppError(isScim ? "NOT_FOUND" : "VALIDATION_FAILED", "The URL is not valid percent-encoding.", { cause });
}

/** 405 with Allow for a known path, to distinguish a wrong method from a wrong URL. */
export function rejectMethod(methods: readonly string[], request: Request, response: Response): void {
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  response.setHeader("allow", allow);
  if (request.method !== "OPTIONS") throw new AppError("METHOD_NOT_ALLOWED", `This address answers ${allow}.`);
  response.writeHead(204).end();
}
