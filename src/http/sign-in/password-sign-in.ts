import type { Request, Response } from "express";
import { beginSignInChallenge, CHALLENGE_SECONDS } from "../../../auth/people/factor-challenges.ts";
import { findUser } from "../../../db/identity/users.ts";
import { redirectPage } from "../pages/message.ts";
import { sendPage } from "../pages/page.ts";
import { cookieOptions, endOAuthSession, startWebSession, type WebContext } from "../pages/visit.ts";
import type { PasswordSubmission } from "../../../auth/people/password-slots.ts";
import { toRateLimitProblem } from "./rate-limit-problem.ts";
import { clearRejectedSignIn, getProblemText } from "./rejected-sign-in.ts";
import { findRequiredProvider } from "./sso-sign-in-routes.ts";

const ONE_YEAR_MS = 365 * 86_400_000;
export const SECOND_FACTOR_PATH = "/sign-in/second-factor";

/** 401 for a wrong e-mail or password, 429 for a rate limit. */
export interface SignInProblem {
  status: 401 | 429;
  problem: string;
}

/** Sends nothing if it returns a problem, but sets Retry-After. */
export async function signInByPassword(
  request: Request,
  response: Response,
  { email, password, nextPath }: { email: string; password: string; nextPath: string },
  web: WebContext,
): Promise<SignInProblem | undefined> {
  const wrong = { status: 401, problem: getProblemText("password") } as const;
  const checked = await checkPassword(request, { email, password }, web).catch((error: unknown) => ({
    problem: toRateLimitProblem(error, response),
  }));
  if (typeof checked === "object") return { status: 429, ...checked };
  const userId = checked;
  if (userId === undefined) return wrong;
  const { store, now } = web.deps;
  const user = await store.read((db) => findUser(db, userId));
  if (!user) return wrong;
  if (user.secondFactorAt === null) {
    await startSession(request, response, { userId, email: user.email, nextPath }, web);
    return undefined;
  }
  const secret = await store.write((db) => beginSignInChallenge(db, { userId, next: nextPath }, now()));
  response.cookie(getFactorCookieName(web), secret, { ...cookieOptions(web), maxAge: CHALLENGE_SECONDS * 1000 });
  response.redirect(303, SECOND_FACTOR_PATH);
  return undefined;
}

/** Starts no session. Throws RATE_LIMITED; known browsers have separate limits. */
export async function checkPassword(
  request: Request,
  { email, password }: { email: string; password: string },
  web: WebContext,
): Promise<string | undefined> {
  const tried = createPasswordTry(request, email, web);
  const attempt = await web.deps.limits.attempts.password(tried);
  const userId = await web.sessions.checkPassword(password, tried).catch(async (error: unknown) => {
    await attempt.release();
    throw error;
  });
  if (userId !== undefined) await attempt.recordSuccess();
  return userId;
}

export function createPasswordTry(request: Request, email: string, { deps, devices }: WebContext): PasswordSubmission {
  return {
    address: deps.limits.addressOf(request),
    email,
    device: devices.findDevice(request.headers.cookie, email),
  };
}

/** Marks the browser as known. Redirects to an identity provider that the organization requires. */
export async function startSession(
  request: Request,
  response: Response,
  { userId, email, nextPath }: { userId: string; email: string; nextPath: string },
  web: WebContext,
): Promise<void> {
  const isInteraction = nextPath.startsWith("/oauth/");
  // An OAuth interaction continues in the session that started it.
  if (!isInteraction) await endOAuthSession(request, response, web);
  await startWebSession(request, response, { userId, proofId: null }, web);
  clearRejectedSignIn(response, web);
  response.cookie(web.devices.cookieName, web.devices.createMark(email), {
    ...cookieOptions(web),
    maxAge: ONE_YEAR_MS,
  });
  const ownSignIn = await findRequiredProvider({ userId, email, nextPath }, web);
  const to = ownSignIn ?? nextPath;
  if (ownSignIn === undefined && !isInteraction) return response.redirect(303, to);
  sendPage(response, { title: "One moment", body: redirectPage(to), redirectTo: to });
}

export function getFactorCookieName({ config }: WebContext): string {
  return config.baseUrl.startsWith("https:") ? "__Host-bva_factor" : "bva_factor";
}
