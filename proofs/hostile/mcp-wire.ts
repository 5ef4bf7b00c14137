import type { Wire } from "./send.ts";

const LONGEST_HEADER = 1000;

/** Metadata of every request in the newest protocol. */
export const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "hostile", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A message to the tool server as a client of the newest protocol sends it. */
export function mcpWire(token: string, message: object): Wire {
  const { method = "tools/list", params } = message as { method?: string; params?: { name?: string } };
  return {
    method: "POST",
    path: "/mcp",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method.slice(0, LONGEST_HEADER),
      ...(params?.name === undefined ? {} : { "mcp-name": params.name.slice(0, LONGEST_HEADER) }),
    },
    body: JSON.stringify(message),
  };
}
