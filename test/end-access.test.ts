import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { endEverywhere, endInOrganization, endSessions } from "../auth/end-access.ts";
import { openWebSessions } from "../auth/web-sessions.ts";
import { insertMember } from "../db/organizations.ts";
import { assistant, REDIRECT, signedInBrowser } from "./assistant.ts";
import { world } from "./world.ts";

type World = Awaited<ReturnType<typeof world>>;

async function toolCall(w: World, token: string): Promise<number> {
  const response = await fetch(w.config.mcpUrl, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_me", arguments: {} } }),
  });
  await response.text();
  return response.status;
}

/** A browser, an assistant, a user key and an organization key of one person, and which of them still work. */
async function waysIn(
  w: World,
  { email, accessToken }: { email: string; accessToken: string },
  organizationId: string,
) {
  const browser = await signedInBrowser(w, email);
  const client = await assistant(w);
  const { body: tokens } = await client.connect({ email });
  const made = await w.request("POST", "/v1/api-keys", {
    headers: { authorization: `Bearer ${accessToken}` },
    body: { name: "ci", kind: "organization", organization_id: organizationId, role: "viewer" },
  });
  const key = await w.request("POST", "/v1/auth/token", { body: { api_key: made.body.api_key } });
  const rest = async (token: string) =>
    (await w.request("GET", "/v1/organizations", { headers: { authorization: `Bearer ${token}` } })).status;
  return async () => ({
    browser: (await browser.get(`${w.config.baseUrl}/organizations`)).url.pathname,
    assistant: await toolCall(w, tokens.access_token as string),
    assistantAgain: (await client.refresh(tokens.refresh_token as string)).status,
    userKey: await rest(accessToken),
    organizationKey: await rest(key.body.access_token as string),
  });
}

const IN = { browser: "/organizations", assistant: 200, assistantAgain: 200, userKey: 200, organizationKey: 200 };
const OUT = { browser: "/sign-in", assistant: 401, assistantAgain: 400, userKey: 401, organizationKey: 401 };

test("signing out everywhere ends browsers and assistants with their next call, and keeps API keys", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const state = await waysIn(w, owner, organization.id);
  expect(await state()).toEqual(IN);
  await w.store.write((db) => endSessions(db, owner.id));
  expect(await state()).toEqual({ ...OUT, userKey: 200, organizationKey: 200 });
});

test("ending everything ends keys too", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const state = await waysIn(w, owner, organization.id);
  await w.store.write((db) => endEverywhere(db, owner.id, w.deps.now()));
  expect(await state()).toEqual(OUT);
});

test("an organization ends its own keys and the sign-ins that it vouched for, and nothing else", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const other = await w.insertTenant("Other");
  await w.store.write((db) =>
    insertMember(
      { db, organizationId: other.organization.id },
      { userId: owner.id, role: "owner", createdAt: w.deps.now() },
    ),
  );
  const state = await waysIn(w, owner, organization.id);
  const end = (organizationId: string) =>
    w.store.write((db) => endInOrganization(db, { userId: owner.id, organizationId }, w.deps.now()));
  await end(other.organization.id);
  expect(await state()).toEqual(IN);
  await end(organization.id);
  expect(await state()).toEqual({ ...IN, organizationKey: 401 });

  const through = { userId: owner.id, signedInThrough: organization.id };
  const cookie = await openWebSessions(w.store, { secure: false }).start(through, w.deps.now());
  const browser = await signedInBrowser(w, owner.email, (url) => url.href.startsWith(REDIRECT));
  for (const held of browser.cookies) held.value = cookie;
  const client = await assistant(w);
  const { body: tokens } = await client.connect({ browser });
  expect(await toolCall(w, tokens.access_token as string)).toBe(200);
  await end(organization.id);
  expect(await toolCall(w, tokens.access_token as string)).toBe(401);
  expect((await browser.get(`${w.config.baseUrl}/organizations`)).url.pathname).toBe("/sign-in");
});

test("a suspended member sees nothing of the organization, and everything again afterwards", async () => {
  await using w = await world();
  const { organization, workspace } = await w.acme();
  const member = await w.signIn("member@acme.test", { organizationId: organization.id, role: "editor" });
  const suspend = (suspendedAt: string | null) =>
    w.store.write(async ({ q, t }) => {
      await q.update(t.organizationMembers).set({ suspendedAt }).where(eq(t.organizationMembers.userId, member.id));
    });
  const seen = async () => ({
    organization: (await member.get(organization.path)).status,
    brands: (await member.get(`${workspace.path}/brands`)).status,
    organizations: (await member.get("/v1/organizations")).body.data.length as number,
    workspaces: (await member.get("/v1/workspaces")).body.data.length as number,
  });
  const before = { organization: 200, brands: 200, organizations: 1, workspaces: 1 };
  expect(await seen()).toEqual(before);
  await suspend(w.deps.now());
  expect(await seen()).toEqual({ organization: 404, brands: 404, organizations: 0, workspaces: 0 });
  await suspend(null);
  expect(await seen()).toEqual(before);
});
