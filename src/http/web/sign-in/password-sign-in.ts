import type { Request, Response } from "express";
import { cookieOptions, type Web } from "../visit.ts";

const YEAR_MS = 365 * 86_400_000;

/**
 * The account that an e-mail and a password are of. RATE_LIMITED after too many wrong ones; a browser that signed in
 * before is counted for itself, and is marked so that it stays known.
 */
export async function signInByPassword(
  request: Request,
  response: Response,
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
    if (userId !== undefined) {
      response.cookie(web.devices.cookieName, web.devices.mark(email), { ...cookieOptions(web), maxAge: YEAR_MS });
    }
    return userId;
  } finally {
    if (!isWrong) await attempt.forgive();
  }
}
