import type { Response } from "express";
import type { PasswordSubmission } from "../../../auth/people/password-slots.ts";
import { hashPassword } from "../../../auth/people/password.ts";
import { AppError } from "../../../core/shared/errors.ts";

/** Returns a message for the form and sets Retry-After and status 429. Rethrows other errors. */
export function toRateLimitProblem(error: unknown, response: Response): string {
  if (!(error instanceof AppError) || error.code !== "RATE_LIMITED") throw error;
  response.set("retry-after", String(error.retryAfterSeconds ?? 1));
  return error.message;
}

/** Returns the hash, or a message for the form, which is shown again with status 429. */
export async function hashOrProblem(
  password: string,
  tried: PasswordSubmission,
  response: Response,
): Promise<{ passwordHash: string } | { problem: string }> {
  return hashPassword(password, tried).then(
    (passwordHash) => ({ passwordHash }),
    (error: unknown) => ({ problem: toRateLimitProblem(error, response) }),
  );
}
