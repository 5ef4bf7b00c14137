import { AppError } from "../../../core/errors.ts";

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

/** A request that is not valid, in the protocol's words. */
export function refusal(scimType: ScimType, detail: string, cause?: unknown): AppError {
  return new AppError("VALIDATION_FAILED", detail, { details: { scimType }, cause });
}

/** Something of the organization has this name already. */
export function notUnique(detail: string): AppError {
  return new AppError("CONFLICT", detail, { details: { scimType: "uniqueness" } });
}
