import { createHmac, randomBytes } from "node:crypto";
import type { Request, Response } from "express";
import type { LoginProofs } from "../../../auth/sso/oidc-providers.ts";
import { hashSsoSecret } from "../../../auth/sso/sso-codes.ts";
import { findCookie } from "../../../auth/people/cookie.ts";
import { insertSsoLogin, consumeSsoLogin, type SsoLogin } from "../../../db/identity/sso.ts";
import { AppError } from "../../../core/shared/errors.ts";
import { addMs } from "../../../core/shared/time.ts";
import { cookieOptions, type WebContext } from "../pages/visit.ts";

const LOGIN_LIFETIME_MS = 10 * 60_000;
const BROWSER_SECRET_PATTERN = /^[\w-]{43}$/;

export type LoginPurpose = Omit<SsoLogin, "stateHash" | "browserHash" | "createdAt" | "expiresAt">;

/** Nonce and code verifier derive from a cookie with 256 random bits; only hashes are stored. */
export async function beginLogin(
  request: Request,
  response: Response,
  purpose: LoginPurpose,
  web: WebContext,
): Promise<LoginProofs> {
  const now = web.deps.now();
  // One secret serves concurrent sign-ins in several windows.
  const secret = findBrowserSecret(request, web) ?? randomBytes(32).toString("base64url");
  const state = randomBytes(32).toString("base64url");
  await web.deps.store.write((db) =>
    insertSsoLogin(db, {
      ...purpose,
      stateHash: hashSsoSecret(state),
      browserHash: hashSsoSecret(secret),
      createdAt: now,
      expiresAt: addMs(now, LOGIN_LIFETIME_MS),
    }),
  );
  response.cookie(cookieName("sso", web), secret, { ...cookieOptions(web), maxAge: LOGIN_LIFETIME_MS });
  return deriveProofs(secret, state);
}

/** Deletes and returns the sign-in of this state. FORBIDDEN if it is over. */
export async function takeLogin(state: string, organizationId: string, web: WebContext): Promise<SsoLogin> {
  const now = web.deps.now();
  const login = await web.deps.store.write((db) => consumeSsoLogin(db, hashSsoSecret(state), now));
  // One callback URL per organization: no provider can respond for another (mix-up attack).
  if (login?.organizationId !== organizationId) throw signInEnded();
  return login;
}

/** Throws FORBIDDEN in any browser but the one that started the sign-in (login CSRF). */
export function requireBrowserProofs(request: Request, login: SsoLogin, state: string, web: WebContext): LoginProofs {
  const secret = findBrowserSecret(request, web);
  if (secret === undefined || hashSsoSecret(secret) !== login.browserHash) throw signInEnded();
  return deriveProofs(secret, state);
}

export function isSameBrowser(request: Request, browserHash: string, web: WebContext): boolean {
  const secret = findBrowserSecret(request, web);
  return secret !== undefined && hashSsoSecret(secret) === browserHash;
}

/** `__Host-` protects from sibling hosts and plain HTTP (RFC 6265bis section 4.1.3.2). */
export function cookieName(what: "sso" | "sso_code", { config }: WebContext): string {
  return `${config.baseUrl.startsWith("https:") ? "__Host-" : ""}bva_${what}`;
}

export function signInEnded(): AppError {
  return new AppError(
    "FORBIDDEN",
    "This sign-in has ended, or was started in another browser. Sign in again from here.",
  );
}

function findBrowserSecret(request: Request, web: WebContext): string | undefined {
  const secret = findCookie(request.headers.cookie, cookieName("sso", web));
  return secret !== undefined && BROWSER_SECRET_PATTERN.test(secret) ? secret : undefined;
}

function deriveProofs(secret: string, state: string): LoginProofs {
  const derive = (what: string) => createHmac("sha256", secret).update(`${what} ${state}`).digest("base64url");
  return { state, nonce: derive("nonce"), codeVerifier: derive("verifier") };
}
