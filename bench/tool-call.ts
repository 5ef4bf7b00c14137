import { WITHOUT_LIMITS } from "../test/support/world.ts";
import {
  comparison,
  CONNECTIONS,
  measureInterleaved,
  ROUND_MS,
  startServerProcess,
  type Comparison,
} from "./interleave.ts";
import type { Load } from "./load.ts";
import { startProduct, WIDE_LIMITS } from "./product.ts";

const REVISION = "2026-07-28";

/**
 * Requests per second of the tool server against the bare SDK, and the cost of rate limits on a
 * tool call and a REST read.
 */
export async function compareToolCalls(): Promise<Comparison[]> {
  const product = await startProduct(WIDE_LIMITS);
  const unlimited = await startProduct(WITHOUT_LIMITS);
  const trivial = await startServerProcess("sdk.ts");
  const all = await startServerProcess("sdk.ts", { args: ["all"] });
  try {
    const signedIn = { authorization: `Bearer ${product.token}` };
    const rest = { authorization: `Bearer ${product.accessToken}` };
    const loads = {
      call: toolLoad(product, "tools/call", { name: "list_workspaces", arguments: {} }, signedIn),
      unlimitedCall: toolLoad(
        unlimited,
        "tools/call",
        { name: "list_workspaces", arguments: {} },
        { authorization: `Bearer ${unlimited.token}` },
      ),
      trivialCall: toolLoad(trivial, "tools/call", { name: "trivial", arguments: {} }),
      allCall: toolLoad(all, "tools/call", { name: "trivial", arguments: {} }),
      list: toolLoad(product, "tools/list", {}),
      allList: toolLoad(all, "tools/list", {}),
      read: restLoad(product, rest),
      unlimitedRead: restLoad(unlimited, { authorization: `Bearer ${unlimited.accessToken}` }),
    };
    const rounds = await measureInterleaved(loads);
    return [
      comparison("signed-in, audited tool call", "SDK 2, one trivial tool", rounds, ["call", "trivialCall"], 0.5),
      comparison("signed-in, audited tool call", "SDK 2, as many tools", rounds, ["call", "allCall"], 1),
      comparison("tools/list", "SDK 2, as many tools", rounds, ["list", "allList"], 8),
      comparison(
        "tool call, counted by three limits",
        "the same without limits",
        rounds,
        ["call", "unlimitedCall"],
        0.85,
      ),
      comparison(
        "REST read, counted by three limits",
        "the same without limits",
        rounds,
        ["read", "unlimitedRead"],
        0.85,
      ),
    ];
  } finally {
    for (const { child } of [trivial, all]) child.disconnect();
    await product.stop();
    await unlimited.stop();
  }
}

export function toolLoad(
  server: { port: number },
  method: string,
  params: object,
  headers: Record<string, string> = {},
): Load {
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const named = "name" in params ? { "mcp-name": String(params.name) } : {};
  return {
    port: server.port,
    method: "POST",
    path: "/mcp",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": REVISION,
      "mcp-method": method,
      ...named,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: envelope } }),
    connections: CONNECTIONS,
    ms: ROUND_MS,
  };
}

function restLoad(server: { port: number }, headers: Record<string, string>): Load {
  return {
    port: server.port,
    method: "GET",
    path: "/v1/workspaces",
    headers: { accept: "application/json", ...headers },
    body: "",
    connections: CONNECTIONS,
    ms: ROUND_MS,
  };
}
