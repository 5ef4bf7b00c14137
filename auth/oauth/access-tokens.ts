import { jwtVerify, type JWTHeaderParameters } from "jose";
import { LRUCache } from "lru-cache";
import { AppError } from "../../core/shared/errors.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { SigningKeys } from "../keys/signing-keys.ts";

/** How far the clocks of two machines may differ. Rows that a token rests on are kept this much longer. */
export const CLOCK_TOLERANCE_SECONDS = 15;
const CACHED_TOKENS = 10_000;
/** A token that was issued further ahead is of a clock that was ahead: it would be valid until long after its time. */
const ISSUED_AHEAD_SECONDS = 300;

/** The claims of a verified access token. Its grant must still be looked up: a signature cannot be revoked. */
export interface AccessClaims {
  userId: string;
  clientId: string;
  grantId: string;
  /** Space-separated, as in the token; empty if it has none. */
  scope: string;
}

/**
 * Verifies access tokens (RFC 9068) of one issuer for these audiences: only ES256 and `at+jwt`. A signature is checked
 * once: what it proved is kept for the exact same text. UNAUTHENTICATED with the given message for anything else, whatever
 * is wrong with it.
 */
export function accessTokenVerifier(options: {
  keys: SigningKeys;
  issuer: string;
  audiences: string[];
  /** The message: what to do, never why the token was rejected. */
  refusal: string;
}): (token: string, now: Instant) => Promise<AccessClaims> {
  const { keys, issuer, audiences, refusal } = options;
  /** By the whole token. */
  const verified = new LRUCache<string, { kid: string; issuedAt: number; expiresAt: number; claims: AccessClaims }>({
    max: CACHED_TOKENS,
  });

  return async function verify(token, now) {
    const known = verified.get(token);
    const seconds = Date.parse(now) / 1000;
    const stands = known && known.expiresAt > seconds && known.issuedAt < seconds + ISSUED_AHEAD_SECONDS;
    if (stands && (await keys.trustedKey(known.kid))) return known.claims;
    // One token has one text: what decodes to the same bytes in another way is not what we gave out.
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

  /** Verifies with our own keys; `jku`, `jwk` and `x5c` headers are ignored. */
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
