import { z } from "zod";
import { boundedParse } from "../../core/shared/bounded-parse.ts";
import { invalidInput, type FieldError } from "../../core/shared/errors.ts";
import { plainIssue } from "../../core/shared/plain-issues.ts";
import type { AnyEndpoint } from "../../tools/endpoint.ts";

/** An endpoint's input, parsed by its own schema. */
export type Input = Record<string, unknown>;

/** Parses the input. The error names invalid fields and what they must be, and never quotes what was sent. */
export function parseInput(endpoint: AnyEndpoint, raw: Record<string, unknown>): Input {
  const unstorable = findUnstorable(raw)?.toReversed().join(".");
  if (unstorable !== undefined)
    throw invalidInput([{ path: unstorable, message: "must not contain NUL or broken Unicode" }]);
  const parsed = boundedParse(endpoint.input, raw, plainIssue);
  if (parsed.success) return parsed.data as Input;
  const fields = parsed.issues.flatMap(fieldErrors);
  throw invalidInput(fields, fields.length + parsed.count - parsed.issues.length);
}

/** The path parameters alone; undefined if any is invalid. */
export function parsePath(endpoint: AnyEndpoint, raw: Record<string, unknown>): Record<string, string> | undefined {
  const keys = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? "");
  const path = z.record(z.string(), z.string()).safeParse(Object.fromEntries(keys.map((key) => [key, raw[key]])));
  const fields = endpoint.input.pick(Object.fromEntries(keys.map((key) => [key, true as const])));
  return path.success && fields.safeParse(path.data).success ? path.data : undefined;
}

/** A value that a closed list does not have is told the whole list. */
function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: [...issue.path, key].join("."),
      message: "is not a field of this request",
    }));
  }
  const field = { path: issue.path.join("."), message: issue.message };
  const values = issue.code === "invalid_value" ? issue.values.filter((value) => typeof value === "string") : [];
  return [values.length === 0 ? field : { ...field, allowed: values, allowed_count: values.length }];
}

/**
 * The path, from the inside out, of the first text that cannot be stored: one with NUL or a lone surrogate. It is made for the text that is
 * found, not for each that is checked.
 */
function findUnstorable(value: unknown): string[] | undefined {
  if (typeof value === "string") return isUnstorable(value) ? [] : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const key of Object.keys(value)) {
    if (!Array.isArray(value) && isUnstorable(key)) return ["(a field name)"];
    const path = findUnstorable((value as Record<string, unknown>)[key]);
    if (path) return [...path, key];
  }
  return undefined;
}

function isUnstorable(text: string): boolean {
  return text.includes("\0") || !text.isWellFormed();
}
