import { randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import {
  extendTokenFamily,
  findApiKeyByHash,
  findRefreshToken,
  findTokenFamily,
  insertRefreshToken,
  insertTokenFamily,
  revokeTokenFamily,
  rotateRefreshToken,
  touchApiKey,
} from "../../db/identity/api-keys.ts";
import type { Db } from "../../db/engine/store.ts";
import { AppError } from "../../core/shared/errors.ts";
import { SCOPES, type Scope } from "../../core/identity/roles.ts";
import { addMs, type Instant } from "../../core/shared/time.ts";
import { createAccessTokenVerifier, CLOCK_TOLERANCE_SECONDS } from "./access-tokens.ts";
import { looksLikeApiKey } from "../keys/api-key.ts";
import { createRefreshSuccessors } from "./refresh-successors.ts";
import type { VerifiedToken } from "../caller.ts";
import { keyedHash, type Secrets } from "../keys/secrets.ts";
import type { SigningKeys } from "../keys/signing-keys.ts";

const ACCESS_TOKEN_SECONDS = 15 * 60;
const REFRESH_TOKEN_SECONDS = 30 * 86_400;
const SIGN_IN_CLIENT = "sso";
const REFRESH_PREFIX = "bva_rt_";
/** Grace period in which a client that lost a refresh response may retry for the same token. */
const REUSE_LEEWAY_MS = 60_000;
/** REST tokens have no scopes: the caller's role decides. */
export const EVERY_SCOPE: ReadonlySet<Scope> = new Set(Object.keys(SCOPES) as Scope[]);

export interface TokenPair {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  refresh_token: string;
  refresh_expires_in: number;
}

interface TokenGrant {
  familyId: string;
  apiKeyId: string;
  userId: string;
}

/** REST tokens (interface.md section 5): ES256 `at+jwt`, 15 minutes, without roles. */
export interface RestTokens {
  exchangeApiKey(db: Db, apiKey: string, now: Instant, newId: () => string): Promise<TokenPair>;
  /** Issues a token after single sign-on, in a separate family without refresh tokens. */
  issueAfterSignIn(
    db: Db,
    signIn: { userId: string; proofId: string; authenticatedAt: Instant | null },
    now: Instant,
    newId: () => string,
  ): Promise<string>;
  refresh(db: Db, refreshToken: string, now: Instant): Promise<TokenPair>;
  revoke(db: Db, refreshToken: string, now: Instant): Promise<void>;
  verify(accessToken: string, now: Instant): Promise<VerifiedToken>;
  hashApiKey(apiKey: string): string;
}

export function openRestTokens(options: {
  signingKeys: SigningKeys;
  secrets: Secrets;
  issuer: string;
  audience: string;
}): RestTokens {
  const { signingKeys, issuer, audience } = options;
  const apiKeyPepper = options.secrets.derive("api-keys");
  const refreshPepper = options.secrets.derive("refresh-tokens");
  const successors = createRefreshSuccessors(options.secrets.derive("refresh-successors"), REFRESH_PREFIX);
  const verifyClaims = createAccessTokenVerifier({
    signingKeys,
    issuer,
    isAudience: (requested) => requested === audience,
    errorMessage: INVALID_TOKEN,
  });

  async function issue(db: Db, grant: TokenGrant, refreshToken: string, now: Instant): Promise<TokenPair> {
    const { familyId, apiKeyId, userId } = grant;
    const tokenHash = keyedHash(refreshPepper, refreshToken);
    const expiresAt = (await findRefreshToken(db, tokenHash))?.expiresAt ?? addMs(now, REFRESH_TOKEN_SECONDS * 1000);
    await insertRefreshToken(db, { tokenHash, familyId, apiKeyId, createdAt: now, expiresAt });
    await extendTokenFamily(db, familyId, expiresAt);
    return {
      access_token: await signAccess({ clientId: apiKeyId, familyId, userId }, now),
      token_type: "Bearer",
      expires_in: ACCESS_TOKEN_SECONDS,
      refresh_token: refreshToken,
      refresh_expires_in: Math.floor((Date.parse(expiresAt) - Date.parse(now)) / 1000),
    };
  }

  async function isRotated(db: Db, refreshToken: string): Promise<boolean> {
    const row = await findRefreshToken(db, keyedHash(refreshPepper, refreshToken));
    return (row?.rotatedAt ?? null) !== null;
  }

  async function signAccess(grant: { clientId: string; familyId: string; userId: string }, now: Instant) {
    const issuedAt = Math.floor(Date.parse(now) / 1000);
    const { kid, privateKey } = await signingKeys.getKeySet();
    return new SignJWT({ client_id: grant.clientId, gid: grant.familyId })
      .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(grant.userId)
      .setJti(randomBytes(16).toString("base64url"))
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
      .sign(privateKey);
  }

  return {
    hashApiKey: (apiKey) => keyedHash(apiKeyPepper, apiKey),

    async exchangeApiKey(db, apiKey, now, newId) {
      if (!looksLikeApiKey(apiKey)) {
        throw new AppError(
          "UNAUTHENTICATED",
          "This is not a valid API key: a character is wrong or missing. Copy the whole key.",
        );
      }
      const key = await findApiKeyByHash(db, keyedHash(apiKeyPepper, apiKey), now);
      if (!key) throw new AppError("UNAUTHENTICATED", "This API key is unknown, expired or revoked. Create a new one.");
      await touchApiKey(db, key.id, now);
      const familyId = newId();
      await insertTokenFamily(db, { id: familyId, apiKeyId: key.id, createdAt: now, expiresAt: now });
      const first = REFRESH_PREFIX + randomBytes(32).toString("base64url");
      return issue(db, { familyId, apiKeyId: key.id, userId: key.userId }, first, now);
    },

    async issueAfterSignIn(db, { userId, proofId, authenticatedAt }, now, newId) {
      const familyId = newId();
      const expiresAt = addMs(now, (ACCESS_TOKEN_SECONDS + CLOCK_TOLERANCE_SECONDS) * 1000);
      await insertTokenFamily(db, { id: familyId, userId, proofId, authenticatedAt, createdAt: now, expiresAt });
      return signAccess({ clientId: SIGN_IN_CLIENT, familyId, userId }, now);
    },

    async refresh(db, refreshToken, now) {
      const tokenHash = keyedHash(refreshPepper, refreshToken);
      const row = await findRefreshToken(db, tokenHash);
      const family = row && (await findTokenFamily(db, row.familyId, now));
      if (!row || !family || row.expiresAt <= now) throw invalidRefreshTokenError();
      if (row.rotatedAt !== null && addMs(row.rotatedAt, REUSE_LEEWAY_MS) <= now) {
        await revokeTokenFamily(db, row.familyId, now);
        throw invalidRefreshTokenError({ keepsWrites: true });
      }
      await rotateRefreshToken(db, tokenHash, now);
      await touchApiKey(db, row.apiKeyId, now);
      const { familyId, apiKeyId } = row;
      const successor = await successors.newest(refreshToken, (token) => isRotated(db, token));
      return issue(db, { familyId, apiKeyId, userId: family.userId }, successor, now);
    },

    async revoke(db, refreshToken, now) {
      const row = await findRefreshToken(db, keyedHash(refreshPepper, refreshToken));
      if (row) await revokeTokenFamily(db, row.familyId, now);
    },

    async verify(accessToken, now) {
      const claims = await verifyClaims(accessToken, now);
      const { userId } = claims;
      return {
        userId,
        async loadCaller(db) {
          const family = await findTokenFamily(db, claims.grantId, now);
          const clientId = family?.apiKeyId ?? SIGN_IN_CLIENT;
          if (family?.userId !== userId || clientId !== claims.clientId) {
            throw new AppError("UNAUTHENTICATED", INVALID_TOKEN);
          }
          const { kind, organizationId, workspaceId, role, proof } = family;
          const reach = kind === null ? null : { kind, organizationId, workspaceId, role };
          const signedInAt = family.apiKeyId === null ? family.authenticatedAt : null;
          return { userId, door: "rest", clientId, scopes: EVERY_SCOPE, reach, proof, signedInAt };
        },
      };
    },
  };
}

const INVALID_TOKEN =
  "The access token is expired, revoked, or not for this interface. Exchange the API key again at POST /v1/auth/token, or sign in again.";

function invalidRefreshTokenError(options: { keepsWrites?: boolean } = {}): AppError {
  return new AppError(
    "UNAUTHENTICATED",
    "The refresh token is expired or was already used. Exchange the API key again.",
    options,
  );
}
