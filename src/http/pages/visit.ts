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
import { detectBrowserName } from "../sign-in/browser-name.ts";
import { recordSignIn } from "../sign-in/sign-in-events.ts";
import type { BarSection } from "./section.ts";

export interface WebContext {
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
  sections: readonly BarSection[];
}

export function findVisitor(request: Request, { sessions, deps }: WebContext): Promise<Visitor | undefined> {
  return sessions.find(request.headers.cookie, deps.now());
}

/** Calls as the visitor, with every scope, because no client is involved. */
export function createVisitorCall(visitor: Visitor, response: Response): Call {
  const { userId, proof, authenticatedAt } = visitor;
  const own = { door: "web", clientId: null, scopes: EVERY_SCOPE, reach: null } as const;
  const caller: Caller = { userId, ...own, proof, signedInAt: authenticatedAt };
  return { caller, requestId: response.locals["requestId"] as string };
}

/** Sign-in of the current session for a new cookie, when no full sign-in took place in between. */
export function getCurrentSignIn({ userId, proof, authenticatedAt }: Visitor): SignIn {
  return { userId, proofId: proof.id, authenticatedAt };
}

/** Ends the previous session. `through` is the organization of the identity provider used. */
export async function startWebSession(
  request: Request,
  response: Response,
  { through = null, ...signIn }: SignIn & { through?: string | null },
  web: WebContext,
): Promise<void> {
  await web.sessions.end(request.headers.cookie);
  const value = await web.sessions.start(signIn, web.deps.now(), detectBrowserName(request.get("user-agent")));
  response.cookie(web.sessions.cookieName, value, { ...cookieOptions(web), maxAge: WEB_SESSION_SECONDS * 1000 });
  markBrowser(request, response, signIn.userId, web);
  await recordSignIn({ userId: signIn.userId, through }, response, web.deps);
}

const YEAR_MS = 365 * 86_400_000;

/** Marks the browser with its last user; the mark outlives the session. Returns the new mark. */
export function markBrowser(request: Request, response: Response, userId: string, web: WebContext): string {
  const { marks } = web;
  const last = marks.findMark(request.headers.cookie);
  const value = last?.userId === userId ? last.value : marks.createMark(userId);
  response.cookie(marks.cookieName, value, { ...cookieOptions(web), maxAge: YEAR_MS });
  return value;
}

/** Ends the session of the pages and the separate one of the authorization server. */
export async function endWebSession(request: Request, response: Response, web: WebContext): Promise<void> {
  await web.sessions.end(request.headers.cookie);
  response.clearCookie(web.sessions.cookieName, cookieOptions(web));
  await endOAuthSession(request, response, web);
}

export async function endOAuthSession(request: Request, response: Response, web: WebContext): Promise<void> {
  const provider = await web.authorizationServer();
  const session = await provider.Session.get(provider.createContext(request, response));
  if (session.accountId !== undefined) await session.destroy();
}

export function cookieOptions({ config }: WebContext) {
  return { httpOnly: true, sameSite: "lax", secure: config.baseUrl.startsWith("https:"), path: "/" } as const;
}

/** Accepts only a path on this site, to prevent open redirects. */
export function parseLocalPath(path: string | null): string | undefined {
  return path !== null && /^\/(?![/\\])[\x21-\x7E]*$/.test(path) ? path : undefined;
}
