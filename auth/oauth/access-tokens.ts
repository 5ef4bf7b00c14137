import { jwtVerify, type JWTHeaderParameters } from "jose";
import { LRUCache } from "lru-cache";
import { AppError } from "../../core/shared/errors.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { SigningKeys } from "../keys/signing-keys.ts";

/** Max clock difference between two machines. Records behind a token outlive it by this much. */
export const CLOCK_TOLERANCE_SECONDS = 15;
const CACHED_TOKENS = 10_000;
/** A token issued further ahead comes from a fast clock and would stay valid too long. */
const ISSUED_AHEAD_SECONDS = 300;

/**
 * Claims of a verified access token. The grant must still be looked up: a signature cannot be
 * revoked.
 */
export interface AccessClaims {
  userId: string;
  clientId: string;
  grantId: string;
  /** Space-separated; empty without scopes. */
  scope: string;
}

/**
 * Verifies RFC 9068 access tokens of one issuer: ES256 and `at+jwt` only. Caches proven signatures
 * by exact token text. UNAUTHENTICATED hides the reason for rejection.
 */
export function accessTokenVerifier(options: {
  keys: SigningKeys;
  issuer: string;
  audiences: string[];
  /** Message with the remedy; never the reason for rejection. */
  refusal: string;
}): (token: string, now: Instant) => Promise<AccessClaims> {
  const { keys, issuer, audiences, refusal } = options;
  const verified = new LRUCache<string, { kid: string; issuedAt: number; expiresAt: number; claims: AccessClaims }>({
    max: CACHED_TOKENS,
  });

  return async function verify(token, now) {
    const known = verified.get(token);
    const seconds = Date.parse(now) / 1000;
    const stands = known && known.expiresAt > seconds && known.issuedAt < seconds + ISSUED_AHEAD_SECONDS;
    if (stands && (await keys.trustedKey(known.kid))) return known.claims;
    // Rejects non-canonical base64url, which would give one token several texts.
    if (!token.split(".").every(isCanonical)) throw refused();
    const { payload, protectedHeader } = await jwtVerify(token, trustedKey, {
      issuer,
      audience: audiences,
      algorithms: ["ES256"],
      typ: "at+jwt",
      requiredClaims: ["sub", "exp", "iat", "jti", "client_id", "gid"],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(now),
    }).catch((error: unknown) => {
      throw new AppError("UNAUTHENTICATED", refusal, { cause: error });
    });
    const { sub, exp, iat, jti, gid, client_id: clientId, scope } = payload;
    const { kid } = protectedHeader;
    if (typeof sub !== "string" || typeof jti !== "string" || jti === "" || exp === undefined || kid === undefined)
      throw refused();
    if (typeof gid !== "string" || typeof clientId !== "string") throw refused();
    if (iat === undefined || iat > seconds + ISSUED_AHEAD_SECONDS) throw refused();
    const claims = { userId: sub, clientId, grantId: gid, scope: typeof scope === "string" ? scope : "" };
    verified.set(token, { kid, issuedAt: iat, expiresAt: exp, claims });
    return claims;
  };

  /** Ignores the headers `jku`, `jwk` and `x5c`, so a caller cannot supply the verification key. */
  async function trustedKey({ kid }: JWTHeaderParameters) {
    const key = typeof kid === "string" ? await keys.trustedKey(kid) : undefined;
    if (!key) throw refused();
    return key;
  }

  function refused(): AppError {
    return new AppError("UNAUTHENTICATED", refusal);
  }
}

function isCanonical(part: string): boolean {
  return Buffer.from(part, "base64url").toString("base64url") === part;
}
