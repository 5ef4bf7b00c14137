import type { NextFunction, Request, Response } from "express";
import { AppError } from "../../../core/errors.ts";

/** A brief of 50,000 characters, percent-encoded, is the longest field of any page. */
const LIMIT_BYTES = 512 * 1024;

/** The fields of a posted form. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  if (!request.is("application/x-www-form-urlencoded")) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Send this form from its page.");
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LIMIT_BYTES) throw new AppError("PAYLOAD_TOO_LARGE", "The form holds too much.");
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}

/**
 * Refuses form posts that did not come from our own pages (cross-site request forgery). Browsers always say where a post
 * comes from, so one that does not say is refused too. `answers` are the paths to which others are meant to post.
 */
export function sameOriginOnly(baseUrl: string, answers: RegExp) {
  const { origin } = new URL(baseUrl);
  return (request: Request, _response: Response, next: NextFunction): void => {
    const site = request.get("sec-fetch-site");
    const fromHere = request.get("origin") === origin && (site === undefined || site === "same-origin");
    if (request.method !== "POST" || fromHere || answers.test(request.path)) return next();
    throw new AppError("FORBIDDEN", "This form was sent from another site. Open the page here and send it again.");
  };
}

/** Pages live at one address: a browser that came by another name of this host goes on to the public one. */
export function publicAddressOnly(baseUrl: string) {
  const { host } = new URL(baseUrl);
  return (request: Request, response: Response, next: NextFunction): void => {
    if (request.method !== "GET" || request.headers.host === host) return next();
    response.redirect(307, baseUrl + request.originalUrl);
  };
}
