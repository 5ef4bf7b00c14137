import type { Request, Response } from "express";
import { cookieIn } from "../../../auth/people/cookie.ts";
import { findSignInChallenge } from "../../../auth/people/factor-challenges.ts";
import { askForPasskey, passkeySite, verifyPasskey } from "../../../auth/people/passkeys.ts";
import { isAppCode, passChallenge, type Proven } from "../../../auth/people/second-factors.ts";
import type { FactorChallengeRow } from "../../../db/identity/second-factors/factor-challenges.ts";
import { findTotp, listPasskeys } from "../../../db/identity/second-factors/second-factors.ts";
import { findUser } from "../../../db/identity/users.ts";
import { secondFactorSignInPage } from "./pages/second-factor-page.ts";
import { sendPage } from "../pages/page.ts";
import { get, post, type Route } from "../pages/routes.ts";
import { cookieOptions, queryOf, type Web } from "../pages/visit.ts";
import { enter, factorCookie, SECOND_FACTOR_PATH } from "./password-sign-in.ts";
import { insertOwnEvent, recordRefusedSignIn } from "./sign-in-events.ts";

export const secondFactorSignInRoutes: readonly Route[] = [
  get(SECOND_FACTOR_PATH, showSecondStep),
  post(SECOND_FACTOR_PATH, takeSecondStep),
];

async function showSecondStep(request: Request, response: Response, web: Web): Promise<void> {
  const waiting = await waitingIn(request, web);
  if (!waiting) return response.redirect(303, "/sign-in");
  const refused = queryOf(request.originalUrl).has("refused");
  await ask(response, waiting, web, refused ? "That was not right, or was used before. Try again." : undefined);
}

async function takeSecondStep(request: Request, response: Response, web: Web): Promise<void> {
  const waiting = await waitingIn(request, web);
  if (!waiting) return response.redirect(303, "/sign-in");
  if (!(await passes(request, response, waiting, web))) {
    await recordRefusedSignIn({ userId: waiting.user.id }, response, web.deps);
    return response.redirect(303, `${SECOND_FACTOR_PATH}?refused=code`);
  }
  response.clearCookie(factorCookie(web), cookieOptions(web));
  const { user, challenge } = waiting;
  await enter(request, response, { userId: user.id, email: user.email, next: challenge.next }, web);
}

type Waiting = Exclude<Awaited<ReturnType<typeof waitingIn>>, undefined>;

async function waitingIn(request: Request, web: Web) {
  const { store, now } = web.deps;
  const secret = cookieIn(request.headers.cookie, factorCookie(web));
  if (secret === undefined) return undefined;
  return store.read(async (db) => {
    const challenge = await findSignInChallenge(db, secret, now());
    const user = challenge && (await findUser(db, challenge.userId));
    if (!user || user.disabledAt !== null) return undefined;
    const totp = await findTotp(db, user.id);
    const known = await listPasskeys(db, user.id);
    return { challenge, user, known, hasApp: (totp?.confirmedAt ?? null) !== null };
  });
}

async function ask(response: Response, waiting: Waiting, web: Web, problem?: string): Promise<void> {
  const { user, challenge, known, hasApp } = waiting;
  const site = passkeySite(web.config.baseUrl);
  const passkey = site && known.length > 0 ? await askForPasskey(site, challenge.challenge, known) : undefined;
  const body = secondFactorSignInPage({ action: SECOND_FACTOR_PATH, email: user.email, hasApp, passkey, problem });
  sendPage(response, { title: "Second step", body, status: problem === undefined ? 200 : 401 });
}

async function passes(request: Request, response: Response, waiting: Waiting, web: Web): Promise<boolean> {
  const form = response.locals["form"] as URLSearchParams;
  const answer = form.get("passkey") ?? "";
  if (answer !== "") {
    const proven = await provenBy(answer, waiting, web);
    return proven !== undefined && take(response, waiting.challenge, proven, web);
  }
  const typed = (form.get("code") ?? "").replaceAll(/[\s-]/g, "");
  return isAppCode(typed)
    ? passesByCode(request, response, { waiting, code: typed }, web)
    : passesByRecoveryCode(request, response, { waiting, code: typed }, web);
}

async function provenBy(answer: string, { challenge, known }: Waiting, { config }: Web): Promise<Proven | undefined> {
  const site = passkeySite(config.baseUrl);
  return site && verifyPasskey(site, challenge.challenge, { answer, known });
}

/** Six digits can be guessed, so attempts are strictly limited. */
async function passesByCode(
  request: Request,
  response: Response,
  { waiting, code }: { waiting: Waiting; code: string },
  web: Web,
): Promise<boolean> {
  const { user, challenge } = waiting;
  const device = web.devices.find(request.headers.cookie, user.email);
  const attempt = await web.deps.limits.attempts.code({ userId: user.id, device });
  let isWrong = false;
  try {
    isWrong = !(await take(response, challenge, { code }, web));
    return !isWrong;
  } finally {
    if (!isWrong) await attempt.forgive();
  }
}

/** A recovery code cannot be guessed, but checking attempts has a cost. */
async function passesByRecoveryCode(
  request: Request,
  response: Response,
  { waiting, code }: { waiting: Waiting; code: string },
  web: Web,
): Promise<boolean> {
  const { limits } = web.deps;
  const tried = { address: limits.addressOf(request), secret: code };
  await limits.attempts.admitSecret(tried, response);
  const isRight = await take(response, waiting.challenge, { recoveryCode: code }, web);
  if (!isRight) await limits.attempts.wrongSecret(tried);
  return isRight;
}

function take(response: Response, challenge: FactorChallengeRow, proven: Proven, { deps, secrets }: Web) {
  return deps.store.write(async (db) => {
    const passed = await passChallenge(db, challenge, proven, { secrets, now: deps.now() });
    if (passed && "recoveryCode" in proven) {
      await insertOwnEvent(db, { name: "useRecoveryCode", userId: challenge.userId }, response, deps);
    }
    return passed;
  });
}
