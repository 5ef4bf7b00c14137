import { z } from "zod";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { parametersOf } from "../../test/whole/call.ts";

// The largest value that a schema allows, for any field of any endpoint.

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Characters that are expensive: escaped, case-folded, composed, matched or counted unexpectedly.
 */
export const AWKWARD: readonly string[] = [
  "a\"\\<&'>",
  "%_",
  "İßſ",
  "e\u0301\u0323",
  " \t\u00A0\u2003",
  "#(*-[",
  "\u{1F469}\u200D\u{1F469}\u200D\u{1F467}",
  "a.b@c/d:e,f;",
];

/** A text of this many UTF-16 units. */
export function awkwardText(length: number, at: number): string {
  const unit = AWKWARD[at % AWKWARD.length] ?? "a";
  return unit
    .repeat(Math.ceil(length / unit.length))
    .slice(0, length)
    .toWellFormed();
}

/**
 * Fields of an endpoint's query or body with their schemas, except `wait`, which is slow by design.
 */
export function fieldsOf(endpoint: AnyEndpoint): [name: string, schema: JsonSchema][] {
  const { properties } = z.toJSONSchema(endpoint.input, { io: "input", unrepresentable: "any", reused: "inline" });
  const inPath = new Set([...parametersOf(endpoint), "wait", endpoint.file]);
  return Object.entries((properties ?? {}) as Record<string, JsonSchema>).filter(([name]) => !inPath.has(name));
}

/** The largest value of a schema within `bytes` of JSON. `at` varies the characters and ids. */
export function largestValue(schema: JsonSchema, bytes: number, at: number): unknown {
  const options = ["anyOf", "oneOf"].flatMap((key) => (schema[key] ?? []) as JsonSchema[]);
  if (options.length > 0) return largestOf(options.map((option) => largestValue(option, bytes, at)));
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return largestOf(schema["enum"]);
  switch (schema["type"]) {
    case "string":
      return largestText(schema, bytes, at);
    case "integer":
    case "number":
      return schema["maximum"] ?? 1e300;
    case "array":
      return largestArray(schema, bytes, at);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return largestObject(schema, bytes, at);
  }
}

/** True for a field that may repeat. */
export function isList(schema: JsonSchema): boolean {
  const options = (schema["anyOf"] ?? []) as JsonSchema[];
  return schema["type"] === "array" || options.some(isList);
}

function largestOf(values: readonly unknown[]): unknown {
  const sizes = values.map((value) => JSON.stringify(value ?? null).length);
  return values[sizes.indexOf(Math.max(...sizes))];
}

function largestText({ format, maxLength }: JsonSchema, bytes: number, at: number): string {
  const length = Math.min(typeof maxLength === "number" ? maxLength : bytes, bytes);
  if (format === "uuid") return `00000000-0000-7000-8000-${String(at).padStart(12, "0")}`;
  if (format === "date-time") return "2036-01-31T12:00:00.000Z";
  if (format === "date") return "2036-01-31";
  if (format === "email") return `${"a".repeat(Math.max(1, Math.min(length, 64)))}@home.test`;
  if (format === "uri") return `https://home.test/${"a/".repeat(Math.max(1, (length - 18) / 2))}`;
  let text = awkwardText(length, at);
  // Characters outside ASCII, and JSON escapes, take several bytes.
  while (Buffer.byteLength(JSON.stringify(text)) > bytes + 2) text = text.slice(0, text.length * 0.7).toWellFormed();
  return text;
}

function largestArray({ items, maxItems }: JsonSchema, bytes: number, at: number): unknown[] {
  const most = typeof maxItems === "number" ? maxItems : Number.POSITIVE_INFINITY;
  const list: unknown[] = [];
  for (let left = bytes; list.length < most && left > 0;) {
    const share = most === Number.POSITIVE_INFINITY ? 40 : Math.floor(bytes / most);
    const item = largestValue((items ?? { type: "string" }) as JsonSchema, Math.max(10, share), at + list.length);
    left -= Buffer.byteLength(JSON.stringify(item ?? null)) + 1;
    if (left > 0) list.push(item);
  }
  return list;
}

function largestObject(schema: JsonSchema, bytes: number, at: number): Record<string, unknown> {
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>);
  if (properties.length === 0) return manyNames(bytes);
  const share = Math.floor(bytes / properties.length);
  return Object.fromEntries(properties.map(([name, inner], n) => [name, largestValue(inner, share, at + n)]));
}

/** All fields, each as large as its share. */
export function largestFields(fields: readonly [string, JsonSchema][], bytes: number): Record<string, unknown> {
  const share = Math.floor(bytes / Math.max(1, fields.length));
  return Object.fromEntries(fields.map(([name, schema], n) => [name, largestValue(schema, share, n)]));
}

/** An object with as many names as fit. */
export function manyNames(bytes: number, prefix = "f"): Record<string, unknown> {
  const count = Math.floor(bytes / (prefix.length + 10));
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, 1]));
}
