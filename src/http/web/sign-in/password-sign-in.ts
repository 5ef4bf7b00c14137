import type { Request, Response } from "express";
import { cookieOptions, type Web } from "../visit.ts";

const YEAR_MS = 365 * 86_400_000;

/**
 * The account with this e-mail and password. RATE_LIMITED after too many failures; a browser that has signed in before
 * has its own count, and is marked so that it stays known.
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
