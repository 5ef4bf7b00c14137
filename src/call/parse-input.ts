import { z } from "zod";
import { plainIssue } from "../../core/plain-issues.ts";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { invalidInput, type FieldError } from "../../core/errors.ts";

/** An endpoint's input, parsed by its own schema. */
export type Input = Record<string, unknown>;

/** Parses the input. The error names every invalid field and what it must be, and never quotes what was sent. */
export function parseInput(endpoint: AnyEndpoint, raw: Record<string, unknown>): Input {
  const unstorable = findUnstorable(raw, []);
  if (unstorable) throw invalidInput([{ path: unstorable, message: "must not contain NUL or broken Unicode" }]);
  const parsed = endpoint.input.safeParse(raw, { error: plainIssue });
  if (parsed.success) return parsed.data;
  const issues: z.core.$ZodIssue[] = parsed.error.issues;
  throw invalidInput(issues.flatMap(fieldErrors));
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

/** The path of the first text that cannot be stored: one with NUL or a lone surrogate. */
function findUnstorable(value: unknown, path: readonly string[]): string | undefined {
  if (typeof value === "string") return value.includes("\0") || !value.isWellFormed() ? path.join(".") : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = findUnstorable(key, [...path, "(a field name)"]) ?? findUnstorable(inner, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}
