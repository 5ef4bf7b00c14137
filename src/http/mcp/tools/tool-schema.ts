import { z } from "zod";
import type { AnyEndpoint } from "../../../../tools/endpoint.ts";
import { FIGURE, type FigureWords } from "../../../../core/metrics/figure-fields.ts";

/** A JSON Schema object, as it stands in a tool's listing. */
export type JsonSchema = { [key: string]: unknown };

/** Marks a field whose text came from outside: an answer, a page, a partner's message. */
export const OUTSIDE_TEXT = "x-outside-text";

/** Marks of fields that are for the service, and in no listing. */
export const MARKS: ReadonlySet<string> = new Set([OUTSIDE_TEXT, FIGURE]);

type Io = "input" | "output";

/**
 * A Zod schema as a small JSON Schema that tells a model what it needs: references are inlined, because several clients
 * resolve none; lengths and patterns are left to the check of the call itself; below `depth` levels of
 * fields, and where a word can stand for an object, the optional ones are told in words. Of a result only names, types and the mark of outside text are kept.
 */
export function toolSchema(schema: z.ZodType, io: Io, depth: number): JsonSchema {
  const { $defs, ...root } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonSchema;
  // The definitions of a JSON Schema are schemas by name.
  const definitions = ($defs ?? {}) as Record<string, JsonSchema>;
  return compact(root, { definitions, io, left: depth });
}

/** The schema of what a tool answers: the endpoint's output without the fields that tools leave out. */
export function resultSchema({ output, notInTools = [] }: AnyEndpoint, depth: number): JsonSchema {
  const schema = toolSchema(output, "output", depth);
  for (const fields of [propertiesOf(schema), propertiesOf(rowOf(schema))]) {
    for (const name of notInTools) delete fields[name];
  }
  return schema;
}

/** The schema of the rows of a list; undefined for any other answer. */
export function rowOf(output: JsonSchema): JsonSchema | undefined {
  const items = propertiesOf(output)["data"]?.["items"];
  return typeof items === "object" && items !== null ? (items as JsonSchema) : undefined;
}

/** The properties of an object schema; none for anything else. */
export function propertiesOf(schema: JsonSchema | undefined): Record<string, JsonSchema> {
  // `properties` of a JSON Schema are schemas by name.
  return (schema?.["properties"] ?? {}) as Record<string, JsonSchema>;
}

/** The paths of fields whose text came from outside, such as `tasks.title`; a list has the path of its elements. */
export function outsidePaths(schema: JsonSchema): string[] {
  return [...marked(schema, OUTSIDE_TEXT)].map(([path]) => path);
}

/** How the figures of a result are put into words, by their paths. */
export function figurePaths(schema: JsonSchema): ReadonlyMap<string, FigureWords> {
  // What is under this mark was written by the functions beside it.
  return new Map(marked(schema, FIGURE)) as ReadonlyMap<string, FigureWords>;
}

/** Fields that have a mark, with what it says. */
function marked(schema: JsonSchema, mark: string, path = ""): [path: string, said: unknown][] {
  if (mark in schema) return [[path, schema[mark]]];
  const { items, anyOf } = schema;
  const below = [items, ...(Array.isArray(anyOf) ? (anyOf as unknown[]) : [])].filter(isSchema);
  const fields = Object.entries(propertiesOf(schema));
  return [
    ...below.flatMap((inner) => marked(inner, mark, path)),
    ...fields.flatMap(([name, field]) => marked(field, mark, path === "" ? name : `${path}.${name}`)),
  ];
}

interface Place {
  definitions: Record<string, JsonSchema>;
  io: Io;
  /** How many levels of fields are still told in full. */
  left: number;
}

function compact(given: JsonSchema, place: Place): JsonSchema {
  const schema = resolved(given, place.definitions);
  const small: JsonSchema = {};
  for (const [key, inner] of Object.entries(schema)) {
    if (key === "properties") Object.assign(small, compactProperties(schema, place));
    else if (key === "items" || key === "additionalProperties") {
      if (isSchema(inner)) small[key] = undescribed(compact(inner, place));
    } else if (key === "anyOf" && Array.isArray(inner)) {
      const options = inner.map((option: JsonSchema) => resolved(option, place.definitions));
      const canBeWord = place.io === "input" && options.some(({ enum: words }) => words !== undefined);
      small[key] = options.map((option) => compact(option, canBeWord ? { ...place, left: 0 } : place));
    } else if (key === "description" && place.io === "input") small[key] = shortened(String(inner));
    else if (!isNoise(key, inner, place.io)) small[key] = inner;
  }
  return settled(small, place.io);
}

function compactProperties(schema: JsonSchema, place: Place): JsonSchema {
  if (place.io === "output" && place.left === 0) return {};
  const required = new Set((schema["required"] ?? []) as string[]);
  const below = { ...place, left: place.left - 1 };
  const fields = Object.entries(propertiesOf(schema)).map(([name, field]) => ({ name, field: compact(field, below) }));
  const told = place.io === "output" || place.left > 0 ? fields : fields.filter(({ name }) => required.has(name));
  const rest = fields.filter((field) => !told.includes(field));
  return {
    properties: Object.fromEntries(told.map(({ name, field }) => [name, field])),
    ...(rest.length > 0 ? { description: `Optional: ${rest.map(canBeWords).join(", ")}.` } : {}),
  };
}

/** A field deep inside an input, for example `type (Generic|Brand)`, `trends[]`. */
function canBeWords({ name, field }: { name: string; field: JsonSchema }): string {
  if (Array.isArray(field["enum"])) return `${name} (${field["enum"].join("|")})`;
  return field["type"] === "array" ? `${name}[]` : name;
}

function resolved(schema: JsonSchema, definitions: Record<string, JsonSchema>): JsonSchema {
  const { $ref, ...beside } = schema;
  return typeof $ref === "string" ? { ...definitions[$ref.replace("#/$defs/", "")], ...beside } : schema;
}

/** A list of plain values says of itself what they are. */
function undescribed(items: JsonSchema): JsonSchema {
  if ("properties" in items) return items;
  const { description: _, ...rest } = items;
  return rest;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Of an id whose name says what it is, the tool that gives it is all that is left to say. */
function shortened(description: string): string {
  return description.replace(/^[A-Z][a-z]+(?: [a-z]+)?; ((?:list|get)_[a-z_]+) gives (?:it|them)\.$/, "From $1.");
}

const LEFT_TO_THE_CALL = new Set([
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "pattern",
  "propertyNames",
  "$schema",
  "id",
]);
const TOLD_OF_OUTPUT = new Set(["type", "const", ...MARKS]);

function isNoise(key: string, inner: unknown, io: Io): boolean {
  if (io === "output") return !TOLD_OF_OUTPUT.has(key);
  if (LEFT_TO_THE_CALL.has(key)) return true;
  if (key === "format") return inner === "uuid";
  if (key === "default") return inner === null || (Array.isArray(inner) && inner.length === 0);
  return (key === "minimum" || key === "maximum") && Math.abs(Number(inner)) === Number.MAX_SAFE_INTEGER;
}

const NAMES_A_TOOL = /\b(?:list|get)_[a-z_]+/;

/**
 * Of an input, what can be left out need not be null too, because several clients take only one type at a time, and a
 * field that says which tool gives its values need not list them. Of a result, null is one type more.
 */
function settled(schema: JsonSchema, io: Io): JsonSchema {
  const options = nullableOptions(schema);
  if (!options) return withoutGivenValues(schema);
  const { anyOf: _options, type: _types, ...beside } = schema;
  const { some } = options;
  if (io === "input") return withoutGivenValues({ ...some, ...beside });
  return typeof some["type"] === "string" ? { ...some, ...beside, type: [some["type"], "null"] } : schema;
}

/** What a field is where it is not null; undefined for a field that never is. */
function nullableOptions({ type, anyOf }: JsonSchema): { some: JsonSchema } | undefined {
  if (Array.isArray(type) && type.length === 2 && type[1] === "null") return { some: { type: type[0] as unknown } };
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return undefined;
  const [some, none] = anyOf as [JsonSchema, JsonSchema];
  return none["type"] === "null" ? { some } : undefined;
}

function withoutGivenValues(schema: JsonSchema): JsonSchema {
  const { items, description } = schema;
  if (!isSchema(items) || typeof description !== "string" || !NAMES_A_TOOL.test(description)) return schema;
  const { enum: _, ...rest } = items;
  return { ...schema, items: rest };
}
