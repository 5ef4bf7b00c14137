import { z } from "zod";
import { plainIssue } from "../../core/plain-issues.ts";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { invalidInput, type FieldError } from "../../core/errors.ts";
import { boundedParse } from "../../core/bounded-parse.ts";
import { MAX_VALUES_CHECKED_WHOLE } from "../../core/request-bounds.ts";

/** An endpoint's input, parsed by its own schema. */
export type Input = Record<string, unknown>;

/** Parses the input. The error names invalid fields and what they must be, and never quotes what was sent. */
export function parseInput(endpoint: AnyEndpoint, raw: Record<string, unknown>): Input {
  const { values, unstorable } = survey(raw);
  if (unstorable !== undefined)
    throw invalidInput([{ path: unstorable, message: "must not contain NUL or broken Unicode" }]);
  const abortEarly = values > MAX_VALUES_CHECKED_WHOLE;
  const parsed = boundedParse(endpoint.input, raw, { error: plainIssue, abortEarly });
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

interface Survey {
  /** How many values there are at all depths. */
  values: number;
  /** Path of the first text that cannot be stored: one with NUL or a lone surrogate. */
  unstorable: string | undefined;
}

function survey(raw: unknown): Survey {
  let values = 0;
  /** The path from the inside out; it is made for a text that is found, not for each that is looked at. */
  const find = (value: unknown): string[] | undefined => {
    values++;
    if (typeof value === "string") return isUnstorable(value) ? [] : undefined;
    if (typeof value !== "object" || value === null) return undefined;
    for (const key of Object.keys(value)) {
      if (!Array.isArray(value) && isUnstorable(key)) return ["(a field name)"];
      const path = find((value as Record<string, unknown>)[key]);
      if (path) return [...path, key];
    }
    return undefined;
  };
  const path = find(raw);
  return { values, unstorable: path?.toReversed().join(".") };
}

function isUnstorable(text: string): boolean {
  return text.includes("\0") || !text.isWellFormed();
}
