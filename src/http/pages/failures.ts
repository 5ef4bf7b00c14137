import type { NextFunction, Request, Response } from "express";
import { AppError } from "../../../core/shared/errors.ts";
import type { WebContext } from "./visit.ts";

/** Rate-limits guesses of links, codes and tokens: counts failures by client address. Throws RATE_LIMITED. */
export function countFailures({ deps: { limits } }: WebContext) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const tried = { address: limits.addressOf(request) };
    await limits.attempts.admitSecret(tried, response);
    response.once("finish", () => {
      const wasWrong = response.statusCode >= 400 && response.statusCode < 500;
      if (wasWrong) void limits.attempts.wrongSecret(tried);
    });
    next();
  };
}

/** Responds with an OAuth error (RFC 6749 section 5.2). */
export function sendOAuthError(error: unknown, _request: Request, response: Response, next: NextFunction): void {
  if (!(error instanceof AppError)) return next(error);
  const { code, status, message, retryAfterSeconds } = error;
  const isTemporary = code === "RATE_LIMITED" || code === "UNAVAILABLE";
  if (isTemporary) response.set("retry-after", String(retryAfterSeconds ?? 60));
  if (status === 413) response.set("connection", "close");
  response.set("cache-control", "no-store").status(status);
  response.json({ error: isTemporary ? "temporarily_unavailable" : "invalid_request", error_description: message });
}
