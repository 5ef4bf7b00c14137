import { z } from "zod";
import type { BriefRow } from "../../db/briefs/briefs.ts";
import { AppError, type ErrorCode, type FieldError } from "../../core/shared/errors.ts";
import type { PartnerFault, PartnerFaultKind } from "../../core/platforms/partner.ts";
import { Brief, shapeBrief } from "./brief.ts";

/** Closed list of interface.md section 7. */
export const BRIEF_CODES = [
  "DUE_DATE_IN_PAST",
  "ALREADY_SENT",
  "BRIEF_NOT_READY",
  "PARTNER_NOT_CONNECTED",
  "PARTNER_RECIPIENTS_NOT_CONFIGURED",
  "PARTNER_RECIPIENTS_INVALID",
  "BRIEF_CONTENT_TOO_LONG",
  "PARTNER_VALIDATION_ERROR",
  "PARTNER_ERROR",
  "PARTNER_UNAVAILABLE",
  "WORKSPACE_UNAVAILABLE",
] as const satisfies ErrorCode[];
export type BriefCode = (typeof BRIEF_CODES)[number];

/** Error bodies that carry the brief (interface.md 2.2). */
export const BRIEF_ERROR_BODY = {
  id: "SendBriefToPartnerError",
  details: z.object({ brief: Brief }),
  codes: BRIEF_CODES,
};

const BRIEF_ERROR_MESSAGES: Record<BriefCode, string> = {
  DUE_DATE_IN_PAST: "due_date must be a date-time in the future, such as 2030-01-31T12:00:00Z.",
  ALREADY_SENT: "The brief was already sent to the partner.",
  BRIEF_NOT_READY: "The brief is still being written. Try again in a moment.",
  PARTNER_NOT_CONNECTED:
    "The workspace is not connected to the partner, or the partner refuses the connection. Connect it under platform integrations.",
  PARTNER_RECIPIENTS_NOT_CONFIGURED:
    "No recipients are configured. Name them under platform integrations or at the partner, and send again.",
  PARTNER_RECIPIENTS_INVALID:
    "The partner does not accept the recipients. Correct them under platform integrations, and send again.",
  BRIEF_CONTENT_TOO_LONG: "Title and body together are longer than can be sent. Shorten the brief, and send again.",
  PARTNER_VALIDATION_ERROR: "The partner rejected the brief. Change the brief or its due date, and send again.",
  PARTNER_ERROR:
    "The partner answered with something unexpected. Try again later. If the problem persists, tell its operator.",
  PARTNER_UNAVAILABLE: "The partner cannot be reached now. Send again in a moment.",
  WORKSPACE_UNAVAILABLE: "The workspace cannot be looked up at the partner now. Send again in a moment.",
};

export function briefError(
  code: BriefCode,
  brief: BriefRow,
  options: {
    fields?: FieldError[] | undefined;
    message?: string;
    retryAfterSeconds?: number | undefined;
    cause?: unknown;
  } = {},
): AppError {
  const { message = BRIEF_ERROR_MESSAGES[code], ...rest } = options;
  return new AppError(code, message, { ...rest, details: { brief: Brief.parse(shapeBrief(brief)) } });
}

/** Used if the partner names no delay. */
const RETRY_AFTER_SECONDS = 5;

const CODES_BY_FAULT: Record<Exclude<PartnerFaultKind, "unavailable">, BriefCode> = {
  not_connected: "PARTNER_NOT_CONNECTED",
  recipients_missing: "PARTNER_RECIPIENTS_NOT_CONFIGURED",
  recipients_invalid: "PARTNER_RECIPIENTS_INVALID",
  content_too_long: "BRIEF_CONTENT_TOO_LONG",
  rejected: "PARTNER_VALIDATION_ERROR",
  already_submitted: "PARTNER_ERROR",
  unexpected: "PARTNER_ERROR",
};

/** `step` is the request that failed. */
export function toBriefError(
  cause: PartnerFault,
  step: "workspace" | "draft" | "submission",
  brief: BriefRow,
): AppError {
  if (cause.kind !== "unavailable") return briefError(CODES_BY_FAULT[cause.kind], brief, { cause });
  const retryAfterSeconds =
    cause.retryAfterMs === undefined ? RETRY_AFTER_SECONDS : Math.ceil(cause.retryAfterMs / 1000);
  const code = step === "workspace" ? "WORKSPACE_UNAVAILABLE" : "PARTNER_UNAVAILABLE";
  return briefError(code, brief, { retryAfterSeconds, cause });
}
