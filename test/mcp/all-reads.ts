import { expect } from "vitest";
import { endpoints } from "../../tools/index.ts";
import { toToolName, type AnyEndpoint } from "../../tools/endpoint.ts";
import { isEmpty } from "../../src/call/explain-empty.ts";
import { CLIENTS, type ToolAnswer, type ToolClient } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import type { Person } from "../support/world.ts";
import { minimalInput, withQueryIds, type Fields } from "../whole/call.ts";
import { readWithFilters } from "../whole/read-with-filters.ts";
import { fillPath, listResourceIds } from "../whole/scene.ts";
import type { ResourceIds } from "../whole/seeds.ts";
import { checkReason } from "./check-reason.ts";

// Calls of all tools that read, with the notes of their results.

export const SIMULATED = "Simulated answers: invented, not measured.";
export const SIMULATED_SITE = "Simulated site: invented pages, not measured.";

export const TIMEOUT_MS = 240_000;

const readTools = endpoints.filter(({ method, notATool }) => method === "GET" && notATool === undefined);

export interface Place {
  client: ToolClient;
  person: Person;
  home: ResourceIds;
}

const WORKSPACE_PATH = "/v1/organizations/:organization_id/workspaces/:workspace_id";

export function homeOf(path: string): ResourceIds {
  const [, , , organization = "", , workspace = ""] = path.split("/");
  return { organization_id: organization, workspace_id: workspace };
}

/** Every tool that reads, with the ids of everything that it can read. */
export async function listCalls({ person, home }: Place): Promise<{ endpoint: AnyEndpoint; input: Fields }[]> {
  const chains = await listResourceIds(person, home);
  const projects = (chains.get("/api/v1/projects/:project_id") ?? []).map(({ project_id: id = "" }) => id);
  return readTools.flatMap((endpoint) => {
    const found = endpoint.path.includes("/:") ? (chains.get(endpoint.path) ?? []) : [{}];
    const perProject = "project_id" in endpoint.input.shape && !endpoint.path.includes("/:");
    const all = perProject ? projects.map((id) => ({ project_id: id })) : found;
    return all.map((ids) => ({ endpoint, input: minimalInput(endpoint, withQueryIds(ids, home, chains)) }));
  });
}

export async function ask({ client }: Place, endpoint: AnyEndpoint, input: Fields): Promise<ToolAnswer> {
  return client.call(toToolName(endpoint), input);
}

export const notesOf = ({ structured }: ToolAnswer): string[] => structured?.notes ?? [];

/** Tools by the type of the analysis, sorted by the first note of their results. */
export async function sortByFirstNote(at: Place) {
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

async function listEmptyResults(at: Place) {
  const chains = await listResourceIds(at.person, at.home);
  const known = [...chains.values()].flat();
  const empty: { endpoint: AnyEndpoint; input: Fields; notes: string[] }[] = [];
  for (const { endpoint, input: ids } of await listCalls(at)) {
    const call = async (input: Fields) => {
      const answer = await ask(at, endpoint, { ...endpoint.toolDefaults, ...input });
      if (answer.structured && isEmpty(answer.structured)) empty.push({ endpoint, input, notes: notesOf(answer) });
      const body = answer.isError ? JSON.parse(answer.text) : answer.structured;
      return { status: answer.isError ? (body.code === "VALIDATION_FAILED" ? 400 : 404) : 200, body, headers: {} };
    };
    await call(ids);
    await readWithFilters(endpoint, { ids: ids as ResourceIds, known, only: undefined, ask: call as never });
  }
  return empty;
}

/** Empty results whose reason is wrong, and the number of tools with empty results. */
export async function findFalseReasons(at: Place) {
  const toolNames = new Set((await at.client.list()).map(({ name }: { name: string }) => name));
  const results = await listEmptyResults(at);
  const wrong: unknown[] = [];
  for (const result of results) {
    const fault = await checkReason({ ...at, ...result, toolNames });
    if (fault !== undefined) wrong.push({ tool: toToolName(result.endpoint), ...result, endpoint: undefined, fault });
  }
  return { wrong, tools: new Set(results.map(({ endpoint }) => endpoint.name)).size };
}

/** An assistant of a scene's owner. */
export async function connectOwner(
  s: Parameters<typeof mintToolToken>[0] & {
    owner: Person;
    workspace: { path: string };
  },
): Promise<Place & AsyncDisposable> {
  const open = CLIENTS["SDK 2, auto"];
  if (!open) throw new Error("there is no such client");
  const client = await open(s.config.mcpUrl, { token: (await mintToolToken(s, s.owner)).token });
  return {
    client,
    person: s.owner,
    home: homeOf(s.workspace.path),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}
