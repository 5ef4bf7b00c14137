import { expect, test } from "vitest";
import { MemoryAuthorization } from "../../examples/memory-authorization.ts";
import { createOAuthClient, REDIRECT, sceneWithPassword, signedInBrowser } from "../support/assistant.ts";
import { openCommitted } from "../support/committed.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

const MODERN = "2026-07-28";
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

test("a call without the tool's scope is 403 with the missing scopes, in every revision, and nothing runs", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const outsider = await w.signIn("outsider@rival.test");
  const ids = { organization: organization.id, workspace: workspace.id };
  const call = (name: string, given: object = ids) => ({
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name, arguments: given },
  });
  const send = async (
    token: string,
    body: object,
    { path = "", headers = {} }: { path?: string; headers?: Record<string, string> } = {},
  ) => {
    const response = await fetch(w.config.mcpUrl + path, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${token}`,
        ...headers,
      },
      body: JSON.stringify(body),
    });
    return [response.status, response.headers.get("www-authenticate"), JSON.parse(await response.text()).error];
  };
  const denied = (scopes: string, path = "/mcp") => [
    403,
    `Bearer error="insufficient_scope", error_description="The access token lacks a scope of the called tool", resource_metadata="${new URL(w.config.mcpUrl).origin}/.well-known/oauth-protected-resource${path}", scope="${scopes}"`,
    { code: -32_000, message: `This requires the scope ${scopes}. Connect again and allow it.` },
  ];
  const { token } = await mintToolToken(w, owner, { scopes: ["read", "personas:create"] });
  const foreign = await mintToolToken(w, outsider, { scopes: ["read"], clientId: "foreign" });
  const persona = call("create_persona", { ...ids, name: "Ann", description: "A buyer." });
  const price = call("price_search_analysis");
  const modern = { ...price, params: { ...price.params, _meta: ENVELOPE } };
  const modernHeaders = {
    "mcp-protocol-version": MODERN,
    "mcp-method": "tools/call",
    "mcp-name": "price_search_analysis",
  };
  expect({
    "2025 era": await send(token, price),
    "2025-11-25": await send(token, price, { headers: { "mcp-protocol-version": "2025-11-25" } }),
    "2026-07-28": await send(token, modern, { headers: modernHeaders }),
    "names instead of ids": await send(token, call("price_geo_audit", { organization: "Acme", workspace: "Main" })),
    "no arguments": await send(token, call("create_asset_evaluation", {})),
    "eager address": await send(token, price, { path: "/connect" }),
    batch: await send(token, [persona, price, call("archive_asset_evaluation"), call("list_organizations", {})]),
    outsider: await send(foreign.token, price),
  }).toEqual({
    "2025 era": denied("analyses:create"),
    "2025-11-25": denied("analyses:create"),
    "2026-07-28": denied("analyses:create"),
    "names instead of ids": denied("analyses:create"),
    "no arguments": denied("evaluations:manage"),
    "eager address": denied("analyses:create", "/mcp/connect"),
    batch: denied("analyses:create evaluations:manage"),
    outsider: denied("analyses:create"),
  });
  // A tool that the address leaves out is unknown, whatever its scope.
  expect(await send(token, price, { path: "?readonly=1" })).toEqual([
    200,
    null,
    expect.objectContaining({ code: -32_602 }),
  ]);
  expect((await owner.get(`${workspace.path}/personas`)).body.data).toEqual([]);
  await w.deps.audit.flush();
  const { q, t } = openCommitted(w.store);
  const rows = (await q.select().from(t.auditLog).orderBy(t.auditLog.id)).filter(({ door }) => door === "mcp");
  const inAcme = rows.filter(({ organizationId }) => organizationId === organization.id);
  // The outsider is only counted there.
  expect(inAcme.map(({ endpoint, clientId, outcome }) => [endpoint, clientId, outcome])).toEqual([
    ...Array.from({ length: 3 }, () => ["priceSearchAnalysis", "test-assistant", "FORBIDDEN"]),
    ["priceSearchAnalysis", "test-assistant", "FORBIDDEN"],
    ["priceSearchAnalysis", "test-assistant", "FORBIDDEN"],
    ["archiveAssetEvaluation", "test-assistant", "FORBIDDEN"],
    ["refusedCalls", null, "NOT_FOUND"],
  ]);
});

for (const [name, connect] of Object.entries(CLIENTS)) {
  test(`${name}: asks the person for the missing scope, then calls again`, async () => {
    await using w = await world();
    const { organization, workspace } = await sceneWithPassword(w);
    const probe = await createOAuthClient(w);
    const browser = await signedInBrowser(w, "owner@acme.test", (url) => url.href.startsWith(REDIRECT));
    const { refresh_token: _, ...tokens } = (await probe.connect({ browser })).body;
    const authorization = new MemoryAuthorization("Probe", REDIRECT);
    const issuer = w.config.baseUrl;
    authorization.saveClientInformation({ ...probe.registered.body, issuer });
    authorization.saveTokens({ ...tokens, issuer });
    await using client = await connect(w.config.mcpUrl, { authorization });
    const persona = { organization: organization.id, workspace: workspace.id, name: "Ann", description: "A buyer." };
    await expect(client.call("create_persona", persona)).rejects.toThrow("Unauthorized");
    expect(authorization.address?.searchParams.get("scope")?.split(" ")).toContain("personas:create");
    const consent = await browser.get(String(authorization.address));
    const end = await browser.submit(consent, { action: /\/consent$/, press: ["decision", "allow"] });
    await client.finishSignIn(end.url.searchParams);
    expect(await client.call("create_persona", persona)).toMatchObject({ isError: false, structured: { name: "Ann" } });
  });
}
