import { AppError } from "./core/errors.ts";

/** Secrets of ours that are not access tokens, and what to do with them instead. */
const OTHER_SECRETS = [
  [
    /^bva_(?:usr|org|wsp)_/,
    "This is an API key. Programs exchange it for an access token at POST /v1/auth/token; assistants sign in.",
  ],
  [/^bva_rt_/, "This is a refresh token. Exchange it for an access token at POST /v1/auth/refresh, and send that."],
] as const;

/**
 * The token of an Authorization header; undefined where there is no header. UNAUTHENTICATED for any other scheme, and
 * for an API key or a refresh token in place of an access token.
 */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const token = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
  if (token === undefined || token.length > 4096) {
    throw new AppError("UNAUTHENTICATED", "The Authorization header must be Bearer and an access token.");
  }
  const [, remedy] = OTHER_SECRETS.find(([form]) => form.test(token)) ?? [];
  if (remedy !== undefined) throw new AppError("UNAUTHENTICATED", remedy);
  return token;
}
