import { findStandingGrant } from "../../db/identity/oauth-records.ts";
import type { Store } from "../../db/engine/store.ts";
import { AppError } from "../../core/shared/errors.ts";
import { SCOPES, type Scope } from "../../core/identity/roles.ts";
import type { Instant } from "../../core/shared/time.ts";
import { accessTokenVerifier } from "./access-tokens.ts";
import type { ProvenToken } from "../caller.ts";
import type { Uses } from "./uses.ts";
import type { SigningKeys } from "../keys/signing-keys.ts";

export interface ToolTokens {
  /**
   * UNAUTHENTICATED for an invalid token. Each call reads the grant, so revocation takes effect on
   * the next call.
   */
  prove(token: string, now: Instant): Promise<ProvenToken>;
  /**
   * Returns a later check of the token's grant, because a stream outlives its token and closes with
   * the grant.
   */
  grantOf(token: string, now: Instant): Promise<(store: Store, later: Instant) => Promise<boolean>>;
}

const INVALID_TOKEN = "The access token is expired, revoked, or not for this server. Sign in again.";

export function openToolTokens(options: {
  keys: SigningKeys;
  issuer: string;
  /** The MCP server's URL, and its variant that requires sign-in at once. */
  audiences: string[];
  uses: Uses;
}): ToolTokens {
  const verifyClaims = accessTokenVerifier({ ...options, refusal: INVALID_TOKEN });
  return {
    async prove(token, now) {
      const claims = await verifyClaims(token, now);
      const { userId, clientId, scope } = claims;
      return {
        userId,
        async arrive(db) {
          const grant = await findStandingGrant(db, claims, now);
          if (!grant) throw new AppError("UNAUTHENTICATED", INVALID_TOKEN);
          options.uses.add(claims.grantId, now);
          const { proof } = grant;
          return { userId, door: "mcp", clientId, scopes: scopesIn(scope), reach: null, signedInAt: null, proof };
        },
      };
    },
    async grantOf(token, now) {
      const claims = await verifyClaims(token, now);
      return async (store, later) => (await store.read((db) => findStandingGrant(db, claims, later))) !== undefined;
    },
  };
}

/** Ignores unknown scopes. */
export function scopesIn(text: string): ReadonlySet<Scope> {
  return new Set(text.split(" ").filter((word): word is Scope => Object.hasOwn(SCOPES, word)));
}
