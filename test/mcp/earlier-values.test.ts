import { expect, test } from "vitest";
import { endpoints } from "../../tools/index.ts";
import { chooseDefaultColumns } from "../../src/http/mcp/tools/shown-fields.ts";
import { toToolParameterName } from "../../src/http/mcp/tools/tool-parameter-names.ts";
import { EXAMPLE_BASE_URL, buildToolTable } from "../../src/http/mcp/tools/tool-table.ts";

// Declarations of all tools: defaults, and columns with earlier values.

const { tools } = buildToolTable(endpoints, EXAMPLE_BASE_URL);

test("fault: a tool listed REST's default of statistics; each listed default is the one that a call gets", () => {
  const listed: Record<string, unknown> = {};
  const effective: Record<string, unknown> = {};
  for (const { name, endpoint, listed: listing } of tools) {
    for (const [key, schema] of Object.entries<{ safeParse(value: unknown): { data?: unknown } }>(
      endpoint.input.shape,
    )) {
      const field = listing.inputSchema.properties?.[toToolParameterName(key)] as { default?: unknown } | undefined;
      const own = endpoint.toolDefaults?.[key] ?? schema.safeParse(undefined).data;
      // Tools page by their own `limit`.
      if (key === "limit" || !field || own === undefined || (Array.isArray(own) && own.length === 0)) continue;
      listed[`${name} ${key}`] = field.default;
      effective[`${name} ${key}`] = own;
    }
  }
  expect(listed).toEqual(effective);
  expect(listed).toMatchObject({ "list_top_brands statistics": true, "list_keywords_metrics statistics": true });
});

test("fault: tools showed plain earlier values; by default only prompts have them, and a change comes with its verdict", () => {
  const lists = tools.flatMap((tool) =>
    tool.list ? [{ ...tool, columns: chooseDefaultColumns(tool, tool.list.columns) }] : [],
  );
  const earlier = lists.filter(({ columns }) => columns.some((column) => /previous_|_prev/.test(column)));
  expect(earlier.map(({ name }) => name)).toEqual(["get_visibility", "list_keywords_metrics"]);
  const changing = lists.filter(({ columns }) => columns.some((column) => /(?:^|_)change$/.test(column)));
  expect(changing.map(({ name, endpoint }) => [name, endpoint.toolDefaults?.["statistics"]])).toEqual(
    [
      "list_top_brands",
      "get_visibility",
      "list_citations",
      "get_attributes",
      "get_brand_awareness",
      "get_brand_perception",
      "list_claims",
      "get_comparisons",
      "get_workspace_summary",
    ].map((name) => [name, true]),
  );
});
