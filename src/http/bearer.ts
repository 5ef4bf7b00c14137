import type { IncomingMessage } from "node:http";
import { AppError } from "../../core/errors.ts";

/** Secrets of ours that are not access tokens, and what to do with them instead. */
const OTHER_SECRETS = [
  [
    /^bva_(?:usr|org|wsp)_/,
    "This is an API key. Programs exchange it for an access token at POST /v1/auth/token; assistants sign in.",
  ],
  [/^bva_rt_/, "This is a refresh token. Exchange it for an access token at POST /v1/auth/refresh, and send that."],
] as const;

/** Longest token that is looked at. */
const MAX_LENGTH = 4096;

/**
 * The token of the Authorization header; undefined where there is no header. UNAUTHENTICATED for any other scheme, and for
 * several headers: two readers could take a different one of them. An API key or a refresh token is told what it is.
 */
export function bearerToken(request: IncomingMessage): string | undefined {
  if (request.headers.authorization === undefined) return undefined;
  const [header = "", ...more] = request.headersDistinct["authorization"] ?? [];
  const token = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
  if (token === undefined || more.length > 0 || token.length > MAX_LENGTH) {
    throw new AppError("UNAUTHENTICATED", "The Authorization header must be Bearer and an access token.");
  }
  const [, remedy] = OTHER_SECRETS.find(([form]) => form.test(token)) ?? [];
  if (remedy !== undefined) throw new AppError("UNAUTHENTICATED", remedy);
  return token;
}
