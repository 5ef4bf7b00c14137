import type { EventEmitter } from "node:events";
import type { Configuration, KoaContextWithOIDC } from "oidc-provider";
import { findUser } from "../../db/identity/users.ts";
import { SCOPES } from "../../core/identity/roles.ts";
import { CLOCK_TOLERANCE_SECONDS, parseScopes } from "./access-tokens.ts";
import {
  CHOSEN_WORKSPACE_PARAMETER,
  DECLINED_SCOPES_PARAMETER,
  WEB_SESSION_SECONDS,
  type AuthorizationServerOptions,
} from "./authorization-server.ts";
import { createClientDocumentFetch, isPublicDocumentAddress } from "./client-documents.ts";
import { normaliseClientMetadata } from "./client-registration.ts";
import { isRotatedRefreshToken, createOAuthAdapter } from "./oauth-adapter.ts";
import { errors, interactionPolicy, Provider } from "./oidc-provider.ts";
import { createRefreshSuccessors } from "./refresh-successors.ts";
import { findRequestedResource } from "./tool-resources.ts";
import type { KeySet } from "../keys/signing-keys.ts";

export const { OIDCProviderError } = errors;

const ACCESS_TOKEN_SECONDS = 15 * 60;
const DAY_SECONDS = 86_400;
/** Max idle time of an assistant; each use extends its refresh token. */
const REFRESH_TOKEN_SECONDS = 30 * DAY_SECONDS;
/** Max time until an assistant must sign in again, regardless of use. */
const GRANT_SECONDS = 365 * DAY_SECONDS;

const ALL_SCOPES = Object.keys(SCOPES).join(" ");

export function createProvider(options: AuthorizationServerOptions, keys: KeySet): Provider {
  const { issuer, secrets } = options;
  const provider = new Provider(issuer, {
    adapter: createOAuthAdapter(options),
    jwks: { keys: keys.privateJwks.map((jwk) => ({ ...jwk, kty: jwk.kty ?? "EC" })) },
    routes: OAUTH_ROUTES,
    interactions: { policy: buildInteractionPolicy(options), url: (_ctx, { uid }) => `/oauth/interaction/${uid}` },
    cookies: {
      // Without keys, the library would silently leave its cookies unsigned.
      keys: [secrets.derive("oauth-cookies").toString("base64url")],
      names: { session: "bva_oauth", interaction: "bva_oauth_step", resume: "bva_oauth_resume" },
      long: { signed: true, httpOnly: true, sameSite: "lax", path: "/" },
      short: { signed: true, httpOnly: true, sameSite: "lax" },
    },
    scopes: Object.keys(SCOPES),
    extraParams: [DECLINED_SCOPES_PARAMETER, CHOSEN_WORKSPACE_PARAMETER],
    claims: { openid: ["sub"] },
    responseTypes: ["code"],
    clientAuthMethods: ["none", "client_secret_basic", "client_secret_post"],
    enabledJWA: { idTokenSigningAlgValues: ["ES256"] },
    clientDefaults: {
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      id_token_signed_response_alg: "ES256",
    },
    extraClientMetadata: {
      // Names a harmless optional property, because the validator runs only for named ones.
      properties: ["software_id"],
      validator: (_ctx, _key, _value, metadata) => normaliseClientMetadata(metadata),
    },
    clientBasedCORS: () => true,
    pkce: { required: () => true },
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: 60,
      IdToken: ACCESS_TOKEN_SECONDS,
      Interaction: 3600,
      Grant: GRANT_SECONDS,
      RefreshToken: REFRESH_TOKEN_SECONDS,
      Session: WEB_SESSION_SECONDS,
    },
    async findAccount(_ctx, id) {
      const user = await options.store.read((db) => findUser(db, id));
      return user && !user.disabledAt ? { accountId: id, claims: () => ({ sub: id }) } : undefined;
    },
    extraTokenClaims: (_ctx, token) => ("grantId" in token ? { gid: token.grantId } : undefined),
    // Many clients never request offline_access but expect to stay signed in.
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    expiresWithSession: async () => false,
    rotateRefreshToken: true,
    features: buildFeatures(options),
    fetch: createClientDocumentFetch(options.fetch, () => Date.parse(options.now())),
    renderError(ctx, out) {
      const { headers, text } = options.errorPage({ code: out.error, detail: out.error_description ?? "" });
      ctx.set(headers);
      ctx.type = "html";
      ctx.body = text;
    },
  });
  // Safe: created URLs have a fixed origin, regardless of Host or forwarding headers.
  provider.proxy = true;
  provider.use(normaliseRequest);
  reuseRefreshSuccessors(provider, options);
  for (const event of REPORTED_EVENTS) {
    // These events share one listener type, but `on` accepts one event name at a time.
    provider.on(event as "server_error", (_ctx, error) => options.reportError(event, error));
  }
  // Without a listener, Koa writes broken connections to standard error with their stack.
  const framework: EventEmitter = provider;
  framework.on("error", (error: Error) => options.reportError("error", error));
  return provider;
}

/**
 * A refresh repeated within the grace period returns the same successor: the library would start a
 * second token chain, which a thief could own.
 */
function reuseRefreshSuccessors(provider: Provider, { store, secrets }: AuthorizationServerOptions): void {
  const successors = createRefreshSuccessors(secrets.derive("oauth-refresh-successors"));
  const isRotated = (token: string) => store.read((db) => isRotatedRefreshToken(db, token));
  const { BaseToken, RefreshToken } = provider;
  RefreshToken.prototype.save = async function saveSuccessor() {
    const rotated = Provider.ctx?.oidc.entities.RotatedRefreshToken;
    if (rotated !== undefined) this.jti = await successors.newest(rotated.jti, isRotated);
    return BaseToken.prototype.save.call(this);
  };
}

const OAUTH_ROUTES = {
  authorization: "/oauth/authorize",
  token: "/oauth/token",
  registration: "/oauth/register",
  revocation: "/oauth/revoke",
  // Served by the product's own route, together with the well-known URL for REST clients.
  jwks: "/oauth/jwks",
};

const REPORTED_EVENTS = [
  "server_error",
  "authorization.error",
  "grant.error",
  "registration_create.error",
  "revocation.error",
  "jwks.error",
  "discovery.error",
] as const;

/**
 * Adds the mandatory scope `read`; a request without known scopes asks for all of them, and the
 * person chooses. Codes go in the query only: scripts of the redirect's host can read fragments and
 * forms.
 */
async function normaliseRequest(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  if (ctx.path === OAUTH_ROUTES.authorization) {
    if (ctx.method !== "GET") {
      ctx.set("allow", "GET");
      ctx.status = 405;
      return;
    }
    const query = { ...ctx.query };
    delete query["response_mode"];
    const { scope = "", prompt } = query;
    if (typeof scope === "string" && !parseScopes(scope).has("read")) {
      query["scope"] = `${scope} ${parseScopes(scope).size === 0 ? ALL_SCOPES : "read"}`.trim();
    }
    // The sign-in page is where another account is selected (OpenID Connect Core section 3.1.2.1).
    if (typeof prompt === "string") query["prompt"] = prompt.replaceAll(/\bselect_account\b/g, "login");
    ctx.query = query;
  }
  await next();
  const document: unknown = ctx.path.startsWith("/.well-known/") ? ctx.body : undefined;
  if (typeof document === "object" && document !== null) {
    Object.assign(document, { response_modes_supported: ["query"] });
  }
}

/** Requires equal accounts in web and OAuth session; lets clients re-request declined scopes. */
function buildInteractionPolicy({ accountOfCookie }: AuthorizationServerOptions) {
  const { base, Check } = interactionPolicy;
  const policy = base();
  policy.get("login")?.checks.add(
    new Check("web_session", "the browser is signed out, or signed in to another account", async ({ oidc, req }) => {
      if (!oidc.session?.accountId || oidc.result?.login) return Check.NO_NEED_TO_PROMPT;
      return (await accountOfCookie(req.headers.cookie)) === oidc.session.accountId
        ? Check.NO_NEED_TO_PROMPT
        : Check.REQUEST_PROMPT;
    }),
  );
  const consent = policy.get("consent");
  consent?.checks.remove("op_scopes_missing");
  consent?.checks.remove("rs_scopes_missing");
  consent?.checks.add(
    new Check("scopes_missing", "requested scopes not granted", ({ oidc }) => {
      if (oidc.result?.consent) return Check.NO_NEED_TO_PROMPT;
      const requested = parseScopes([...oidc.requestParamScopes].join(" "));
      const missing = Object.keys(oidc.resourceServers ?? {}).some((resource) => {
        const granted = parseScopes(oidc.grant?.getResourceScope(resource) ?? "");
        return [...requested].some((scope) => !granted.has(scope));
      });
      return missing ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT;
    }),
  );
  return policy;
}

function buildFeatures(options: AuthorizationServerOptions): NonNullable<Configuration["features"]> {
  const { mcpUrl } = options;
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, { clientId }) => clientId === client.clientId },
    registration: { enabled: true, initialAccessToken: false, issueRegistrationAccessToken: false },
    clientIdMetadataDocument: {
      enabled: options.acceptsClientDocuments,
      ack: "draft-02",
      allowFetch: (_ctx, clientId) => isPublicDocumentAddress(clientId),
      allowClient: () => true,
      cacheDuration: { min: 60, max: DAY_SECONDS },
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_ctx, _client, oneOf) => (Array.isArray(oneOf) && oneOf.length > 1 ? oneOf : mcpUrl),
      useGrantedResource: () => true,
      getResourceServerInfo(_ctx, indicator) {
        const audience = findRequestedResource(mcpUrl, indicator)?.url;
        if (audience === undefined) throw new errors.InvalidTarget();
        return {
          scope: ALL_SCOPES,
          audience,
          accessTokenTTL: ACCESS_TOKEN_SECONDS,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "ES256" } },
        };
      },
    },
  };
}
