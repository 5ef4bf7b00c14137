import type { z } from "zod";
import { count, counted } from "./counts.ts";

/** Max values listed in a message. */
const MOST_LISTED = 12;
const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
const FORMATS: Readonly<Record<string, string>> = {
  email: "an e-mail address",
  url: "a web address",
  uuid: "a UUID",
  datetime: "a time, such as 2026-01-31T09:30:00Z",
  date: "a day, such as 2026-01-31",
  base64: "base64",
};
/** Length units by type. */
const UNITS: Readonly<Record<string, readonly [one: string, many?: string]>> = {
  string: ["character"],
  array: ["entry", "entries"],
  set: ["entry", "entries"],
  map: ["entry", "entries"],
  record: ["entry", "entries"],
  file: ["byte"],
};

type Issue = z.core.$ZodRawIssue;
type Sized = Issue & { code: "too_big" | "too_small" };

/**
 * Error message of an issue as the rest of a sentence after the field name: `must not be empty`.
 * Use as `error` of `safeParse`; a schema's own messages take precedence.
 */
export function plainIssue(issue: Issue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return oneOf(issue.values);
    case "too_big":
      return sized(issue, Number(issue.maximum), issue.inclusive === false ? "less than" : "at most");
    case "too_small":
      return sized(issue, Number(issue.minimum), issue.inclusive === false ? "more than" : "at least");
    case "invalid_format":
      return formatted(issue);
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    default:
      return undefined;
  }
}

function oneOf(values: readonly z.core.util.Primitive[]): string {
  const shown = values.slice(0, MOST_LISTED).map(String);
  if (values.length === 1) return `must be ${shown[0]}`;
  const among = values.length > MOST_LISTED ? `one of ${values.length} values, such as` : "one of";
  return `must be ${among} ${shown.join(", ")}`;
}

function sized({ origin, exact, code }: Sized, bound: number, way: string): string {
  const unit = UNITS[origin];
  if (!unit) return `must be ${way} ${count(bound)}`;
  if (code === "too_small" && bound === 1 && way === "at least" && !exact) return "must not be empty";
  return `must have ${exact ? "exactly" : way} ${counted(bound, ...unit)}`;
}

function formatted(issue: Issue & { code: "invalid_format" }): string {
  if (issue.format === "regex") return `must match ${String(issue["pattern"])}`;
  const format = FORMATS[issue.format];
  return format === undefined ? `is not valid as ${issue.format.replaceAll("_", " ")}` : `must be ${format}`;
}
