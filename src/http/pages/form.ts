import type { NextFunction, Request, Response } from "express";
import { AppError } from "../../../core/shared/errors.ts";
import type { Limits } from "../../limits/open-limits.ts";
import { readText, parseFormPairs } from "../body.ts";
import { readFormWithFile } from "./form-with-file.ts";
import { addMs, type Instant } from "../../../core/shared/time.ts";

/** The longest field, a brief of 50,000 characters, is percent-encoded. */
const MAX_FORM_BYTES = 512 * 1024;

/** `userId` is undefined before sign-in. */
export async function readForm(
  { request, response }: { request: Request; response: Response },
  userId: string | undefined,
  limits: Limits,
): Promise<URLSearchParams> {
  const hasFile = Boolean(request.is("multipart/form-data"));
  if (!hasFile && !request.is("application/x-www-form-urlencoded")) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Submit this form from its page.");
  }
  const holder = userId === undefined ? { address: limits.addressOf(request) } : { account: userId };
  const hold = limits.bodies.open(holder, response);
  if (hasFile) return readFormWithFile({ request, response, hold });
  try {
    const { text } = await readText({ request, response, hold }, MAX_FORM_BYTES);
    return parseFormPairs(text);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "PAYLOAD_TOO_LARGE") throw error;
    throw new AppError("PAYLOAD_TOO_LARGE", "The form is too large. Shorten its text and submit it again.");
  }
}

/** Prevents cross-site request forgery. Rejects posts without Origin: browsers always send it. */
export function requireSameOrigin(baseUrl: string, crossSitePaths: RegExp) {
  const { origin } = new URL(baseUrl);
  return (request: Request, _response: Response, next: NextFunction): void => {
    const site = request.get("sec-fetch-site");
    const fromHere = request.get("origin") === origin && (site === undefined || site === "same-origin");
    if (request.method !== "POST" || fromHere || crossSitePaths.test(request.path)) return next();
    throw new AppError(
      "FORBIDDEN",
      "This form was submitted from another site. Open the page here and submit it again.",
    );
  };
}

/** Redirects a browser that used another name of this host to the public origin, where pages and cookies live. */
export function redirectToPublicAddress(baseUrl: string) {
  const { host } = new URL(baseUrl);
  return (request: Request, response: Response, next: NextFunction): void => {
    if (request.method !== "GET" || request.headers.host === host) return next();
    response.redirect(307, baseUrl + request.originalUrl);
  };
}

const DAY_MS = 86_400_000;

/** Expires at the end of a day, so that a form submitted again asks for an equal expiry. */
export function parseExpiry(form: URLSearchParams, now: Instant): { expires_at?: Instant } {
  const days = Number(form.get("expires"));
  const today: Instant = `${now.slice(0, 10)}T00:00:00.000Z`;
  return days > 0 ? { expires_at: addMs(today, (days + 1) * DAY_MS) } : {};
}
