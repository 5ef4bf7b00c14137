import type { IncomingMessage } from "node:http";
import { AppError } from "../../core/shared/errors.ts";

/** Secrets that are no access tokens, each with its remedy. */
const OTHER_SECRETS = [
  [
    /^bva_(?:usr|org|wsp)_/,
    "This is an API key. Exchange it for an access token at POST /v1/auth/token, and send that. Assistants sign in instead.",
  ],
  [/^bva_rt_/, "This is a refresh token. Exchange it for an access token at POST /v1/auth/refresh, and send that."],
] as const;

/** Longer tokens are rejected unread. */
const MAX_LENGTH = 4096;

/**
 * UNAUTHENTICATED for other schemes, and for repeated headers, of which two readers could choose
 * different ones. Names the remedy for API keys and refresh tokens.
 */
export function bearerToken(request: IncomingMessage): string | undefined {
  if (request.headers.authorization === undefined) return undefined;
  const [header = "", ...more] = request.headersDistinct["authorization"] ?? [];
  const token = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
  if (token === undefined || more.length > 0 || token.length > MAX_LENGTH) {
    throw new AppError("UNAUTHENTICATED", "Send the header Authorization: Bearer followed by an access token.");
  }
  const [, remedy] = OTHER_SECRETS.find(([form]) => form.test(token)) ?? [];
  if (remedy !== undefined) throw new AppError("UNAUTHENTICATED", remedy);
  return token;
}
