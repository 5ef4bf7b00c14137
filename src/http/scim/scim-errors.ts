import { AppError } from "../../../core/shared/errors.ts";

export type ScimType =
  | "invalidFilter"
  | "tooMany"
  | "uniqueness"
  | "mutability"
  | "invalidSyntax"
  | "invalidPath"
  | "noTarget"
  | "invalidValue";

export function scimError(scimType: ScimType, detail: string, cause?: unknown): AppError {
  return new AppError("VALIDATION_FAILED", detail, { details: { scimType }, cause });
}

export function notUnique(detail: string): AppError {
  return new AppError("CONFLICT", detail, { details: { scimType: "uniqueness" } });
}
