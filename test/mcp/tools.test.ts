import { expect, test } from "vitest";
import { mintToolToken } from "../support/tool-token.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { world } from "../support/world.ts";

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

test("a 2025-era call has the same result alone and in a batch", async () => {
  await using w = await world();
  const { owner } = await w.acme();
  const { token } = await mintToolToken(w, owner);
  const send = async (message: unknown) => {
    const response = await fetch(w.config.mcpUrl, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify(message),
    });
    const text = await response.text();
    return JSON.parse(text.slice(text.indexOf("{"))) as unknown;
  };
  for (const given of [{}, { limit: 1 }, { fields: ["name"] }, { nothing: 1 }]) {
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_workspaces", arguments: given } };
    expect(await send(call)).toEqual(await send([call]));
  }
});
