import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { insertActionScene } from "../support/action-scene.ts";
import { CLIENTS, type ToolClient } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

/** One organization with the same rows in two workspaces, and a stranger. */
async function scene() {
  const w = await world();
  const { owner, organization, workspace } = await w.acme();
  const { body: other } = await owner.post(`${organization.path}/workspaces`, { name: "Other" });
  const insert = async (workspaceId: string) => {
    const made = await insertActionScene(w, { organizationId: organization.id, workspaceId, userId: owner.id });
    const path = `/organizations/${organization.id}/workspaces/${workspaceId}/analyses/${made.analysisId}`;
    return { ...made, uri: `visibility:/${path}`, workspace: workspaceId };
  };
  const [here, there] = [await insert(workspace.id), await insert(other.id)];
  const rival = await w.insertTenant("Rival");
  const mallory = await w.signIn("mallory@rival.test", { organizationId: rival.organization.id, role: "owner" });
  const { token } = await mintToolToken(w, owner, { workspaceId: workspace.id });
  const stranger = await mintToolToken(w, mallory);
  return { w, organization, here, there, token, strangerToken: stranger.token };
}

const outcomeOf = (result: Promise<unknown>) =>
  result.then(() => "ok").catch((error: Error) => error.message.replace(/^MCP error -?\d+: /, ""));

const codeOf = (text: unknown) => (String(text).startsWith("{") ? JSON.parse(String(text)).code : text);
const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name);

type Ids = Awaited<ReturnType<typeof scene>>["here"];

/** Everything that a client reads of one workspace, or the error of each read. */
async function readAll(client: ToolClient, organization: string, { workspace, analysisId, uri, resultId }: Ids) {
  const called = async (name: string, given: object) => {
    const { isError, text } = await client.call(name, { organization, ...given });
    return isError ? text : "ok";
  };
  const prompt = { name: "weekly_report", arguments: { workspace, analysis: analysisId } };
  const completions = async (name: string, ref: Parameters<typeof client.sdk.complete>[0]["ref"]) => {
    const context = { arguments: { workspace, workspace_id: workspace } };
    return (await client.sdk.complete({ ref, argument: { name, value: "" }, context })).completion.values;
  };
  return {
    get_workspace: await called("get_workspace", { workspace }),
    list_brands: await called("list_brands", { workspace }),
    get_analysis: await called("get_analysis", { workspace, analysis: analysisId }),
    get_visibility: await called("get_visibility", { analysis: analysisId }),
    list_collects: await called("list_collects", { workspace, analysis: analysisId }),
    get_recommended_action: await called("get_recommended_action", { workspace, action: resultId }),
    create_persona: await called("create_persona", { workspace, name: "Ann", description: "A buyer." }),
    resource: (await outcomeOf(client.sdk.readResource({ uri }))).replace(uri, "URI"),
    prompt: await outcomeOf(client.sdk.getPrompt(prompt)),
    analyses: (await completions("analysis", { type: "ref/prompt", name: "weekly_report" })).length,
  };
}

test("a connection limited to one workspace reads everything there, and elsewhere what a stranger reads", async () => {
  // Attack: ids and names of another workspace of the same person, in arguments, resource addresses,
  // prompts and completions.
  const s = await scene();
  await using w = s.w;
  for (const [name, connect] of Object.entries(CLIENTS)) {
    await using client = await connect(w.config.mcpUrl, { token: s.token });
    await using stranger = await connect(w.config.mcpUrl, { token: s.strangerToken });
    const here = await readAll(client, s.organization.id, s.here);
    const all = Object.fromEntries(Object.keys(here).map((key) => [key, "ok"]));
    expect([name, here]).toEqual([name, { ...all, analyses: 1 }]);
    const foreign = await readAll(stranger, s.organization.id, s.there);
    const there = await readAll(client, s.organization.id, s.there);
    const codes = (outcomes: object) =>
      Object.fromEntries(Object.entries(outcomes).map(([key, text]) => [key, codeOf(text)]));
    expect([name, codes(there)]).toEqual([name, codes(foreign)]);
    expect(JSON.stringify(there)).not.toContain("Other");
  }
});

test("lists show the workspace of the connection alone, and tools fill it in", async () => {
  const s = await scene();
  await using w = s.w;
  for (const connect of Object.values(CLIENTS)) {
    await using client = await connect(w.config.mcpUrl, { token: s.token });
    const { data } = (await client.call("list_workspaces")).structured;
    const me = (await client.call("get_me")).structured;
    const [own] = data;
    expect([own.id, namesOf(data), namesOf(me.workspaces), namesOf(me.organizations).length]).toEqual([
      s.here.workspace,
      [own.name],
      [own.name],
      1,
    ]);
    const filled = await client.call("get_analysis");
    expect(filled.structured.id).toBe(s.here.analysisId);
    expect(filled.structured.notes).toContainEqual(
      expect.stringMatching(/^Workspace: .*, the only one\. Analysis: .*, the only one\.$/),
    );
    const { values } = (
      await client.sdk.complete({
        ref: { type: "ref/prompt", name: "weekly_report" },
        argument: { name: "workspace", value: "" },
      })
    ).completion;
    expect(values).toEqual([own.name]);
  }
});

test("a connection limited to one workspace subscribes to its analyses alone", async () => {
  const s = await scene();
  await using w = s.w;
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  const requestInit = { headers: { authorization: `Bearer ${s.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(w.config.mcpUrl), { requestInit }));
  const listen = (...uris: string[]) => client.listen({ resourceSubscriptions: uris });
  await expect(listen(s.there.uri)).rejects.toThrow("Resource not found");
  await expect(listen(s.here.uri, s.there.uri)).rejects.toThrow("Resource not found");
  await expect(listen(s.here.uri)).resolves.toBeDefined();
  await client.close();
});
