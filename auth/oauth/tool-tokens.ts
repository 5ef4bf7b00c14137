import { findStandingGrant } from "../../db/identity/oauth-records.ts";
import type { Store } from "../../db/engine/store.ts";
import { AppError } from "../../core/shared/errors.ts";
import { SCOPES, type Scope } from "../../core/identity/roles.ts";
import type { Instant } from "../../core/shared/time.ts";
import { accessTokenVerifier } from "./access-tokens.ts";
import type { ProvenToken } from "../caller.ts";
import type { Uses } from "./uses.ts";
import type { SigningKeys } from "../keys/signing-keys.ts";

/** Access tokens of the tool server, issued to assistants by the authorization server. */
export interface ToolTokens {
  /**
   * What an access token's signature proves; UNAUTHENTICATED for anything that is not one. The grant is read on every call, so
   * revoking it takes effect on the next call although its tokens are still validly signed.
   */
  prove(token: string, now: Instant): Promise<ProvenToken>;
  /**
   * Checks a token's grant later, for streams that outlive the token: they end with the grant, not with the token that
   * opened them.
   */
  grantOf(token: string, now: Instant): Promise<(store: Store, later: Instant) => Promise<boolean>>;
}

const INVALID_TOKEN = "The access token is expired, revoked, or not for this server. Sign in again.";

export function openToolTokens(options: {
  keys: SigningKeys;
  issuer: string;
  /** The tool server's URL, and its twin that requires sign-in at once. */
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

/** The scopes in a space-separated text; unknown ones are ignored. */
export function scopesIn(text: string): ReadonlySet<Scope> {
  return new Set(text.split(" ").filter((word): word is Scope => Object.hasOwn(SCOPES, word)));
}
