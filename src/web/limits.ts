import type { Request, Response } from "express";
import { ipKeyGenerator, rateLimit } from "express-rate-limit";
import { errorPage } from "./pages/message.ts";
import { sendPage } from "./page.ts";

const QUARTER_HOUR_MS = 15 * 60_000;
const HOUR_MS = 60 * 60_000;

/** Ten wrong passwords for one account from one address, and a hundred from one address for all, in 15 minutes. */
export function signInLimits() {
  const common = {
    windowMs: QUARTER_HOUR_MS,
    skipSuccessfulRequests: true,
    standardHeaders: "draft-8",
    legacyHeaders: false,
    handler: refuseVisitor,
  } as const;
  return [
    rateLimit({ ...common, limit: 100 }),
    rateLimit({
      ...common,
      limit: 10,
      keyGenerator: (request, response) => `${addressOf(request)} ${emailOf(response)}`,
    }),
  ];
}

/** Clients that register themselves, from one address in an hour. */
export function registrationLimit() {
  return rateLimit({
    windowMs: HOUR_MS,
    limit: 60,
    standardHeaders: "draft-8",
    legacyHeaders: false,
    handler: (_request, response) => {
      response.status(429).json({
        error: "temporarily_unavailable",
        error_description: "Too many registrations from this address. Use the client_id that you have, or try later.",
      });
    },
  });
}

function refuseVisitor(_request: Request, response: Response): void {
  const body = errorPage("Too many attempts", "Wait a quarter of an hour, then try again.");
  sendPage(response, { status: 429, title: "Too many attempts", body });
}

function addressOf(request: Request): string {
  return ipKeyGenerator(request.ip ?? "");
}

function emailOf(response: Response): string {
  const form: unknown = response.locals["form"];
  return form instanceof URLSearchParams ? (form.get("email") ?? "").trim().toLowerCase().slice(0, 320) : "";
}
