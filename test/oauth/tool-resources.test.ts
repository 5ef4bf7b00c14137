import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { findToolResource, listWorkspaceLimits } from "../../auth/oauth/tool-resources.ts";
import { endpoints } from "../../tools/index.ts";
import { listToolScopes } from "../../tools/endpoint.ts";
import { configureSso, OIDC } from "../sso/scene.ts";
import { createOAuthClient, REDIRECT, sceneWithPassword, signedInBrowser } from "../support/assistant.ts";
import { oldClient } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

/** An owner with two workspaces in one organization, and a stranger with one in another. */
async function scene() {
  const w = await world();
  const { owner, organization, workspace } = await sceneWithPassword(w);
  const { body: other } = await owner.post(`${organization.path}/workspaces`, { name: "Other" });
  const rival = await w.insertTenant("Rival");
  await w.signIn("mallory@rival.test", { organizationId: rival.organization.id, role: "owner" });
  const addressOf = (id: string) => `${w.config.mcpUrl}/w/${id}`;
  return { w, owner, organization, workspace, otherId: other.id as string, rival, addressOf };
}

/** Names of the workspaces that a token lists at an address, or the status of the rejection. */
async function listedAt(address: string, token: string): Promise<unknown> {
  const response = await fetch(address, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_workspaces" } }),
  });
  const { result } = (await response.json()) as { result?: { structuredContent: { data: { name: string }[] } } };
  return result ? result.structuredContent.data.map(({ name }) => name) : response.status;
}

const limitOf = (mcpUrl: string, url: string) => findToolResource(mcpUrl, url)?.workspaceId;
const leaves = (url: URL) => url.href.startsWith(REDIRECT);
const sorted = (ids: (string | null | undefined)[]) => ids.map(String).toSorted((a, b) => (a < b ? -1 : 1));

test("an address of the tool server is the base, connect, or one workspace by its id in lower case", () => {
  const id = "0198c1de-0000-7000-8000-000000000001";
  const base = "https://a.test/mcp";
  const found = ["", "/connect", `/w/${id}`].map((path) => limitOf(base, base + path));
  expect(found).toEqual([null, null, id]);
  expect(limitOf("https://a.test/", "https://a.test")).toBe(null);
  expect(limitOf("https://a.test", `https://a.test/w/${id}`)).toBe(id);
  const others = [
    "/",
    "/w",
    "/w/",
    "/w/x",
    `/w/${id.toUpperCase()}`,
    `/w/${id}/`,
    `/w/${id}x`,
    `/x/w/${id}`,
    "x",
    `/connect/w/${id}`,
  ];
  for (const path of others) expect([path, limitOf(base, base + path)]).toEqual([path, undefined]);
  expect(limitOf(base, `https://b.test/mcp/w/${id}`)).toBe(undefined);
});

test("the address of a workspace has its own metadata and challenge, which do not reveal whether it exists", async () => {
  const { w, workspace, addressOf } = await scene();
  await using _ = w;
  const { origin } = new URL(w.config.mcpUrl);
  for (const id of [workspace.id, "0198c1de-0000-7000-8000-000000000001"]) {
    const metadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp/w/${id}`;
    const metadata = await (await fetch(metadataUrl)).json();
    expect(metadata).toEqual({
      resource: addressOf(id),
      authorization_servers: [w.config.baseUrl],
      scopes_supported: listToolScopes(endpoints),
      bearer_methods_supported: ["header"],
      resource_name: "Brand Visibility",
    });
    const first = await fetch(addressOf(id), { method: "POST", body: "{}" });
    expect([first.status, first.headers.get("www-authenticate")]).toEqual([
      401,
      `Bearer resource_metadata="${metadataUrl}", scope="${listToolScopes(endpoints).join(" ")}"`,
    ]);
  }
  expect((await fetch(`${origin}/.well-known/oauth-protected-resource/mcp/w/x`)).status).toBe(404);
});

test("a connection reaches the workspace that its person chose, at every address and after every refresh", async () => {
  // Attack: widening a connection by refreshing it, by another audience, or at another address.
  const { w, owner, workspace, otherId, addressOf } = await scene();
  await using _ = w;
  const { mcpUrl } = w.config;
  const client = await createOAuthClient(w);
  const chosen = await client.connect({ workspace: workspace.id });
  const byAddress = await client.connect({ over: { resource: addressOf(otherId) } });
  const everything = await client.connect({ over: { prompt: "consent" } });
  const name = (await owner.get(workspace.path)).body.name as string;
  expect([decodeJwt(chosen.body.access_token).aud, decodeJwt(byAddress.body.access_token).aud]).toEqual([
    mcpUrl,
    addressOf(otherId),
  ]);
  const tokensOf = async ({ body }: typeof chosen, resources: string[]) => {
    const tokens = [body.access_token as string];
    for (const resource of resources) {
      const refreshed = await client.refresh(body.refresh_token, resource === "" ? {} : { resource });
      const { access_token: token, error } = refreshed.body;
      if (error !== "invalid_target") tokens.push(token);
    }
    return tokens;
  };
  const resources = ["", mcpUrl, `${mcpUrl}/connect`, addressOf(workspace.id), addressOf(otherId)];
  const outcomes = async (tokens: string[]) => {
    const addresses = [mcpUrl, `${mcpUrl}/connect`, addressOf(workspace.id), addressOf(otherId)];
    const seen = await Promise.all(
      tokens.map((token) => Promise.all(addresses.map((address) => listedAt(address, token)))),
    );
    return [...new Set(seen.map((one) => JSON.stringify(one)))].map((one) => JSON.parse(one));
  };
  expect(await outcomes(await tokensOf(chosen, resources))).toEqual([[[name], [name], [name], 401]]);
  expect(await outcomes(await tokensOf(byAddress, resources))).toEqual([[["Other"], ["Other"], 401, ["Other"]]]);
  expect(await outcomes(await tokensOf(everything, resources))).toEqual([
    [expect.arrayContaining([name, "Other"]), expect.arrayContaining([name, "Other"]), 401, 401],
  ]);
  // Attack: REST, which knows no assistants.
  for (const { body } of [chosen, byAddress]) {
    const rest = await w.request("GET", workspace.path, { headers: { authorization: `Bearer ${body.access_token}` } });
    expect([rest.status, rest.body.code]).toEqual([401, "UNAUTHENTICATED"]);
  }
});

test("the consent page offers the person's workspaces, or the one of the address, and grants no other", async () => {
  // Attack: a form with the id of a workspace that the page did not offer.
  const { w, workspace, otherId, rival, addressOf } = await scene();
  await using _ = w;
  const client = await createOAuthClient(w);
  const offered = async (email: string, over: Record<string, string> = {}) => {
    const browser = await signedInBrowser(w, email, leaves);
    const { text } = await browser.get(client.authorizeUrl(over));
    const options = [...text.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value);
    return { options: sorted(options), canAllow: text.includes('value="allow"') };
  };
  const own = sorted(["", workspace.id, otherId]);
  expect(await offered("owner@acme.test")).toEqual({ options: own, canAllow: true });
  const limited = { resource: addressOf(otherId) };
  expect(await offered("owner@acme.test", limited)).toEqual({ options: [otherId], canAllow: true });
  expect(await offered("mallory@rival.test", limited)).toEqual({ options: [], canAllow: false });
  const foreign = [
    { workspace: rival.workspace.id },
    { workspace: "x" },
    { workspace: workspace.id, over: limited },
    { email: "mallory@rival.test", over: limited },
    { email: "mallory@rival.test", workspace: rival.workspace.id, over: limited },
  ];
  for (const options of foreign) {
    const end = await client.ask(options);
    expect([options, end.url.searchParams.get("code"), end.url.pathname]).toEqual([
      options,
      null,
      expect.stringContaining("/oauth/interaction/"),
    ]);
  }
});

test("Connected assistants shows the limit of each connection", async () => {
  const { w, owner, workspace } = await scene();
  await using _ = w;
  await (await createOAuthClient(w)).connect({ workspace: workspace.id });
  await (await createOAuthClient(w)).connect();
  const { body } = await owner.get("/v1/me/assistants");
  expect(sorted(body.data.map((row: { workspace_id: string | null }) => row.workspace_id))).toEqual(
    sorted([null, workspace.id]),
  );
  const name = (await owner.get(workspace.path)).body.name as string;
  const { text } = await (await signedInBrowser(w, "owner@acme.test")).get(`${w.config.baseUrl}/assistants`);
  expect([text.includes(`Only ${name}`), text.includes("All your workspaces")]).toEqual([true, true]);
});

test("a limit to a workspace proves no sign-in through its organization", async () => {
  // Attack: a password connects to one workspace of an organization that requires its provider.
  const { w, owner, organization, workspace } = await scene();
  await using _ = w;
  const editor = await w.signIn("editor@acme.test", { organizationId: organization.id, role: "editor" });
  const { token } = await mintToolToken(w, editor, { workspaceId: workspace.id });
  const unlimited = await mintToolToken(w, editor, { clientId: "unlimited" });
  const readWith = async (bearer: string) => {
    await using client = await oldClient(w.config.mcpUrl, { token: bearer });
    const ids = { organization: organization.id, workspace: workspace.id };
    const { isError, text } = await client.call("get_workspace", ids);
    return isError ? text : "read";
  };
  expect(await readWith(token)).toBe("read");
  await configureSso(w, { owner, organization }, { ...OIDC, is_required: true });
  expect(await readWith(token)).toContain("This organization requires single sign-on");
  expect(await readWith(token)).toBe(await readWith(unlimited.token));
});

test("limits a request to the workspace of its address, in every spelling that is accepted", () => {
  // Attack: the consent page offered all workspaces for an address with a query or another spelling.
  const mcpUrl = "https://tools.example/mcp";
  const id = "01a22357-20de-740d-9f60-b14a3b28dc70";
  for (const url of [
    `${mcpUrl}/w/${id}`,
    `${mcpUrl}/w/${id}/`,
    `${mcpUrl}/w/${id}?toolsets=essentials`,
    `HTTPS://TOOLS.example:443/mcp/w/${id}?readonly=1`,
  ])
    expect([url, listWorkspaceLimits(mcpUrl, url)]).toEqual([url, [id]]);
  expect(listWorkspaceLimits(mcpUrl, [mcpUrl, `${mcpUrl}?toolsets=essentials`, `${mcpUrl}/connect`])).toEqual([]);
});
