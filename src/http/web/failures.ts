import type { NextFunction, Request, Response } from "express";
import { AppError } from "../../../core/errors.ts";
import type { Web } from "./visit.ts";

/** Rate-limits guesses of links, codes and tokens: counts failures by client address. Throws RATE_LIMITED. */
export function countFailures({ deps: { limits } }: Web) {
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

/** RATE_LIMITED as an OAuth error (RFC 6749 section 5.2), for OAuth clients. */
export function tooManyForOAuth(error: unknown, _request: Request, response: Response, next: NextFunction): void {
  if (!(error instanceof AppError) || error.code !== "RATE_LIMITED") return next(error);
  response.set({ "retry-after": String(error.retryAfterSeconds ?? 60), "cache-control": "no-store" });
  response.status(429).json({ error: "temporarily_unavailable", error_description: error.message });
}
