import type { Request, Response } from "express";
import { cookieIn } from "../../../auth/people/cookie.ts";
import { cookieOptions, queryOf, type Web } from "../pages/visit.ts";

/** Why a sign-in was refused, as the address of the sign-in page names it. */
const PROBLEMS = {
  // One message for an unknown account and for a wrong password, so that they cannot be told apart.
  password: "Wrong e-mail or password.",
  "no-email": "Enter your e-mail first.",
  "no-provider": "No organization uses single sign-on for this e-mail domain. Sign in with your password.",
};
type Problem = keyof typeof PROBLEMS;

const KEPT_MS = 60_000;

/**
 * Leads back to the sign-in page, which says why: an address of its own, so that Back does not ask to send a password again.
 * The e-mail that was typed comes along in a cookie, as addresses are logged.
 */
export function refuseSignIn(
  response: Response,
  { why, email, next }: { why: Problem; email: string; next: string | undefined },
  web: Web,
): void {
  const typed = `.${Buffer.from(email.slice(0, 320)).toString("base64url")}`;
  response.cookie(cookieName(web), typed, { ...cookieOptions(web), maxAge: KEPT_MS });
  const query = new URLSearchParams({ refused: why, ...(next === undefined ? {} : { next }) });
  response.redirect(303, `/sign-in?${query.toString()}`);
}

/** What the sign-in page says of a sign-in that was just refused, and the e-mail that was typed. */
export function refusedSignIn(request: Request, web: Web): { problem: string; email: string } | undefined {
  const why = queryOf(request.originalUrl).get("refused") ?? "";
  const typed = cookieIn(request.headers.cookie, cookieName(web));
  if (typed === undefined || !Object.hasOwn(PROBLEMS, why)) return undefined;
  return { problem: PROBLEMS[why as Problem], email: Buffer.from(typed.slice(1), "base64url").toString() };
}

/** Of a browser that has signed in meanwhile, nothing is refused: Back leads on. */
export function forgetRefusal(response: Response, web: Web): void {
  response.clearCookie(cookieName(web), cookieOptions(web));
}

function cookieName({ config }: Web): string {
  return config.baseUrl.startsWith("https:") ? "__Host-bva_typed" : "bva_typed";
}

/** What a page says that is not the sign-in page. */
export function problemOf(why: Problem): string {
  return PROBLEMS[why];
}
