import { z } from "zod";
import { isReadEndpoint, getScope, type AnyEndpoint } from "../../../../tools/endpoint.ts";
import { endpoints } from "../../../../tools/index.ts";
import { MCP_PROMPTS } from "../features/prompts.ts";
import { OPEN_PAGES, TEMPLATES } from "../features/resources.ts";
import { ESSENTIALS } from "./essentials.ts";
import { DEFAULT_ROWS, MAX_ROWS, PAGE_PARAMETERS } from "./tool-listing.ts";
import { toProperties, buildResultSchema, type JsonSchema } from "./tool-schema.ts";
import { EXAMPLE_BASE_URL, buildToolTable, type Tool } from "./tool-table.ts";
import { insertToolNames, toToolParameterName } from "./tool-parameter-names.ts";

export function renderToolsPage(): string {
  const { tools, toolsets } = buildToolTable(endpoints, EXAMPLE_BASE_URL);
  const filled = toolsets.filter((toolset) => tools.some((tool) => tool.toolset === toolset));
  return `# Agent tools

Tools for assistants at \`/mcp\`: ${tools.length} tools, ${MCP_PROMPTS.length} prompts and ${OPEN_PAGES.length + TEMPLATES.length} resources.
This page is generated from the code: \`npm run generate\`.

- \`?toolsets=${filled.slice(0, 2).join(",")}\` and \`?readonly=1\`, or the headers \`X-MCP-Toolsets\` and \`X-MCP-Readonly\`, narrow the list:
  \`essentials\` are the ${ESSENTIALS.length} most needed tools, which come first, with \`find_tools\` for the others ([connections](connections.md)), and \`all\` are all tools.
  Any value of \`readonly\` except \`0\`, \`false\`, \`f\`, \`no\`, \`n\` and \`off\` leaves out tools that change something.
- Lists return ${DEFAULT_ROWS} rows, or \`limit\` rows up to ${MAX_ROWS}. For more rows, call again with \`next_cursor\` as \`cursor\`. \`fields\` chooses columns.
- Named resources (\`organization\`, \`analysis\`, \`brand\`, \`topics\`) are accepted by name or id. Parameter names of REST are accepted too.
- Parameters marked "unlisted" are accepted, but rarely needed, and therefore not in \`tools/list\`.
- An object that is too long for one result also has a \`next_cursor\`: the same call with it as \`cursor\` returns the next part.
- A tool has the role of the signed-in person, limited to the scopes that they granted to the assistant.

${filled.map((toolset) => renderToolset(toolset, tools)).join("\n")}
## Prompts

${MCP_PROMPTS.map(({ listing }) => renderEntry(listing.name, listing.title ?? "", listing.description ?? "", listing.arguments)).join("\n")}
## Resources

| URI | title | content | sign-in |
|---|---|---|---|
${OPEN_PAGES.map(({ listing }) => row([`\`${listing.uri}\``, listing.title, listing.description, "no"])).join("\n")}
${TEMPLATES.map((one) => row([`\`${one.uriTemplate}\``, one.title, one.description, "yes"])).join("\n")}

Results of tools that read one of these resources link to it. Clients of the 2026-07-28 revision can subscribe to an analysis
(\`subscriptions/listen\`) and are notified when one of its runs (\`collect\`) completes; others wait with \`await_collect\`.
`;
}

function renderToolset(toolset: string, tools: readonly Tool[]): string {
  const own = tools.filter((tool) => tool.toolset === toolset);
  return `## ${own[0]?.endpoint.group ?? toolset} (\`${toolset}\`)\n\n${own.map(renderTool).join("\n")}`;
}

function renderTool({ name, endpoint, list, listed }: Tool): string {
  // Safe: a JSON Schema is an object.
  const input = z.toJSONSchema(endpoint.input, { io: "input", unrepresentable: "any" }) as JsonSchema;
  const output = buildResultSchema(endpoint, 1);
  const { properties: taken = {}, required = [] } = listed.inputSchema;
  const fields = Object.entries(toProperties(input)).filter(([key]) => !PAGE_PARAMETERS.has(key));
  const parameters = fields.map(([key, field]) =>
    row([
      formatCode(toToolParameterName(key)),
      formatType(field),
      required.includes(toToolParameterName(key)) ? "yes" : toToolParameterName(key) in taken ? "" : "unlisted",
      insertToolNames(endpoint, typeof field["description"] === "string" ? field["description"] : ""),
    ]),
  );
  const columns = list
    ? `rows of ${list.columns.map(formatCode).join(", ")}`
    : Object.keys(toProperties(output)).map(formatCode).join(", ");
  return `### \`${name}\`

**${endpoint.summary}.** ${insertToolNames(endpoint, endpoint.description)}

${describeKind(endpoint)} \`${endpoint.method} ${endpoint.path.replaceAll(/:(\w+)/g, "{$1}")}\`

${parameters.length === 0 ? "No parameters." : ["| parameter | type | required | |", "|---|---|---|---|", ...parameters].join("\n")}

Returns ${columns}.
`;
}

function describeKind(endpoint: AnyEndpoint): string {
  const kind = isReadEndpoint(endpoint)
    ? "Read-only"
    : endpoint.isSafe === true
      ? "Only stores a quote"
      : "Changes data";
  const spends = endpoint.present ? " and spends credits after confirmation" : "";
  return `${kind}${spends}; scope \`${getScope(endpoint)}\`; REST:`;
}

function formatType(field: JsonSchema): string {
  const { type, enum: values, items, anyOf } = field;
  if (Array.isArray(values)) return values.map((value) => formatCode(String(value))).join(", ");
  if (Array.isArray(anyOf)) return formatType(anyOf[0] as JsonSchema);
  if (type === "array") return `list of ${formatType((items ?? {}) as JsonSchema)}`;
  return typeof type === "string" ? type : "";
}

function renderEntry(
  name: string,
  title: string,
  description: string,
  parameters: readonly { name: string; description?: string | undefined; required?: boolean | undefined }[],
): string {
  const rows = parameters.map((one) =>
    row([formatCode(one.name), one.required === true ? "yes" : "", one.description]),
  );
  return `### \`${name}\`\n\n**${title}.** ${description}\n\n| argument | required | |\n|---|---|---|\n${rows.join("\n")}\n`;
}

function formatCode(text: string): string {
  return `\`${text}\``;
}

function row(cells: readonly (string | undefined)[]): string {
  return `| ${cells.map((cell) => (cell ?? "").replaceAll("|", String.raw`\|`)).join(" | ")} |`;
}
