import type { Request, Response } from "express";
import { beginSignInChallenge, CHALLENGE_SECONDS } from "../../../auth/people/factor-challenges.ts";
import { findUser } from "../../../db/identity/users.ts";
import { redirectPage } from "../pages/message.ts";
import { sendPage } from "../pages/page.ts";
import { cookieOptions, endOAuthSession, startVisit, type Web } from "../pages/visit.ts";
import type { PasswordTry } from "../../../auth/people/password-slots.ts";
import { rateLimitProblem } from "./rate-limit-problem.ts";
import { forgetRefusal, problemOf } from "./refused-sign-in.ts";
import { requiredSignInOf } from "./sso-sign-in-routes.ts";

const YEAR_MS = 365 * 86_400_000;
/** Where a person is asked for their second factor. */
export const SECOND_FACTOR_PATH = "/sign-in/second-factor";

/** Why a browser was not signed in: e-mail or password is wrong (401), or a rate limit is reached (429). */
export interface SignInRefusal {
  status: 401 | 429;
  problem: string;
}

/**
 * Signs a browser in by e-mail and password, whichever page asked for them, and redirects to `next`, a path of this site.
 * An account with a second factor is first asked for it. Sends nothing if it returns a refusal, but sets Retry-After.
 */
export async function signInByPassword(
  request: Request,
  response: Response,
  { email, password, next }: { email: string; password: string; next: string },
  web: Web,
): Promise<SignInRefusal | undefined> {
  const wrong = { status: 401, problem: problemOf("password") } as const;
  const checked = await checkPassword(request, { email, password }, web).catch((error: unknown) => ({
    problem: rateLimitProblem(error, response),
  }));
  if (typeof checked === "object") return { status: 429, ...checked };
  const userId = checked;
  if (userId === undefined) return wrong;
  const { store, now } = web.deps;
  const user = await store.read((db) => findUser(db, userId));
  if (!user) return wrong;
  if (user.secondFactorAt === null) {
    await enter(request, response, { userId, email: user.email, next }, web);
    return undefined;
  }
  const secret = await store.write((db) => beginSignInChallenge(db, { userId, next }, now()));
  response.cookie(factorCookie(web), secret, { ...cookieOptions(web), maxAge: CHALLENGE_SECONDS * 1000 });
  response.redirect(303, SECOND_FACTOR_PATH);
  return undefined;
}

/**
 * The account with this e-mail and password. RATE_LIMITED after too many failures or sign-ins, or while other attempts wait; a
 * browser that has signed in before has its own counts. Starts no session: `signInByPassword` does.
 */
export async function checkPassword(
  request: Request,
  { email, password }: { email: string; password: string },
  web: Web,
): Promise<string | undefined> {
  const tried = passwordTry(request, email, web);
  const attempt = await web.deps.limits.attempts.password(tried);
  const userId = await web.sessions.checkPassword(password, tried).catch(async (error: unknown) => {
    await attempt.forgive();
    throw error;
  });
  if (userId !== undefined) await attempt.succeed();
  return userId;
}

/** Who has a password of this account hashed. */
export function passwordTry(request: Request, email: string, { deps, devices }: Web): PasswordTry {
  return {
    address: deps.limits.addressOf(request),
    email,
    device: devices.find(request.headers.cookie, email),
  };
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
