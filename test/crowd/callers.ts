import { setTimeout as sleep } from "node:timers/promises";
import type { Crowded, Tenant } from "./service.ts";

/** Milliseconds that requests of one kind took, and which part of them to look at. */
export interface Timed {
  what: string;
  quantile: number;
  ms: number[];
}

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "crowd", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** One caller of each kind in the calm organization, each with a pause after every request, until `over`. */
export async function callAll({ baseUrl, calm }: Crowded, over: AbortSignal): Promise<Timed[]> {
  let written = 0;
  const call = {
    name: "list_brands",
    arguments: { organization_id: calm.organizationId, workspace_id: calm.workspaceId },
  };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...call, _meta: ENVELOPE } };
  const toolHeaders = {
    authorization: `Bearer ${calm.toolToken}`,
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "list_brands",
  };
  const kinds: [what: string, quantile: number, ask: () => Promise<Response>][] = [
    ["tool call", 0.99, () => post(`${baseUrl}/mcp`, message, toolHeaders)],
    ["REST read", 0.99, () => fetch(`${baseUrl}${calm.path}/brands`, { headers: bearer(calm) })],
    [
      "REST write",
      0.99,
      () => post(`${baseUrl}${calm.path}/tags`, { name: `tag ${Date.now()} ${written++}` }, bearer(calm)),
    ],
    ["/readyz", 0.999, () => fetch(`${baseUrl}/readyz`)],
  ];
  return Promise.all(
    kinds.map(async ([what, quantile, ask]) => {
      const ms: number[] = [];
      while (!over.aborted) {
        const began = performance.now();
        const answer = await ask();
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`${what} got ${answer.status}`);
        ms.push(performance.now() - began);
        await sleep(10);
      }
      return { what, quantile, ms };
    }),
  );
}

/** Creates an analysis whose collect asks this many questions; gives how long it took until the collect was completed. */
export async function collect(
  { baseUrl }: Crowded,
  tenant: Tenant,
  of: { name: string; keywords: number; sources: string[]; brandId: string },
): Promise<number> {
  const keywords = Array.from({ length: of.keywords }, (_, at) => ({ text: `${of.name} ${at}` }));
  const setup = {
    name: of.name,
    website: "https://acme.test",
    brand_id: of.brandId,
    sources: of.sources,
    thematics: [{ name: "All", topics: [{ name: "All", keywords }] }],
    runs_per_prompt: 1,
  };
  const analyses = `${baseUrl}${tenant.path}/search-analyses`;
  const priced = await json(post(`${analyses}/price`, setup, bearer(tenant)));
  const began = performance.now();
  const created = await json(post(analyses, { quote_id: priced["quote_id"], confirmed: true }, bearer(tenant)));
  const collects = `${baseUrl}${tenant.path}/analyses/${String(created["id"])}/collects`;
  for (let status = ""; status !== "completed"; await sleep(20)) {
    const { data } = await json(fetch(collects, { headers: bearer(tenant) }));
    [{ status }] = data as [{ status: string }];
  }
  return performance.now() - began;
}

/** Brands without anything in common; gives the id of the first. */
export async function addBrands({ baseUrl }: Crowded, tenant: Tenant, count: number): Promise<string> {
  let first = "";
  for (let at = 0; at < count; at++) {
    const brand = {
      name: `Brand ${at} of ${count}`,
      domains: [`brand-${at}.test`],
      relationship: at === 0 ? "mine" : "other",
    };
    const made = await json(post(`${baseUrl}${tenant.path}/brands`, brand, bearer(tenant)));
    first ||= String(made["id"]);
  }
  return first;
}

export function bearer({ accessToken }: Tenant): Record<string, string> {
  return { authorization: `Bearer ${accessToken}` };
}

export function post(url: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

export async function json(asked: Promise<Response>): Promise<Record<string, unknown>> {
  const answer = await asked;
  const body = (await answer.json()) as Record<string, unknown>;
  if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${JSON.stringify(body)}`);
  return body;
}
