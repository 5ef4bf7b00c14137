import { EventEmitter, once } from "node:events";
import { expect } from "vitest";
import { conformanceFeatures } from "../../proofs/conformance/features.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world, type Person } from "../support/world.ts";

export const REVISION = "2026-07-28";

const LEGACY = "2025-11-25";

type World = Awaited<ReturnType<typeof world>>;

/** With features whose tool list can change, so that a subscription stays open. */
export async function scene() {
  const w = await world({ mcpFeatures: conformanceFeatures });
  const { owner, organization, workspace } = await w.acme();
  const editor = await w.signIn("editor@acme.test", { organizationId: organization.id, role: "editor" });
  const assistant = await mintToolToken(w, editor);
  return { w, owner, organization, workspace, editor, assistant };
}

export function requestMeta(capabilities: object) {
  return {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
}

export async function post(
  w: World,
  token: string,
  message: object,
  headers: Record<string, string>,
): Promise<Response> {
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

export async function callTool(w: World, token: string, name: string, given: object) {
  const params = { name, arguments: given, _meta: requestMeta({}) };
  const headers = { "mcp-protocol-version": REVISION, "mcp-method": "tools/call", "mcp-name": name };
  const response = await post(w, token, { id: 1, method: "tools/call", params }, headers);
  const { result } = (await response.json()) as { result?: { isError?: boolean; content: { text: string }[] } };
  const refusal = result?.isError === true ? String(JSON.parse(result.content[0]?.text ?? "{}").code) : undefined;
  return refusal ?? response.status;
}

/**
 * A `subscriptions/listen` stream of the newest revision; `ended` settles when the server ends it.
 */
export async function subscribe(w: World, token: string) {
  const params = { notifications: { toolsListChanged: true }, _meta: requestMeta({}) };
  const headers = { "mcp-protocol-version": REVISION, "mcp-method": "subscriptions/listen" };
  const response = await post(w, token, { id: 5, method: "subscriptions/listen", params }, headers);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  return readStream(response);
}

/** A creation that waits for its person on the response of a 2025-era call. */
export async function openConfirmation(w: World, token: string, quote: object) {
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
  const stream = readStream(response);
  const question = /"id":"([^"]+)"/.exec(await stream.first)?.[1] ?? "";
  return { ...stream, session, yes: { id: question, result: { action: "accept", content: {} } } };
}

/** First event of a stream, and the whole text when it has closed. */
function readStream(response: Response) {
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

export async function createQuote(
  person: Person,
  at: { organization: { id: string }; workspace: { id: string; path: string } },
) {
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
