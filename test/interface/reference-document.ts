import type { FieldRow } from "./field-tables.ts";

export type Json = Record<string, unknown>;

/**
 * The OpenAPI document as the running service serves it, with parameters and responses written out
 * in operations.
 */
export interface Reference {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; securitySchemes: Record<string, Json> };
  tags: { name: string }[];
  servers: { url: string }[];
  info: Json;
}

interface Operation {
  operationId: string;
  tags: string[];
  security: Json[];
  servers?: { url: string }[];
  parameters?: { name: string; in: string; required: boolean; schema: Json; style?: string; explode?: boolean }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Json }> }>;
}

const bare = (path: string) => path.replaceAll(/\{\w+\}/g, "{}");

/** Operation of a path, whatever its parameter names. */
export function operationOf(reference: Reference, method: string, path: string): Operation {
  const known = Object.entries(reference.paths).find(([one]) => bare(one) === bare(path));
  const operation = known?.[1][method.toLowerCase()];
  if (!operation) throw new Error(`The reference has no ${method} ${path}.`);
  return operation;
}

/** The schema of a JSON answer, with references followed. */
export function answerSchema(reference: Reference, operation: Operation, status: number): Json {
  const schema = operation.responses[String(status)]?.content?.["application/json"]?.schema;
  if (!schema) throw new Error(`${operation.operationId} declares no JSON body for ${status}.`);
  return resolveReferences(reference, schema);
}

export function bodySchema(reference: Reference, operation: Operation): Json {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  if (!schema) throw new Error(`${operation.operationId} declares no JSON body.`);
  return resolveReferences(reference, schema);
}

/** Resolves references and `allOf` of a schema. */
export function resolveReferences(reference: Reference, schema: Json): Json {
  const { $ref, allOf, ...beside } = schema;
  if (Array.isArray(allOf))
    return { ...mergeAll(allOf.map((one: Json) => resolveReferences(reference, one))), ...beside };
  if (typeof $ref !== "string") return schema;
  const named = reference.components.schemas[$ref.replace("#/components/schemas/", "")];
  if (!named) throw new Error(`${$ref} points at nothing.`);
  return { ...resolveReferences(reference, named), ...beside };
}

function mergeAll(schemas: Json[]): Json {
  return {
    type: "object",
    properties: Object.assign({}, ...schemas.map((one) => one["properties"])) as Json,
    required: schemas.flatMap((one) => (one["required"] ?? []) as string[]),
  };
}

export function schemaFields(reference: Reference, schema: Json): Record<string, Json> {
  return (resolveReferences(reference, schema)["properties"] ?? {}) as Record<string, Json>;
}

/** Non-null schema of a field, and whether it is nullable. */
export function withoutNull(reference: Reference, given: Json): { schema: Json; nullable: boolean } {
  const schema = resolveReferences(reference, given);
  const { type, anyOf, ...beside } = schema;
  if (Array.isArray(type)) return { schema: { ...beside, type: type[0] as unknown }, nullable: type.includes("null") };
  if (!Array.isArray(anyOf)) return { schema, nullable: false };
  const options = anyOf.map((option: Json) => resolveReferences(reference, option));
  const some = options.filter((option) => option["type"] !== "null");
  return { schema: { ...beside, ...some[0] }, nullable: some.length < options.length };
}

/** Differences between a field's description and the table, in words. */
export function findSchemaFaults(reference: Reference, parent: Json, row: FieldRow): string[] {
  const declared = schemaFields(reference, parent)[row.name];
  if (!declared) return [`${row.name} is not described`];
  const { schema, nullable } = withoutNull(reference, declared);
  const required = ((resolveReferences(reference, parent)["required"] ?? []) as string[]).includes(row.name);
  return [
    ...(describesType(reference, schema, row.type) ? [] : [`is described as ${JSON.stringify(schema)}`]),
    ...(nullable && row.nullable !== true ? ["is described as nullable"] : []),
    ...(!nullable && row.nullable === true ? ["is not described as nullable"] : []),
    ...(row.required === undefined || required === row.required ? [] : [`required is described as ${required}`]),
  ];
}

/** True where a schema describes a type of the specification's words. */
export function describesType(reference: Reference, schema: Json, type: string): boolean {
  const listed = /^(?:string )?enum: (.*?)(?:[,;] or null)?$/.exec(type)?.[1];
  if (listed !== undefined) return JSON.stringify(schema["enum"]) === JSON.stringify(listed.split(", "));
  const [kind = "", format] = type.split(", ");
  if (kind.startsWith("array of ")) {
    const items = resolveReferences(reference, (schema["items"] ?? {}) as Json);
    const of = kind.slice("array of ".length);
    return schema["type"] === "array" && items["type"] === (of.endsWith("objects") ? "object" : of);
  }
  const named = /^(string|integer|number|boolean)\b/.exec(kind)?.[1] ?? "object";
  const defaulted = !type.endsWith("default false") || schema["default"] === false;
  return schema["type"] === named && defaulted && (format === undefined || schema["format"] === format);
}
