import type { Request, Response } from "express";
import type { Logger } from "pino";
import type { Caller } from "../../../auth/caller.ts";
import type { OidcProviders } from "../../../auth/sso/oidc-providers.ts";
import type { FirstRun } from "../../../auth/people/first-run.ts";
import type { BrowserMarks } from "../../../auth/people/browser-marks.ts";
import type { KnownDevices } from "../../../auth/people/known-devices.ts";
import type { Secrets } from "../../../auth/keys/secrets.ts";
import { EVERY_SCOPE } from "../../../auth/oauth/rest-tokens.ts";
import { WEB_SESSION_SECONDS, type AuthorizationServer } from "../../../auth/oauth/authorization-server.ts";
import type { SignIn, Visitor, WebSessions } from "../../../auth/people/web-sessions.ts";
import type { Config } from "../../config/config.ts";
import type { Call, Deps } from "../../call/deps.ts";
import { browserName } from "../sign-in/browser-name.ts";
import { recordSignIn } from "../sign-in/sign-in-events.ts";

/** What the pages depend on. */
export interface Web {
  config: Config;
  deps: Deps;
  log: Logger;
  authorizationServer: AuthorizationServer;
  sessions: WebSessions;
  devices: KnownDevices;
  marks: BrowserMarks;
  firstRun: FirstRun;
  oidcProviders: OidcProviders;
  secrets: Secrets;
}

export function visitorOf(request: Request, { sessions, deps }: Web): Promise<Visitor | undefined> {
  return sessions.find(request.headers.cookie, deps.now());
}

/** Parses the query. Express's own parser is off, because REST reads queries by their schema. */
export function queryOf(originalUrl: string): URLSearchParams {
  const at = originalUrl.indexOf("?");
  return new URLSearchParams(at === -1 ? "" : originalUrl.slice(at + 1));
}

/** A call by the visitor. There is no program in between, so it has every scope. */
export function callOf(visitor: Visitor, response: Response): Call {
  const { userId, proof, authenticatedAt } = visitor;
  const own = { door: "web", clientId: null, scopes: EVERY_SCOPE, reach: null } as const;
  const caller: Caller = { userId, ...own, proof, signedInAt: authenticatedAt };
  return { caller, requestId: response.locals["requestId"] as string };
}

/** A visitor's own sign-in, for a new cookie of it: what was asked of them in between was not the whole of a sign-in. */
export function sameSignIn({ userId, proof, authenticatedAt }: Visitor): SignIn {
  return { userId, proofId: proof.id, authenticatedAt };
}

/** Signs the browser in with a new cookie; ends its previous session. `through` is whose identity provider vouched for the person. */
export async function startVisit(
  request: Request,
  response: Response,
  { through = null, ...signIn }: SignIn & { through?: string | null },
  web: Web,
): Promise<void> {
  await web.sessions.end(request.headers.cookie);
  const value = await web.sessions.start(signIn, web.deps.now(), browserName(request.get("user-agent")));
  response.cookie(web.sessions.cookieName, value, { ...cookieOptions(web), maxAge: WEB_SESSION_SECONDS * 1000 });
  markBrowser(request, response, signIn.userId, web);
  await recordSignIn({ userId: signIn.userId, through }, response, web.deps);
}

const YEAR_MS = 365 * 86_400_000;

/** Notes in the browser who signed in last, which it keeps when their session ends; the mark as it now is. */
export function markBrowser(request: Request, response: Response, userId: string, web: Web): string {
  const { marks } = web;
  const last = marks.find(request.headers.cookie);
  const value = last?.userId === userId ? last.value : marks.mark(userId);
  response.cookie(marks.cookieName, value, { ...cookieOptions(web), maxAge: YEAR_MS });
  return value;
}

/** Signs the browser out of the pages and of the authorization server, which has its own session. */
export async function endVisit(request: Request, response: Response, web: Web): Promise<void> {
  await web.sessions.end(request.headers.cookie);
  response.clearCookie(web.sessions.cookieName, cookieOptions(web));
  await endOAuthSession(request, response, web);
}

export async function endOAuthSession(request: Request, response: Response, web: Web): Promise<void> {
  const provider = await web.authorizationServer();
  const session = await provider.Session.get(provider.createContext(request, response));
  if (session.accountId !== undefined) await session.destroy();
}

/** Our cookies are sent only to our own pages. */
export function cookieOptions({ config }: Web) {
  return { httpOnly: true, sameSite: "lax", secure: config.baseUrl.startsWith("https:"), path: "/" } as const;
}

/** A path on this site to continue to; undefined for anything that could lead to another site. */
export function ownPath(path: string | null): string | undefined {
  return path !== null && /^\/(?![/\\])[\x21-\x7E]*$/.test(path) ? path : undefined;
}
