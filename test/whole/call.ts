import { toToolName, type AnyEndpoint } from "../../tools/endpoint.ts";
import type { Answer, Person } from "../support/world.ts";
import { fillPath, type World } from "./scene.ts";
import type { ResourceIds } from "./seeds.ts";

// Calls any endpoint over REST or as a tool.

export type Fields = Record<string, unknown>;

export function parametersOf({ path }: AnyEndpoint): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? "");
}

/** The ids of an address plus those that search metrics take in their query. */
export function withQueryIds(ids: ResourceIds, home: ResourceIds, chains: Map<string, ResourceIds[]>): ResourceIds {
  const [project] = chains.get("/api/v1/projects/:project_id") ?? [];
  return { client_id: home["organization_id"] ?? "", ...project, ...ids };
}

/** The least input that an endpoint which reads takes, with these ids. */
export function minimalInput(endpoint: AnyEndpoint, ids: ResourceIds): Fields {
  const shape: Fields = endpoint.input.shape;
  const named = Object.entries(ids).filter(([key]) => key in shape);
  const lists = ["sources", "thematics", "keyword_type"].filter(
    (key) => endpoint.path.startsWith("/api/") && key in shape,
  );
  return { ...Object.fromEntries(named), ...Object.fromEntries(lists.map((key) => [key, []])) };
}

/**
 * The address of a read with its whole input: path parameters in the path, the rest in the query.
 */
export function addressOf(endpoint: AnyEndpoint, input: Fields): string {
  const inPath = new Set(parametersOf(endpoint));
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input)) {
    if (inPath.has(key)) continue;
    if (!Array.isArray(value)) query.append(key, String(value));
    else for (const one of value.length === 0 ? [""] : value) query.append(key, String(one));
  }
  const ids = Object.fromEntries([...inPath].filter((key) => key in input).map((key) => [key, String(input[key])]));
  return `${fillPath(endpoint.path, ids)}${query.size > 0 ? `?${query.toString()}` : ""}`;
}

/** Calls an endpoint over REST with the ids of its address, and a body if it takes one. */
export async function call(
  person: Person,
  endpoint: AnyEndpoint,
  ids: ResourceIds,
  body: unknown = {},
): Promise<Answer> {
  const { method } = endpoint;
  const takesBody = method !== "GET" && method !== "DELETE";
  return person.request(method, addressOf(endpoint, minimalInput(endpoint, ids)), takesBody ? { body } : {});
}

const REVISION = "2026-07-28";
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": REVISION,
  "io.modelcontextprotocol/clientInfo": { name: "whole", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Sends a tool call of the newest protocol without a client library. */
export async function callTool(
  w: World,
  authorization: string | undefined,
  endpoint: AnyEndpoint,
  input: unknown,
): Promise<Answer> {
  const name = toToolName(endpoint);
  return w.request("POST", w.config.mcpUrl, {
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": REVISION,
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input, _meta: ENVELOPE } },
  });
}
