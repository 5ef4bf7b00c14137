import type { z } from "zod";
import { formatInteger, formatCount } from "./format-count.ts";

const MAX_LISTED_VALUES = 12;
const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
const FORMAT_NAMES: Readonly<Record<string, string>> = {
  email: "an e-mail address",
  url: "a web address",
  uuid: "a UUID",
  datetime: "a time, such as 2026-01-31T09:30:00Z",
  date: "a day, such as 2026-01-31",
  base64: "base64",
};
/** Nouns for lengths by type of value: characters, items. */
const LENGTH_UNITS: Readonly<Record<string, readonly [one: string, many?: string]>> = {
  string: ["character"],
  array: ["entry", "entries"],
  set: ["entry", "entries"],
  map: ["entry", "entries"],
  record: ["entry", "entries"],
  file: ["byte"],
};

type RawIssue = z.core.$ZodRawIssue;
type SizeIssue = RawIssue & { code: "too_big" | "too_small" };

/**
 * Error message of an issue as the rest of a sentence after the field name: `must not be empty`.
 * Use as `error` of `safeParse`; a schema's own messages take precedence.
 */
export function formatIssueMessage(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return formatAllowedValues(issue.values);
    case "too_big":
      return formatSizeIssue(issue, Number(issue.maximum), issue.inclusive === false ? "less than" : "at most");
    case "too_small":
      return formatSizeIssue(issue, Number(issue.minimum), issue.inclusive === false ? "more than" : "at least");
    case "invalid_format":
      return formatFormatIssue(issue);
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    default:
      return undefined;
  }
}

function formatAllowedValues(values: readonly z.core.util.Primitive[]): string {
  const shown = values.slice(0, MAX_LISTED_VALUES).map(String);
  if (values.length === 1) return `must be ${shown[0]}`;
  const among = values.length > MAX_LISTED_VALUES ? `one of ${values.length} values, such as` : "one of";
  return `must be ${among} ${shown.join(", ")}`;
}

function formatSizeIssue({ origin, exact, code }: SizeIssue, bound: number, way: string): string {
  const unit = LENGTH_UNITS[origin];
  if (!unit) return `must be ${way} ${formatInteger(bound)}`;
  if (code === "too_small" && bound === 1 && way === "at least" && !exact) return "must not be empty";
  return `must have ${exact ? "exactly" : way} ${formatCount(bound, ...unit)}`;
}

function formatFormatIssue(issue: RawIssue & { code: "invalid_format" }): string {
  if (issue.format === "regex") return `must match ${String(issue["pattern"])}`;
  const format = FORMAT_NAMES[issue.format];
  return format === undefined ? `is not valid as ${issue.format.replaceAll("_", " ")}` : `must be ${format}`;
}
