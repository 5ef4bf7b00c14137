import type { Request, Response } from "express";
import { findCookie } from "../../../auth/people/cookie.ts";
import { parseQuery } from "../body.ts";
import { cookieOptions, type WebContext } from "../pages/visit.ts";

const SIGN_IN_PROBLEMS = {
  // One message for both cases, so that an attacker cannot find out which accounts exist.
  password: "Wrong e-mail or password.",
  "no-email": "Enter your e-mail first.",
  "no-provider": "No organization uses single sign-on for this e-mail domain. Sign in with your password.",
};
type ProblemCode = keyof typeof SIGN_IN_PROBLEMS;

const COOKIE_LIFETIME_MS = 60_000;

/** Redirects, so that Back does not resubmit. A cookie has the e-mail, because URLs are logged. */
export function rejectSignIn(
  response: Response,
  { problemCode, email, nextPath }: { problemCode: ProblemCode; email: string; nextPath: string | undefined },
  web: WebContext,
): void {
  const typed = `.${Buffer.from(email.slice(0, 320)).toString("base64url")}`;
  response.cookie(getCookieName(web), typed, { ...cookieOptions(web), maxAge: COOKIE_LIFETIME_MS });
  const query = new URLSearchParams({ refused: problemCode, ...(nextPath === undefined ? {} : { next: nextPath }) });
  response.redirect(303, `/sign-in?${query.toString()}`);
}

export function findRejectedSignIn(request: Request, web: WebContext): { problem: string; email: string } | undefined {
  const why = parseQuery(request.originalUrl).get("refused") ?? "";
  const typed = findCookie(request.headers.cookie, getCookieName(web));
  if (typed === undefined || !Object.hasOwn(SIGN_IN_PROBLEMS, why)) return undefined;
  return { problem: SIGN_IN_PROBLEMS[why as ProblemCode], email: Buffer.from(typed.slice(1), "base64url").toString() };
}

/** Prevents an outdated error after a successful sign-in, when Back returns to this page. */
export function clearRejectedSignIn(response: Response, web: WebContext): void {
  response.clearCookie(getCookieName(web), cookieOptions(web));
}

function getCookieName({ config }: WebContext): string {
  return config.baseUrl.startsWith("https:") ? "__Host-bva_typed" : "bva_typed";
}

export function getProblemText(why: ProblemCode): string {
  return SIGN_IN_PROBLEMS[why];
}
