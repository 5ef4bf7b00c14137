import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../tools/index.ts";
import { toToolName, type AnyEndpoint } from "../../tools/endpoint.ts";
import { plainValues, findInventedNumbers, findMissingFacts } from "../support/text-facts.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { addressOf, callTool, minimalInput, withQueryIds, type Fields } from "./call.ts";
import { tools, findUndeclared, findUndeclaredResult } from "./declared.ts";
import { hasNoSources, expectOk, fillPath, listResourceIds, openScene, SCENE_TIMEOUT_MS, type Scene } from "./scene.ts";
import type { ResourceIds } from "./seeds.ts";

// REST clients and assistants read the same facts.

let scene: Scene;
let chains: Map<string, ResourceIds[]>;
let token: string;

beforeAll(async () => {
  scene = await openScene();
  chains = await listResourceIds(scene.owner, scene.home);
  ({ token } = await mintToolToken(scene.w, scene.owner));
}, SCENE_TIMEOUT_MS);
afterAll(() => scene[Symbol.asyncDispose]());

/** Enough rows to compare, and few enough for a tool to return them all. */
const ROWS = 3;

const readTools = endpoints.filter(({ method, notATool }) => method === "GET" && notATool === undefined);

/** The REST response without the fields that tools omit. */
function withoutFields(body: Fields, names: readonly string[] = []): Fields {
  const without = (of: Fields) => Object.fromEntries(Object.entries(of).filter(([name]) => !names.includes(name)));
  return Array.isArray(body["data"]) ? { ...body, data: body["data"].map(without) } : without(body);
}

test.each(readTools.map((endpoint) => [toToolName(endpoint), endpoint] as const))(
  "%s returns the same facts over REST and as a tool, all of them in the tool's text too",
  async (name, endpoint) => {
    const found = (chains.get(endpoint.path) ?? []).slice(0, 3);
    for (const ids of endpoint.path.includes("/:") ? found : [{}]) {
      const input = minimalInput(endpoint, withQueryIds(ids, scene.home, chains));
      const size = sizeField(endpoint);
      const asked = { ...endpoint.toolDefaults, ...input, ...(size === undefined ? {} : { [size]: ROWS }) };
      const rest = await scene.owner.get(addressOf(endpoint, asked));
      if (hasNoSources(rest)) continue;
      expect(findUndeclared(endpoint, rest)).toEqual([]);
      const body: Fields = withoutFields(expectOk(rest, name), endpoint.notInTools);
      // By default lists omit columns and most of a basis, and objects omit empty fields.
      const { list, fields } = toolNamed(name);
      const whole = { fields, ...(list && { limit: ROWS }), ...(list?.hasBasis && { basis: "full" }) };
      const tool = await callTool(scene.w, `Bearer ${token}`, endpoint, { ...input, ...whole });
      const { structuredContent, content, isError } = tool.body.result;
      expect([isError, content[0].text]).toEqual([undefined, expect.any(String)]);
      expect(findUndeclaredResult(name, structuredContent)).toEqual([]);
      const { notes, truncated, ...structured } = structuredContent as Fields;
      const compared = sameList(structured, body);
      expect(body).toMatchObject(compared);
      const isWhole = list !== null || truncated !== true;
      expect(isWhole ? plainValues(compared).length : 0).toBe(isWhole ? plainValues(body).length : 0);
      expect(findMissingFacts(structured, content[0].text)).toEqual([]);
      expect(findInventedNumbers(content[0].text, [structuredContent, name])).toEqual([]);
      expect([notes ?? [], truncated ?? false]).toEqual([expect.any(Array), expect.any(Boolean)]);
    }
  },
);

test.each(readTools.map((endpoint) => [toToolName(endpoint), endpoint] as const))(
  "%s shows by default REST's value or its beginning, with ids that other calls accept",
  async (name, endpoint) => {
    // Fault: ids that no tool takes were a fifth of a result, and excerpts of 400 characters most
    // of a list of answers.
    const [ids = {}] = endpoint.path.includes("/:") ? (chains.get(endpoint.path) ?? []) : [];
    const input = minimalInput(endpoint, withQueryIds(ids, scene.home, chains));
    const { list } = toolNamed(name);
    const size = sizeField(endpoint);
    const asked = { ...endpoint.toolDefaults, ...input, ...(size === undefined ? {} : { [size]: ROWS }) };
    const body: Fields = expectOk(await scene.owner.get(addressOf(endpoint, asked)), name);
    const tool = await callTool(scene.w, `Bearer ${token}`, endpoint, { ...input, ...(list ? { limit: ROWS } : {}) });
    const { structuredContent, content } = tool.body.result;
    const { legend, chosen } = (body["basis"] ?? {}) as Fields;
    expect(structuredContent.basis).toEqual(body["basis"] && { legend, chosen });
    const lines = content[0].text.split("\n").filter((line: string) => line.startsWith("basis."));
    expect(lines).toHaveLength(body["basis"] ? 2 : 0);
    const values = new Set(plainValues(body).map(String));
    const rows: Fields[] = list ? structuredContent.data : [structuredContent];
    const { toolExcerpts = {} } = endpoint;
    for (const { notes: _, next_cursor: _cursor, truncated: _truncated, ...row } of rows) {
      const cut = Object.entries(row).filter(([key]) => key in toolExcerpts);
      const whole = Object.entries(row).filter(([key]) => !(key in toolExcerpts));
      expect(plainValues(whole.map(([, value]) => value)).filter((fact) => !values.has(String(fact)))).toEqual([]);
      const isBeginning = (text: string) => [...values].some((value) => value.startsWith(text.replace(/…$/, "")));
      expect(cut.filter(([, value]) => !isBeginning(String(value)))).toEqual([]);
      expect(cut.filter(([key, value]) => String(value).length > (toolExcerpts[key] ?? 0))).toEqual([]);
      expect(idNames(row).filter((key) => !TAKEN.has(key) && !TAKEN.has(key.replace(/s$/, "")))).toEqual([]);
    }
  },
);

test.each([
  ["list_top_brands", { statistics: true }],
  ["get_visibility", { group_by: ["brand", "source"], figure: "visibility", statistics: true }],
  ["list_citations", { group_by: ["page"], statistics: true }],
  ["list_queries", { statistics: true }],
  ["explain_metrics", {}],
  ["get_calibration", {}],
] as const)(
  "%s: every number of its rows, statistics too, stands in the text as in the structured content",
  async (name, more) => {
    // Fault: the text for the model had another interval or verdict than the structured content.
    const { endpoint, fields } = toolNamed(name);
    const ids = name === "list_queries" ? await importedCollect() : ((chains.get(endpoint.path) ?? [])[0] ?? {});
    const input = { ...minimalInput(endpoint, withQueryIds(ids, scene.home, chains)), ...more };
    const body: Fields = expectOk(await scene.owner.get(addressOf(endpoint, input)), name);
    const tool = await callTool(scene.w, `Bearer ${token}`, endpoint, { ...input, fields, limit: ROWS });
    const { structuredContent, content } = tool.body.result;
    expect(structuredContent.data).toHaveLength(ROWS);
    expect(structuredContent.data).toEqual((body["data"] as Fields[]).slice(0, ROWS));
    expect(findMissingFacts(structuredContent, content[0].text)).toEqual([]);
    expect(findInventedNumbers(content[0].text, structuredContent)).toEqual([]);
  },
);

/**
 * The collect whose answers list their search queries, with its analysis; simulated answers list
 * none.
 */
async function importedCollect(): Promise<ResourceIds> {
  const path = "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/collects";
  for (const ids of chains.get(path) ?? []) {
    const { data } = expectOk(await scene.owner.get(fillPath(`${path}?limit=100`, ids)), "the list of collects");
    const imported = data.find((collect: Fields) => String(collect["collection_methods"]).includes("import"));
    if (imported) return { ...ids, collect_id: imported.id };
  }
  throw new Error("no answers were imported");
}

const toolNamed = (name: string) => {
  const tool = tools.tools.find((one) => one.name === name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  return tool;
};

/**
 * Parameters that take an id, plus two fields: a brand's parent is a brand, and the partner's own
 * number identifies a sent brief.
 */
const TAKEN = new Set([
  ...tools.tools.flatMap(({ endpoint }) => Object.keys(endpoint.input.shape)),
  "parent_id",
  "partner_brief_id",
]);

/** Names of the fields that are ids, at every depth. */
function idNames(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [...(/_ids?$/.test(key) ? [key] : []), ...idNames(inner)]);
}

function sizeField(endpoint: AnyEndpoint): string | undefined {
  return ["limit", "rows_per_page"].find((key) => key in endpoint.input.shape);
}

/**
 * The tool interface cuts an unpaged list and states its length; this restores the rest for
 * comparison.
 */
function sameList(structured: Fields, body: Fields): Fields {
  const { total_count: total, next_cursor: _, ...rest } = structured;
  if ("total_count" in body) return "next_cursor" in body ? structured : { ...rest, total_count: total };
  if (total === undefined) return structured;
  const [shown, all] = [structured["data"] as unknown[], body["data"] as unknown[]];
  expect([shown.length, total]).toEqual([Math.min(ROWS, all.length), all.length]);
  const cursor = "next_cursor" in body ? { next_cursor: body["next_cursor"] } : {};
  return { ...rest, ...cursor, data: [...shown, ...all.slice(shown.length)] };
}
