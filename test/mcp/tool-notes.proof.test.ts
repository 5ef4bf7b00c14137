import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../tools/index.ts";
import { toToolName, type AnyEndpoint } from "../../tools/endpoint.ts";
import { BOTH, importedScene, RIVAL_ALONE } from "../actions/imported-scene.ts";
import { marketerDemo, type Demo } from "../marketer/demo.ts";
import { CLIENTS, type ToolAnswer, type ToolClient } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { WITHOUT_LIMITS, type Person } from "../support/world.ts";
import { minimalInput, withQueryIds, type Fields } from "../whole/call.ts";
import { readWithFilters } from "../whole/read-with-filters.ts";
import { fillPath, listResourceIds } from "../whole/scene.ts";
import type { ResourceIds } from "../whole/seeds.ts";
import { checkReason } from "./check-reason.ts";

// Notes of all tools that read: simulated answers are named first, and no list is empty without its
// true reason.

const SIMULATED = "Simulated answers: invented, not measured.";
const SIMULATED_SITE = "Simulated site: invented pages, not measured.";

/** Tools whose results are declared by people, or describe the product. */
const MEASURED_BY_NOBODY = [
  "explain_metrics",
  "get_asset",
  "get_asset_evaluation",
  "get_brand",
  "get_calibration",
  "get_catalog_reading",
  "get_credits",
  "get_me",
  "get_organization",
  "get_persona",
  "get_tag",
  "get_workspace",
  "list_asset_evaluation_scores",
  "list_asset_evaluations",
  "list_assets",
  "list_audit_checks",
  "list_brand_facts",
  "list_brands",
  "list_credit_ledger",
  "list_organization_tags",
  "list_organization_workspaces",
  "list_organizations",
  "list_personas",
  "list_sources",
  "list_tags",
  "list_workspace_usage",
  "list_workspaces",
];
const TIMEOUT_MS = 240_000;

const readTools = endpoints.filter(({ method, notATool }) => method === "GET" && notATool === undefined);

interface Place {
  client: ToolClient;
  person: Person;
  home: ResourceIds;
}

let demo: Demo;
let place: Place;

beforeAll(async () => {
  demo = await marketerDemo(WITHOUT_LIMITS);
  place = { client: demo.client, person: demo.person, home: homeOf(demo.path) };
}, TIMEOUT_MS);
afterAll(() => demo[Symbol.asyncDispose]());

const WORKSPACE_PATH = "/v1/organizations/:organization_id/workspaces/:workspace_id";

function homeOf(path: string): ResourceIds {
  const [, , , organization = "", , workspace = ""] = path.split("/");
  return { organization_id: organization, workspace_id: workspace };
}

/** Every tool that reads, with the ids of everything that it can read. */
async function listCalls({ person, home }: Place): Promise<{ endpoint: AnyEndpoint; input: Fields }[]> {
  const chains = await listResourceIds(person, home);
  const projects = (chains.get("/api/v1/projects/:project_id") ?? []).map(({ project_id: id = "" }) => id);
  return readTools.flatMap((endpoint) => {
    const found = endpoint.path.includes("/:") ? (chains.get(endpoint.path) ?? []) : [{}];
    const perProject = "project_id" in endpoint.input.shape && !endpoint.path.includes("/:");
    const all = perProject ? projects.map((id) => ({ project_id: id })) : found;
    return all.map((ids) => ({ endpoint, input: minimalInput(endpoint, withQueryIds(ids, home, chains)) }));
  });
}

async function ask({ client }: Place, endpoint: AnyEndpoint, input: Fields): Promise<ToolAnswer> {
  return client.call(toToolName(endpoint), input);
}

const notesOf = ({ structured }: ToolAnswer): string[] => structured?.notes ?? [];

/** Tools by the type of the analysis, sorted by the first note of their results. */
async function sortByFirstNote(at: Place) {
  const sorted: Record<"answers" | "site" | "none", Set<string>> = {
    answers: new Set(),
    site: new Set(),
    none: new Set(),
  };
  const { data } = (await at.person.get(`${fillPath(WORKSPACE_PATH, at.home)}/analyses`)).body;
  const typeById = new Map((data as { id: string; type: string }[]).map(({ id, type }) => [id, type]));
  for (const { endpoint, input } of await listCalls(at)) {
    const answer = await ask(at, endpoint, input);
    if (answer.isError) continue;
    const [first = ""] = notesOf(answer);
    const kind = first === SIMULATED ? "answers" : first === SIMULATED_SITE ? "site" : "none";
    const type = typeById.get(String(input["analysis_id"] ?? input["project_id"]));
    sorted[kind].add(`${toToolName(endpoint)}${type === undefined ? "" : ` ${type}`}`);
    // Both forms begin with the sentence, and none has it further down.
    expect(answer.text.split("\n")[1]?.includes("invented") ?? false).toBe(kind !== "none");
    expect(
      notesOf(answer)
        .slice(1)
        .filter((note) => note.includes("invented")),
    ).toEqual([]);
  }
  const { answers, site, none } = sorted;
  return { answers: [...answers].toSorted(), site: [...site].toSorted(), none: [...none].toSorted() };
}

test("names simulated answers first in every result that rests on them", { timeout: TIMEOUT_MS }, async () => {
  const sorted = await sortByFirstNote(place);
  expect(sorted.site).toEqual(["get_audit geo_audit", "get_audit_page geo_audit", "list_audit_pages geo_audit"]);
  const others = new Set(sorted.none.filter((name) => !name.endsWith("geo_audit")));
  expect([...others]).toEqual(MEASURED_BY_NOBODY);
  expect(sorted.answers.filter((name) => others.has(name) || name.endsWith("geo_audit"))).toEqual([]);
});

test("never calls imported answers simulated", { timeout: TIMEOUT_MS }, async () => {
  await using s = await importedScene(WITHOUT_LIMITS);
  await s.collect({ text: BOTH });
  await s.collect({ text: RIVAL_ALONE });
  const { token } = await mintToolToken(s, s.owner);
  await using client = await connect(s.config.mcpUrl, token);
  const { answers, site, none } = await sortByFirstNote({ client, person: s.owner, home: homeOf(s.workspace.path) });
  expect({ answers, site }).toEqual({ answers: [], site: [] });
  expect(none).toEqual(expect.arrayContaining(["list_recommended_actions", "get_visibility search_analysis"]));
});

async function connect(url: string, token: string): Promise<ToolClient> {
  const open = CLIENTS["SDK 2, auto"];
  if (!open) throw new Error("there is no such client");
  return open(url, { token });
}

/** Calls all lists with all filters; returns each empty result with its reason. */
async function listEmptyResults(at: Place) {
  const chains = await listResourceIds(at.person, at.home);
  const known = [...chains.values()].flat();
  const empty: { endpoint: AnyEndpoint; input: Fields; notes: string[] }[] = [];
  for (const { endpoint, input: ids } of await listCalls(at)) {
    const call = async (input: Fields) => {
      const answer = await ask(at, endpoint, { ...endpoint.toolDefaults, ...input });
      const rows: unknown = answer.structured?.data;
      if (Array.isArray(rows) && rows.length === 0) empty.push({ endpoint, input, notes: notesOf(answer) });
      const body = answer.isError ? JSON.parse(answer.text) : answer.structured;
      return { status: answer.isError ? (body.code === "VALIDATION_FAILED" ? 400 : 404) : 200, body, headers: {} };
    };
    await call(ids);
    await readWithFilters(endpoint, { ids: ids as ResourceIds, known, only: undefined, ask: call as never });
  }
  return empty;
}

/** Empty results whose reason is wrong, and the number of tools with empty results. */
async function findFalseReasons(at: Place) {
  const toolNames = new Set((await at.client.list()).map(({ name }: { name: string }) => name));
  const results = await listEmptyResults(at);
  const wrong: unknown[] = [];
  for (const result of results) {
    const fault = await checkReason({ ...at, ...result, toolNames });
    if (fault !== undefined) wrong.push({ tool: toToolName(result.endpoint), ...result, endpoint: undefined, fault });
  }
  return { wrong, tools: new Set(results.map(({ endpoint }) => endpoint.name)).size };
}

test("gives the true reason for every empty list of the demo", { timeout: TIMEOUT_MS }, async () => {
  const { wrong, tools } = await findFalseReasons(place);
  expect(wrong).toEqual([]);
  expect(tools).toBeGreaterThan(20);
});

test("gives the true reason for every empty list of a new organization", { timeout: TIMEOUT_MS }, async () => {
  await using s = await importedScene(WITHOUT_LIMITS);
  const { token } = await mintToolToken(s, s.owner);
  await using client = await connect(s.config.mcpUrl, token);
  const at = { client, person: s.owner, home: homeOf(s.workspace.path) };
  const { wrong, tools } = await findFalseReasons(at);
  expect(wrong).toEqual([]);
  expect(tools).toBeGreaterThan(20);
});
