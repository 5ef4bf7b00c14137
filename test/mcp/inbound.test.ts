import { expect, test } from "vitest";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const message = (method: string, params?: unknown) => ({
  jsonrpc: "2.0",
  id: 7,
  method,
  ...(params !== undefined && { params }),
});

/** Sends messages of a signed-in client. */
async function connected() {
  const w = await world({ env: { SERVE: "core,search,mcp" } });
  const { owner } = await w.acme();
  const { token } = await mintToolToken(w, owner);
  return {
    async send(body: unknown, headers: Record<string, string> = {}) {
      const response = await fetch(w.config.mcpUrl, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          authorization: `Bearer ${token}`,
          ...headers,
        },
        body: JSON.stringify(body),
      });
      return JSON.parse(await response.text());
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

test("null parameters and arguments are those that a client leaves out, in both protocol eras and in batches", async () => {
  // Fault: HTTP 400 -32600 for `params: null`, and -32602 for `arguments: null`.
  await using c = await connected();
  const same: [unknown, unknown][] = [
    [message("tools/list", null), message("tools/list", {})],
    [message("tools/list", { cursor: null }), message("tools/list")],
    [message("tools/list", { cursor: "" }), message("tools/list")],
    [message("prompts/list", null), message("prompts/list")],
    [
      message("tools/call", { name: "list_organizations", arguments: null }),
      message("tools/call", { name: "list_organizations", arguments: {} }),
    ],
    [
      message("tools/call", { name: "get_me", arguments: null, _meta: null }),
      message("tools/call", { name: "get_me" }),
    ],
    [[message("tools/list", null)], [message("tools/list")]],
  ];
  for (const [sent, meant] of same) expect(await c.send(sent)).toEqual(await c.send(meant));
  const modern = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "get_me" };
  const call = { name: "get_me", _meta: ENVELOPE };
  expect(await c.send(message("tools/call", { ...call, arguments: null }), modern)).toEqual(
    await c.send(message("tools/call", { ...call, arguments: {} }), modern),
  );
});

const INVALID: [method: string, params: unknown, faults: string][] = [
  ["initialize", undefined, "params"],
  ["initialize", null, "protocolVersion, capabilities, clientInfo"],
  ["initialize", { protocolVersion: "2025-11-25", capabilities: {} }, "clientInfo"],
  ["initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} }, "clientInfo"],
  ["initialize", { capabilities: 5, clientInfo: { name: "t", version: "1" } }, "protocolVersion, capabilities"],
  ["tools/call", { arguments: {} }, "name"],
  ["tools/call", { name: "get_me", arguments: [] }, "arguments"],
  ["tools/call", { name: "get_me", arguments: '{"a":1}' }, "arguments"],
  ["prompts/get", { name: "weekly_report", arguments: { "secret name": 5 } }, "arguments"],
  ["resources/read", { uri: 5 }, "uri"],
];

test("invalid parameters of a method are -32602 and named, without the library's text or the client's values", async () => {
  // Fault: -32603 with the library's list of issues as JSON for `initialize` without clientInfo.
  await using c = await connected();
  for (const [method, params, faults] of INVALID) {
    expect(await c.send(message(method, params))).toEqual({
      jsonrpc: "2.0",
      id: 7,
      error: { code: -32_602, message: `The parameters of this method are not valid. Correct: ${faults}.` },
    });
  }
});
