import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { AppError } from "../../../../core/shared/errors.ts";
import { ESSENTIALS_TOOLSET, FIND_TOOLS_NAME } from "../tools/essentials.ts";
import { readFields } from "../tools/lenient-arguments.ts";
import { createToolSearch } from "../tools/tool-search.ts";
import type { ToolTable } from "../tools/tool-table.ts";
import { toToolSchema } from "../tools/tool-schema.ts";
import type { ExtraTool, McpContext, ServerFeatures } from "../mcp-context.ts";

const MAX_QUERY_CHARACTERS = 200;
const DEFAULT_FOUND = 5;
/** Ten of the longest definitions fit into a result. */
const MAX_FOUND = 10;

const InputSchema = z.strictObject({
  query: z.string().trim().min(1).max(MAX_QUERY_CHARACTERS).describe("What you need, in a few words."),
  limit: z.int().min(1).max(MAX_FOUND).default(DEFAULT_FOUND).describe("Definitions to return."),
});

const EXPECTED_ARGUMENTS = `query takes 1 to ${MAX_QUERY_CHARACTERS} characters, and limit 1 to ${MAX_FOUND}. There are no other parameters.`;

/** Search for clients that list only the essentials. Public like the list, so it reads no data. */
export const FIND_TOOLS: ExtraTool = {
  toolset: ESSENTIALS_TOOLSET,
  listed: {
    name: FIND_TOOLS_NAME,
    title: "Find more tools",
    description:
      "Find tools that this list leaves out, such as audits, perception, claims, facts, assets and exports. Returns their definitions: call them by name like listed tools.",
    // Safe: the JSON Schema of an object is one.
    inputSchema: toToolSchema(InputSchema, "input", 1) as ListedTool["inputSchema"],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  async runTool(given, _context, _codec, { mcp, serving }) {
    const input = InputSchema.safeParse(readFields(InputSchema.shape, given));
    if (serving.callError) return renderError(serving.callError);
    if (!input.success) return renderError(new AppError("VALIDATION_FAILED", EXPECTED_ARGUMENTS));
    const { toolByName, extraTools, listedTools } = serving.toolView;
    const toolsetByName = new Map(
      [...toolByName.values(), ...extraTools].map(({ listed: { name }, toolset = "" }) => [name, toolset]),
    );
    const shown = new Set(listedTools.map(({ name }) => name));
    const ranked = searchTools(mcp, input.data.query).filter(({ name }) => toolsetByName.has(name));
    const tools = ranked.filter(({ name }) => !shown.has(name)).slice(0, input.data.limit);
    const listed = tools[0] ? ranked.slice(0, ranked.indexOf(tools[0])) : ranked.slice(0, DEFAULT_FOUND);
    const toolsets = new Set(tools.map(({ name }) => toolsetByName.get(name) ?? ""));
    return renderFound(
      tools,
      listed.map(({ name }) => name),
      [...toolsets],
    );
  },
};

function renderError({ code, message }: AppError): CallToolResult {
  const isInvalid = code === "VALIDATION_FAILED";
  const hint = isInvalid ? "Correct the arguments and call again." : "Wait a moment, then call again.";
  return {
    isError: true,
    content: [{ type: "text", text: JSON.stringify({ code, message, retryable: !isInvalid, hint }) }],
  };
}

/** `listed` names tools of the client's own list that fit better. */
function renderFound(
  tools: readonly ListedTool[],
  listed: readonly string[],
  toolsets: readonly string[],
): CallToolResult {
  const definitions = tools.map(({ name, title, description, inputSchema, annotations }) => {
    return { name, title, description, inputSchema, annotations };
  });
  const count = `${definitions.length} ${definitions.length === 1 ? "tool" : "tools"}`;
  const address = `?toolsets=${[ESSENTIALS_TOOLSET, ...toolsets].join(",")}`;
  const notes = tools.length === 0 ? [] : [`A client that calls listed tools only needs ${address} in its address.`];
  const lines = [
    `${FIND_TOOLS_NAME}: ${count}`,
    ...notes.map((note) => `Note: ${note}`),
    ...(listed.length > 0 ? [`listed: ${listed.join(", ")}`] : []),
    ...definitions.map((one) => JSON.stringify(one)),
  ];
  return {
    content: [{ type: "text", text: lines.join("\n") }],
    structuredContent: { notes, tools: definitions, listed },
  };
}

const searchByTable = new WeakMap<ToolTable, ReturnType<typeof createToolSearch>>();

function searchTools({ toolTable, features }: McpContext, query: string): ListedTool[] {
  const search = searchByTable.get(toolTable) ?? createToolSearch(listSearched(toolTable, features));
  searchByTable.set(toolTable, search);
  return search(query);
}

function listSearched({ tools }: ToolTable, features: ServerFeatures): ListedTool[] {
  return [...tools, ...features.tools].map(({ listed }) => listed).filter(({ name }) => name !== FIND_TOOLS_NAME);
}
