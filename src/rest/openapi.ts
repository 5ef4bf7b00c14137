import { z } from "zod";
import { endpoints } from "../../tools/index.ts";
import { GROUPS, scopeOf, toolName, type AnyEndpoint } from "../../tools/endpoint.ts";
import { STATUS, type ErrorCode } from "../core/errors.ts";

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 description of every endpoint, from its declaration. */
export function openApiDocument(addresses: { baseUrl: string; searchBaseUrl: string }): Json {
  const schemas: Json = { Error: ERROR_SCHEMA };
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint, addresses, schemas);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Brand Visibility Analytics",
      version: "1.0.0",
      description: "How AI assistants and search engines show brands: how often, at which rank, with which sources.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: addresses.baseUrl, description: "Core interface" }],
    tags: GROUPS.map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "Access token from POST /v1/auth/token.",
        },
      },
    },
  };
}

function operation(endpoint: AnyEndpoint, addresses: { searchBaseUrl: string }, schemas: Json): Json {
  const input = schemaOf(endpoint.input, "input", schemas);
  const properties = (input["properties"] ?? {}) as Record<string, Json>;
  const required = new Set((input["required"] ?? []) as string[]);
  const inPath = new Set([...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1]));
  const rest = Object.entries(properties).filter(([key]) => !inPath.has(key));
  const inQuery = endpoint.method === "GET" || endpoint.method === "DELETE";
  const parameters = [
    ...Object.entries(properties)
      .filter(([key]) => inPath.has(key))
      .map(([name, schema]) => parameter("path", name, schema, true)),
    ...(inQuery ? rest.map(([name, schema]) => parameter("query", name, schema, required.has(name))) : []),
    ...(endpoint.method === "POST" && endpoint.access !== "public" ? [IDEMPOTENCY_HEADER] : []),
  ];
  const body = {
    type: "object",
    properties: Object.fromEntries(rest),
    required: rest.map(([key]) => key).filter((key) => required.has(key)),
    additionalProperties: false,
  };
  return {
    operationId: toolName(endpoint),
    tags: [endpoint.group],
    summary: endpoint.summary,
    description: endpoint.description,
    ...(endpoint.path.startsWith("/api/")
      ? { servers: [{ url: addresses.searchBaseUrl, description: "Search metrics" }] }
      : {}),
    security: endpoint.access === "public" ? [] : [{ bearer: [] }],
    "x-agent-tool": endpoint.notATool === undefined ? { scope: scopeOf(endpoint) } : { reason: endpoint.notATool },
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(inQuery || rest.length === 0 ? {} : { requestBody: requestBody(endpoint, body) }),
    responses: {
      [String(endpoint.status ?? 200)]: {
        description: endpoint.summary,
        content: { "application/json": { schema: schemaOf(endpoint.output, "output", schemas) } },
      },
      ...errorResponses(endpoint),
    },
  };
}

function requestBody(endpoint: AnyEndpoint, schema: Json): Json {
  if (endpoint.body === "lines") {
    return {
      required: true,
      content: { "application/x-ndjson": { schema: { type: "string", description: "JSON Lines." } } },
    };
  }
  const types = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"];
  return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

function parameter(place: "path" | "query", name: string, schema: Json, required: boolean): Json {
  const { description, ...bare } = schema;
  return {
    name,
    in: place,
    required,
    ...(typeof description === "string" ? { description } : {}),
    schema: bare,
    ...(place === "query" && bare["type"] === "array" ? { style: "form", explode: true } : {}),
  };
}

/** Codes that every endpoint of an access class can answer, and its own. */
function errorResponses(endpoint: AnyEndpoint): Json {
  const codes = new Set<ErrorCode>(["VALIDATION_FAILED", "RATE_LIMITED", "INTERNAL", ...(endpoint.errors ?? [])]);
  if (endpoint.access !== "public") codes.add("UNAUTHENTICATED");
  if (typeof endpoint.access === "object") codes.add("FORBIDDEN").add("NOT_FOUND");
  if (endpoint.method !== "GET" && endpoint.method !== "DELETE")
    codes.add("PAYLOAD_TOO_LARGE").add("UNSUPPORTED_MEDIA_TYPE");
  if (endpoint.method === "POST" && endpoint.access !== "public") codes.add("IDEMPOTENCY_MISMATCH");
  const statuses = [...new Set([...codes].map((code) => STATUS[code]))].toSorted((a, b) => a - b);
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      { description: [...codes].filter((code) => STATUS[code] === status).join(" or "), content },
    ]),
  );
}

/** A schema's JSON Schema, with what carries an id moved to the components. */
function schemaOf(schema: z.ZodType, io: "input" | "output", schemas: Json): Json {
  const {
    $schema: _,
    $defs,
    ...bare
  } = z.toJSONSchema(schema, { io, unrepresentable: "any", target: "draft-2020-12" }) as Json & {
    $defs?: Json;
  };
  for (const [name, definition] of Object.entries($defs ?? {})) schemas[name] = repointed(definition);
  return repointed(bare) as Json;
}

function repointed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(repointed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "id" || typeof (value as Json)["type"] !== "string");
  return Object.fromEntries(
    entries.map(([key, inner]) =>
      key === "$ref" && typeof inner === "string"
        ? [key, inner.replace("#/$defs/", "#/components/schemas/")]
        : [key, repointed(inner)],
    ),
  );
}

const ERROR_SCHEMA = {
  type: "object",
  properties: {
    code: { type: "string", enum: Object.keys(STATUS), description: "Stable error code." },
    message: { type: "string", description: "For people; says what to do." },
    fields: {
      type: "array",
      description: "Each wrong field of a VALIDATION_FAILED request.",
      items: {
        type: "object",
        properties: { path: { type: "string" }, message: { type: "string" } },
        required: ["path", "message"],
      },
    },
    request_id: { type: "string", description: "The X-Request-Id of the response." },
  },
  required: ["code", "message", "request_id"],
};

const IDEMPOTENCY_HEADER = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The same key with the same body gives the first answer again.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};
