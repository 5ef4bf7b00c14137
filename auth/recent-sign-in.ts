import { AppError } from "../core/shared/errors.ts";
import { addMs, type Instant, isFuture } from "../core/shared/time.ts";
import type { Caller } from "./caller.ts";

export const RECENT_SIGN_IN_MINUTES = 10;

export function isRecent(signedInAt: Instant | null, now: Instant): boolean {
  if (signedInAt === null || isFuture(signedInAt, now)) return false;
  return addMs(signedInAt, RECENT_SIGN_IN_MINUTES * 60_000) >= now;
}

/** An unattended browser or a stolen key must not grant lasting access. */
export function requireRecentSignIn(caller: Caller | undefined, now: Instant, baseUrl: string): void {
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

export function isSignInRequired({ details }: AppError): boolean {
  return details?.["sign_in_url"] !== undefined;
}
