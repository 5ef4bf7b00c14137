import { AppError } from "./core/errors.ts";

/** The token of an Authorization header; undefined where there is no header. UNAUTHENTICATED for any other scheme. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const token = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
  if (token === undefined || token.length > 4096) {
    throw new AppError("UNAUTHENTICATED", "The Authorization header must be Bearer and an access token.");
  }
  return token;
}
