import * as client from "openid-client";
import {
  PlatformFault,
  type ConsentProof,
  type Platform,
  type PlatformTokens,
} from "../../../core/platforms/platforms.ts";
import { addMs, type Instant } from "../../../core/shared/time.ts";
import { boundedFetch } from "../http.ts";
import type { PlatformSettings } from "./platform-settings.ts";
import { readAccounts } from "./read-accounts.ts";

const DISCOVERY_LIFETIME_MS = 3_600_000;
const EXPIRY_MARGIN_MS = 2000;
const LIMIT_BYTES = 512 * 1024;

/** Fetches only addresses from the operator's settings and the issuer's metadata. */
export function createOauthPlatform(settings: PlatformSettings, name: string): Platform {
  let cached: { expiresAtMs: number; config: Promise<client.Configuration> } | undefined;
  const configuration = (): Promise<client.Configuration> => {
    if (!cached || cached.expiresAtMs < performance.now()) {
      const config = configure(settings).catch((error: unknown) => {
        cached = undefined;
        throw toPlatformFault(error);
      });
      cached = { expiresAtMs: performance.now() + DISCOVERY_LIFETIME_MS, config };
    }
    return cached.config;
  };

  return {
    name: settings.name ?? name,
    // Doubled, because a call may need discovery before its request.
    maxCallMs: 2 * settings.timeout_seconds * 1000 + EXPIRY_MARGIN_MS,
    async startConsent(redirectUri) {
      const proof = { state: client.randomState(), verifier: client.randomPKCECodeVerifier() };
      const address = client.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        ...(settings.scopes.length > 0 ? { scope: settings.scopes.join(" ") } : {}),
        state: proof.state,
        code_challenge: await client.calculatePKCECodeChallenge(proof.verifier),
        code_challenge_method: "S256",
      });
      return { consentAddress: address.href, proof };
    },
    async redeem(cameBackTo, { state, verifier }: ConsentProof, now) {
      const config = await configuration();
      const checks = { expectedState: state, pkceCodeVerifier: verifier };
      const given = await client.authorizationCodeGrant(config, cameBackTo, checks).catch(throwPlatformFault);
      return toPlatformTokens(given, { refreshToken: null, scopes: settings.scopes }, now);
    },
    async refresh(tokens, now) {
      if (tokens.refreshToken === null) throw new PlatformFault("refused", "There is no refresh token.");
      const given = await client
        .refreshTokenGrant(await configuration(), tokens.refreshToken)
        .catch(throwPlatformFault);
      return toPlatformTokens(given, tokens, now);
    },
    async revoke({ accessToken, refreshToken }) {
      const config = await configuration();
      if (config.serverMetadata().revocation_endpoint === undefined) return false;
      await client.tokenRevocation(config, refreshToken ?? accessToken).catch(throwPlatformFault);
      return true;
    },
    listAccounts: (accessToken) => readAccounts(settings, accessToken),
  };
}

async function configure(settings: PlatformSettings): Promise<client.Configuration> {
  const { issuer, authorization_endpoint, token_endpoint, revocation_endpoint, client_id, client_secret } = settings;
  const authentication = toClientAuthentication(settings);
  const addresses = [issuer, authorization_endpoint, token_endpoint, revocation_endpoint];
  // Settings validation allows http for this machine only.
  const plain = addresses.some((address) => address?.startsWith("http:"));
  const execute = plain ? [client.allowInsecureRequests] : [];
  const timeout = settings.timeout_seconds;
  const send = boundedFetch({ timeoutMs: timeout * 1000, limitBytes: LIMIT_BYTES });
  const ask: client.CustomFetch = (address, { method, headers, body = null, signal = null }) =>
    send(address, { method, headers, body, signal });
  if (issuer !== undefined && authorization_endpoint === undefined) {
    const how = { execute, timeout, [client.customFetch]: ask };
    return client.discovery(new URL(issuer), client_id, client_secret, authentication, how);
  }
  const config = new client.Configuration(
    {
      issuer: issuer ?? new URL(authorization_endpoint ?? "").origin,
      ...(authorization_endpoint === undefined ? {} : { authorization_endpoint }),
      ...(token_endpoint === undefined ? {} : { token_endpoint }),
      ...(revocation_endpoint === undefined ? {} : { revocation_endpoint }),
    },
    client_id,
    client_secret,
    authentication,
  );
  config.timeout = timeout;
  config[client.customFetch] = ask;
  for (const change of execute) change(config);
  return config;
}

function toClientAuthentication({ client_secret, client_authentication }: PlatformSettings): client.ClientAuth {
  if (client_secret === undefined) return client.None();
  return client_authentication === "basic"
    ? client.ClientSecretBasic(client_secret)
    : client.ClientSecretPost(client_secret);
}

/** RFC 6749 section 5.1; omitted fields keep their values. */
function toPlatformTokens(
  given: client.TokenEndpointResponse,
  before: Pick<PlatformTokens, "refreshToken" | "scopes">,
  now: Instant,
): PlatformTokens {
  return {
    accessToken: given.access_token,
    refreshToken: given.refresh_token ?? before.refreshToken,
    expiresAt: given.expires_in === undefined ? null : addMs(now, given.expires_in * 1000),
    scopes: given.scope === undefined ? before.scopes : given.scope.split(" ").filter(Boolean),
  };
}

function throwPlatformFault(error: unknown): never {
  throw toPlatformFault(error);
}

/** Omits the platform's text, so that it never reaches logs or pages. */
function toPlatformFault(error: unknown): PlatformFault {
  if (error instanceof PlatformFault) return error;
  if (error instanceof client.AuthorizationResponseError) {
    if (error.error === "access_denied") return new PlatformFault("denied", "The person did not give permission.");
    return new PlatformFault(classifyFault(error.error, 400), "The platform refused to ask for permission.");
  }
  if (error instanceof client.ResponseBodyError) {
    const kind = classifyFault(error.error, error.status);
    return new PlatformFault(kind, `The platform answered HTTP ${error.status} with an OAuth error.`);
  }
  if (error instanceof client.ClientError) {
    const status = error.cause instanceof Response ? error.cause.status : undefined;
    const isDown = status === undefined ? error.code === "OAUTH_TIMEOUT" : status >= 500 || status === 429;
    const message = status === undefined ? (error.code ?? "no code") : `HTTP ${status}`;
    return new PlatformFault(
      isDown ? "unavailable" : "unexpected",
      `The platform's answer was not understood (${message}).`,
    );
  }
  if (error instanceof Error && /^(TypeError|TimeoutError|AbortError)$/.test(error.name)) {
    return new PlatformFault("unavailable", "The platform could not be reached, or broke off its answer.");
  }
  return new PlatformFault("unexpected", "The platform's answer was not understood.");
}

/** Error codes of RFC 6749 sections 4.1.2.1 and 5.2. */
function classifyFault(code: string, status: number): "refused" | "unavailable" | "unexpected" {
  if (code === "invalid_grant") return "refused";
  const isDown = ["server_error", "temporarily_unavailable", "slow_down"].includes(code);
  return isDown || status >= 500 || status === 429 ? "unavailable" : "unexpected";
}
