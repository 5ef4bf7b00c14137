import { ENVELOPE, createMcpRequest } from "./mcp-wire.ts";
import { manyNames } from "./largest-value.ts";
import { times, type Bodies, type Row } from "./rows.ts";
import type { HostileScene } from "./scene.ts";

// Rows of the tool server's messages.

const MANY = 900_000;
const LONG = "a".repeat(MANY);

const message = (method: string, params: object, id: unknown = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params: { _meta: ENVELOPE, ...params },
});

const MESSAGES: Bodies = {
  "a batch of 10,000": () => times(10_000, (at) => message("tools/list", {}, at)),
  "a batch of 15,000 unknown methods": () => times(15_000, (at) => message(`m${at}`, {}, at)),
  "a batch of numbers": () => times(150_000, (at) => at),
  "an unknown method of 900,000 characters": () => message(LONG, {}),
  "an id of 900,000 characters": () => message("tools/list", {}, LONG),
  "most unknown parameters": () => message("tools/list", manyNames(MANY)),
  "most names beside the message": () => ({ ...message("tools/list", {}), ...manyNames(MANY) }),
  "most names of _meta": () => message("tools/call", { name: "get_me", arguments: {}, _meta: manyNames(MANY) }),
  "an unknown tool of 900,000 characters": () => message("tools/call", { name: LONG, arguments: {} }),
  "a tool whose name nearly fits": () => message("tools/call", { name: "list_brand_".repeat(50_000), arguments: {} }),
  "a resource of 900,000 characters": () => message("resources/read", { uri: `visibility://${LONG}` }),
  "a resource of many parts": () => message("resources/read", { uri: `visibility://${"a/".repeat(400_000)}` }),
  "a prompt with most arguments": () => message("prompts/get", { name: "weekly_report", arguments: manyNames(MANY) }),
  "a completion of 900,000 characters": () =>
    message("completion/complete", {
      ref: { type: "ref/prompt", name: "weekly_report" },
      argument: { name: "workspace", value: LONG },
    }),
  "a cursor of 900,000 characters": () => message("tools/list", { cursor: LONG }),
  "a session with most capabilities": () =>
    message("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: manyNames(MANY),
      clientInfo: { name: "a", version: "1" },
    }),
  "subscriptions to most resources": () =>
    message("subscriptions/listen", {
      notifications: { resourceSubscriptions: times(20_000, (at) => `visibility://a/${at}`) },
    }),
  "an answer to nothing": () => ({ jsonrpc: "2.0", id: 1, result: manyNames(MANY) }),
};

export function mcpRows(at: HostileScene): Row[] {
  return Object.entries(MESSAGES).map(([what, body]): Row => ({
    name: `MCP ${what}`,
    kind: "MCP",
    wire: () => createMcpRequest(at.toolToken(), body()),
    // A listing has a fixed size.
    usual: () => createMcpRequest(at.toolToken(), message("tools/list", {})),
  }));
}
