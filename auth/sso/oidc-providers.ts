import { LRUCache } from "lru-cache";
import * as client from "openid-client";
import { toSsoClientSealContext, type SsoConfiguration } from "../../db/identity/sso.ts";
import { AppError } from "../../core/shared/errors.ts";
import { CLOCK_TOLERANCE_SECONDS } from "../oauth/access-tokens.ts";
import type { Fetch } from "../oauth/client-documents.ts";
import { toInstant } from "../../core/shared/time.ts";
import type { ProvenIdentity } from "./proven-identity.ts";
import type { Secrets } from "../keys/secrets.ts";

const CACHE_MS = 10 * 60_000;
const MAX_CACHED_PROVIDERS = 500;
const TIMEOUT_SECONDS = 10;

/** Binds a provider's response to its request and browser. */
export interface LoginProofs {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** Max age of the provider's session before it asks the person again. */
const MAX_PROVIDER_SESSION_SECONDS = 30 * 86_400;

export interface OidcProviders {
  /** UNAVAILABLE if the provider cannot be used. `again` forces re-authentication. */
  beginSignIn(
    configuration: SsoConfiguration,
    login: LoginProofs & { redirectUri: string; loginHint: string | null; again: boolean },
  ): Promise<URL>;
  /** `answer`: redirect URI with the provider's parameters. FORBIDDEN without a valid identity. */
  completeSignIn(configuration: SsoConfiguration, answer: URL, proofs: LoginProofs): Promise<ProvenIdentity>;
  /** Refetches the provider's metadata and keys; undefined without a fault. */
  findFault(configuration: SsoConfiguration): Promise<string | undefined>;
}

export function openOidcProviders(options: {
  secrets: Pick<Secrets, "unseal">;
  /** Guards and bounds requests to owner-chosen URLs, which could point at internal addresses. */
  fetch: Fetch;
  now: () => number;
  reportError: (event: string, error: unknown) => void;
}): OidcProviders {
  const { now, reportError } = options;
  const cachedProviders = new LRUCache<
    string,
    { of: string; cachedAtMs: number; provider: Promise<client.Configuration> }
  >({
    max: MAX_CACHED_PROVIDERS,
  });

  function getProvider(configuration: SsoConfiguration): Promise<client.Configuration> {
    const { organizationId, issuer, updatedAt } = configuration;
    const version = `${updatedAt} ${issuer}`;
    const known = cachedProviders.get(organizationId);
    // The absolute difference handles a clock that was set back.
    if (known?.of === version && Math.abs(now() - known.cachedAtMs) < CACHE_MS) return known.provider;
    const provider = discover(configuration, options);
    cachedProviders.set(organizationId, { of: version, cachedAtMs: now(), provider });
    provider.catch(() => cachedProviders.delete(organizationId));
    return provider;
  }

  return {
    async beginSignIn(configuration, { redirectUri, loginHint, again, state, nonce, codeVerifier }) {
      try {
        const provider = await getProvider(configuration);
        return client.buildAuthorizationUrl(provider, {
          redirect_uri: redirectUri,
          scope: configuration.scopes.join(" "),
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: "S256",
          ...(loginHint === null ? {} : { login_hint: loginHint }),
          // Makes the provider report auth_time (OpenID Connect Core section 3.1.2.1).
          max_age: String(MAX_PROVIDER_SESSION_SECONDS),
          ...(again ? { prompt: "login" } : {}),
        });
      } catch (cause) {
        reportError("identity provider cannot be used", cause);
        throw new AppError("UNAVAILABLE", `The identity provider cannot be used: ${describeFault(cause)}`, { cause });
      }
    },

    async completeSignIn(configuration, answer, { state, nonce, codeVerifier }) {
      try {
        const provider = await getProvider(configuration);
        const tokens = await client.authorizationCodeGrant(provider, answer, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new Error("the token response has no ID token");
        requireValidClaims(claims, { clientId: configuration.clientId, nowMs: now() });
        if (claims.sub.trim() === "") throw new Error("the ID token has no subject");
        const { emailClaim, nameClaim, groupsClaim } = configuration;
        const isWhole = [emailClaim, nameClaim, groupsClaim].every((claim) => claims[claim] !== undefined);
        const hasMore = provider.serverMetadata().userinfo_endpoint !== undefined;
        // Many providers put only the subject into the ID token; `sub` must match in both.
        const more = isWhole || !hasMore ? {} : await client.fetchUserInfo(provider, tokens.access_token, claims.sub);
        return toProvenIdentity(configuration, { ...more, ...claims });
      } catch (cause) {
        reportError("identity provider's answer refused", cause);
        if (cause instanceof client.AuthorizationResponseError) throw providerDeniedError(cause);
        throw new AppError(
          "FORBIDDEN",
          "The identity provider's response is not valid. Sign in again. If it still fails, contact an owner of the organization.",
          { cause },
        );
      }
    },

    async findFault(configuration) {
      cachedProviders.delete(configuration.organizationId);
      try {
        const provider = await getProvider(configuration);
        const { jwks_uri: keysAt } = provider.serverMetadata();
        if (keysAt === undefined) return "its metadata has no jwks_uri.";
        const keys = await options.fetch(keysAt, { headers: { accept: "application/json" } });
        return keys.status === 200 ? undefined : `its jwks_uri responds with HTTP ${keys.status}.`;
      } catch (error) {
        return describeFault(error);
      }
    },
  };
}

/** OpenID Connect Core section 3.1.3.7, beyond what openid-client checks of `azp` and `iat`. */
function requireValidClaims(
  { azp, iat }: client.IDToken,
  { clientId, nowMs }: { clientId: string | null; nowMs: number },
): void {
  if (azp !== undefined && azp !== clientId) throw new Error("the ID token was issued to another client (azp)");
  if (iat > nowMs / 1000 + CLOCK_TOLERANCE_SECONDS) throw new Error("the ID token was issued in the future (iat)");
}

async function discover(
  configuration: SsoConfiguration,
  { secrets, fetch: askAddress }: Parameters<typeof openOidcProviders>[0],
): Promise<client.Configuration> {
  const { organizationId, issuer, clientId, sealedClientSecret: sealed } = configuration;
  if (clientId === null) throw new Error("this organization does not use OpenID Connect");
  const ask: client.CustomFetch = (address, { method, headers, body }) => {
    const form = body instanceof URLSearchParams ? { body: body.toString() } : {};
    return askAddress(address, { method, headers, ...form });
  };
  const isPlain = issuer.startsWith("http:");
  const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
    [client.customFetch]: ask,
    timeout: TIMEOUT_SECONDS,
    ...(isPlain ? { execute: [client.allowInsecureRequests] } : {}),
  });
  const server = found.serverMetadata();
  const secret = sealed === null ? null : secrets.unseal(sealed, toSsoClientSealContext(organizationId));
  const takesPost = server.token_endpoint_auth_methods_supported?.includes("client_secret_post") ?? false;
  // A provider that lists no methods supports client_secret_basic (Discovery section 3).
  const proof =
    secret === null ? client.None() : (takesPost ? client.ClientSecretPost : client.ClientSecretBasic)(secret);
  const provider = new client.Configuration(
    server,
    clientId,
    { ...(secret === null ? {} : { client_secret: secret }), [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    proof,
  );
  provider[client.customFetch] = ask;
  provider.timeout = TIMEOUT_SECONDS;
  if (isPlain) client.allowInsecureRequests(provider);
  // Without this, the library trusts the connection instead of the ID token's signature.
  client.enableNonRepudiationChecks(provider);
  return provider;
}

function toProvenIdentity(
  { emailClaim, nameClaim, groupsClaim, trustsEmail }: SsoConfiguration,
  claims: client.IDToken & Record<string, unknown>,
): ProvenIdentity {
  const [email, name, groups] = [claims[emailClaim], claims[nameClaim], claims[groupsClaim]];
  // `email_verified` applies only to `email`; some providers send it as text.
  const claim = emailClaim === "email" ? claims["email_verified"] : undefined;
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: typeof email === "string" ? email : null,
    emailVerified: claim === undefined ? trustsEmail : claim === true || claim === "true",
    name: typeof name === "string" ? name : null,
    authenticatedAt: typeof claims.auth_time === "number" ? toInstant(claims.auth_time * 1000) : null,
    groups: [groups].flat().filter((group): group is string => typeof group === "string"),
  };
}

function providerDeniedError(cause: client.AuthorizationResponseError): AppError {
  const message =
    cause.error === "access_denied"
      ? "The identity provider denied access. Ask its administrator to assign this application to you."
      : "The identity provider returned an error. Sign in again. If it still fails, contact an owner of the organization.";
  return new AppError("FORBIDDEN", message, { cause });
}

const FAULT_MESSAGES: Readonly<Record<string, string>> = {
  ADDRESS_REFUSED: "its URL is not a public https URL. The operator of this service can allow private ones.",
  OAUTH_RESPONSE_IS_NOT_CONFORM: "its metadata is not at /.well-known/openid-configuration under the issuer.",
  OAUTH_RESPONSE_IS_NOT_JSON: "its /.well-known/openid-configuration is not JSON.",
  OAUTH_PARSE_ERROR: "its /.well-known/openid-configuration is not JSON.",
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: "its metadata has another issuer. Enter the issuer exactly as it is there.",
  OAUTH_INVALID_RESPONSE: "its metadata is not complete.",
  OAUTH_MISSING_SERVER_METADATA: "its metadata is not complete.",
  OAUTH_INVALID_SERVER_METADATA: "its metadata is not valid.",
  OAUTH_HTTP_REQUEST_FORBIDDEN: "its metadata contains a URL without https.",
  OAUTH_TIMEOUT: "it does not respond in time.",
  ENOTFOUND: "its host does not exist.",
  ECONNREFUSED: "it refuses the connection.",
};

function describeFault(thrown: unknown): string {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 4; error = error.cause, depth++) {
    const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
    const known = FAULT_MESSAGES[code];
    if (known !== undefined) return known;
    if (error.name === "TimeoutError" || error.name === "AbortError") return "it does not respond in time.";
  }
  return "it does not respond like an OpenID Connect provider.";
}
