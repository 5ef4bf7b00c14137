import { createHmac, randomBytes } from "node:crypto";
import type { Request, Response } from "express";
import type { LoginProofs } from "../../../auth/sso/oidc-providers.ts";
import { secretHash } from "../../../auth/sso/sso-codes.ts";
import { cookieIn } from "../../../auth/people/cookie.ts";
import { insertSsoLogin, takeSsoLogin, type SsoLogin } from "../../../db/identity/sso.ts";
import { AppError } from "../../../core/shared/errors.ts";
import { later } from "../../../core/shared/time.ts";
import { cookieOptions, type Web } from "../pages/visit.ts";

const LOGIN_MS = 10 * 60_000;
const SECRET = /^[\w-]{43}$/;

export type LoginPurpose = Omit<SsoLogin, "stateHash" | "browserHash" | "createdAt" | "expiresAt">;

/**
 * A cookie holds 256 random bits, from which nonce and code verifier derive; only hashes are
 * stored. The provider returns `state` (RelayState in SAML).
 */
export async function beginLogin(
  request: Request,
  response: Response,
  purpose: LoginPurpose,
  web: Web,
): Promise<LoginProofs> {
  const now = web.deps.now();
  // One secret serves concurrent sign-ins in several windows.
  const secret = browserSecret(request, web) ?? randomBytes(32).toString("base64url");
  const state = randomBytes(32).toString("base64url");
  await web.deps.store.write((db) =>
    insertSsoLogin(db, {
      ...purpose,
      stateHash: secretHash(state),
      browserHash: secretHash(secret),
      createdAt: now,
      expiresAt: later(now, LOGIN_MS),
    }),
  );
  response.cookie(cookieName("sso", web), secret, { ...cookieOptions(web), maxAge: LOGIN_MS });
  return proofsOf(secret, state);
}

/** Deletes and returns the sign-in of this state. FORBIDDEN if it is over. */
export async function endLogin(state: string, organizationId: string, web: Web): Promise<SsoLogin> {
  const now = web.deps.now();
  const login = await web.deps.store.write((db) => takeSsoLogin(db, secretHash(state), now));
  // Each organization has a separate callback URL, so that no provider can respond for another
  // (mix-up attack).
  if (login?.organizationId !== organizationId) throw isOver();
  return login;
}

/** FORBIDDEN in any browser but the one that started the sign-in (login CSRF). */
export function proofsInBrowser(request: Request, login: SsoLogin, state: string, web: Web): LoginProofs {
  const secret = browserSecret(request, web);
  if (secret === undefined || secretHash(secret) !== login.browserHash) throw isOver();
  return proofsOf(secret, state);
}

export function isBrowserOf(request: Request, browserHash: string, web: Web): boolean {
  const secret = browserSecret(request, web);
  return secret !== undefined && secretHash(secret) === browserHash;
}

/**
 * The `__Host-` prefix protects the cookie from sibling hosts and, on https, from plain connections
 * (RFC 6265bis section 4.1.3.2).
 */
export function cookieName(what: "sso" | "sso_code", { config }: Web): string {
  return `${config.baseUrl.startsWith("https:") ? "__Host-" : ""}bva_${what}`;
}

export function isOver(): AppError {
  return new AppError(
    "FORBIDDEN",
    "This sign-in has ended, or was started in another browser. Sign in again from here.",
  );
}

function browserSecret(request: Request, web: Web): string | undefined {
  const secret = cookieIn(request.headers.cookie, cookieName("sso", web));
  return secret !== undefined && SECRET.test(secret) ? secret : undefined;
}

function proofsOf(secret: string, state: string): LoginProofs {
  const derive = (what: string) => createHmac("sha256", secret).update(`${what} ${state}`).digest("base64url");
  return { state, nonce: derive("nonce"), codeVerifier: derive("verifier") };
}
