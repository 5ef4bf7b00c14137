import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { getScope, isReadEndpoint, type AnyEndpoint } from "../../../../tools/endpoint.ts";
import type { Scope } from "../../../../core/identity/roles.ts";
import { isFilledTarget } from "../../../call/call-targets.ts";
import { searchHint } from "./essentials.ts";
import { INTERNAL_MARKS, toProperties, buildResultSchema, type JsonSchema } from "./tool-schema.ts";
import { insertToolNames, toToolParameterName } from "./tool-parameter-names.ts";

// Models pay for each character of a listing. It contains what a model needs to choose and call the
// tool, and depends only on the tool's own declaration.

/** Default rows per call; small, since models read all of them. */
export const DEFAULT_ROWS = 20;
export const MAX_ROWS = 100;

export const FULL_BASIS = "full";

export type PagingMode = "cursor" | "page" | "offset";

/** List output of a tool, with rows under `data`. */
export interface ToolList {
  columns: readonly string[];
  pagingMode: PagingMode;
  hasBasis: boolean;
}

export interface ListingParts {
  endpoint: AnyEndpoint;
  name: string;
  input: JsonSchema;
  list: ToolList | null;
}

/** Max length of a listing with result types, about 240 tokens. */
const MAX_CHARACTERS_WITH_TYPES = 1050;

/** Builds a tool's entry in `tools/list`, with result types if the listing stays short. */
export function listTool(parts: ListingParts): ListedTool {
  const listed = toListing(parts);
  const typed = { ...listed, outputSchema: buildOutputSchema(parts) };
  // Clients search hints and read schemes without showing them to a model, so they do not count.
  return {
    ...(measureListing(typed) <= MAX_CHARACTERS_WITH_TYPES ? typed : listed),
    ...listSecuritySchemes(parts.endpoint),
    ...searchHint(parts.name),
  };
}

/**
 * Scope of a tool, as ChatGPT reads it (Apps SDK, authentication). Left out for `read`, which each
 * grant includes.
 */
function listSecuritySchemes(endpoint: AnyEndpoint): { securitySchemes?: { type: "oauth2"; scopes: Scope[] }[] } {
  const scope = getScope(endpoint);
  return scope === "read" ? {} : { securitySchemes: [{ type: "oauth2", scopes: [scope] }] };
}

function measureListing(listed: ListedTool): number {
  return JSON.stringify(listed).length;
}

function toListing({ endpoint, name, input, list }: ListingParts): ListedTool {
  const fields = Object.entries(toProperties(input)).filter(([key]) => isListed(key, input));
  const properties = Object.fromEntries(
    fields.map(([key, field]) => [toToolParameterName(key), describeParameter(endpoint, key, field)]),
  );
  const { toolDefaults = {} } = endpoint;
  const required = ((input["required"] ?? []) as string[])
    .filter((key) => key !== "confirmed" && !(key in toolDefaults) && !isFilledTarget(endpoint, key))
    .map(toToolParameterName);
  if (endpoint.present) properties["confirmed"] = CONFIRMED_PARAMETER;
  if (list) Object.assign(properties, LIST_PARAMETERS, list.hasBasis && { basis: BASIS_PARAMETER });
  else if (isReadEndpoint(endpoint)) Object.assign(properties, buildObjectParameters(endpoint));
  return {
    name,
    title: endpoint.summary,
    description: insertToolNames(endpoint, endpoint.description),
    inputSchema: {
      type: "object",
      properties,
      ...(required.length > 0 ? { required } : {}),
    } as ObjectSchema,
    annotations: buildAnnotations(endpoint),
  };
}

/** Parameter schema with the tool's default, and with tool names in its description. */
function describeParameter(endpoint: AnyEndpoint, key: string, field: JsonSchema): JsonSchema {
  const usual = endpoint.toolDefaults?.[key];
  const own = usual === undefined || isEmptyList(usual) ? field : { ...field, default: usual };
  const { description } = own;
  if (typeof description !== "string") return own;
  const whole = isFilledTarget(endpoint, key) ? description.replace(/\.$/, "; optional if only one.") : description;
  return { ...own, description: insertToolNames(endpoint, whole) };
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

type ObjectSchema = ListedTool["inputSchema"];

const CONFIRMED_PARAMETER: JsonSchema = {
  const: true,
  description: "true after the person agreed to setup and cost. Ignored if the client asks the person itself.",
};

export const PAGE_PARAMETERS: ReadonlySet<string> = new Set(["page_number", "rows_per_page"]);

/**
 * Leaves out parameters that calls accept but rarely need: the organization of a workspace, and the
 * singular of a list.
 */
function isListed(key: string, input: JsonSchema): boolean {
  const fields = toProperties(input);
  const isImplied = ORGANIZATION_PARAMETERS.has(key) && "workspace_id" in fields;
  const isSingular = key.endsWith("_id") && `${key}s` in fields;
  return !isImplied && !isSingular && !PAGE_PARAMETERS.has(key);
}

const ORGANIZATION_PARAMETERS: ReadonlySet<string> = new Set(["organization_id", "client_id"]);

const FIELDS_PARAMETER: JsonSchema = {
  type: "array",
  items: { type: "string" },
  description: "Only these columns.",
};

const LIST_PARAMETERS: Record<string, JsonSchema> = {
  limit: { type: "integer", maximum: MAX_ROWS, description: `Rows; default ${DEFAULT_ROWS}.` },
  cursor: { type: "string", description: "From next_cursor." },
  fields: FIELDS_PARAMETER,
};

const BASIS_PARAMETER: JsonSchema = { const: FULL_BASIS, description: "Adds runs and sources." };

function buildObjectParameters(endpoint: AnyEndpoint): Record<string, JsonSchema> {
  const more = endpoint.onDemandFields ?? [];
  const include = {
    type: "array",
    items: { type: "string", enum: more },
    description: "Parts to add.",
  };
  return { fields: FIELDS_PARAMETER, ...(more.length > 0 ? { include } : {}) };
}

const OUTPUT_DEPTH = 2;

/** Result types. Only `data` is required, since `fields` and parts omit others. */
function buildOutputSchema({ endpoint, list }: ListingParts): ObjectSchema {
  const output = buildResultSchema(endpoint, OUTPUT_DEPTH);
  const properties = { ...toProperties(output), ...(list ? LIST_RESULTS : {}) };
  const schema = { type: "object", properties, ...(list ? { required: ["data"] } : {}) };
  // Removing keys by serialisation keeps the schema type.
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => (INTERNAL_MARKS.has(key) ? undefined : value)));
}

const LIST_RESULTS: Record<string, JsonSchema> = {
  next_cursor: { type: ["string", "null"] },
  truncated: { type: "boolean" },
};

function buildAnnotations(endpoint: AnyEndpoint) {
  const readOnlyHint = isReadEndpoint(endpoint) || endpoint.isSafe === true;
  return {
    readOnlyHint,
    // Deletions and archiving; renames lose nothing, and other POSTs add.
    destructiveHint: endpoint.method === "DELETE" || endpoint.path.endsWith("/archive"),
    idempotentHint: endpoint.method !== "POST" && endpoint.method !== "PATCH",
    // Paid creations query assistants and search engines; all other tools stay inside the service.
    openWorldHint: endpoint.present !== undefined,
  };
}
