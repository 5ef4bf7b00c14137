import { AppError } from "../core/shared/errors.ts";
import { later, type Instant } from "../core/shared/time.ts";
import { isAhead } from "../core/jobs/waits.ts";
import type { Caller } from "./caller.ts";

/** How old a sign-in may be for what gives others lasting access, or changes who can get in. */
export const RECENT_SIGN_IN_MINUTES = 10;

/** True if the person showed who they are within the last ten minutes: not at a time that has not come yet. */
export function isRecent(signedInAt: Instant | null, now: Instant): boolean {
  if (signedInAt === null || isAhead(signedInAt, now)) return false;
  return later(signedInAt, RECENT_SIGN_IN_MINUTES * 60_000) >= now;
}

/**
 * Refuses a caller who did not sign in lately: FORBIDDEN, with where to sign in. A browser that was left open, or a key or
 * token that was stolen, must not be enough for access that outlives it. Keys and assistants have no sign-in at all.
 */
export function refuseOldSignIn(caller: Caller | undefined, now: Instant, baseUrl: string): void {
  const signedInAt = caller?.signedInAt ?? null;
  if (isRecent(signedInAt, now)) return;
  const signInUrl = `${baseUrl}/sign-in`;
  const why =
    signedInAt === null
      ? "A token of an API key cannot do this. Do it in the console"
      : `This needs a sign-in of the last ${RECENT_SIGN_IN_MINUTES} minutes. Sign in again in the console`;
  throw new AppError("FORBIDDEN", `${why} at ${signInUrl}, or with a token of single sign-on.`, {
    details: { sign_in_url: signInUrl },
  });
}

/** True for a refusal that a new sign-in mends. */
export function asksForSignIn({ details }: AppError): boolean {
  return details?.["sign_in_url"] !== undefined;
}
