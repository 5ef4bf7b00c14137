import { EventEmitter, once } from "node:events";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { endEverywhere } from "../db/identity/end-access.ts";
import { signedInBrowser } from "./assistant.ts";
import { conformanceFeatures } from "./conformance/features.ts";
import { mintToolToken } from "./tool-token.ts";
import { world, type Person } from "./world.ts";

const REVISION = "2026-07-28";
const LEGACY = "2025-11-25";
/** A stream is looked at every two seconds; this much more is for a busy machine. */
const SOON_MS = 8000;

type World = Awaited<ReturnType<typeof world>>;

/** With features whose list of tools can change, so that a subscription has something to wait for and stays open. */
async function scene() {
  const w = await world({ mcpFeatures: conformanceFeatures });
  const { owner, organization, workspace } = await w.acme();
  const editor = await w.signIn("editor@acme.test", { organizationId: organization.id, role: "editor" });
  const assistant = await mintToolToken(w, editor);
  return { w, owner, organization, workspace, editor, assistant };
}

function meta(capabilities: object) {
  return {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
}

async function post(w: World, token: string, message: object, headers: Record<string, string>): Promise<Response> {
  return fetch(w.config.mcpUrl, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${token}`,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  });
}

async function callTool(w: World, token: string, name: string, given: object) {
  const params = { name, arguments: given, _meta: meta({}) };
  const headers = { "mcp-protocol-version": REVISION, "mcp-method": "tools/call", "mcp-name": name };
  const response = await post(w, token, { id: 1, method: "tools/call", params }, headers);
  const { result } = (await response.json()) as { result?: { isError?: boolean; content: { text: string }[] } };
  const refusal = result?.isError === true ? String(JSON.parse(result.content[0]?.text ?? "{}").code) : undefined;
  return refusal ?? response.status;
}

/** A `subscriptions/listen` stream of the newest revision; `ended` settles when the server ends it. */
async function subscribe(w: World, token: string) {
  const params = { notifications: { toolsListChanged: true }, _meta: meta({}) };
  const headers = { "mcp-protocol-version": REVISION, "mcp-method": "subscriptions/listen" };
  const response = await post(w, token, { id: 5, method: "subscriptions/listen", params }, headers);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  return opened(response);
}

/** A creation that waits for its person on the response of a 2025-era call. */
async function openQuestion(w: World, token: string, quote: object) {
  const capabilities = { elicitation: {} };
  const initialize = { protocolVersion: LEGACY, capabilities, clientInfo: { name: "raw", version: "1" } };
  const begun = await post(w, token, { id: 0, method: "initialize", params: initialize }, {});
  await begun.body?.cancel();
  const session = {
    "mcp-session-id": begun.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": LEGACY,
  };
  const params = { name: "create_search_analysis", arguments: quote };
  const response = await post(w, token, { id: 7, method: "tools/call", params }, session);
  const stream = opened(response);
  const question = /"id":"([^"]+)"/.exec(await stream.first)?.[1] ?? "";
  return { ...stream, session, yes: { id: question, result: { action: "accept", content: {} } } };
}

/** What a stream sends first, and all of it once it has ended. */
function opened(response: Response) {
  let [text, ended] = ["", false];
  const told = new EventEmitter();
  const first = once(told, "event").then(() => text);
  const whole = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes("\n\n")) told.emit("event");
    }
    ended = true;
    return text;
  })();
  return { first, whole, hasEnded: () => ended };
}

async function quoteFor(person: Person, at: { organization: { id: string }; workspace: { id: string; path: string } }) {
  const listed = await person.get(`${at.workspace.path}/brands`);
  const brand =
    listed.body.data[0] ??
    (await person.post(`${at.workspace.path}/brands`, { name: "Acme", relationship: "mine" })).body;
  const { body } = await person.post(`${at.workspace.path}/search-analyses/price`, {
    name: "Phones",
    website: "https://acme.test",
    brand_id: brand.id,
    sources: ["ASSISTANT_B"],
    thematics: [{ name: "Phones", topics: [{ name: "Price", keywords: [{ text: "best phone" }] }] }],
  });
  return { organization_id: at.organization.id, workspace_id: at.workspace.id, quote_id: body.quote_id as string };
}

/** Ways in which somebody's access ends as a whole, and what a call is answered then. */
const ENDS: [string, (s: Awaited<ReturnType<typeof scene>>) => Promise<void>][] = [
  [
    "an account is disabled",
    ({ w, editor }) =>
      w.store.write(async ({ q, t }) => {
        await q.update(t.users).set({ disabledAt: w.deps.now() }).where(eq(t.users.id, editor.id));
      }),
  ],
  [
    "everything of an account is ended",
    ({ w, editor }) => w.store.write((db) => endEverywhere(db, editor.id, w.deps.now())),
  ],
];

test.each(ENDS)(
  "once %s, the next call is refused in REST, in tools and in the browser, and open streams end",
  async (_what, end) => {
    const s = await scene();
    await using w = s.w;
    const browser = await signedInBrowser(w, s.editor.email);
    const path = `${s.workspace.path}/brands`;
    expect((await s.editor.get(path)).status).toBe(200);
    expect(await callTool(w, s.assistant.token, "get_me", {})).toBe(200);
    const listening = await subscribe(w, s.assistant.token);
    const waiting = await openQuestion(w, s.assistant.token, await quoteFor(s.editor, s));
    const others = await subscribe(w, (await mintToolToken(w, s.owner)).token);
    await end(s);
    expect((await s.editor.get(path)).status).toBe(401);
    expect((await w.request("POST", "/v1/auth/token", { body: { api_key: s.editor.apiKey } })).status).toBe(401);
    expect(await callTool(w, s.assistant.token, "get_me", {})).toBe(401);
    expect((await browser.get(`${w.config.baseUrl}/`)).url.pathname).toBe("/sign-in");
    expect((await post(w, s.assistant.token, waiting.yes, waiting.session)).status).toBe(401);
    await expect.poll(() => [listening.hasEnded(), waiting.hasEnded()], { timeout: SOON_MS }).toEqual([true, true]);
    expect(others.hasEnded()).toBe(false);
    expect((await s.owner.get(`${s.workspace.path}/analyses`)).body.data).toEqual([]);
  },
);

test("a revoked grant ends its own calls and streams, and none of the same person's other assistant", async () => {
  const s = await scene();
  await using w = s.w;
  const other = await mintToolToken(w, s.editor, { clientId: "other-assistant" });
  const [ending, staying] = [await subscribe(w, s.assistant.token), await subscribe(w, other.token)];
  const waiting = await openQuestion(w, s.assistant.token, await quoteFor(s.editor, s));
  await w.store.write(
    async ({ q, t }) => void (await q.delete(t.oauthRecords).where(eq(t.oauthRecords.id, s.assistant.grantId))),
  );
  expect(await callTool(w, s.assistant.token, "get_me", {})).toBe(401);
  expect(await callTool(w, other.token, "get_me", {})).toBe(200);
  expect((await post(w, s.assistant.token, waiting.yes, waiting.session)).status).toBe(401);
  await expect.poll(() => [ending.hasEnded(), waiting.hasEnded()], { timeout: SOON_MS }).toEqual([true, true]);
  expect(staying.hasEnded()).toBe(false);
  expect((await s.owner.get(`${s.workspace.path}/analyses`)).body.data).toEqual([]);
  expect((await s.editor.get(`${s.workspace.path}/brands`)).status).toBe(200);
});

test("a role that was lowered holds for the next call, and for a question that was open before", async () => {
  const s = await scene();
  await using w = s.w;
  const waiting = await openQuestion(w, s.assistant.token, await quoteFor(s.editor, s));
  const persona = {
    organization_id: s.organization.id,
    workspace_id: s.workspace.id,
    name: "P",
    language: "en",
    country: "US",
  };
  expect(await callTool(w, s.assistant.token, "create_persona", persona)).toBe(200);
  await w.store.write(async ({ q, t }) => {
    await q.update(t.organizationMembers).set({ role: "viewer" }).where(eq(t.organizationMembers.userId, s.editor.id));
  });
  expect((await s.editor.post(`${s.workspace.path}/brands`, { name: "Late" })).status).toBe(403);
  expect(await callTool(w, s.assistant.token, "create_persona", { ...persona, name: "Q" })).toBe("FORBIDDEN");
  expect((await post(w, s.assistant.token, waiting.yes, waiting.session)).status).toBe(202);
  expect(await waiting.whole).toContain("FORBIDDEN");
  expect((await s.owner.get(`${s.workspace.path}/analyses`)).body.data).toEqual([]);
});

test("a member who is suspended in an organization finds nothing of it at the next call", async () => {
  const s = await scene();
  await using w = s.w;
  await w.store.write(async ({ q, t }) => {
    await q
      .update(t.organizationMembers)
      .set({ suspendedAt: w.deps.now() })
      .where(eq(t.organizationMembers.userId, s.editor.id));
  });
  const ids = { organization_id: s.organization.id, workspace_id: s.workspace.id };
  expect((await s.editor.get(`${s.workspace.path}/brands`)).status).toBe(404);
  expect(await callTool(w, s.assistant.token, "list_brands", ids)).toBe("NOT_FOUND");
});

test("a revoked key ends the access tokens that it was exchanged for, at the next call", async () => {
  const s = await scene();
  await using w = s.w;
  const again = await w.signIn(s.editor.email);
  const { data: keys } = (await s.editor.get("/v1/api-keys")).body;
  const [newest] = keys.toSorted((a: { created_at: string }, b: { created_at: string }) =>
    a.created_at < b.created_at ? 1 : -1,
  );
  expect((await s.editor.delete(`/v1/api-keys/${newest.id}`)).status).toBeLessThan(300);
  expect((await again.get("/v1/auth/me")).status).toBe(401);
  expect((await s.editor.get("/v1/auth/me")).status).toBe(200);
});

test("one account holds a bounded number of streams, and leaves room for others", async () => {
  // Attack: opening streams until there is room for no one, by several assistants of one account.
  const s = await scene();
  await using w = s.w;
  const other = await mintToolToken(w, s.editor, { clientId: "other-assistant" });
  for (let number = 0; number < 32; number++) await subscribe(w, (number % 2 === 0 ? s.assistant : other).token);
  const params = { notifications: { toolsListChanged: true }, _meta: meta({}) };
  const headers = { "mcp-protocol-version": REVISION, "mcp-method": "subscriptions/listen" };
  const refused = await post(w, s.assistant.token, { id: 5, method: "subscriptions/listen", params }, headers);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  await subscribe(w, (await mintToolToken(w, s.owner)).token);
});
