import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { AppError } from "../core/errors.ts";
import type { Scope } from "../core/roles.ts";
import { reads, toolName, toolScopes, type AnyEndpoint } from "../../tools/endpoint.ts";
import { OUTSIDE_TEXT, propertiesOf, toolSchema, type JsonSchema } from "./tool-schema.ts";

/** How a tool's list is walked: by the endpoint's cursor, by its page number, or by an offset that the door adds. */
export type Paging = "cursor" | "page" | "offset";

/** A list that a tool answers: rows under `data`. */
export interface ToolList {
  columns: readonly string[];
  paging: Paging;
}

/** One endpoint as an agent tool. Everything here is computed once, at start. */
export interface Tool {
  name: string;
  endpoint: AnyEndpoint;
  toolset: string;
  listed: ListedTool;
  list: ToolList | null;
  /** Fields of a row (or of the result, where it is no list) whose text came from outside. */
  outside: readonly string[];
  /** Said with every result of this tool. */
  note: string | null;
}

export interface ToolTable {
  tools: readonly Tool[];
  names: ReadonlySet<string>;
  toolsets: readonly string[];
  /** What an assistant must be allowed in order to use every tool. */
  scopes: readonly Scope[];
}

/** Rows that a tool gives where the caller does not say. Small, because a model reads every one of them. */
export const DEFAULT_ROWS = 20;
export const MAX_ROWS = 100;

/** The tools of these endpoints, in their order. Throws where two would have one name. */
export function toolTable(endpoints: readonly AnyEndpoint[], iconUrl: string): ToolTable {
  const asTools = endpoints.filter((endpoint) => endpoint.notATool === undefined);
  const names = new Set(asTools.map(toolName));
  if (names.size !== asTools.length) throw new Error("Two endpoints give a tool of the same name.");
  const tools = asTools.map((endpoint) => describeTool(endpoint, names, iconUrl));
  return {
    tools,
    names,
    toolsets: [...new Set(tools.map((tool) => tool.toolset))],
    scopes: toolScopes(asTools),
  };
}

const INPUT_DEPTH = 3;
/** A row of a list is told in full at two. */
const OUTPUT_DEPTHS = [3, 2, 1];
/** Longer listings cost a model more than the 700 tokens that one tool may. */
const LISTED_CHARACTERS = 2700;

function describeTool(endpoint: AnyEndpoint, names: ReadonlySet<string>, iconUrl: string): Tool {
  const name = toolName(endpoint);
  const input = toolSchema(endpoint.input, "input", INPUT_DEPTH);
  const output = toolSchema(endpoint.output, "output", 2);
  if (output["type"] !== "object") throw new Error(`${name} must answer an object.`);
  const list = listOf(input, output);
  const row = list ? rowOf(output) : output;
  const outside = Object.entries(propertiesOf(row))
    .filter(([, field]) => JSON.stringify(field).includes(OUTSIDE_TEXT))
    .map(([field]) => field);
  const listedAt = (depth: number): ListedTool => ({
    name,
    title: endpoint.summary,
    description: endpoint.description,
    inputSchema: listedInput(endpoint, input, list),
    outputSchema: listedOutput(toolSchema(endpoint.output, "output", depth), list),
    annotations: annotationsOf(endpoint),
    icons: [{ src: iconUrl }],
  });
  const listings = OUTPUT_DEPTHS.map(listedAt);
  const listed = listings.find((one) => JSON.stringify(one).length <= LISTED_CHARACTERS) ?? listedAt(1);
  const toolset = endpoint.group.toLowerCase().replaceAll(" ", "-");
  return { name, endpoint, toolset, listed, list, outside, note: noteOf(name, names) };
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

/** The tool that makes what this one prices: `price_x` has its `create_x`. */
function noteOf(name: string, names: ReadonlySet<string>): string | null {
  const create = name.replace(/^price_/, "create_");
  if (create === name || !names.has(create)) return null;
  return `Show the person the whole setup and the cost, and wait for an explicit yes. Only then call ${create} with this quote_id.`;
}

function listOf(input: JsonSchema, output: JsonSchema): ToolList | null {
  const columns = Object.keys(propertiesOf(rowOf(output)));
  if (columns.length === 0) return null;
  const given = propertiesOf(input);
  const paging = "cursor" in given ? "cursor" : "rows_per_page" in given ? "page" : "offset";
  return { columns, paging };
}

function rowOf(output: JsonSchema): JsonSchema | undefined {
  const items = propertiesOf(output)["data"]?.["items"];
  return typeof items === "object" && items !== null ? (items as JsonSchema) : undefined;
}

type ObjectSchema = ListedTool["inputSchema"];

function listedInput(endpoint: AnyEndpoint, input: JsonSchema, list: ToolList | null): ObjectSchema {
  const properties = { ...propertiesOf(input) };
  const required = ((input["required"] ?? []) as string[]).filter((key) => key !== "confirmed");
  if (endpoint.present) {
    properties["confirmed"] = {
      const: true,
      description: "The person said yes to the setup and the cost. Ignored where the client itself asks them.",
    };
  }
  if (list) Object.assign(properties, listParameters(list));
  return {
    type: "object",
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  } as ObjectSchema;
}

function listParameters(list: ToolList): Record<string, JsonSchema> {
  const size = { type: "integer", minimum: 1, maximum: MAX_ROWS, default: DEFAULT_ROWS };
  const fields = { type: "array", items: { type: "string" }, description: "Columns; all by default." };
  const paged: Record<Paging, Record<string, JsonSchema>> = {
    cursor: { limit: { ...size }, cursor: { type: "string", description: "next_cursor of the page before." } },
    offset: { limit: { ...size }, cursor: { type: "string", description: "next_cursor of the page before." } },
    page: { rows_per_page: size },
  };
  return { ...paged[list.paging], fields };
}

function listedOutput(output: JsonSchema, list: ToolList | null): ObjectSchema {
  const properties: Record<string, JsonSchema> = {
    ...unmarked(propertiesOf(output)),
    notes: { type: "array", items: { type: "string" } },
  };
  if (list) properties["truncated"] = { type: "boolean" };
  if (list?.paging === "offset") {
    properties["total_count"] = { type: "integer" };
    properties["next_cursor"] = { anyOf: [{ type: "string" }, { type: "null" }] };
  }
  return { type: "object", properties } as ObjectSchema;
}

/** The mark of outside text becomes words, which a model reads. */
function unmarked(properties: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const text = JSON.stringify(properties);
  if (!text.includes(OUTSIDE_TEXT)) return properties;
  return JSON.parse(text.replaceAll(`"${OUTSIDE_TEXT}":true`, '"$comment":"untrusted text from outside"')) as Record<
    string,
    JsonSchema
  >;
}

/** The tools that one request sees, and the text of their list, kept per protocol era once it was made. */
export interface ToolView {
  tools: ReadonlyMap<string, Tool>;
  listed: readonly ListedTool[];
  /** Serialised `tools/list` results. */
  listText: { modern?: string; legacy?: string };
}

/** Narrows the table by `?toolsets=a,b` and `?readonly=1`; the same request always gives the same view. */
export function toolViews(table: ToolTable, extra: readonly ListedTool[] = []) {
  const views = new Map<string, ToolView>();
  return (toolsets: string | null, readonly: string | null): ToolView => {
    const wanted = toolsets === null ? [...table.toolsets] : wantedToolsets(toolsets, table.toolsets);
    const key = `${readonly === "1" ? "readonly " : ""}${wanted.join(",")}`;
    let view = views.get(key);
    if (!view) {
      const tools = table.tools.filter(
        (tool) => wanted.includes(tool.toolset) && (readonly !== "1" || reads(tool.endpoint)),
      );
      view = {
        tools: new Map(tools.map((tool) => [tool.name, tool])),
        listed: [...tools.map((tool) => tool.listed), ...extra],
        listText: {},
      };
      views.set(key, view);
    }
    return view;
  };
}

function wantedToolsets(given: string, known: readonly string[]): string[] {
  const names = new Set(
    given
      .split(",")
      .map((name) => name.trim().toLowerCase())
      .filter(Boolean),
  );
  const unknown = [...names].some((name) => !known.includes(name));
  if (names.size === 0 || unknown) {
    throw new AppError("VALIDATION_FAILED", `toolsets takes these names, with commas between: ${known.join(", ")}.`, {
      fields: [{ path: "toolsets", message: "names a toolset that there is not" }],
    });
  }
  return known.filter((name) => names.has(name));
}
