import { z } from "zod";
import { UNLISTED } from "../../../../core/shared/fields.ts";
import type { AnyEndpoint } from "../../../../tools/endpoint.ts";
import { METRIC_PRESENTATION_KEY, type MetricPresentation } from "../../../../core/metrics/metric-fields.ts";

export type JsonSchema = { [key: string]: unknown };

export const OUTSIDE_TEXT = "x-outside-text";

/** Internal marks, removed from listings. */
export const INTERNAL_MARKS: ReadonlySet<string> = new Set([OUTSIDE_TEXT, METRIC_PRESENTATION_KEY]);

type Io = "input" | "output";

/**
 * Converts a Zod schema to a compact JSON Schema for models. References are inlined, because
 * several clients resolve none. Lengths and patterns are checked on the call. Below `depth` levels,
 * and where a word can stand for an object, optional fields are only named. Results keep names,
 * types and the mark of untrusted text.
 */
export function toToolSchema(schema: z.ZodType, io: Io, depth: number): JsonSchema {
  const { $defs, ...root } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonSchema;
  // Safe: `$defs` of a JSON Schema are schemas by name.
  const definitions = ($defs ?? {}) as Record<string, JsonSchema>;
  return compactSchema(root, { definitions, io, depthLeft: depth });
}

export function listEnvelopeFields(isList: boolean): readonly string[] {
  return ["notes", "truncated", ...(isList ? [] : ["next_cursor", "total_count"])];
}

export function buildResultSchema({ output, notInTools = [] }: AnyEndpoint, depth: number): JsonSchema {
  const schema = toToolSchema(output, "output", depth);
  const [fields, columns] = [toProperties(schema), toProperties(getRowSchema(schema))];
  const isList = Object.keys(columns).length > 0;
  for (const name of [...notInTools, ...listEnvelopeFields(isList)]) delete fields[name];
  for (const name of notInTools) delete columns[name];
  return schema;
}

export function getRowSchema(output: JsonSchema): JsonSchema | undefined {
  const items = toProperties(output)["data"]?.["items"];
  if (!isSchema(items)) return undefined;
  const { anyOf } = items;
  return Array.isArray(anyOf) ? { properties: Object.assign({}, ...anyOf.map(toProperties)) as JsonSchema } : items;
}

export function toProperties(schema: JsonSchema | undefined): Record<string, JsonSchema> {
  // Safe: `properties` of a JSON Schema are schemas by name.
  return (schema?.["properties"] ?? {}) as Record<string, JsonSchema>;
}

/** Paths of untrusted text, such as `tasks.title`; a list has the path of its elements. */
export function listUntrustedPaths(schema: JsonSchema): string[] {
  return [...findMarked(schema, OUTSIDE_TEXT)].map(([path]) => path);
}

export function collectMetricsByPath(schema: JsonSchema): ReadonlyMap<string, MetricPresentation> {
  // Safe: core/metrics/metric-fields.ts writes the marks.
  return new Map(findMarked(schema, METRIC_PRESENTATION_KEY)) as ReadonlyMap<string, MetricPresentation>;
}

function findMarked(schema: JsonSchema, mark: string, path = ""): [path: string, said: unknown][] {
  if (mark in schema) return [[path, schema[mark]]];
  const { items, anyOf } = schema;
  const below = [items, ...(Array.isArray(anyOf) ? (anyOf as unknown[]) : [])].filter(isSchema);
  const fields = Object.entries(toProperties(schema));
  return [
    ...below.flatMap((inner) => findMarked(inner, mark, path)),
    ...fields.flatMap(([name, field]) => findMarked(field, mark, path === "" ? name : `${path}.${name}`)),
  ];
}

interface CompactContext {
  definitions: Record<string, JsonSchema>;
  io: Io;
  depthLeft: number;
}

function compactSchema(given: JsonSchema, context: CompactContext): JsonSchema {
  const schema = resolveReference(given, context.definitions);
  const small: JsonSchema = {};
  for (const [key, inner] of Object.entries(schema)) {
    if (key === "properties") Object.assign(small, compactProperties(schema, context));
    else if (key === "items" || key === "additionalProperties") {
      if (isSchema(inner)) small[key] = removeDescription(compactSchema(inner, context));
    } else if (key === "anyOf" && Array.isArray(inner)) {
      const options = inner.map((option: JsonSchema) => resolveReference(option, context.definitions));
      const canBeWord = context.io === "input" && options.some(({ enum: words }) => words !== undefined);
      small[key] = options.map((option) => compactSchema(option, canBeWord ? { ...context, depthLeft: 0 } : context));
    } else if (key === "description" && context.io === "input") small[key] = shortenDescription(String(inner));
    else if (!isNoise(key, inner, context.io)) small[key] = inner;
  }
  return simplifyNullable(small, context.io);
}

function compactProperties(schema: JsonSchema, context: CompactContext): JsonSchema {
  if (context.io === "output" && context.depthLeft === 0) return {};
  const required = new Set((schema["required"] ?? []) as string[]);
  const below = { ...context, depthLeft: context.depthLeft - 1 };
  const fields = Object.entries(toProperties(schema))
    .filter(([, field]) => context.io === "output" || field[UNLISTED] !== true)
    .map(([name, field]) => ({ name, field: compactSchema(field, below) }));
  const included =
    context.io === "output" || context.depthLeft > 0 ? fields : fields.filter(({ name }) => required.has(name));
  const rest = fields.filter((field) => !included.includes(field));
  return {
    properties: Object.fromEntries(included.map(({ name, field }) => [name, field])),
    ...(rest.length > 0 ? { description: `Optional: ${rest.map(describeNested).join(", ")}.` } : {}),
  };
}

function describeNested({ name, field }: { name: string; field: JsonSchema }): string {
  if (Array.isArray(field["enum"])) return `${name} (${field["enum"].join("|")})`;
  return field["type"] === "array" ? `${name}[]` : name;
}

function resolveReference(schema: JsonSchema, definitions: Record<string, JsonSchema>): JsonSchema {
  const { $ref, ...beside } = schema;
  return typeof $ref === "string" ? { ...definitions[$ref.replace("#/$defs/", "")], ...beside } : schema;
}

function removeDescription(items: JsonSchema): JsonSchema {
  if ("properties" in items) return items;
  const { description: _, ...rest } = items;
  return rest;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reduces the description of an id to the tool that lists it; tools accept names too. */
function shortenDescription(description: string): string {
  return description.replace(/^[A-Z][a-z]+(?: [a-z]+)? ids?, from ((?:list|get)_[a-z_]+)\.$/, "From $1.");
}

const CHECKED_BY_THE_CALL = new Set([
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "pattern",
  "propertyNames",
  "$schema",
  "id",
]);
const OUTPUT_KEYWORDS = new Set(["type", "const", ...INTERNAL_MARKS]);

function isNoise(key: string, inner: unknown, io: Io): boolean {
  if (io === "output") return !OUTPUT_KEYWORDS.has(key);
  if (CHECKED_BY_THE_CALL.has(key)) return true;
  if (key === "format") return inner === "uuid";
  if (key === "default") return inner === null || (Array.isArray(inner) && inner.length === 0);
  return (key === "minimum" || key === "maximum") && Math.abs(Number(inner)) === Number.MAX_SAFE_INTEGER;
}

const TOOL_NAME_PATTERN = /\b(?:list|get)_[a-z_]+/;

/**
 * Input: optional fields need no null type, because several clients accept one type only, and
 * values listed by a tool are omitted. Result: null is an additional type.
 */
function simplifyNullable(schema: JsonSchema, io: Io): JsonSchema {
  const options = findNonNullOption(schema);
  if (!options) return removeListedValues(schema);
  const { anyOf: _options, type: _types, ...beside } = schema;
  const { some } = options;
  if (io === "input") return removeListedValues({ ...some, ...beside });
  return typeof some["type"] === "string" ? { ...some, ...beside, type: [some["type"], "null"] } : schema;
}

function findNonNullOption({ type, anyOf }: JsonSchema): { some: JsonSchema } | undefined {
  if (Array.isArray(type) && type.length === 2 && type[1] === "null") return { some: { type: type[0] as unknown } };
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return undefined;
  const [some, none] = anyOf as [JsonSchema, JsonSchema];
  return none["type"] === "null" ? { some } : undefined;
}

function removeListedValues(schema: JsonSchema): JsonSchema {
  const { items, description, enum: values, ...rest } = schema;
  if (typeof description !== "string" || !TOOL_NAME_PATTERN.test(description)) return schema;
  if (values !== undefined) return { ...rest, description };
  if (!isSchema(items)) return schema;
  const { enum: _, ...item } = items;
  return { ...schema, items: item };
}
