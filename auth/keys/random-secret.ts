import { createHash, randomBytes } from "node:crypto";

/** 256 random bits for a link or a cookie. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored form of such a secret. It is random enough to need no salt. */
export function hashOfSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}
