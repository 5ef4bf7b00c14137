import { request as httpRequest } from "node:http";
import { expect, test } from "vitest";
import { listRank } from "../../src/http/mcp/tools/essentials.ts";
import { ENDPOINT_GROUPS, toToolName, listToolScopes } from "../../tools/endpoint.ts";
import { endpoints } from "../../tools/index.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

const MODERN = "2026-07-28";
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

interface Sent {
  path?: string;
  token?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A request to the tool server, with whatever is to be wrong about it. */
async function send({ config }: Awaited<ReturnType<typeof world>>, message: unknown, over: Sent = {}) {
  const response = await fetch(config.mcpUrl + (over.path ?? ""), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(over.token === undefined ? {} : { authorization: `Bearer ${over.token}` }),
      ...over.headers,
    },
    body: over.body ?? JSON.stringify(message),
  });
  const text = await response.text();
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate"),
    headers: response.headers,
    body: text === "" ? null : JSON.parse(text),
  };
}

const old = (method: string, params?: object) => ({ jsonrpc: "2.0", id: 7, method, ...(params ? { params } : {}) });
const modern = (method: string, params: object = {}) => old(method, { ...params, _meta: ENVELOPE });
const modernHeaders = (method: string, name?: string) => ({
  "mcp-protocol-version": MODERN,
  "mcp-method": method,
  ...(name === undefined ? {} : { "mcp-name": name }),
});
const call = { name: "list_workspaces", arguments: {} };

test("discovery is open; a call, a batch with one, and anything unknown returns 401 with all scopes, once", async () => {
  // Attack: reading data without sign-in, also hidden behind an open message in a batch.
  await using w = await world();
  const origin = new URL(w.config.mcpUrl).origin;
  const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp", scope="${listToolScopes(endpoints).join(" ")}"`;
  const outcomes: Record<string, unknown> = {};
  const open = {
    initialize: old("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    }),
    ping: old("ping"),
    "tools/list": old("tools/list"),
    initialized: { jsonrpc: "2.0", method: "notifications/initialized" },
  };
  const closed = {
    call: old("tools/call", call),
    batch: [old("tools/list"), old("tools/call", call)],
    "empty batch": [],
    unknown: old("secrets/list"),
    answer: { jsonrpc: "2.0", id: "a", result: {} },
    "no message": 5,
  };
  for (const [name, message] of Object.entries({ ...open, ...closed })) {
    const { status, challenge: given } = await send(w, message);
    outcomes[name] = [status, given];
  }
  const { status } = await send(w, modern("server/discover"), { headers: modernHeaders("server/discover") });
  expect({ ...outcomes, discover: [status, null] }).toEqual({
    initialize: [200, null],
    ping: [200, null],
    "tools/list": [200, null],
    initialized: [202, null],
    discover: [200, null],
    ...Object.fromEntries(Object.keys(closed).map((name) => [name, [401, challenge]])),
  });
});

test("the twin address asks for sign-in at the first request, and names its own metadata", async () => {
  await using w = await world();
  const { status, challenge } = await send(w, old("tools/list"), { path: "/connect" });
  expect(status).toBe(401);
  expect(challenge).toMatch(/^Bearer resource_metadata="[^"]+\/\.well-known\/oauth-protected-resource\/mcp\/connect"/);
  const { token } = await mintToolToken(w, (await w.acme()).owner, { audience: `${w.config.mcpUrl}/connect` });
  expect(await send(w, old("tools/call", call), { path: "/connect", token })).toMatchObject({ status: 200 });
});

test("tools that need more than the scope read list it as a security scheme, in both eras", async () => {
  await using w = await world();
  const scopes = Object.fromEntries(
    endpoints
      .filter(
        (endpoint) => endpoint.notATool === undefined && endpoint.scope !== undefined && endpoint.scope !== "read",
      )
      .map((endpoint) => [toToolName(endpoint), [{ type: "oauth2", scopes: [endpoint.scope] }]]),
  );
  const schemes = ({ body }: Awaited<ReturnType<typeof send>>) =>
    Object.fromEntries(
      (body.result.tools as { name: string; securitySchemes?: unknown }[]).flatMap(({ name, securitySchemes }) =>
        securitySchemes === undefined ? [] : [[name, securitySchemes]],
      ),
    );
  const headers = modernHeaders("tools/list");
  expect(schemes(await send(w, old("tools/list")))).toEqual(scopes);
  expect(schemes(await send(w, modern("tools/list"), { headers }))).toEqual(scopes);
  expect(scopes).toMatchObject({ create_persona: [{ type: "oauth2", scopes: ["personas:create"] }] });
});

test("an address with a slash at its end is the same address", async () => {
  await using w = await world();
  const { token } = await mintToolToken(w, (await w.acme()).owner);
  for (const path of ["", "/connect"]) {
    const [plain, slashed] = [
      await send(w, old("tools/call", call), { path }),
      await send(w, old("tools/call", call), { path: `${path}/` }),
    ];
    expect([slashed.status, slashed.challenge, slashed.body]).toEqual([401, plain.challenge, plain.body]);
    expect(await send(w, old("tools/call", call), { path: `${path}/`, token })).toMatchObject({ status: 200 });
    const page = await fetch(`${w.config.mcpUrl}${path}/`, { headers: { accept: "text/html" } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Connect an assistant")]);
  }
  expect(await send(w, old("ping"), { path: "//" })).toMatchObject({ status: 404 });
});

test("a token that is no good is 401 invalid_token, on open methods too; a REST token is no good here", async () => {
  // Attack: a token of another interface, or an expired one.
  let now = "2026-11-21T08:00:00.000Z";
  await using w = await world({ now: () => now });
  const { owner } = await w.acme();
  const { token } = await mintToolToken(w, owner, { expiresInSeconds: 60 });
  expect((await send(w, old("tools/list"), { token })).status).toBe(200);
  now = "2026-11-21T08:02:00.000Z";
  for (const bad of [token, owner.accessToken, "nonsense", owner.apiKey]) {
    const { status, challenge } = await send(w, old("tools/list"), { token: bad });
    expect(status).toBe(401);
    expect(challenge).toMatch(
      /^Bearer error="invalid_token", .*scope="read analyses:create personas:create evaluations:manage"$/,
    );
  }
  expect(await send(w, old("tools/list"), { headers: { authorization: "Basic YTpi" } })).toMatchObject({ status: 401 });
});

test("rejects another site's page and an unknown Host; a browser client gets the readable headers", async () => {
  // Attack: DNS rebinding, and a web page that talks to a server on the reader's own machine.
  await using w = await world();
  expect(await send(w, old("ping"), { headers: { origin: "https://evil.test" } })).toMatchObject({ status: 403 });
  const near = await send(w, old("tools/call", call), { headers: { origin: "http://localhost:6274" } });
  expect(near.headers.get("access-control-allow-origin")).toBe("http://localhost:6274");
  expect(near.headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
  const preflight = await fetch(w.config.mcpUrl, {
    method: "OPTIONS",
    headers: { origin: "http://localhost:6274", "access-control-request-headers": "authorization,mcp-method" },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-headers")).toBe("authorization,mcp-method");
  const { port } = new URL(w.config.mcpUrl);
  const status = await new Promise((resolve) => {
    httpRequest({ port, path: "/mcp", method: "POST", headers: { host: "evil.test" } }, (answer) =>
      resolve(answer.statusCode),
    ).end("{}");
  });
  expect(status).toBe(404);
});

test("invalid JSON, invalid UTF-8, oversized and wrongly typed bodies get a JSON-RPC error with the right status", async () => {
  await using w = await world();
  const refusal = async (over: Sent & { bytes?: Uint8Array }) => {
    const { status, body } = await send(w, null, over);
    return [status, body.jsonrpc, body.id, body.error.code];
  };
  expect(await refusal({ body: "{oops" })).toEqual([400, "2.0", null, -32_700]);
  expect(await refusal({ body: "" })).toEqual([400, "2.0", null, -32_700]);
  expect(await refusal({ body: "{}", headers: { "content-type": "text/plain" } })).toEqual([415, "2.0", null, -32_000]);
  // Without a token, a long message is never an open one.
  expect(await refusal({ body: JSON.stringify("x".repeat(5 * 1024 * 1024)) })).toEqual([401, "2.0", null, -32_000]);
  expect(await refusal({ body: "{}", headers: { "content-encoding": "gzip" } })).toEqual([415, "2.0", null, -32_000]);
  const latin1 = await fetch(w.config.mcpUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: Buffer.from('{"a":"\xe9"}', "latin1"),
  });
  expect([latin1.status, await latin1.json()]).toMatchObject([400, { error: { code: -32_700 } }]);
});

test("rejects a request whose headers contradict its body, as the protocol demands", async () => {
  await using w = await world();
  const { token } = await mintToolToken(w, (await w.acme()).owner);
  const refused = async (message: unknown, headers: Record<string, string>) => {
    const { status, body } = await send(w, message, { token, headers });
    return [status, body.error.code];
  };
  const body = modern("tools/call", call);
  expect(await refused(body, modernHeaders("tools/call", "get_me"))).toEqual([400, -32_020]);
  expect(await refused(body, modernHeaders("tools/list", "list_workspaces"))).toEqual([400, -32_020]);
  expect(await refused(body, { "mcp-method": "tools/call" })).toEqual([400, -32_020]);
  expect(await refused(old("tools/list"), modernHeaders("tools/list"))).toEqual([400, -32_602]);
  expect(await refused(modern("ping"), modernHeaders("ping"))).toEqual([404, -32_601]);
  expect(await refused(modern("x/y"), modernHeaders("x/y"))).toEqual([404, -32_601]);
  const future = { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2030-01-01" };
  expect(
    await refused(old("tools/list", { _meta: future }), {
      ...modernHeaders("tools/list"),
      "mcp-protocol-version": "2030-01-01",
    }),
  ).toEqual([400, -32_022]);
  const missing = modern("tools/call", { name: "no_such_tool", arguments: {} });
  const answer = await send(w, missing, { token, headers: modernHeaders("tools/call", "no_such_tool") });
  expect([answer.status, answer.body.error.code]).toEqual([200, -32_602]);
  expect((await fetch(w.config.mcpUrl)).status).toBe(405);
});

test("toolsets and readonly restrict listing and calls, by address or header", async () => {
  await using w = await world();
  const { token } = await mintToolToken(w, (await w.acme()).owner);
  const names = async (over: Sent) =>
    (await send(w, old("tools/list"), over)).body.result.tools.map((tool: { name: string }) => tool.name);
  for (const group of ENDPOINT_GROUPS) {
    const tools = endpoints
      .filter((one) => one.group === group && one.notATool === undefined)
      .toSorted((a, b) => listRank(toToolName(a)) - listRank(toToolName(b)));
    const toolset = group.toLowerCase().replaceAll(" ", "-");
    const waits = group === "Analyses" ? ["await_collect"] : [];
    expect(await names({ path: `?toolsets=${toolset}` })).toEqual([...tools.map(toToolName), ...waits]);
    const reading = tools.filter((one) => one.method === "GET");
    expect(await names({ path: `?toolsets=${toolset}&readonly=1` })).toEqual([...reading.map(toToolName), ...waits]);
  }
  expect(await names({ path: "?toolsets=metrics,analyses" })).toContain("list_analyses");
  expect(await names({ headers: { "x-mcp-toolsets": "Workspaces, brand-catalog" } })).toEqual(
    await names({ path: "?toolsets=brand-catalog,workspaces" }),
  );
  expect(await names({ headers: { "x-mcp-readonly": "1" } })).toEqual(await names({ path: "?readonly=1" }));
  const unknown = await send(w, old("tools/list"), { path: "?toolsets=workspaces,nothing" });
  expect([unknown.status, unknown.body.error.message]).toEqual([
    400,
    expect.stringContaining(
      "Unknown toolset. Use one or more of these, separated by commas: auth, sso, organizations, members",
    ),
  ]);
  const outside = await send(w, old("tools/call", { name: "get_me" }), { path: "?toolsets=workspaces", token });
  expect(outside.body.error.code).toBe(-32_602);
});

test("readonly fails closed: writes need a clear value, and unknown names are rejected", async () => {
  // Attack: an operator writes ?readonly=true, and the assistant spends credits all the same.
  await using w = await world();
  const { token } = await mintToolToken(w, (await w.acme()).owner);
  const hasWrites = async (path: string, headers: Record<string, string> = {}) => {
    const { status, body } = await send(w, old("tools/list"), { path, headers });
    return status === 200 ? body.result.tools.some(({ name }: { name: string }) => name === "create_persona") : status;
  };
  for (const on of ["1", "true", "TRUE", "yes", "on", "", "2", "write", "00", "falsee", "0,1", "%30%20x"]) {
    expect([on, await hasWrites(`?readonly=${on}`)]).toEqual([on, false]);
    expect([on, await hasWrites("", { "x-mcp-readonly": decodeURIComponent(on) })]).toEqual([on, false]);
  }
  for (const off of ["0", "false", "F", "No", "n", "OFF", " 0 "]) {
    expect([off, await hasWrites(`?readonly=${encodeURIComponent(off)}`)]).toEqual([off, true]);
    expect([off, await hasWrites("", { "x-mcp-readonly": off })]).toEqual([off, true]);
  }
  expect(await hasWrites("?readonly")).toBe(false);
  expect(await hasWrites("?readonly=0&readonly=1")).toBe(false);
  expect(await hasWrites("?readonly=0", { "x-mcp-readonly": "true" })).toBe(false);
  expect(await hasWrites("?readonly=1", { "x-mcp-readonly": "0" })).toBe(false);
  expect(await hasWrites("?toolsets=all")).toBe(true);
  expect(await hasWrites("?toolsets=all&readonly=true")).toBe(false);
  for (const unknown of [
    "?read_only=1",
    "?READONLY=1",
    "?toolset=workspaces",
    "?toolsets=",
    "?x",
    "?toolsets=everything",
  ]) {
    expect([unknown, await hasWrites(unknown)]).toEqual([unknown, 400]);
  }
  const write = old("tools/call", { name: "create_persona", arguments: {} });
  const refused = await send(w, write, { path: "?readonly=true", token });
  expect(refused.body.error).toMatchObject({ code: -32_602, message: expect.stringContaining("Unknown tool") });
});

test("the list is the same text for every caller, may be cached publicly, and names its revision's cache fields", async () => {
  await using w = await world();
  const { token } = await mintToolToken(w, (await w.acme()).owner);
  const headers = modernHeaders("tools/list");
  const lists = [];
  for (const over of [{}, {}, { token }]) lists.push((await send(w, modern("tools/list"), { headers, ...over })).body);
  expect(lists[1]).toEqual(lists[0]);
  expect(lists[2]).toEqual(lists[0]);
  expect(lists[0].result).toMatchObject({ resultType: "complete", ttlMs: 300_000, cacheScope: "public" });
  expect((await send(w, old("tools/list"))).body.result).toEqual({ tools: lists[0].result.tools });
});

test("a browser at the address gets instructions for connecting; listening clients do not", async () => {
  // Fault: the address that a person copies from the README answered a browser with a JSON error.
  await using w = await world();
  const { mcpUrl } = w.config;
  const page = await fetch(mcpUrl, { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } });
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  const text = await page.text();
  const addresses = [
    `claude mcp add --transport http brand-visibility ${mcpUrl}<`,
    `${mcpUrl}?toolsets=essentials`,
    `${mcpUrl}/connect`,
    `${mcpUrl}/w/`,
  ];
  expect(addresses.filter((address) => !text.includes(address))).toEqual([]);
  const listening = await fetch(mcpUrl, { headers: { accept: "text/event-stream, text/html" } });
  expect(listening.headers.get("content-type")).toContain("json");
  await listening.body?.cancel();
});

test("each of several `toolsets` in the address counts", async () => {
  // Fault: of `?toolsets=a&toolsets=b` only one counted.
  await using w = await world();
  const { body } = await send(w, old("tools/list"), { path: "?toolsets=personas&toolsets=tags" });
  const names = body.result.tools.map((tool: { name: string }) => tool.name);
  expect(names).toEqual(expect.arrayContaining(["list_personas", "list_tags"]));
  expect(names).not.toContain("list_brands");
});
