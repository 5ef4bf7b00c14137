import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { reads, type AnyEndpoint } from "../../../../tools/endpoint.ts";
import { searchHint } from "./essentials.ts";
import { MARKS, propertiesOf, resultSchema, type JsonSchema } from "./tool-schema.ts";
import { inToolWords, toolWord } from "./tool-words.ts";

// A model pays for every character of every listing before it asks anything. So a listing says what a model needs to
// choose the tool and to call it, and depends on the tool's own declaration alone: another tool changes none.

/** Rows that a tool gives where the caller does not say. Small, because a model reads every one of them. */
export const DEFAULT_ROWS = 20;
export const MAX_ROWS = 100;

/** How the endpoint behind a tool's list is walked: by its cursor, by page numbers, or not at all. */
export type Paging = "cursor" | "page" | "offset";

/** A list that a tool answers: rows under `data`. */
export interface ToolList {
  columns: readonly string[];
  paging: Paging;
}

/** What a listing is made from. */
export interface ListingParts {
  endpoint: AnyEndpoint;
  name: string;
  input: JsonSchema;
  list: ToolList | null;
}

/** So long may a listing be that names the columns, about 330 tokens: a call with a wrong one is answered with all of them. */
const NAMING_CHARACTERS = 1400;
/** So long may a listing be that tells types too, about 240 tokens. Both keep listings at some 250 tokens on average. */
const TYPED_CHARACTERS = 1050;

/**
 * One tool as `tools/list` gives it. The columns that `fields` takes are named unless the listing is then too long: a wrong
 * one is answered with all of them. The types of the result are told where that leaves the listing no longer than usual.
 */
export function listTool(parts: ListingParts): ListedTool {
  const full = listingOf(parts, parts.list?.columns);
  const listed = lengthOf(full) <= NAMING_CHARACTERS ? full : listingOf(parts, undefined);
  const typed = { ...listed, outputSchema: outputOf(parts) };
  // Clients search in hints and show no model any, so that they cost nothing.
  return { ...(lengthOf(typed) <= TYPED_CHARACTERS ? typed : listed), ...searchHint(parts.name) };
}

function lengthOf(listed: ListedTool): number {
  return JSON.stringify(listed).length;
}

function listingOf({ endpoint, name, input, list }: ListingParts, columns: readonly string[] | undefined): ListedTool {
  const own = Object.entries(propertiesOf(input)).filter(([key]) => !PAGES.has(key));
  const properties = Object.fromEntries(own.map(([key, field]) => [toolWord(key), describedIn(endpoint, field)]));
  const { toolDefaults = {} } = endpoint;
  const required = ((input["required"] ?? []) as string[])
    .filter((key) => key !== "confirmed" && !(key in toolDefaults))
    .map(toolWord);
  if (endpoint.present) properties["confirmed"] = CONFIRMED;
  if (list) Object.assign(properties, listParameters(columns));
  else if (reads(endpoint)) Object.assign(properties, objectParameters(endpoint));
  return {
    name,
    title: endpoint.summary,
    description: inToolWords(endpoint, endpoint.description),
    inputSchema: {
      type: "object",
      properties,
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    } as ObjectSchema,
    annotations: annotationsOf(endpoint),
  };
}

/** A parameter whose description names others as the tool does. */
function describedIn(endpoint: AnyEndpoint, field: JsonSchema): JsonSchema {
  const { description } = field;
  return typeof description === "string" ? { ...field, description: inToolWords(endpoint, description) } : field;
}

type ObjectSchema = ListedTool["inputSchema"];

const CONFIRMED: JsonSchema = {
  const: true,
  description: "Send true once the person said yes to the setup and the cost. Ignored if the client asks them itself.",
};

/** What REST walks by pages, a tool walks by its cursor. */
const PAGES: ReadonlySet<string> = new Set(["page_number", "rows_per_page"]);

/** What every list takes; the instructions say how, once for all of them. */
function listParameters(columns: readonly string[] | undefined): Record<string, JsonSchema> {
  const size = { type: "integer", maximum: MAX_ROWS };
  const fields = { type: "array", items: { type: "string", ...(columns ? { enum: columns } : {}) } };
  return { limit: size, cursor: { type: "string" }, fields };
}

/** One object can be too heavy for one result, and is then read in parts. */
function objectParameters(endpoint: AnyEndpoint): Record<string, JsonSchema> {
  const more = endpoint.onRequest ?? [];
  const include = {
    type: "array",
    items: { type: "string", enum: more },
    description: "Left out unless asked for.",
  };
  const fields = { type: "array", items: { type: "string" } };
  return { cursor: { type: "string" }, fields, ...(more.length > 0 ? { include } : {}) };
}

/** How many levels of a result have their types told: its fields, and those of its rows. */
const OUTPUT_DEPTH = 2;

/** The types of a result. Only rows are always there: `fields`, and what is read in parts, leave others out. */
function outputOf({ endpoint, list }: ListingParts): ObjectSchema {
  const output = resultSchema(endpoint, OUTPUT_DEPTH);
  const properties = { ...propertiesOf(output), ...(list ? LIST_RESULTS : {}) };
  const schema = { type: "object", properties, ...(list ? { required: ["data"] } : {}) };
  // Written and read again without one of its keys, it is the same kind of schema.
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => (MARKS.has(key) ? undefined : value)));
}

/** What is added to every list. */
const LIST_RESULTS: Record<string, JsonSchema> = {
  next_cursor: { type: ["string", "null"] },
  truncated: { type: "boolean" },
};

function annotationsOf(endpoint: AnyEndpoint) {
  const readOnlyHint = reads(endpoint) || endpoint.safe === true;
  return {
    readOnlyHint,
    // What takes away or puts away for good. A rename loses nothing, and a POST else adds.
    destructiveHint: endpoint.method === "DELETE" || endpoint.path.endsWith("/archive"),
    idempotentHint: endpoint.method !== "POST" && endpoint.method !== "PATCH",
    // A creation that spends makes the service ask assistants and search engines; everything else stays inside.
    openWorldHint: endpoint.present !== undefined,
  };
}
