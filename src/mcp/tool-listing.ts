import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { reads, type AnyEndpoint } from "../../tools/endpoint.ts";
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

/** How much a listing tells beyond what a call needs. */
interface Detail {
  /** The columns that `fields` can name. Without them a wrong one is answered with all of them. */
  columns: boolean;
  /** The types of a result's fields; their names alone otherwise. */
  types: boolean;
  /** That a tool takes no other arguments. Without it they are refused all the same. */
  closed: boolean;
}

/** From the richest to the leanest. */
const DETAILS: readonly Detail[] = [
  { columns: true, types: true, closed: true },
  { columns: false, types: true, closed: true },
  { columns: false, types: false, closed: true },
  { columns: false, types: false, closed: false },
];

/** More characters cost a model more than the 700 tokens that one tool may, or the 14,000 that all of them may. */
const ONE_LISTING = 2800;
const ALL_LISTINGS = 56_000;

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
function listTool(parts: ListingParts, details: readonly Detail[]): ListedTool {
  const listings = details.map((detail) => listedWith(parts, detail));
  const light = listings.find((listed) => JSON.stringify(listed).length <= ONE_LISTING);
  // There is one detail at least.
  return light ?? (listings.at(-1) as ListedTool);
}

function listedWith({ endpoint, name, iconUrl, input, output, list }: ListingParts, detail: Detail): ListedTool {
  return {
    name,
    title: endpoint.summary,
    description: endpoint.description,
    inputSchema: listedInput(endpoint, { input, list }, detail),
    outputSchema: listedOutput(output, list, detail),
    annotations: annotationsOf(endpoint),
    icons: [{ src: iconUrl }],
  };
}

function annotationsOf(endpoint: AnyEndpoint) {
  const readOnlyHint = reads(endpoint) || endpoint.safe === true;
  return {
    readOnlyHint,
    destructiveHint: endpoint.method === "DELETE",
    idempotentHint: endpoint.method !== "POST" && endpoint.method !== "PATCH",
    // A creation that spends makes the service ask assistants and search engines; everything else stays inside.
    openWorldHint: endpoint.present !== undefined,
  };
}

type ObjectSchema = ListedTool["inputSchema"];

function listedInput(
  endpoint: AnyEndpoint,
  { input, list }: { input: JsonSchema; list: ToolList | null },
  detail: Detail,
): ObjectSchema {
  const properties = { ...propertiesOf(input) };
  const required = ((input["required"] ?? []) as string[]).filter((key) => key !== "confirmed");
  if (endpoint.present) {
    properties["confirmed"] = {
      const: true,
      description: "The person said yes to the setup and the cost. Ignored where the client itself asks them.",
    };
  }
  if (list) Object.assign(properties, listParameters(list, detail));
  return {
    type: "object",
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(detail.closed ? { additionalProperties: false } : {}),
  } as ObjectSchema;
}

/** What every list takes; the instructions say how, once for all of them. */
function listParameters({ paging, columns }: ToolList, detail: Detail): Record<string, JsonSchema> {
  const size = { type: "integer", maximum: MAX_ROWS };
  const column = detail.columns ? { type: "string", enum: columns } : { type: "string" };
  const fields = { type: "array", items: column };
  return paging === "page" ? { rows_per_page: size, fields } : { limit: size, cursor: { type: "string" }, fields };
}

function listedOutput(output: JsonSchema, list: ToolList | null, detail: Detail): ObjectSchema {
  const properties: Record<string, JsonSchema> = { ...propertiesOf(output) };
  if (list?.paging === "offset") Object.assign(properties, { total_count: { type: "integer" }, next_cursor: {} });
  if (list) properties["truncated"] = { type: "boolean" };
  properties["notes"] = { type: "array" };
  const told = Object.entries(properties).map(([name, field]) => [name, detail.types ? typeOnly(field) : {}]);
  return { type: "object", properties: Object.fromEntries(told) };
}

/** The type of a field that has one; nothing of one that can be null, because several clients take one type alone. */
function typeOnly({ type }: JsonSchema): JsonSchema {
  return typeof type === "string" ? { type } : {};
}
