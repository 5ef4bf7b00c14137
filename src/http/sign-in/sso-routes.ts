import type { Request, Response } from "express";
import { linkIdentity } from "../../../auth/sso/link-identity.ts";
import type { Instant } from "../../../core/shared/time.ts";
import type { ProvenIdentity } from "../../../auth/sso/proven-identity.ts";
import { issueSsoCode, redeemSsoCode, hashSsoSecret } from "../../../auth/sso/sso-codes.ts";
import { findCookie } from "../../../auth/people/cookie.ts";
import {
  findSsoCodeHolder,
  findSsoConfiguration,
  type SsoCode,
  type SsoConfiguration,
  type SsoLogin,
} from "../../../db/identity/sso.ts";
import { AppError, notFound } from "../../../core/shared/errors.ts";
import { toSafeRelayPath, type SsoInitiator } from "../../../core/identity/sso.ts";
import { parseQuery } from "../body.ts";
import { redirectPage } from "../pages/message.ts";
import { confirmPage, renderProgramPage } from "./pages/sso-pages.ts";
import { sendPage } from "../pages/page.ts";
import { recordRejectedIdentity } from "./sign-in-events.ts";
import { startSaml } from "./saml-request.ts";
import {
  beginLogin,
  cookieName,
  takeLogin,
  isSameBrowser,
  signInEnded,
  requireBrowserProofs,
  type LoginPurpose,
} from "./sso-login.ts";
import { get, post, type Route } from "../pages/routes.ts";
import { cookieOptions, endOAuthSession, startWebSession, type WebContext } from "../pages/visit.ts";

const CODE_LIFETIME_MS = 60_000;
const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `login` is null if the provider started the sign-in. */
interface ProvenSignIn {
  configuration: SsoConfiguration;
  identity: ProvenIdentity;
  login: SsoLogin | null;
  initiatedBy: SsoInitiator;
  relayPath: string;
}

export const ssoRoutes: readonly Route[] = [
  get("/sso/finish", showFinish),
  post("/sso/finish", finish),
  get("/sso/:organization_id/start", start),
  get("/sso/:organization_id/initiate", initiate),
  get("/sso/:organization_id/callback", handleSsoCallback),
];

/** /sso/finish verifies the browser, because a posted SAML response has no cookies of ours. */
export async function completeSso(
  response: Response,
  { configuration, identity, login, initiatedBy, relayPath }: ProvenSignIn,
  web: WebContext,
): Promise<void> {
  const { organizationId } = configuration;
  const { store, now, newId } = web.deps;
  const at = now();
  const ended = store.write(async (db) => {
    const { userId, proofId } = await linkIdentity(db, configuration, identity, at, newId);
    const from = {
      browserHash: login?.browserHash ?? null,
      forProgram: login?.forProgram ?? false,
      loopbackUri: login?.loopbackUri ?? null,
    };
    const authenticatedAt = getAuthenticatedAt(identity, login, at);
    return issueSsoCode(db, { organizationId, userId, proofId, authenticatedAt, initiatedBy, relayPath, ...from }, at);
  });
  const code = await ended.catch((error: unknown) => {
    if (error instanceof AppError) {
      const personName = identity.email ?? identity.subject;
      recordRejectedIdentity(configuration, { personName, outcome: error.code }, response, web.deps);
    }
    throw error;
  });
  response.cookie(cookieName("sso_code", web), code, { ...cookieOptions(web), maxAge: CODE_LIFETIME_MS });
  response.redirect(303, "/sso/finish");
}

/** Null if the provider may have remembered the person, who may have left the browser. */
function getAuthenticatedAt({ authenticatedAt }: ProvenIdentity, login: SsoLogin | null, at: Instant): Instant | null {
  if (authenticatedAt !== null) return authenticatedAt < at ? authenticatedAt : at;
  return login?.again ? at : null;
}

export async function loadProviderFromPath(request: Request, web: WebContext): Promise<SsoConfiguration> {
  const organizationId = String(request.params["organization_id"]);
  const { store } = web.deps;
  const configuration = UUID_PATTERN.test(organizationId)
    ? await store.read((db) => findSsoConfiguration({ db, organizationId }))
    : undefined;
  if (!configuration) throw notFound("single sign-on configuration");
  return configuration;
}

function buildCallbackUrl(organizationId: string, { config }: WebContext): string {
  return `${config.baseUrl}/sso/${organizationId}/callback`;
}

async function start(request: Request, response: Response, web: WebContext): Promise<void> {
  const configuration = await loadProviderFromPath(request, web);
  const query = parseQuery(request.originalUrl);
  const loopbackUri = parseLoopbackUri(query.get("return_to"));
  const purpose: LoginPurpose = {
    organizationId: configuration.organizationId,
    requestId: null,
    initiatedBy: "sp",
    relayPath: toSafeRelayPath(query.get("relay_path")),
    forProgram: loopbackUri !== null || query.get("for") === "program",
    loopbackUri,
    again: query.has("again"),
  };
  const to = { configuration, purpose, loginHint: query.get("login_hint") };
  await redirectToProvider(request, response, to, web);
}

/** Only loopback URIs (RFC 8252 section 7.3), because the code must not leave the device. */
function parseLoopbackUri(address: string | null): string | null {
  if (address === null) return null;
  const url = address.length <= 500 && URL.canParse(address) ? new URL(address) : undefined;
  const isLoopback = url?.protocol === "http:" && ["127.0.0.1", "[::1]"].includes(url.hostname) && url.port !== "";
  if (!url || !isLoopback || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw new AppError("VALIDATION_FAILED", "return_to must be http://127.0.0.1 or http://[::1] with a port.");
  }
  return url.href;
}

/** Third-party initiated login (OpenID Connect Core 1.0 section 4). */
async function initiate(request: Request, response: Response, web: WebContext): Promise<void> {
  const configuration = await loadProviderFromPath(request, web);
  const query = parseQuery(request.originalUrl);
  if (!configuration.acceptsIdpInitiated || configuration.protocol !== "oidc") {
    throw new AppError(
      "FORBIDDEN",
      "This organization does not allow sign-ins started at its identity provider. Sign in here.",
    );
  }
  if (query.get("iss") !== configuration.issuer) {
    throw new AppError("FORBIDDEN", "The issuer is not your organization's identity provider. Sign in here.");
  }
  const target = query.get("target_link_uri") ?? "";
  const { origin, pathname, search } = URL.canParse(target) ? new URL(target) : new URL(web.config.baseUrl);
  const isOurs = origin === new URL(web.config.baseUrl).origin;
  const purpose: LoginPurpose = {
    organizationId: configuration.organizationId,
    requestId: null,
    initiatedBy: "idp",
    relayPath: toSafeRelayPath(isOurs ? pathname + search : null),
    forProgram: false,
    loopbackUri: null,
    again: false,
  };
  const to = { configuration, purpose, loginHint: query.get("login_hint") };
  await redirectToProvider(request, response, to, web);
}

async function redirectToProvider(
  request: Request,
  response: Response,
  to: { configuration: SsoConfiguration; purpose: LoginPurpose; loginHint: string | null },
  web: WebContext,
): Promise<void> {
  const { configuration, purpose, loginHint } = to;
  if (configuration.protocol === "saml") return startSaml(request, response, { configuration, purpose }, web);
  const proofs = await beginLogin(request, response, purpose, web);
  const redirectUri = buildCallbackUrl(configuration.organizationId, web);
  const address = await web.oidcProviders.beginSignIn(configuration, {
    ...proofs,
    redirectUri,
    loginHint,
    again: purpose.again,
  });
  response.redirect(303, address.href);
}

async function handleSsoCallback(request: Request, response: Response, web: WebContext): Promise<void> {
  const configuration = await loadProviderFromPath(request, web);
  const { organizationId } = configuration;
  const query = parseQuery(request.originalUrl);
  const state = query.get("state") ?? "";
  const login = await takeLogin(state, organizationId, web);
  const proofs = requireBrowserProofs(request, login, state, web);
  const answer = new URL(`${buildCallbackUrl(organizationId, web)}?${query.toString()}`);
  const identity = await web.oidcProviders.completeSignIn(configuration, answer, proofs);
  const { initiatedBy, relayPath } = login;
  await completeSso(response, { configuration, identity, login, initiatedBy, relayPath }, web);
}

/** Asks for confirmation if the provider started the sign-in, because any site could have. */
async function showFinish(request: Request, response: Response, web: WebContext): Promise<void> {
  const { store, now } = web.deps;
  const code = readCode(request, web);
  const holder = await store.read((db) => findSsoCodeHolder(db, hashSsoSecret(code), now()));
  if (!holder) throw signInEnded();
  if (holder.browserHash !== null) return finish(request, response, web);
  sendPage(response, { title: "Sign in", body: confirmPage(holder) });
}

async function finish(request: Request, response: Response, web: WebContext): Promise<void> {
  const { store, now } = web.deps;
  const code = readCode(request, web);
  response.clearCookie(cookieName("sso_code", web), cookieOptions(web));
  const signIn = await store.write((db) => redeemSsoCode(db, code, now()));
  if (signIn.browserHash !== null && !isSameBrowser(request, signIn.browserHash, web)) throw signInEnded();
  if (signIn.forProgram) return sendProgramCode(response, signIn, web);
  const { userId, proofId, authenticatedAt, organizationId, relayPath } = signIn;
  // An OAuth interaction continues in the session that started it.
  if (!relayPath.startsWith("/oauth/interaction/")) await endOAuthSession(request, response, web);
  await startWebSession(request, response, { userId, proofId, authenticatedAt, through: organizationId }, web);
  web.log.info({ userId, organizationId, initiatedBy: signIn.initiatedBy }, "signed in through an identity provider");
  if (request.method === "GET") response.redirect(303, relayPath);
  else sendPage(response, { title: "One moment", body: redirectPage(relayPath), redirectTo: relayPath });
}

/** Shows the program's address and asks for confirmation before the code is sent. */
async function sendProgramCode(response: Response, signIn: SsoCode, { deps }: WebContext): Promise<void> {
  const { loopbackUri, codeHash: _hash, createdAt: _created, expiresAt: _expires, ...kept } = signIn;
  const unbound = { browserHash: null, forProgram: true, loopbackUri: null };
  const code = await deps.store.write((db) => issueSsoCode(db, { ...kept, ...unbound }, deps.now()));
  const to = loopbackUri === null ? null : new URL(loopbackUri);
  to?.searchParams.set("code", code);
  sendPage(response, { title: "Sign in a program", body: renderProgramPage({ code, to }) });
}

function readCode(request: Request, web: WebContext): string {
  const code = findCookie(request.headers.cookie, cookieName("sso_code", web));
  if (code === undefined) throw signInEnded();
  return code;
}
