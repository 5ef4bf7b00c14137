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

export type PagingMode = "cursor" | "page" | "offset";

/** List output of a tool, with rows under `data`. */
export interface ToolList {
  columns: readonly string[];
  pagingMode: PagingMode;
}

export interface ListingParts {
  endpoint: AnyEndpoint;
  name: string;
  input: JsonSchema;
  list: ToolList | null;
}

/**
 * Max length of a listing that names columns, about 330 tokens. A call with an unknown column
 * returns all of them.
 */
const MAX_CHARACTERS_WITH_COLUMNS = 1400;
/**
 * Max length of a listing with types, about 240 tokens. Both limits keep the average near 250
 * tokens.
 */
const MAX_CHARACTERS_WITH_TYPES = 1050;

/**
 * Builds a tool's entry in `tools/list`. Includes column names and result types while the listing
 * stays within the limits.
 */
export function listTool(parts: ListingParts): ListedTool {
  const full = toListing(parts, parts.list?.columns);
  const listed = measureListing(full) <= MAX_CHARACTERS_WITH_COLUMNS ? full : toListing(parts, undefined);
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

function toListing({ endpoint, name, input, list }: ListingParts, columns: readonly string[] | undefined): ListedTool {
  const fields = Object.entries(toProperties(input)).filter(([key]) => !PAGE_PARAMETERS.has(key));
  const properties = Object.fromEntries(
    fields.map(([key, field]) => [toToolParameterName(key), describeParameter(endpoint, key, field)]),
  );
  const { toolDefaults = {} } = endpoint;
  const required = ((input["required"] ?? []) as string[])
    .filter((key) => key !== "confirmed" && !(key in toolDefaults) && !isFilledTarget(endpoint, key))
    .map(toToolParameterName);
  if (endpoint.present) properties["confirmed"] = CONFIRMED_PARAMETER;
  if (list) Object.assign(properties, buildListParameters(columns));
  else if (isReadEndpoint(endpoint)) Object.assign(properties, buildObjectParameters(endpoint));
  return {
    name,
    title: endpoint.summary,
    description: insertToolNames(endpoint, endpoint.description),
    inputSchema: {
      type: "object",
      properties,
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    } as ObjectSchema,
    annotations: buildAnnotations(endpoint),
  };
}

/** Parameter schema with the tool's default, and with tool names in its description. */
function describeParameter(endpoint: AnyEndpoint, key: string, field: JsonSchema): JsonSchema {
  const usual = endpoint.toolDefaults?.[key];
  const own = usual === undefined || isEmptyList(usual) ? field : { ...field, default: usual };
  const { description } = own;
  return typeof description === "string" ? { ...own, description: insertToolNames(endpoint, description) } : own;
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

type ObjectSchema = ListedTool["inputSchema"];

const CONFIRMED_PARAMETER: JsonSchema = {
  const: true,
  description: "true after the person agreed to setup and cost. Ignored if the client asks the person itself.",
};

const PAGE_PARAMETERS: ReadonlySet<string> = new Set(["page_number", "rows_per_page"]);

/** Parameters of each list, explained once in the instructions. */
function buildListParameters(columns: readonly string[] | undefined): Record<string, JsonSchema> {
  const size = { type: "integer", maximum: MAX_ROWS };
  const fields = { type: "array", items: { type: "string", ...(columns ? { enum: columns } : {}) } };
  return { limit: size, cursor: { type: "string" }, fields };
}

function buildObjectParameters(endpoint: AnyEndpoint): Record<string, JsonSchema> {
  const more = endpoint.onDemandFields ?? [];
  const include = {
    type: "array",
    items: { type: "string", enum: more },
    description: "Parts to add.",
  };
  const fields = { type: "array", items: { type: "string" } };
  return { cursor: { type: "string" }, fields, ...(more.length > 0 ? { include } : {}) };
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
