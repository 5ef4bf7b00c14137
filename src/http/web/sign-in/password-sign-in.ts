import type { Request, Response } from "express";
import { beginSignInChallenge, CHALLENGE_SECONDS } from "../../../../auth/people/factor-challenges.ts";
import { findUser } from "../../../../db/identity/users.ts";
import { redirectPage } from "../pages/message.ts";
import { sendPage } from "../page.ts";
import { cookieOptions, endOAuthSession, startVisit, type Web } from "../visit.ts";
import { forgetRefusal } from "./refused-sign-in.ts";
import { requiredSignInOf } from "./sso-sign-in.ts";

const YEAR_MS = 365 * 86_400_000;
/** Where a person is asked for their second factor. */
export const SECOND_FACTOR_PATH = "/sign-in/second-factor";

/**
 * Signs a browser in by e-mail and password, whichever page asked for them, and goes on to `next`, a path of this site.
 * An account with a second factor is first asked for it, and only then signed in. False, and nothing is sent, if e-mail or
 * password is wrong.
 */
export async function signInByPassword(
  request: Request,
  response: Response,
  { email, password, next }: { email: string; password: string; next: string },
  web: Web,
): Promise<boolean> {
  const userId = await checkPassword(request, { email, password }, web);
  if (userId === undefined) return false;
  const { store, now } = web.deps;
  const user = await store.read((db) => findUser(db, userId));
  if (!user) return false;
  if (user.secondFactorAt === null) {
    await enter(request, response, { userId, email: user.email, next }, web);
    return true;
  }
  const secret = await store.write((db) => beginSignInChallenge(db, { userId, next }, now()));
  response.cookie(factorCookie(web), secret, { ...cookieOptions(web), maxAge: CHALLENGE_SECONDS * 1000 });
  response.redirect(303, SECOND_FACTOR_PATH);
  return true;
}

/**
 * The account with this e-mail and password. RATE_LIMITED after too many failures; a browser that has signed in before
 * has its own count. It signs in nowhere: that is `signInByPassword`.
 */
export async function checkPassword(
  request: Request,
  { email, password }: { email: string; password: string },
  web: Web,
): Promise<string | undefined> {
  const { limits } = web.deps;
  const device = web.devices.find(request.headers.cookie, email);
  const attempt = await limits.attempts.password({ address: limits.addressOf(request), email, device });
  let isWrong = false;
  try {
    const userId = await web.sessions.checkPassword(email, password);
    isWrong = userId === undefined;
    return userId;
  } finally {
    if (!isWrong) await attempt.forgive();
  }
}

/**
 * Signs in a person who has proven who they are, marks the browser so that it stays known, and goes on: first to the
 * identity provider that their organization requires, if one does.
 */
export async function enter(
  request: Request,
  response: Response,
  { userId, email, next }: { userId: string; email: string; next: string },
  web: Web,
): Promise<void> {
  const isInteraction = next.startsWith("/oauth/");
  // An interaction of the authorization server continues in the session it was started in.
  if (!isInteraction) await endOAuthSession(request, response, web);
  await startVisit(request, response, { userId, proofId: null }, web);
  forgetRefusal(response, web);
  response.cookie(web.devices.cookieName, web.devices.mark(email), { ...cookieOptions(web), maxAge: YEAR_MS });
  const ownSignIn = await requiredSignInOf({ userId, email, next }, web);
  const to = ownSignIn ?? next;
  if (ownSignIn === undefined && !isInteraction) return response.redirect(303, to);
  sendPage(response, { title: "One moment", body: redirectPage(to), redirectTo: to });
}

/** The cookie of a browser that is asked for a second factor. */
export function factorCookie({ config }: Web): string {
  return config.baseUrl.startsWith("https:") ? "__Host-bva_factor" : "bva_factor";
}
