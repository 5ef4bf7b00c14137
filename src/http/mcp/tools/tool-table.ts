import { setImmediate as nextTurn } from "node:timers/promises";
import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { AppError } from "../../../../core/shared/errors.ts";
import type { MetricPresentation } from "../../../../core/metrics/metric-fields.ts";
import type { Scope } from "../../../../core/identity/roles.ts";
import { Analysis } from "../../../../tools/analyses/analysis.ts";
import { ENDPOINT_GROUPS, isReadEndpoint, toolName, toolScopes, type AnyEndpoint } from "../../../../tools/endpoint.ts";
import { ESSENTIALS, ESSENTIALS_TOOLSET, listRank } from "./essentials.ts";
import { listTool, type ToolList } from "./tool-listing.ts";
import {
  figurePaths,
  outsidePaths,
  toProperties,
  resultSchema,
  getRowSchema,
  toolSchema,
  type JsonSchema,
} from "./tool-schema.ts";

/** An endpoint as a tool; schema-derived fields are computed lazily. */
export interface Tool {
  name: string;
  endpoint: AnyEndpoint;
  toolset: string;
  listed: ListedTool;
  list: ToolList | null;
  /** Values of `fields`: columns of a list, or fields of an object. */
  fields: readonly string[];
  /** Untrusted text in results: paths, and fields of rows or result that contain some. */
  outside: { paths: ReadonlySet<string>; fields: readonly string[] };
  /** Presentation of metrics by path. */
  figures: ReadonlyMap<string, MetricPresentation>;
  /** Note added to each result. */
  note: string | null;
  /** Console page with path parameters; null without one. */
  page: string | null;
}

export interface ToolTable {
  tools: readonly Tool[];
  names: ReadonlySet<string>;
  toolsets: readonly string[];
  /** Scopes needed to use all tools. */
  scopes: readonly Scope[];
}

/** Placeholder base URL for generated documentation. */
export const EXAMPLE_BASE_URL = "https://visibility.example";

/**
 * Builds the tools of endpoints, essential ones first. `baseUrl` is the console's address. Throws
 * if two tools have the same name.
 */
export function toolTable(endpoints: readonly AnyEndpoint[], baseUrl: string): ToolTable {
  const asTools = endpoints
    .filter((endpoint) => endpoint.notATool === undefined)
    .toSorted((a, b) => listRank(toolName(a)) - listRank(toolName(b)));
  const names = new Set(asTools.map(toolName));
  if (names.size !== asTools.length) throw new Error("Two endpoints have a tool of the same name.");
  return {
    tools: asTools.map((endpoint) => ({
      name: toolName(endpoint),
      endpoint,
      toolset: toToolset(endpoint.group),
      note: findNote(endpoint, names),
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
    toolsets: ENDPOINT_GROUPS.map(toToolset),
    scopes: toolScopes(asTools),
  };
}

/** Toolset of a group: lower case with hyphens. */
export function toToolset(group: (typeof ENDPOINT_GROUPS)[number]): string {
  return group.toLowerCase().replaceAll(" ", "-");
}

/** Levels of input fields shown in full. */
const INPUT_DEPTH = 3;
/** Levels searched for untrusted text. */
const OUTPUT_DEPTH = 4;

type Description = Pick<Tool, "listed" | "list" | "fields" | "outside" | "figures">;

/** Descriptions of tools, cached by endpoint. */
const descriptions = new WeakMap<AnyEndpoint, Description>();

/**
 * Takes a few milliseconds on first use, mostly for schema conversion. Throws if the output is no
 * object.
 */
function describe(endpoint: AnyEndpoint): Description {
  const known = descriptions.get(endpoint) ?? computeDescription(endpoint);
  descriptions.set(endpoint, known);
  return known;
}

/**
 * Describes all tools before the first listing, one per turn of the event loop, so that no request
 * waits for all.
 */
export async function describeAllTools({ tools }: ToolTable): Promise<void> {
  for (const { endpoint } of tools) {
    await nextTurn();
    describe(endpoint);
  }
}

function computeDescription(endpoint: AnyEndpoint): Description {
  const name = toolName(endpoint);
  const input = toolSchema(endpoint.input, "input", INPUT_DEPTH);
  const output = resultSchema(endpoint, OUTPUT_DEPTH);
  if (output["type"] !== "object") throw new Error(`The output of ${name} must be an object.`);
  const list = describeList(input, output);
  const listed = listTool({ endpoint, name, input, list });
  const paths = outsidePaths(output);
  const tops = paths.map((path) => (list ? path.replace(/^data\./, "") : path).replace(/\..*/, ""));
  const outside = { paths: new Set(paths), fields: [...new Set(tops)] };
  return {
    listed,
    list,
    fields: list?.columns ?? Object.keys(toProperties(output)),
    outside,
    figures: figurePaths(output),
  };
}

/** Next step after a tool: creating after pricing, waiting for the first collect after creating. */
function findNote(endpoint: AnyEndpoint, names: ReadonlySet<string>): string | null {
  const name = toolName(endpoint);
  if (endpoint.output === Analysis && !isReadEndpoint(endpoint))
    return "Run (`collect`) 1 has started: await_collect waits for its completion.";
  const create = name.replace(/^price_/, "create_");
  if (create === name || !names.has(create)) return null;
  return `Show the person the presentation, and wait for an explicit yes. Only then call ${create} with this quote_id and confirmed: true.`;
}

function describeList(input: JsonSchema, output: JsonSchema): ToolList | null {
  const columns = Object.keys(toProperties(getRowSchema(output)));
  if (columns.length === 0) return null;
  const given = toProperties(input);
  const paging = "cursor" in given ? "cursor" : "rows_per_page" in given ? "page" : "offset";
  return { columns, paging };
}

/** Tools visible to one request. */
export interface ToolView {
  tools: ReadonlyMap<string, Tool>;
  extra: readonly ListedExtra[];
  readonly listed: ListedTool[];
}

/** An additional read-only tool. */
export interface ListedExtra {
  listed: ListedTool;
  /** Toolset of the tool; without one it is always listed. */
  toolset?: string;
}

/** Restrictions of the tool list. */
export interface Narrowing {
  /** Comma-separated toolsets; null for all. */
  toolsets: string | null;
  readonly: boolean;
}

/** Returns a function that restricts the table by toolset and to read-only tools. */
export function toolViews(table: ToolTable, extra: readonly ListedExtra[] = []) {
  const usual = createToolView(table.tools, extra);
  return ({ toolsets, readonly }: Narrowing): ToolView => {
    const wanted = toolsets === null ? null : wantedToolsets(toolsets, [...table.toolsets, ESSENTIALS_TOOLSET]);
    if (wanted === null && !readonly) return usual;
    return createToolView(
      table.tools.filter(
        (tool) => (!readonly || isReadEndpoint(tool.endpoint)) && (wanted === null || isIn(tool, wanted)),
      ),
      extra.filter(({ toolset }) => wanted === null || toolset === undefined || wanted.has(toolset)),
    );
  };
}

function isIn({ name, toolset }: Tool, toolsets: ReadonlySet<string>): boolean {
  return toolsets.has(toolset) || (toolsets.has(ESSENTIALS_TOOLSET) && ESSENTIALS.includes(name));
}

function createToolView(tools: readonly Tool[], extra: readonly ListedExtra[]): ToolView {
  return {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    extra,
    get listed() {
      return [...tools.map(({ listed }) => listed), ...extra.map(({ listed }) => listed)];
    },
  };
}

/** Selects all tools, for clients that always send a toolset. */
const ALL = "all";

/** Parses toolset names; null for all. Throws VALIDATION_FAILED for an unknown name. */
function wantedToolsets(header: string, toolsets: readonly string[]): ReadonlySet<string> | null {
  const names = new Set(
    header
      .split(",")
      .map((name) => name.trim().toLowerCase())
      .filter(Boolean),
  );
  const unknown = [...names].some((name) => name !== ALL && !toolsets.includes(name));
  if (names.size === 0 || unknown) {
    throw new AppError(
      "VALIDATION_FAILED",
      `Unknown toolset. Use one or more of these, separated by commas: ${[...toolsets, ALL].join(", ")}.`,
      {
        fields: [{ path: "toolsets", message: "unknown toolset" }],
      },
    );
  }
  return names.has(ALL) ? null : new Set(toolsets.filter((name) => names.has(name)));
}
