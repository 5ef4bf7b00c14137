import { expect, test } from "vitest";
import { mintToolToken } from "./tool-token.ts";
import { CLIENTS } from "./tool-client.ts";
import { world } from "./world.ts";

const PROTOCOLS: Record<string, string> = {
  "SDK 2, auto": "2026-07-28",
  "SDK 2, 2026-07-28": "2026-07-28",
  "SDK 2, 2025 era": "2025-11-25",
  "SDK 1": "2025-11-25",
};

for (const [name, connect] of Object.entries(CLIENTS)) {
  test(`${name}: lists tools before sign-in and reads a list after it, the same as over REST`, async () => {
    await using w = await world();
    const { owner, workspace } = await w.acme();
    await using stranger = await connect(w.config.mcpUrl);
    expect((await stranger.list()).map((tool) => tool.name)).toContain("list_workspaces");
    expect(stranger.protocol()).toBe(PROTOCOLS[name]);
    const { token } = await mintToolToken(w, owner);
    await using client = await connect(w.config.mcpUrl, { token });
    const answer = await client.call("list_workspaces");
    const rest = await owner.get("/v1/workspaces");
    const { truncated, notes: _, ...shown } = answer.structured;
    expect([answer.isError, truncated]).toEqual([false, false]);
    expect(rest.body).toMatchObject(shown);
    expect(answer.text).toContain(workspace.name);
    expect(await client.list()).toEqual(await stranger.list());
  });
}

test("a read is answered the short way exactly as the SDK's own server answers it, in both eras", async () => {
  await using w = await world();
  const { owner } = await w.acme();
  const { token } = await mintToolToken(w, owner);
  const send = async (message: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(w.config.mcpUrl, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${token}`,
        ...headers,
      },
      body: JSON.stringify(message),
    });
    const text = await response.text();
    const json = response.headers.get("content-type")?.includes("event-stream") ? text.slice(text.indexOf("{")) : text;
    return JSON.parse(json) as unknown;
  };
  for (const given of [{}, { limit: 1 }, { fields: ["name"] }, { nothing: 1 }]) {
    const params = { name: "list_workspaces", arguments: given };
    const old = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    // A batch, and a name in the encoding that only the SDK reads, take the long way.
    const [short, long] = [await send(old), await send([old])];
    expect([short].flat()).toEqual([long].flat());
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const modern = { ...old, params: { ...params, _meta } };
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call" };
    const encoded = `=?base64?${Buffer.from("list_workspaces").toString("base64")}?=`;
    expect(await send(modern, { ...headers, "mcp-name": "list_workspaces" })).toEqual(
      await send(modern, { ...headers, "mcp-name": encoded }),
    );
  }
});
