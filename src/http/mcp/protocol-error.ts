import type { Request, Response } from "express";
import type { Logger } from "pino";
import type { ErrorCode } from "../../../core/shared/errors.ts";
import { beginError } from "../respond.ts";
import { sendJson } from "./exchange.ts";
import type { ProtectedResource } from "./protected-resources.ts";

/** JSON-RPC codes where defined, else codes from the server range. */
const RPC_CODE_BY_ERROR_CODE: Partial<Record<ErrorCode, number>> = {
  VALIDATION_FAILED: -32_700,
  INTERNAL: -32_603,
  NOT_FOUND: -32_001,
};
const WRONG_PARAMETER = -32_602;

/** Responds to a rejected HTTP request that has no answerable message. */
export function sendProtocolError(
  thrown: unknown,
  at: { request: Request; response: Response; resource: ProtectedResource; log: Logger },
): void {
  const { request, response, resource } = at;
  const error = beginError(thrown, at);
  if (!error) return;
  const { status, code, message, fields } = error;
  if (status === 401) {
    const { noToken, badToken } = resource.challenge;
    response.setHeader("www-authenticate", request.headers.authorization === undefined ? noToken : badToken);
  }
  const body = {
    jsonrpc: "2.0",
    id: null,
    error: { code: fields ? WRONG_PARAMETER : (RPC_CODE_BY_ERROR_CODE[code] ?? -32_000), message },
  };
  sendJson(response, status, JSON.stringify(body));
}
