import type { RawRequest } from "./send.ts";

const MAX_HEADER_LENGTH = 1000;

/** Metadata of every request in the newest protocol. */
export const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "hostile", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A message to the tool server as a client of the newest protocol sends it. */
export function createMcpRequest(token: string, message: object): RawRequest {
  const { method = "tools/list", params } = message as { method?: string; params?: { name?: string } };
  return {
    method: "POST",
    path: "/mcp",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method.slice(0, MAX_HEADER_LENGTH),
      ...(params?.name === undefined ? {} : { "mcp-name": params.name.slice(0, MAX_HEADER_LENGTH) }),
    },
    body: JSON.stringify(message),
  };
}
