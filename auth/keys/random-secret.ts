import { createHash, randomBytes } from "node:crypto";

/** 256 random bits for a link or a cookie. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** What the store keeps of such a secret. It is random enough that no salt is needed. */
export function hashOfSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}
