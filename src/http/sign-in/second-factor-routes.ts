import type { Request, Response } from "express";
import { findCookie } from "../../../auth/people/cookie.ts";
import { findSignInChallenge } from "../../../auth/people/factor-challenges.ts";
import { createSignInOptions, toPasskeySite, verifyPasskey } from "../../../auth/people/passkeys.ts";
import { isAppCode, verifyChallenge, type PresentedFactor } from "../../../auth/people/second-factors.ts";
import type { FactorChallengeRow } from "../../../db/identity/second-factors/factor-challenges.ts";
import { findTotp, listPasskeys } from "../../../db/identity/second-factors/second-factors.ts";
import { findUser } from "../../../db/identity/users.ts";
import { parseQuery } from "../body.ts";
import { renderSecondFactorPage } from "./pages/second-factor-page.ts";
import { sendPage } from "../pages/page.ts";
import { get, post, type Route } from "../pages/routes.ts";
import { cookieOptions, type WebContext } from "../pages/visit.ts";
import { startSession, getFactorCookieName, SECOND_FACTOR_PATH } from "./password-sign-in.ts";
import { insertPersonEvent, recordFailedSignIn } from "./sign-in-events.ts";

export const secondFactorSignInRoutes: readonly Route[] = [
  get(SECOND_FACTOR_PATH, showSecondStep),
  post(SECOND_FACTOR_PATH, handleSecondStep),
];

async function showSecondStep(request: Request, response: Response, web: WebContext): Promise<void> {
  const waiting = await findPendingChallenge(request, web);
  if (!waiting) return response.redirect(303, "/sign-in");
  const refused = parseQuery(request.originalUrl).has("refused");
  await sendSecondFactorPage(
    response,
    waiting,
    web,
    refused ? "That was not right, or was used before. Try again." : undefined,
  );
}

async function handleSecondStep(request: Request, response: Response, web: WebContext): Promise<void> {
  const waiting = await findPendingChallenge(request, web);
  if (!waiting) return response.redirect(303, "/sign-in");
  if (!(await checkSecondFactor(request, response, waiting, web))) {
    await recordFailedSignIn({ userId: waiting.user.id }, response, web.deps);
    return response.redirect(303, `${SECOND_FACTOR_PATH}?refused=code`);
  }
  response.clearCookie(getFactorCookieName(web), cookieOptions(web));
  const { user, challenge } = waiting;
  await startSession(request, response, { userId: user.id, email: user.email, nextPath: challenge.next }, web);
}

type PendingChallenge = Exclude<Awaited<ReturnType<typeof findPendingChallenge>>, undefined>;

async function findPendingChallenge(request: Request, web: WebContext) {
  const { store, now } = web.deps;
  const secret = findCookie(request.headers.cookie, getFactorCookieName(web));
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

async function sendSecondFactorPage(response: Response, waiting: PendingChallenge, web: WebContext, problem?: string) {
  const { user, challenge, known, hasApp } = waiting;
  const site = toPasskeySite(web.config.baseUrl);
  const passkey = site && known.length > 0 ? await createSignInOptions(site, challenge.challenge, known) : undefined;
  const body = renderSecondFactorPage({ action: SECOND_FACTOR_PATH, email: user.email, hasApp, passkey, problem });
  sendPage(response, { title: "Second step", body, status: problem === undefined ? 200 : 401 });
}

async function checkSecondFactor(request: Request, response: Response, waiting: PendingChallenge, web: WebContext) {
  const form = response.locals["form"] as URLSearchParams;
  const answer = form.get("passkey") ?? "";
  if (answer !== "") {
    const proven = await verifyPasskeyAnswer(answer, waiting, web);
    return proven !== undefined && completeChallenge(response, waiting.challenge, proven, web);
  }
  const typed = (form.get("code") ?? "").replaceAll(/[\s-]/g, "");
  return isAppCode(typed)
    ? checkCode(request, response, { waiting, code: typed }, web)
    : checkRecoveryCode(request, response, { waiting, code: typed }, web);
}

async function verifyPasskeyAnswer(answer: string, { challenge, known }: PendingChallenge, { config }: WebContext) {
  const site = toPasskeySite(config.baseUrl);
  return site && verifyPasskey(site, challenge.challenge, { answer, known });
}

/** Six digits can be guessed, so attempts are strictly limited. */
async function checkCode(
  request: Request,
  response: Response,
  { waiting, code }: { waiting: PendingChallenge; code: string },
  web: WebContext,
): Promise<boolean> {
  const { user, challenge } = waiting;
  const device = web.devices.findDevice(request.headers.cookie, user.email);
  const attempt = await web.deps.limits.attempts.code({ userId: user.id, device });
  let isWrong = false;
  try {
    isWrong = !(await completeChallenge(response, challenge, { code }, web));
    return !isWrong;
  } finally {
    if (!isWrong) await attempt.forgive();
  }
}

/** A recovery code cannot be guessed, but checking attempts has a cost. */
async function checkRecoveryCode(
  request: Request,
  response: Response,
  { waiting, code }: { waiting: PendingChallenge; code: string },
  web: WebContext,
): Promise<boolean> {
  const { limits } = web.deps;
  const tried = { address: limits.addressOf(request), secret: code };
  await limits.attempts.admitSecret(tried, response);
  const isRight = await completeChallenge(response, waiting.challenge, { recoveryCode: code }, web);
  if (!isRight) await limits.attempts.wrongSecret(tried);
  return isRight;
}

function completeChallenge(
  response: Response,
  challenge: FactorChallengeRow,
  proven: PresentedFactor,
  { deps, secrets }: WebContext,
) {
  return deps.store.write(async (db) => {
    const passed = await verifyChallenge(db, challenge, proven, { secrets, now: deps.now() });
    if (passed && "recoveryCode" in proven) {
      await insertPersonEvent(db, { name: "useRecoveryCode", userId: challenge.userId }, response, deps);
    }
    return passed;
  });
}
