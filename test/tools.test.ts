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
    expect(answer).toMatchObject({ isError: false, structured: { ...rest.body, truncated: false } });
    expect(answer.text).toContain(workspace.name);
    expect(await client.list()).toEqual(await stranger.list());
  });
}
