export type Json = Record<string, unknown>;

export interface Field {
  /** Path of the field, such as `thematics[].topics[].name`. */
  path: string;
  type: string;
  isRequired: boolean;
  description: string;
}

/** Max depth shown of a recursive or very deep body. */
const MAX_DEPTH = 6;

export function resolveReference(value: unknown, document: Json): Json {
  const json = (value ?? {}) as Json;
  const { $ref } = json;
  if (typeof $ref !== "string") return json;
  const target = $ref
    .slice("#/".length)
    .split("/")
    .reduce<unknown>((at, key) => (at as Json)[key], document);
  return resolveReference({ ...(target as Json), ...omitKey(json, "$ref") }, document);
}

export function listFields(value: unknown, document: Json, prefix = "", depth = 0): Field[] {
  const schema = resolveReference(value, document);
  if (depth > MAX_DEPTH) return [];
  const required = new Set((schema["required"] ?? []) as string[]);
  const own = Object.entries((schema["properties"] ?? {}) as Json).flatMap(([name, inner]) => {
    const field = resolveReference(inner, document);
    const path = prefix === "" ? name : `${prefix}.${name}`;
    const isRequired = required.has(name);
    return [
      { path, type: describeType(field, document), isRequired, description: describeSchema(field) },
      ...listFields(field, document, path, depth + 1),
    ];
  });
  const items = "items" in schema ? listFields(schema["items"], document, `${prefix}[]`, depth + 1) : [];
  return [...own, ...items, ...listVariants(schema).flatMap((one) => listFields(one, document, prefix, depth + 1))];
}

/** Short description of a type, such as `list of text (UUID), at most 10`. */
export function describeType(value: unknown, document: Json): string {
  const schema = resolveReference(value, document);
  if ("const" in schema) return JSON.stringify(schema["const"]);
  const { enum: values } = schema;
  if (Array.isArray(values)) return values.map((one) => (one === null ? "null" : String(one))).join(" | ");
  const alternatives = listVariants(schema);
  if (alternatives.length > 0) return [...new Set(alternatives.map((one) => describeType(one, document)))].join(" or ");
  const types = [schema["type"] ?? "any"].flat() as string[];
  return types.map((type) => formatType(type, schema, document)).join(" or ");
}

/** Returns a valid example value with only the required fields. */
export function buildSample(value: unknown, document: Json): unknown {
  const schema = resolveReference(value, document);
  for (const key of ["const", "default"]) if (key in schema) return schema[key];
  const { examples, enum: values } = schema;
  if (Array.isArray(examples)) return examples[0] as unknown;
  if (Array.isArray(values)) return values[0] as unknown;
  const [first] = listVariants(schema);
  if (first !== undefined) return buildSample(first, document);
  const [type] = [schema["type"]].flat();
  if (type === "object") {
    const properties = (schema["properties"] ?? {}) as Json;
    const required = (schema["required"] ?? []) as string[];
    return Object.fromEntries(required.map((name) => [name, buildSample(properties[name], document)]));
  }
  if (type === "array") return Number(schema["minItems"] ?? 0) > 0 ? [buildSample(schema["items"], document)] : [];
  if (type === "integer" || type === "number") return schema["minimum"] ?? 1;
  if (type === "boolean") return true;
  return type === "string" ? buildSampleText(schema) : null;
}

const SAMPLE_TEXTS: Record<string, string> = {
  uuid: "0198a1f2-6c1e-7c3a-9a54-2f0d6f1b7c11",
  uri: "https://example.com",
  email: "person@example.com",
  date: "2027-01-31",
  "date-time": "2027-01-31T09:00:00Z",
};

function buildSampleText({ format, minLength }: Json): string {
  return (typeof format === "string" ? SAMPLE_TEXTS[format] : undefined) ?? "text".padEnd(Number(minLength ?? 0), "…");
}

function formatType(type: string, schema: Json, document: Json): string {
  if (type === "array")
    return `list of ${describeType(schema["items"], document)}${formatLengthLimit(schema, "Items")}`;
  if (type === "string") {
    const format = typeof schema["format"] === "string" ? ` (${schema["format"]})` : "";
    return `text${format}${formatLengthLimit(schema, "Length")}`;
  }
  if (type !== "integer" && type !== "number") return type;
  const { minimum: least, maximum: most } = schema as { minimum?: number; maximum?: number };
  if (least !== undefined && most !== undefined) return `${type}, ${least} to ${most}`;
  if (least !== undefined) return `${type}, at least ${least}`;
  return most === undefined ? type : `${type}, at most ${most}`;
}

function formatLengthLimit(schema: Json, what: "Items" | "Length"): string {
  const most = schema[`max${what}`];
  return typeof most === "number" ? `, at most ${most}` : "";
}

function describeSchema(schema: Json): string {
  const { description, default: standard } = schema;
  const said = typeof description === "string" ? description : "";
  return standard === undefined ? said : `${said} Default: ${JSON.stringify(standard)}.`.trim();
}

function listVariants(schema: Json): unknown[] {
  return (schema["anyOf"] ?? schema["oneOf"] ?? schema["allOf"] ?? []) as unknown[];
}

function omitKey(json: Json, key: string): Json {
  const { [key]: _, ...rest } = json;
  return rest;
}
