import { z } from "zod";
import { UNLISTED } from "../../../core/shared/fields.ts";
import { endpoints } from "../../../tools/index.ts";
import { RECENT_SIGN_IN_MINUTES } from "../../../auth/recent-sign-in.ts";
import { ENDPOINT_GROUPS, getScope, toToolName, type AnyEndpoint } from "../../../tools/endpoint.ts";
import {
  ERROR_SCHEMAS,
  buildErrorResponses,
  RESPONSE_HEADERS,
  buildDetailedErrorSchema,
  REQUEST_ID_HEADER,
} from "./openapi-errors.ts";
import { shareParts, type Operation } from "./openapi-parts.ts";

type Json = Record<string, unknown>;

/** All accepted body types (interface.md section 4). Any other type is parsed as JSON. */
const BODY_TYPES = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data", "*/*"];

const GROUP_DESCRIPTIONS: Record<(typeof ENDPOINT_GROUPS)[number], string> = {
  Auth: "API keys, access tokens and the signed-in person.",
  SSO: "Single sign-on and directory (SCIM) of an organization's identity provider.",
  Organizations: "Organizations, their credits and spending.",
  Members: "Members of organizations and workspaces, with their roles.",
  Workspaces: "Workspaces, which contain brands, personas, analyses and assets.",
  "Brand Catalog": "Tracked brands, and suggestions of new ones from answers.",
  Personas: "Types of customers that prompts are sent for.",
  Tags: "Tags of analyses and assets, in two levels.",
  Analyses: "Analyses: prices, setups, runs (`collect`) and stored answers.",
  "GEO Audits": "Readiness of a website for AI answers: scores, failing checks and fixes.",
  Metrics: "Metrics of analyses.",
  "Search Metrics": "Metrics of search analyses: visible brands, and prompts (`keyword`) with ranks.",
  Assets: "Content that can be evaluated: texts, documents, images and video.",
  "Asset Evaluations": "Scores of assets against a category and attributes.",
  "Recommended Actions": "Recommended actions with their evidence and tasks.",
  "Recommended Action Brief": "Briefs of tasks, and sending them to the partner.",
  "Content Briefs": "Briefs for new content.",
  "Platform Integrations": "Connections to external platforms.",
};

function describeRecentSignIn({ recentSignIn }: AnyEndpoint): string {
  if (recentSignIn === undefined) return "";
  const whose = recentSignIn === true ? "Needs" : "Some calls need";
  return ` ${whose} a token from a sign-in within the last ${RECENT_SIGN_IN_MINUTES} minutes.`;
}

/** OpenAPI 3.1 document of every endpoint. Takes about 250 ms to build. */
export function buildOpenApiDocument(addresses: { baseUrl: string; searchBaseUrl: string }): Json {
  const schemas: Json = { ...ERROR_SCHEMAS };
  const operations = endpoints.map((endpoint) => buildOperation(endpoint, addresses, schemas));
  const shared = shareParts(operations);
  const paths: Record<string, Json> = {};
  for (const [at, endpoint] of endpoints.entries()) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = shared.operations[at];
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Brand Visibility Analytics",
      // Version of the interface (interface.md section 9), not of the package.
      version: "1.0.0",
      description: "How AI assistants and search engines mention brands: how often, at which rank, citing which sites.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: addresses.baseUrl, description: "Core interface" }],
    tags: ENDPOINT_GROUPS.filter((name) => endpoints.some(({ group }) => group === name)).map((name) => ({
      name,
      description: GROUP_DESCRIPTIONS[name],
    })),
    paths,
    components: {
      schemas,
      parameters: shared.parameters,
      responses: shared.responses,
      headers: RESPONSE_HEADERS,
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

function buildOperation(endpoint: AnyEndpoint, addresses: { searchBaseUrl: string }, schemas: Json): Operation {
  const input = toJsonSchema(endpoint.input, "input", schemas);
  const properties = (input["properties"] ?? {}) as Record<string, Json>;
  const required = new Set((input["required"] ?? []) as string[]);
  if (endpoint.mappedErrorBody) {
    const { id, details } = endpoint.mappedErrorBody;
    schemas[id] = buildDetailedErrorSchema(
      endpoint.mappedErrorBody,
      (toJsonSchema(details, "output", schemas)["properties"] ?? {}) as Json,
    );
  }
  const inPath = new Set([...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1]));
  const fields = Object.entries(properties).filter(([key]) => !inPath.has(key));
  const inQuery = endpoint.method === "GET" || endpoint.method === "DELETE";
  const parameters = [
    ...Object.entries(properties)
      .filter(([key]) => inPath.has(key))
      .map(([name, schema]) => buildParameter("path", name, schema, true)),
    ...(inQuery ? fields.map(([name, schema]) => buildParameter("query", name, schema, required.has(name))) : []),
    ...(endpoint.method === "POST" && endpoint.access !== "public" ? [IDEMPOTENCY_HEADER] : []),
    ...(endpoint.job ? [PREFER_HEADER] : []),
  ];
  const body = {
    type: "object",
    properties: Object.fromEntries(fields),
    required: fields.map(([key]) => key).filter((key) => required.has(key)),
    additionalProperties: false,
  };
  return {
    operationId: toToolName(endpoint),
    tags: [endpoint.group],
    summary: endpoint.summary,
    description: endpoint.description + describeRecentSignIn(endpoint),
    ...(endpoint.path.startsWith("/api/")
      ? { servers: [{ url: addresses.searchBaseUrl, description: "Search metrics" }] }
      : {}),
    security: endpoint.access === "public" ? [] : [{ bearer: [] }],
    "x-agent-tool": endpoint.notATool === undefined ? { scope: getScope(endpoint) } : { reason: endpoint.notATool },
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(inQuery || fields.length === 0 ? {} : { requestBody: describeRequestBody(endpoint, body, schemas) }),
    responses: {
      [String(endpoint.status ?? 200)]: {
        description: endpoint.summary,
        headers: REQUEST_ID_HEADER,
        content: buildContent(endpoint, schemas),
      },
      ...(endpoint.job ? { "202": buildQueuedResponse(endpoint.job.queued, schemas) } : {}),
      ...buildErrorResponses(endpoint, schemas),
    },
  };
}

/** JSON, or a file of given types (OpenAPI 3.1: a binary body has no schema). */
function buildContent({ sendsFile, output }: AnyEndpoint, schemas: Json): Json {
  if (!sendsFile) return { "application/json": { schema: toJsonSchema(output, "output", schemas) } };
  return Object.fromEntries(sendsFile.mediaTypes.map((type) => [type.split(";", 1)[0], {}]));
}

function buildQueuedResponse(queued: z.ZodType, schemas: Json): Json {
  return {
    description: "Accepted; continues in the background",
    headers: REQUEST_ID_HEADER,
    content: { "application/json": { schema: toJsonSchema(queued, "output", schemas) } },
  };
}

/** Shares a request body: in other places, openapi-typescript requires fields with a default. */
function describeRequestBody(endpoint: AnyEndpoint, schema: Json, schemas: Json): Json {
  if (endpoint.body === "lines") {
    return {
      required: true,
      content: { "application/x-ndjson": { schema: { type: "string", description: "JSON Lines." } } },
    };
  }
  const { plainSchema, formSchema } = buildBodySchemas(schema, endpoint.file);
  const name = `${toToolName(endpoint)}_requestBody`;
  const formName = `${toToolName(endpoint)}_form_requestBody`;
  schemas[name] = plainSchema;
  if (formSchema) schemas[formName] = formSchema;
  const nameFor = (type: string) => (formSchema && type === "multipart/form-data" ? formName : name);
  return {
    required: (schema["required"] as string[]).length > 0,
    content: Object.fromEntries(
      BODY_TYPES.map((type) => [type, { schema: { $ref: `#/components/schemas/${nameFor(type)}` } }]),
    ),
  };
}

/** Files are bytes in a multipart body, `form`, and exist in no other body type. */
function buildBodySchemas(schema: Json, file: string | undefined): { plainSchema: Json; formSchema?: Json } {
  if (file === undefined) return { plainSchema: schema };
  const { [file]: described, ...properties } = schema["properties"] as Record<string, Json>;
  const bytes = { type: "string", format: "binary", description: described?.["description"] };
  return {
    plainSchema: { ...schema, properties },
    formSchema: { ...schema, properties: { ...properties, [file]: bytes } },
  };
}

function buildParameter(location: "path" | "query", name: string, schema: Json, required: boolean): Json {
  const { description, ...bare } = schema;
  return {
    name,
    in: location,
    required,
    ...(typeof description === "string" ? { description } : {}),
    schema: bare,
    ...(location === "query" && bare["type"] === "array" ? { style: "form", explode: true } : {}),
  };
}

function toJsonSchema(schema: z.ZodType, io: "input" | "output", schemas: Json): Json {
  const {
    $schema: _,
    $defs,
    ...bare
  } = z.toJSONSchema(schema, { io, unrepresentable: "any", target: "draft-2020-12" }) as Json & {
    $defs?: Json;
  };
  for (const [name, definition] of Object.entries($defs ?? {})) schemas[name] = moveReferences(definition);
  return moveReferences(bare) as Json;
}

function moveReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moveReferences);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key, inner]) => !isNoise(value, key, inner));
  return expandNamedKeys(
    Object.fromEntries(
      entries.map(([key, inner]) =>
        key === "$ref" && typeof inner === "string"
          ? [key, inner.replace("#/$defs/", "#/components/schemas/")]
          : [key, moveReferences(inner)],
      ),
    ),
  );
}

/** True for marks of tools, internal schema ids, and the safe-integer bounds of every whole number. */
function isNoise(schema: object, key: string, value: unknown): boolean {
  if (key === UNLISTED) return true;
  if (typeof (schema as Json)["type"] !== "string") return false;
  if (key === "minimum" || key === "maximum") return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  return key === "id";
}

/** Expands a closed key list, because client generators ignore `propertyNames`. */
function expandNamedKeys(schema: Json): Json {
  const { propertyNames, additionalProperties, ...rest } = schema;
  const keys = (propertyNames as Json | undefined)?.["enum"];
  if (!Array.isArray(keys)) return schema;
  const properties = Object.fromEntries(keys.map((key: unknown) => [String(key), additionalProperties]));
  return { ...rest, properties, additionalProperties: false };
}

const IDEMPOTENCY_HEADER = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "A repeated request with the same key and body returns the first response.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const PREFER_HEADER = {
  name: "Prefer",
  in: "header",
  required: false,
  description: "respond-async: return 202 at once, for any size.",
  schema: { type: "string", examples: ["respond-async"] },
};
