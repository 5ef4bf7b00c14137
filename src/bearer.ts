import type { IncomingMessage } from "node:http";
import { AppError } from "./core/errors.ts";

/** Longest token that is looked at. */
const MAX_LENGTH = 4096;

/**
 * The token of the Authorization header; undefined where there is no header. UNAUTHENTICATED for any other scheme, and for
 * several headers: two readers could take a different one of them.
 */
export function bearerToken(request: IncomingMessage): string | undefined {
  if (request.headers.authorization === undefined) return undefined;
  const [header = "", ...more] = request.headersDistinct["authorization"] ?? [];
  const token = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
  if (token === undefined || more.length > 0 || token.length > MAX_LENGTH) {
    throw new AppError("UNAUTHENTICATED", "The Authorization header must be Bearer and an access token.");
  }
  return token;
}
