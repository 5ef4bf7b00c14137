import type { IncomingMessage } from "node:http";
import { jwtVerify, type JWTHeaderParameters } from "jose";
import { LRUCache } from "lru-cache";
import { SCOPES, type Scope } from "../../core/identity/roles.ts";
import { AppError } from "../../core/shared/errors.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { Store } from "../../db/engine/store.ts";
import { findActiveGrant } from "../../db/identity/oauth-records.ts";
import type { VerifiedToken } from "../caller.ts";
import type { SigningKeys } from "../keys/signing-keys.ts";
import type { LastUses } from "./last-uses.ts";
import { findToolResource } from "./tool-resources.ts";

/** Max clock difference between two machines. Records behind a token outlive it by this much. */
export const CLOCK_TOLERANCE_SECONDS = 15;
const MAX_CACHED_TOKENS = 10_000;
/** A token issued further ahead comes from a fast clock and would stay valid too long. */
const MAX_ISSUED_AHEAD_SECONDS = 300;

/** The grant must still be looked up: a signature cannot be revoked. */
export interface AccessClaims {
  userId: string;
  clientId: string;
  grantId: string;
  /** Scopes, separated by spaces; empty without any. */
  scope: string;
}

/**
 * RFC 9068 tokens of one issuer: ES256 and `at+jwt` only. Caches verified signatures by token text.
 */
export function createAccessTokenVerifier(options: {
  signingKeys: SigningKeys;
  issuer: string;
  isAudience: (audience: string) => boolean;
  /** Message with the remedy; never the reason for rejection. */
  errorMessage: string;
}): (token: string, now: Instant) => Promise<AccessClaims> {
  const { signingKeys, issuer, isAudience, errorMessage } = options;
  const verified = new LRUCache<string, { kid: string; issuedAt: number; expiresAt: number; claims: AccessClaims }>({
    max: MAX_CACHED_TOKENS,
  });

  return async function verify(token, now) {
    const known = verified.get(token);
    const seconds = Date.parse(now) / 1000;
    const stands = known && known.expiresAt > seconds && known.issuedAt < seconds + MAX_ISSUED_AHEAD_SECONDS;
    if (stands && (await signingKeys.trustedKey(known.kid))) return known.claims;
    // Rejects non-canonical base64url, which would give one token several texts.
    if (!token.split(".").every(isCanonical)) throw refused();
    const { payload, protectedHeader } = await jwtVerify(token, requireTrustedKey, {
      issuer,
      algorithms: ["ES256"],
      typ: "at+jwt",
      requiredClaims: ["sub", "exp", "iat", "jti", "client_id", "gid"],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(now),
    }).catch((error: unknown) => {
      throw new AppError("UNAUTHENTICATED", errorMessage, { cause: error });
    });
    const { sub, exp, iat, jti, gid, client_id: clientId, scope } = payload;
    if (![payload.aud].flat().some((audience) => typeof audience === "string" && isAudience(audience))) throw refused();
    const { kid } = protectedHeader;
    if (typeof sub !== "string" || typeof jti !== "string" || jti === "" || exp === undefined || kid === undefined)
      throw refused();
    if (typeof gid !== "string" || typeof clientId !== "string") throw refused();
    if (iat === undefined || iat > seconds + MAX_ISSUED_AHEAD_SECONDS) throw refused();
    const claims = { userId: sub, clientId, grantId: gid, scope: typeof scope === "string" ? scope : "" };
    verified.set(token, { kid, issuedAt: iat, expiresAt: exp, claims });
    return claims;
  };

  /** Ignores the headers `jku`, `jwk` and `x5c`, so a caller cannot supply the verification key. */
  async function requireTrustedKey({ kid }: JWTHeaderParameters) {
    const key = typeof kid === "string" ? await signingKeys.trustedKey(kid) : undefined;
    if (!key) throw refused();
    return key;
  }

  function refused(): AppError {
    return new AppError("UNAUTHENTICATED", errorMessage);
  }
}

function isCanonical(part: string): boolean {
  return Buffer.from(part, "base64url").toString("base64url") === part;
}

const OTHER_SECRETS = [
  [
    /^bva_(?:usr|org|wsp)_/,
    "This is an API key. Exchange it for an access token at POST /v1/auth/token, and send that. Assistants sign in instead.",
  ],
  [/^bva_rt_/, "This is a refresh token. Exchange it for an access token at POST /v1/auth/refresh, and send that."],
] as const;

const MAX_LENGTH = 4096;

/**
 * UNAUTHENTICATED for other schemes and repeated headers, of which readers could choose different
 * ones.
 */
export function readBearerToken(request: IncomingMessage): string | undefined {
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

export interface ToolTokens {
  /** UNAUTHENTICATED for an invalid token. Revocation takes effect on the next call. */
  verify(token: string, now: Instant): Promise<VerifiedToken>;
  /** Returns a later check of the grant: a stream outlives its token and closes with the grant. */
  createGrantCheck(token: string, now: Instant): Promise<(store: Store, later: Instant) => Promise<boolean>>;
}

const INVALID_TOKEN = "The access token is expired, revoked, or not for this server. Sign in again.";

export function openToolTokens(options: {
  signingKeys: SigningKeys;
  issuer: string;
  mcpUrl: string;
  lastUses: LastUses;
}): ToolTokens {
  const isAudience = (audience: string) => findToolResource(options.mcpUrl, audience) !== undefined;
  const verifyClaims = createAccessTokenVerifier({ ...options, isAudience, errorMessage: INVALID_TOKEN });
  return {
    async verify(token, now) {
      const claims = await verifyClaims(token, now);
      const { userId, clientId, scope } = claims;
      return {
        userId,
        async loadCaller(db) {
          const grant = await findActiveGrant(db, claims, now);
          if (!grant) throw new AppError("UNAUTHENTICATED", INVALID_TOKEN);
          options.lastUses.add(claims.grantId, now);
          const { proof, workspaceId, organizationId } = grant;
          const reach =
            workspaceId === null ? null : { kind: "workspace" as const, organizationId, workspaceId, role: null };
          return { userId, door: "mcp", clientId, scopes: parseScopes(scope), reach, signedInAt: null, proof };
        },
      };
    },
    async createGrantCheck(token, now) {
      const claims = await verifyClaims(token, now);
      return async (store, later) => (await store.read((db) => findActiveGrant(db, claims, later))) !== undefined;
    },
  };
}

export function parseScopes(text: string): ReadonlySet<Scope> {
  return new Set(text.split(" ").filter((word): word is Scope => Object.hasOwn(SCOPES, word)));
}
