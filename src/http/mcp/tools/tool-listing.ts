import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { reads, type AnyEndpoint } from "../../../../tools/endpoint.ts";
import { propertiesOf, type JsonSchema } from "./tool-schema.ts";

// A model pays for every character of every listing before it asks anything. So a listing says what a model needs to
// choose the tool and to call it; what a result holds is told by its names and types at the root, and by the columns of
// its rows, because the result shows the rest.

/** Rows that a tool gives where the caller does not say. Small, because a model reads every one of them. */
export const DEFAULT_ROWS = 20;
export const MAX_ROWS = 100;

/** How a tool's list is walked: by the endpoint's cursor, by its page number, or by an offset that the door adds. */
export type Paging = "cursor" | "page" | "offset";

/** A list that a tool answers: rows under `data`. */
export interface ToolList {
  columns: readonly string[];
  paging: Paging;
}

/**
 * What a listing can leave out, and in this order does where the listings together are too long: the types of a
 * result's fields (their names stay); that a tool takes no other arguments (they are refused all the same); the columns
 * that `fields` can name (a wrong one is answered with all of them); words that the names beside them say too; what a
 * result holds at all.
 */
const SPARED = ["types", "closed", "columns", "words", "results"] as const;
type Spared = ReadonlySet<(typeof SPARED)[number]>;

/** From the richest to the leanest. */
const DETAILS: readonly Spared[] = Array.from(
  { length: SPARED.length + 1 },
  (_, count) => new Set(SPARED.slice(0, count)),
);

/** More characters cost a model more than the 700 tokens that one tool may, or the 14,000 that all of them may. */
const ONE_LISTING = 2800;
const ALL_LISTINGS = 58_000;

/** What a listing is made from. */
export interface ListingParts {
  endpoint: AnyEndpoint;
  name: string;
  iconUrl: string;
  input: JsonSchema;
  output: JsonSchema;
  list: ToolList | null;
}

/** The tools as `tools/list` gives them, all with the same detail: the most that what a model may be asked to read allows. */
export function listTools(tools: readonly ListingParts[]): ListedTool[] {
  for (const [at] of DETAILS.entries()) {
    const listed = tools.map((parts) => listTool(parts, DETAILS.slice(at)));
    if (JSON.stringify(listed).length <= ALL_LISTINGS) return listed;
  }
  return tools.map((parts) => listTool(parts, DETAILS.slice(-1)));
}

/** One tool with the first of these details that leaves it light enough. */
function listTool(parts: ListingParts, details: readonly Spared[]): ListedTool {
  const listings = details.map((spared) => listedWith(parts, spared));
  const light = listings.find((listed) => JSON.stringify(listed).length <= ONE_LISTING);
  // There is one detail at least.
  return light ?? (listings.at(-1) as ListedTool);
}

function listedWith({ endpoint, name, iconUrl, input, output, list }: ListingParts, spared: Spared): ListedTool {
  return {
    name,
    title: endpoint.summary,
    description: endpoint.description,
    inputSchema: listedInput(endpoint, { input, list }, spared),
    outputSchema: listedOutput(output, list, spared),
    annotations: annotationsOf(endpoint),
    icons: [{ src: iconUrl }],
  };
}

function annotationsOf(endpoint: AnyEndpoint) {
  const readOnlyHint = reads(endpoint) || endpoint.safe === true;
  return {
    readOnlyHint,
    // What overwrites, takes away or puts away; a POST else adds.
    destructiveHint: !readOnlyHint && (endpoint.method !== "POST" || endpoint.path.endsWith("/archive")),
    idempotentHint: endpoint.method !== "POST" && endpoint.method !== "PATCH",
    // A creation that spends makes the service ask assistants and search engines; everything else stays inside.
    openWorldHint: endpoint.present !== undefined,
  };
}

type ObjectSchema = ListedTool["inputSchema"];

function listedInput(
  endpoint: AnyEndpoint,
  { input, list }: { input: JsonSchema; list: ToolList | null },
  spared: Spared,
): ObjectSchema {
  const properties = { ...propertiesOf(input) };
  const required = ((input["required"] ?? []) as string[]).filter((key) => key !== "confirmed");
  if (endpoint.present) {
    properties["confirmed"] = {
      const: true,
      description: "The person said yes to the setup and the cost. Ignored where the client itself asks them.",
    };
  }
  if (list) Object.assign(properties, listParameters(list, spared));
  // One object can be too heavy for one result, and is then read in parts.
  else if (reads(endpoint)) properties["cursor"] = { type: "string" };
  return {
    type: "object",
    properties: spared.has("words") ? inFewWords(properties, required) : properties,
    ...(required.length > 0 ? { required } : {}),
    ...(spared.has("closed") ? {} : { additionalProperties: false }),
  } as ObjectSchema;
}

/** Without the words on what a name says: the values of a filter, and the organization where list_workspaces gives both ids. */
function inFewWords(properties: Record<string, JsonSchema>, required: readonly string[]): Record<string, JsonSchema> {
  const told = Object.entries(properties).map(([name, field]): [string, JsonSchema] => {
    const speaks = Array.isArray(field["enum"]) && !required.includes(name);
    const beside = name === "organization_id" && "workspace_id" in properties;
    const { description: _, ...silent } = field;
    return [name, speaks || beside ? silent : field];
  });
  return Object.fromEntries(told);
}

/** What every list takes; the instructions say how, once for all of them. */
function listParameters({ paging, columns }: ToolList, spared: Spared): Record<string, JsonSchema> {
  const size = { type: "integer", maximum: MAX_ROWS };
  const column = spared.has("columns") ? { type: "string" } : { type: "string", enum: columns };
  const fields = { type: "array", items: column };
  return paging === "page" ? { rows_per_page: size, fields } : { limit: size, cursor: { type: "string" }, fields };
}

/** The fields of a result. What the door adds is told where there is room: no listing says that there is nothing else. */
function listedOutput(output: JsonSchema, list: ToolList | null, spared: Spared): ObjectSchema {
  if (spared.has("results")) return { type: "object" };
  const properties: Record<string, JsonSchema> = { ...propertiesOf(output) };
  if (list?.paging === "offset") properties["next_cursor"] = {};
  if (!spared.has("words")) {
    if (list?.paging === "offset") properties["total_count"] = { type: "integer" };
    if (list) properties["truncated"] = { type: "boolean" };
    properties["notes"] = { type: "array" };
  }
  const told = Object.entries(properties).map(([name, field]) => [name, spared.has("types") ? {} : typeOnly(field)]);
  return { type: "object", properties: Object.fromEntries(told) };
}

/** The type of a field that has one; nothing of one that can be null, because several clients take one type alone. */
function typeOnly({ type }: JsonSchema): JsonSchema {
  return typeof type === "string" ? { type } : {};
}
