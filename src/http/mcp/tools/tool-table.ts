import { setImmediate as nextTurn } from "node:timers/promises";
import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { AppError } from "../../../../core/shared/errors.ts";
import type { MetricPresentation } from "../../../../core/metrics/metric-fields.ts";
import type { Scope } from "../../../../core/identity/roles.ts";
import { Analysis } from "../../../../tools/analyses/analysis.ts";
import {
  ENDPOINT_GROUPS,
  isReadEndpoint,
  toToolName,
  listToolScopes,
  type AnyEndpoint,
} from "../../../../tools/endpoint.ts";
import { getToolInput } from "../../../call/call-targets.ts";
import { ESSENTIALS, ESSENTIALS_TOOLSET, listRank } from "./essentials.ts";
import { collectTakenIds, type TakenIds } from "./needed-ids.ts";
import { listTool, type ToolList } from "./tool-listing.ts";
import {
  collectMetricsByPath,
  listUntrustedPaths,
  toProperties,
  buildResultSchema,
  getRowSchema,
  toToolSchema,
  type JsonSchema,
} from "./tool-schema.ts";

/** An endpoint as a tool; schema-derived fields are computed lazily. */
export interface Tool {
  name: string;
  endpoint: AnyEndpoint;
  toolset: string;
  /** Ids that any tool takes. */
  takenIds: TakenIds;
  listed: ListedTool;
  list: ToolList | null;
  fields: readonly string[];
  /** Untrusted text in results: paths, and fields of rows or result that contain some. */
  outside: { paths: ReadonlySet<string>; untrustedFields: readonly string[] };
  figures: ReadonlyMap<string, MetricPresentation>;
  resultNote: ((output: Record<string, unknown>) => string) | null;
  page: string | null;
}

export interface ToolTable {
  tools: readonly Tool[];
  toolNames: ReadonlySet<string>;
  toolsets: readonly string[];
  scopes: readonly Scope[];
}

export const EXAMPLE_BASE_URL = "https://visibility.example";

/**
 * Builds the tools of endpoints, essential ones first. `baseUrl` is the console's address. Throws
 * if two tools have the same name.
 */
export function buildToolTable(endpoints: readonly AnyEndpoint[], baseUrl: string): ToolTable {
  const asTools = endpoints
    .filter((endpoint) => endpoint.notATool === undefined)
    .toSorted((a, b) => listRank(toToolName(a)) - listRank(toToolName(b)));
  const toolNames = new Set(asTools.map(toToolName));
  const takenIds = collectTakenIds(asTools);
  if (toolNames.size !== asTools.length) throw new Error("Two endpoints have a tool of the same name.");
  return {
    tools: asTools.map((endpoint) => ({
      name: toToolName(endpoint),
      endpoint,
      toolset: toToolset(endpoint.group),
      takenIds,
      resultNote: findNote(endpoint, toolNames),
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
    toolNames,
    toolsets: ENDPOINT_GROUPS.map(toToolset),
    scopes: listToolScopes(asTools),
  };
}

export function toToolset(group: (typeof ENDPOINT_GROUPS)[number]): string {
  return group.toLowerCase().replaceAll(" ", "-");
}

const INPUT_DEPTH = 3;
const OUTPUT_DEPTH = 4;

type ToolDescription = Pick<Tool, "listed" | "list" | "fields" | "outside" | "figures">;

const descriptionByEndpoint = new WeakMap<AnyEndpoint, ToolDescription>();

/**
 * Takes a few milliseconds on first use, mostly for schema conversion. Throws if the output is no
 * object.
 */
function describe(endpoint: AnyEndpoint): ToolDescription {
  const known = descriptionByEndpoint.get(endpoint) ?? computeDescription(endpoint);
  descriptionByEndpoint.set(endpoint, known);
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

function computeDescription(endpoint: AnyEndpoint): ToolDescription {
  const name = toToolName(endpoint);
  const input = toToolSchema(getToolInput(endpoint), "input", INPUT_DEPTH);
  const output = buildResultSchema(endpoint, OUTPUT_DEPTH);
  if (output["type"] !== "object") throw new Error(`The output of ${name} must be an object.`);
  const list = describeList(input, output);
  const listed = listTool({ endpoint, name, input, list });
  const paths = listUntrustedPaths(output);
  const tops = paths.map((path) => (list ? path.replace(/^data\./, "") : path).replace(/\..*/, ""));
  const outside = { paths: new Set(paths), untrustedFields: [...new Set(tops)] };
  return {
    listed,
    list,
    fields: list?.columns ?? Object.keys(toProperties(output)),
    outside,
    figures: collectMetricsByPath(output),
  };
}

/** Next step after a result: creating after pricing, waiting for the first run after creating. */
function findNote(endpoint: AnyEndpoint, names: ReadonlySet<string>): Tool["resultNote"] {
  const name = toToolName(endpoint);
  if (endpoint.output === Analysis && !isReadEndpoint(endpoint))
    return () => "Run (`collect`) 1 has started: await_collect waits for its completion.";
  const create = name.replace(/^price_/, "create_");
  if (create === name || !names.has(create)) return null;
  return ({ setup, obstacle }) => {
    // Safe: the output of each pricing tool has its setup.
    const { evaluation_id: evaluationId = null } = setup as { evaluation_id?: string | null };
    const isRerun = evaluationId !== null;
    const call = isRerun ? create.replace("create_", "rerun_") : create;
    if (obstacle !== null)
      return `Do not call ${call}: obstacle says why. Show it to the person, and price another setup only if they ask.`;
    return `Show the person the presentation, and wait for an explicit yes. Only then call ${call} with ${isRerun ? `evaluation ${evaluationId}, ` : ""}this quote_id and confirmed: true.`;
  };
}

function describeList(input: JsonSchema, output: JsonSchema): ToolList | null {
  const columns = Object.keys(toProperties(getRowSchema(output)));
  if (columns.length === 0) return null;
  const given = toProperties(input);
  const pagingMode = "cursor" in given ? "cursor" : "rows_per_page" in given ? "page" : "offset";
  return { columns, pagingMode, hasBasis: "basis" in toProperties(output) };
}

export interface ToolView {
  /** Callable tools: with the essentials all, which `find_tools` finds, otherwise the listed ones. */
  toolByName: ReadonlyMap<string, Tool>;
  extraTools: readonly ListedExtra[];
  readonly listedTools: ListedTool[];
}

export interface ListedExtra {
  listed: ListedTool;
  /** Toolset of the tool; without one it is always listed. */
  toolset?: string;
}

type ListedPart = readonly { readonly listed: ListedTool }[];

export interface ToolRestrictions {
  toolsets: string | null;
  isReadOnly: boolean;
}

/** Returns a function that restricts the table by toolset and to read-only tools. */
export function createToolViewFactory(table: ToolTable, extra: readonly ListedExtra[] = []) {
  const isExtraIn = ({ toolset = "" }: ListedExtra, wanted: ReadonlySet<string> | null) =>
    wanted === null ? toolset !== ESSENTIALS_TOOLSET : toolset === "" || wanted.has(toolset);
  const usual = createToolView(
    table.tools,
    extra.filter((tool) => isExtraIn(tool, null)),
  );
  return ({ toolsets, isReadOnly }: ToolRestrictions): ToolView => {
    const wanted = toolsets === null ? null : parseToolsets(toolsets, [...table.toolsets, ESSENTIALS_TOOLSET]);
    if (wanted === null && !isReadOnly) return usual;
    const allowed = table.tools.filter((tool) => !isReadOnly || isReadEndpoint(tool.endpoint));
    const listed = allowed.filter((tool) => wanted === null || isIn(tool, wanted));
    const listedExtra = extra.filter((tool) => isExtraIn(tool, wanted));
    if (wanted?.has(ESSENTIALS_TOOLSET) !== true) return createToolView(listed, listedExtra);
    return createToolView(allowed, extra, [...listed, ...listedExtra]);
  };
}

function isIn({ name, toolset }: Tool, toolsets: ReadonlySet<string>): boolean {
  return toolsets.has(toolset) || (toolsets.has(ESSENTIALS_TOOLSET) && ESSENTIALS.includes(name));
}

function createToolView(
  tools: readonly Tool[],
  extraTools: readonly ListedExtra[],
  listed: ListedPart = [...tools, ...extraTools],
): ToolView {
  return {
    toolByName: new Map(tools.map((tool) => [tool.name, tool])),
    extraTools,
    get listedTools() {
      return listed.map((tool) => tool.listed);
    },
  };
}

/** Selects all tools, for clients that always send a toolset. */
const ALL_TOOLSETS = "all";

/** Parses toolset names; null for all. Throws VALIDATION_FAILED for an unknown name. */
function parseToolsets(header: string, toolsets: readonly string[]): ReadonlySet<string> | null {
  const names = new Set(
    header
      .split(",")
      .map((name) => name.trim().toLowerCase())
      .filter(Boolean),
  );
  const unknown = [...names].some((name) => name !== ALL_TOOLSETS && !toolsets.includes(name));
  if (names.size === 0 || unknown) {
    throw new AppError(
      "VALIDATION_FAILED",
      `Unknown toolset. Use one or more of these, separated by commas: ${[...toolsets, ALL_TOOLSETS].join(", ")}.`,
      {
        fields: [{ path: "toolsets", message: "unknown toolset" }],
      },
    );
  }
  return names.has(ALL_TOOLSETS) ? null : new Set(toolsets.filter((name) => names.has(name)));
}
