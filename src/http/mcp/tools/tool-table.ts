import { setImmediate as nextTurn } from "node:timers/promises";
import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { AppError } from "../../../../core/shared/errors.ts";
import type { FigureWords } from "../../../../core/metrics/figure-fields.ts";
import type { Scope } from "../../../../core/identity/roles.ts";
import { Analysis } from "../../../../tools/analyses/analysis.ts";
import { GROUPS, reads, toolName, toolScopes, type AnyEndpoint } from "../../../../tools/endpoint.ts";
import { ESSENTIALS, ESSENTIALS_TOOLSET, listRank } from "./essentials.ts";
import { listTool, type ToolList } from "./tool-listing.ts";
import {
  figurePaths,
  outsidePaths,
  propertiesOf,
  resultSchema,
  rowOf,
  toolSchema,
  type JsonSchema,
} from "./tool-schema.ts";

/** One endpoint as an agent tool. What its schemas say is computed once, when it is first wanted. */
export interface Tool {
  name: string;
  endpoint: AnyEndpoint;
  toolset: string;
  listed: ListedTool;
  list: ToolList | null;
  /** What `fields` chooses from: the columns of a list, or the fields of one object. */
  fields: readonly string[];
  /** Where text from outside stands in a result: the paths, and the fields of a row, or of the result, that have some. */
  outside: { paths: ReadonlySet<string>; fields: readonly string[] };
  /** How the figures of a result are put into words, by their paths. */
  figures: ReadonlyMap<string, FigureWords>;
  /** Said with every result of this tool. */
  note: string | null;
  /** Address of the console's page for what this shows, with parameters of the endpoint in it; null where there is none. */
  page: string | null;
}

export interface ToolTable {
  tools: readonly Tool[];
  names: ReadonlySet<string>;
  toolsets: readonly string[];
  /** What an assistant must be allowed in order to use every tool. */
  scopes: readonly Scope[];
}

/** Stands for the pages' address where the tools are described and not served. */
export const EXAMPLE_BASE_URL = "https://visibility.example";

/** The tools of these endpoints, in their order after the essential ones. `baseUrl` says where the pages are. Throws where two would have one name. */
export function toolTable(endpoints: readonly AnyEndpoint[], baseUrl: string): ToolTable {
  const asTools = endpoints
    .filter((endpoint) => endpoint.notATool === undefined)
    .toSorted((a, b) => listRank(toolName(a)) - listRank(toolName(b)));
  const names = new Set(asTools.map(toolName));
  if (names.size !== asTools.length) throw new Error("Two endpoints give a tool of the same name.");
  return {
    tools: asTools.map((endpoint) => ({
      name: toolName(endpoint),
      endpoint,
      toolset: toolsetOf(endpoint.group),
      note: noteOf(endpoint, names),
      page: endpoint.page === undefined ? null : baseUrl + endpoint.page,
      get listed() {
        return describe(endpoint).listed;
      },
      get list() {
        return describe(endpoint).list;
      },
      get fields() {
        return describe(endpoint).fields;
      },
      get outside() {
        return describe(endpoint).outside;
      },
      get figures() {
        return describe(endpoint).figures;
      },
    })),
    names,
    toolsets: GROUPS.map(toolsetOf),
    scopes: toolScopes(asTools),
  };
}

/** A group of the reference as a toolset: in lower case with hyphens. One whose tools are still to come is empty. */
export function toolsetOf(group: (typeof GROUPS)[number]): string {
  return group.toLowerCase().replaceAll(" ", "-");
}

/** How many levels of an input's fields are told in full. */
const INPUT_DEPTH = 3;
/** Outside text can stand in the parts of a row: rows, their fields, the fields of those, and theirs. */
const OUTPUT_DEPTH = 4;

type Description = Pick<Tool, "listed" | "list" | "fields" | "outside" | "figures">;

/** Made once for each declaration, because it depends on nothing else. */
const DESCRIBED = new WeakMap<AnyEndpoint, Description>();

/** A few milliseconds the first time, most of them of the conversion of its schemas. Throws where the answer is no object. */
function describe(endpoint: AnyEndpoint): Description {
  const known = DESCRIBED.get(endpoint) ?? describeAnew(endpoint);
  DESCRIBED.set(endpoint, known);
  return known;
}

/** Describes every tool ahead of the first list, one at a turn of the event loop, so that no request waits for all of them. */
export async function describeInTurns({ tools }: ToolTable): Promise<void> {
  for (const { endpoint } of tools) {
    await nextTurn();
    describe(endpoint);
  }
}

function describeAnew(endpoint: AnyEndpoint): Description {
  const name = toolName(endpoint);
  const input = toolSchema(endpoint.input, "input", INPUT_DEPTH);
  const output = resultSchema(endpoint, OUTPUT_DEPTH);
  if (output["type"] !== "object") throw new Error(`${name} must answer an object.`);
  const list = listOf(input, output);
  const listed = listTool({ endpoint, name, input, list });
  const paths = outsidePaths(output);
  const tops = paths.map((path) => (list ? path.replace(/^data\./, "") : path).replace(/\..*/, ""));
  const outside = { paths: new Set(paths), fields: [...new Set(tops)] };
  return {
    listed,
    list,
    fields: list?.columns ?? Object.keys(propertiesOf(output)),
    outside,
    figures: figurePaths(output),
  };
}

/** What comes next: after `price_x` its `create_x`, after the creation of an analysis its first collect. */
function noteOf(endpoint: AnyEndpoint, names: ReadonlySet<string>): string | null {
  const name = toolName(endpoint);
  if (endpoint.output === Analysis && !reads(endpoint)) return "Collect 1 has begun: await_collect waits for its end.";
  const create = name.replace(/^price_/, "create_");
  if (create === name || !names.has(create)) return null;
  return `Show the person the presentation, and wait for an explicit yes. Only then call ${create} with this quote_id and confirmed: true.`;
}

function listOf(input: JsonSchema, output: JsonSchema): ToolList | null {
  const columns = Object.keys(propertiesOf(rowOf(output)));
  if (columns.length === 0) return null;
  const given = propertiesOf(input);
  const paging = "cursor" in given ? "cursor" : "rows_per_page" in given ? "page" : "offset";
  return { columns, paging };
}

/** The tools that one request sees. */
export interface ToolView {
  tools: ReadonlyMap<string, Tool>;
  extra: readonly ListedExtra[];
  readonly listed: ListedTool[];
}

/** A tool besides those of the table, which only reads. */
export interface ListedExtra {
  listed: ListedTool;
  /** The toolset that narrows the list to it; a tool without one is in every list. */
  toolset?: string;
}

/** What a request narrows the tools to. */
export interface Narrowing {
  /** Names of toolsets, separated by commas; null for all of them. */
  toolsets: string | null;
  readonly: boolean;
}

/** Narrows the table to toolsets and to what changes nothing. */
export function toolViews(table: ToolTable, extra: readonly ListedExtra[] = []) {
  const usual = viewOf(table.tools, extra);
  return ({ toolsets, readonly }: Narrowing): ToolView => {
    const wanted = toolsets === null ? null : wantedToolsets(toolsets, [...table.toolsets, ESSENTIALS_TOOLSET]);
    if (wanted === null && !readonly) return usual;
    return viewOf(
      table.tools.filter((tool) => (!readonly || reads(tool.endpoint)) && (wanted === null || isIn(tool, wanted))),
      extra.filter(({ toolset }) => wanted === null || toolset === undefined || wanted.has(toolset)),
    );
  };
}

function isIn({ name, toolset }: Tool, toolsets: ReadonlySet<string>): boolean {
  return toolsets.has(toolset) || (toolsets.has(ESSENTIALS_TOOLSET) && ESSENTIALS.includes(name));
}

function viewOf(tools: readonly Tool[], extra: readonly ListedExtra[]): ToolView {
  return {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    extra,
    get listed() {
      return [...tools.map(({ listed }) => listed), ...extra.map(({ listed }) => listed)];
    },
  };
}

/** Names every tool, for clients that always send a toolset. */
const ALL = "all";

/** The toolsets that are named, in the table's order; null for all of them. VALIDATION_FAILED for an unknown name. */
function wantedToolsets(given: string, known: readonly string[]): ReadonlySet<string> | null {
  const names = new Set(
    given
      .split(",")
      .map((name) => name.trim().toLowerCase())
      .filter(Boolean),
  );
  const unknown = [...names].some((name) => name !== ALL && !known.includes(name));
  if (names.size === 0 || unknown) {
    throw new AppError(
      "VALIDATION_FAILED",
      `Unknown toolset. Known ones, to be separated by commas: ${[...known, ALL].join(", ")}.`,
      {
        fields: [{ path: "toolsets", message: "unknown toolset" }],
      },
    );
  }
  return names.has(ALL) ? null : new Set(known.filter((name) => names.has(name)));
}
