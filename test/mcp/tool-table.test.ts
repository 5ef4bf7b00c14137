import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import type { z } from "zod";
import { UNLISTED } from "../../core/shared/fields.ts";
import { foldWords } from "../../core/assets/sentences.ts";
import { isReadEndpoint } from "../../tools/endpoint.ts";
import { endpoints } from "../../tools/index.ts";
import { instructions } from "../../src/http/mcp/tools/instructions.ts";
import { ESSENTIALS } from "../../src/http/mcp/tools/essentials.ts";
import { EXAMPLE_BASE_URL, buildToolTable, createToolViewFactory } from "../../src/http/mcp/tools/tool-table.ts";
import { toToolParameterName } from "../../src/http/mcp/tools/tool-parameter-names.ts";
import { ESSENTIALS_BUDGET, LIST_BUDGET, LISTING_BUDGET, readListing, AVERAGE_LISTING } from "./budget.ts";

const table = buildToolTable(endpoints, EXAMPLE_BASE_URL);

const listings = ({ tools }: typeof table) => new Map(tools.map(({ name, listed }) => [name, JSON.stringify(listed)]));

test("a listing costs a model at most 700 tokens; with search hints 282 on average, and all of them 22,000", () => {
  const costs = table.tools.map((tool) => ({ name: tool.name, tokens: countTokens(readListing(tool.listed)) }));
  expect(costs.filter(({ tokens }) => tokens > LISTING_BUDGET)).toEqual([]);
  const sum = countTokens(JSON.stringify(table.tools.map(({ listed }) => listed)));
  const heaviest = costs.toSorted((a, b) => b.tokens - a.tokens).slice(0, 10);
  const named = heaviest.map(({ name, tokens }) => `${name} ${tokens}`).join(", ");
  const average = sum / costs.length;
  const remedy = `${sum} tokens, ${average} on average: shorten descriptions of the tool you changed or of a heavy one (${named}). \`npm run proof -- budget\` prints all.`;
  expect(sum <= LIST_BUDGET && average <= AVERAGE_LISTING ? [] : [remedy]).toEqual([]);
});

test("a listing is independent: removing a tool, or doubling all, changes no other listing", () => {
  const all = listings(table);
  for (const one of endpoints.filter(({ notATool }) => notATool === undefined)) {
    const rest = listings(
      buildToolTable(
        endpoints.filter((other) => other !== one),
        EXAMPLE_BASE_URL,
      ),
    );
    expect([...rest].filter(([name, text]) => text !== all.get(name))).toEqual([]);
    expect(rest.size).toBe(all.size - 1);
  }
  const copies = endpoints.map((one) => ({ ...one, name: `${one.name}Copy` }));
  const more = listings(buildToolTable([...endpoints, ...copies], EXAMPLE_BASE_URL));
  expect([...all].filter(([name, text]) => text !== more.get(name))).toEqual([]);
  expect(more.size).toBe(2 * all.size);
});

test("a listing names all arguments, and of results only verifiable types", () => {
  for (const { name, listed, endpoint } of table.tools) {
    const listedNames = Object.keys(listed.inputSchema.properties ?? {});
    const own = Object.entries(endpoint.input.shape as Record<string, z.ZodType>);
    const isUnlisted = ([key, field]: (typeof own)[number]) =>
      ["confirmed", "page_number", "rows_per_page"].includes(key) || field.meta()?.[UNLISTED] === true;
    const unlisted = own.filter((one) => !isUnlisted(one)).map(([key]) => toToolParameterName(key));
    const isImplied = (key: string) =>
      key === "organization" ? listedNames.includes("workspace") : listedNames.includes(`${key}s`);
    expect(unlisted.filter((key) => !listedNames.includes(key) && !isImplied(key))).toEqual([]);
    // Clients that check arguments themselves must not reject accepted ones, such as names of REST.
    expect(Object.keys(listed.inputSchema)).not.toContain("additionalProperties");
    const untyped = Object.entries(listed.outputSchema?.["properties"] ?? {}).filter(([, field]) => !("type" in field));
    expect({ name, untyped }).toEqual({ name, untyped: [] });
  }
  expect(table.tools.filter(({ listed }) => listed.outputSchema).length).toBeGreaterThan(5);
});

test("each tool has the fields that clients show and search: names, texts, four annotations", () => {
  for (const { listed, endpoint } of table.tools) {
    expect(listed.name).toMatch(/^[a-z]+(_[a-z]+)+$/);

    expect(Object.values(listed.annotations ?? {})).toEqual(Array.from({ length: 4 }, () => expect.any(Boolean)));
    expect(listed.annotations?.readOnlyHint).toBe(isReadEndpoint(endpoint) || endpoint.isSafe === true);
    expect(listed.annotations?.destructiveHint).toBe(/^(archive|delete)_/.test(listed.name));
    expect(listed.title).toBe(endpoint.summary);
    expect(JSON.stringify(listed)).not.toMatch(/\$ref|\$defs|\$schema|x-outside-text/);
  }
  expect(new Set(table.tools.map((tool) => tool.name)).size).toBe(table.tools.length);
});

test("ids name the tool that lists them, and each tool named in a text exists", () => {
  const fields = table.tools.flatMap(({ listed, endpoint }) => {
    const ids = Object.keys(endpoint.input.shape).filter((key) => key.endsWith("_id"));
    return Object.entries(listed.inputSchema.properties ?? {}).map(([key, field]) => ({
      key,
      isId: ids.some((id) => toToolParameterName(id) === key),
      tool: listed.name,
      text: (field as { description?: string }).description ?? "",
    }));
  });
  const silent = fields.filter(({ isId, text }) => isId && !/(list|get)_[a-z_]+|pricing tool/.test(text));
  expect(silent).toEqual([]);
  const texts = [
    ...fields.map(({ text }) => text),
    ...table.tools.map(({ listed }) => listed.description ?? ""),
    instructions(EXAMPLE_BASE_URL),
  ];
  const named = texts.flatMap((text) => text.match(/\b(list|get|price|create)_[a-z_]+\b/g) ?? []);
  expect([...new Set(named)].filter((name) => !table.toolNames.has(name))).toEqual([]);
});

test("each parameter of each tool has a description, nested ones included", () => {
  const silent = table.tools.flatMap(({ name, listed }) => listUndescribed(listed.inputSchema, name));
  expect(silent).toEqual([]);
});

function listUndescribed(schema: unknown, path: string): string[] {
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as {
    properties?: Record<string, { description?: string }>;
    items?: unknown;
    anyOf?: unknown[];
  };
  return [
    ...Object.entries(properties).flatMap(([key, field]) => [
      ...(field.description === undefined ? [`${path}.${key}`] : []),
      ...listUndescribed(field, `${path}.${key}`),
    ]),
    ...(items === undefined ? [] : listUndescribed(items, path)),
    ...anyOf.flatMap((one) => listUndescribed(one, path)),
  ];
}

test("tools that duplicate another one's rows come last, and never among the essentials", () => {
  const same = table.tools.filter(({ listed }) => listed.description?.includes("Prefer "));
  expect(same.map(({ name }) => name)).toEqual(table.tools.slice(-same.length).map(({ name }) => name));
  expect(same.map(({ name }) => name).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    "list_organization_workspaces",
    "list_project_collects",
    "list_projects",
  ]);
});

test("the instructions stay under 2 KB", () => {
  expect(Buffer.byteLength(instructions(EXAMPLE_BASE_URL))).toBeLessThan(2048);
});

test("the list starts with the essentials, at most 22 tools and 6,500 tokens, which form a toolset", () => {
  const first = table.tools.slice(0, ESSENTIALS.length);
  expect(first.map(({ name }) => name)).toEqual(ESSENTIALS);
  expect(ESSENTIALS.length).toBeLessThanOrEqual(22);
  expect(countTokens(JSON.stringify(first.map(({ listed }) => listed)))).toBeLessThanOrEqual(ESSENTIALS_BUDGET);
  const view = createToolViewFactory(table);
  const listed = (toolsets: string, isReadOnly = false) => view({ toolsets, isReadOnly }).listedTools;
  expect(listed("essentials")).toEqual(first.map((tool) => tool.listed));
  const reading = first.filter(({ endpoint }) => isReadEndpoint(endpoint));
  expect(listed("essentials", true)).toEqual(reading.map((tool) => tool.listed));
  const more = listed("essentials,personas").map(({ name }) => name);
  expect(more).toEqual([...ESSENTIALS, "list_personas", "create_persona", "get_persona"]);
});

test("an essential tool carries a hint for clients that search for tools, with words that its texts lack", () => {
  // Fault: "who is ahead of our rivals?" found no tool in a client that loads tools on demand.
  const hinted = table.tools.filter(({ listed }) => listed._meta !== undefined);
  expect(hinted.map(({ name }) => name)).toEqual(ESSENTIALS);
  for (const { name, listed } of hinted) {
    const said = new Set(foldWords(`${name.replaceAll("_", " ")} ${listed.title} ${listed.description}`));
    const hint = foldWords(String(listed._meta?.["anthropic/searchHint"]));
    expect({ name, saysMore: hint.some((word) => !said.has(word)) }).toEqual({ name, saysMore: true });
  }
});
