import { expect, test } from "vitest";
import { EXAMPLE_BASE_URL, buildToolTable } from "../../src/http/mcp/tools/tool-table.ts";
import {
  insertToolNames,
  findInvalidArguments,
  toRestArguments,
  toToolParameterName,
} from "../../src/http/mcp/tools/tool-parameter-names.ts";
import { MCP_PROMPTS } from "../../src/http/mcp/features/prompts.ts";
import { instructions } from "../../src/http/mcp/tools/instructions.ts";
import { listAnswers } from "../../tools/answers/list-answers.ts";
import { endpoints } from "../../tools/index.ts";
import { listTopBrands } from "../../tools/metrics/list-top-brands.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

const { tools } = buildToolTable(endpoints, EXAMPLE_BASE_URL);
const parametersOf = (name: string) => {
  const tool = tools.find((one) => one.name === name);
  return Object.keys(tool?.listed.inputSchema.properties ?? {});
};

test("each thing has one name in all tools: organization, workspace, analysis, collect, brand, topic and the rest", () => {
  // Fault: the organization was organization_id here and client_id there, the analysis project_id,
  // a page limit rows_per_page.
  const all = new Set(tools.flatMap(({ name }) => parametersOf(name)));
  const strange = [...all].filter((name) => /_ids?$|client|project|prev_|page_number|rows_per_page/.test(name));
  // A quote is no thing that has a name.
  expect(strange).toEqual(["quote_id"]);
  for (const { name, endpoint } of tools) {
    const words = Object.keys(endpoint.input.shape).map(toToolParameterName);
    expect([name, new Set(words).size]).toEqual([name, words.length]);
  }
});

/** A setup without prompts, which an assistant returns as priced. */
function withoutPrompts(schema: Record<string, unknown>): Record<string, unknown> {
  const { properties, ...rest } = schema;
  const { prompts: _, ...others } = { ...(properties as Record<string, unknown> | undefined) };
  return { ...rest, properties: others };
}

test("texts of tools, prompts and instructions use no REST names", () => {
  const texts = [
    ...tools.map(({ listed }) => JSON.stringify([listed.description, withoutPrompts(listed.inputSchema)])),
    ...MCP_PROMPTS.map((prompt) => prompt.steps({ workspace: "w", analysis: "a", brand: "b" })),
    instructions(EXAMPLE_BASE_URL),
  ];
  const restNames = new Set(tools.flatMap(({ endpoint }) => Object.keys(endpoint.input.shape)));
  const renamed = [...restNames].filter((name) => toToolParameterName(name) !== name && name.includes("_id"));
  // Column names are those of rows, for `fields`; keywords and prompts of a setup keep REST names.
  const said = new Set(
    texts.flatMap((text) => text.replaceAll(/"enum":\[[^\]]*\]|Optional: [^"]*/g, "").match(/\b[a-z_]+\b/g) ?? []),
  );
  expect(renamed.filter((name) => said.has(name))).toEqual([]);
});

test("accepts REST names of arguments too, as sent by clients with an older list and models with a result", () => {
  const given = { organization: "a", workspace_id: "b", analysis: "c", absent_brand: "d", limit: 1 };
  expect(toRestArguments(listAnswers, given)).toEqual({
    organization_id: "a",
    workspace_id: "b",
    analysis_id: "c",
    absent_brand_id: "d",
    limit: 1,
  });
  expect(toRestArguments(listTopBrands, { previous_collects: [], weaknesses: [], text: "", sort: "brand" })).toEqual({
    prev_collect_ids: [],
    weakness_ids: [],
    search_query: "",
    sort_column: "brand",
  });
  expect(insertToolNames(listAnswers, "brand_id and absent_brand_id, not brand_ids")).toBe(
    "brand and absent_brand, not brand_ids",
  );
});

test("rejects an unknown name with the nearest known one, and a thing given twice as such", () => {
  // Fault: a dropped misspelt filter answers another question.
  const taken = parametersOf("list_answers");
  const refused = (given: Record<string, unknown>) => findInvalidArguments(listAnswers, taken, given)?.().fields;
  expect(refused({ brand: "a", keyword_id: "b", cursor: "c", fields: [] })).toBe(undefined);
  expect(refused({ brandz: "a" })).toEqual([
    {
      path: "brandz",
      message: "is not a parameter of this tool",
      allowed: expect.any(Array),
      allowed_count: new Set([...taken, "organization"]).size,
    },
  ]);
  expect(refused({ topics: "a" })).toMatchObject([{ path: "topics", message: "is not a parameter of this tool" }]);
  expect(refused({ organisation: "a" })).toMatchObject([{ path: "organisation", allowed: { 0: "organization" } }]);
  expect(refused({ brand: "a", brand_id: "a" })).toEqual([
    { path: "brand", message: "is given twice, under two names; use one of them" },
  ]);
  expect(refused({ prompts: "a", keyword: "a", model: "b" })).toEqual([
    { path: "keyword", message: "is given twice, under two names; use one of them" },
  ]);
});

test("a refusal names fields as the tool does, not as REST", async () => {
  // Fault: an assistant that sent `topics` got the advice to correct `topic_ids`, which no listing
  // has.
  await using w = await world({ env: { SERVE: "core,search,mcp" } });
  const { owner, organization } = await w.acme();
  await using client = await CLIENTS["SDK 2, auto"]?.(w.config.mcpUrl, {
    token: (await mintToolToken(w, owner)).token,
  });
  const ids = { organization: organization.id, analysis: w.deps.newId() };
  const answer = await client?.call("list_brands", { organization: organization.id, relationship: "rival" });
  expect(answer?.text).not.toMatch(/_id\b/);
  const unknown = await client?.call("get_project_filters", ids);
  expect(JSON.parse(unknown?.text ?? "")).toMatchObject({ code: "NOT_FOUND" });
  expect(unknown?.text).not.toMatch(/_id\b/);
});
