import { AppError } from "../../../core/shared/errors.ts";

/** The error keywords of RFC 7644 section 3.12, table 9. */
export type ScimType =
  | "invalidFilter"
  | "tooMany"
  | "uniqueness"
  | "mutability"
  | "invalidSyntax"
  | "invalidPath"
  | "noTarget"
  | "invalidValue";

/** An invalid request, as a SCIM error. */
export function refusal(scimType: ScimType, detail: string, cause?: unknown): AppError {
  return new AppError("VALIDATION_FAILED", detail, { details: { scimType }, cause });
}

/** The name is already used in the organization. */
export function notUnique(detail: string): AppError {
  return new AppError("CONFLICT", detail, { details: { scimType: "uniqueness" } });
}
