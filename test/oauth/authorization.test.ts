import { decodeJwt } from "jose";
import { afterEach, expect, test, vi } from "vitest";
import { sweepExpired } from "../../auth/sweep.ts";
import { readConfig } from "../../src/config/config.ts";
import { SCOPES } from "../../core/identity/roles.ts";
import {
  createOAuthClient,
  REDIRECT,
  registerClient,
  sceneWithPassword,
  signedInBrowser,
  requestToken,
} from "../support/assistant.ts";
import { Browser } from "../../examples/browser.ts";
import { world } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";
import { findCallerOf } from "../support/tool-token.ts";

const DAY_MS = 86_400_000;

afterEach(() => {
  vi.useRealTimers();
});

/** Moves every clock of this process, the library's included. */
function setClock(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: ms });
}

async function accepts(w: Awaited<ReturnType<typeof world>>, accessToken: string): Promise<boolean> {
  return findCallerOf(w.deps.toolTokens, w.store, accessToken, w.deps.now()).then(
    () => true,
    () => false,
  );
}

test("an assistant without a key gets a token by its person's sign-in and consent only", async () => {
  await using w = await world();
  const { owner } = await sceneWithPassword(w);
  const probe = await createOAuthClient(w);
  const browser = new Browser((url) => url.href.startsWith(REDIRECT));
  const over = { scope: "read analyses:create", state: "s-1" };
  const { status, body, end } = await probe.connect({ browser, over });
  expect(end.seen).toEqual(["sign-in", "consent"]);
  expect(Object.fromEntries(end.url.searchParams)).toEqual({
    code: expect.any(String),
    state: "s-1",
    iss: w.config.baseUrl,
  });
  expect([status, body]).toEqual([
    200,
    {
      access_token: expect.any(String),
      expires_in: 900,
      refresh_token: expect.any(String),
      scope: "read analyses:create",
      token_type: "Bearer",
    },
  ]);
  expect(await findCallerOf(w.deps.toolTokens, w.store, body.access_token, w.deps.now())).toEqual({
    userId: owner.id,
    door: "mcp",
    clientId: probe.clientId,
    scopes: new Set(["read", "analyses:create"]),
    reach: null,
    proof: { id: expect.any(String), way: "local", organizationId: null, endedAt: null },
    signedInAt: null,
  });
});

test("an assistant that is used stays signed in for a year and no longer; 30 days of disuse end it", async () => {
  await using w = await world();
  await sceneWithPassword(w);
  const [busy, idle] = [await createOAuthClient(w), await createOAuthClient(w)];
  const start = Date.now();
  const outcomes: number[] = [];
  let { body } = await busy.connect();
  const unused = (await idle.connect()).body;
  for (let day = 29; day <= 377; day += 29) {
    setClock(start + day * DAY_MS);
    const answer = await busy.refresh(body.refresh_token);
    outcomes.push(answer.status);
    if (answer.status === 200) ({ body } = answer);
    if (day === 58) outcomes.push((await idle.refresh(unused.refresh_token)).status);
  }
  expect(outcomes).toEqual([200, 200, 400, ...Array.from({ length: 10 }, () => 200), 400]);
});

test("refresh tokens come without offline_access, which is named nowhere", async () => {
  await using w = await world();
  await sceneWithPassword(w);
  const documents = [
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-protected-resource/mcp/connect",
  ];
  for (const path of documents) {
    const answer = await w.request("GET", path);
    expect([path, answer.status, JSON.stringify(answer.body).includes("offline_access")]).toEqual([path, 200, false]);
  }
  const probe = await createOAuthClient(w);
  const asked = await probe.connect({ over: { scope: "read offline_access", prompt: "consent" } });
  expect(asked.body).toMatchObject({ scope: "read", refresh_token: expect.any(String) });
});

test("the metadata names the issuer, both resources and only scopes that a tool needs", async () => {
  await using w = await world();
  const { baseUrl, mcpUrl } = w.config;
  const resource = (address: string) => ({
    resource: address,
    authorization_servers: [baseUrl],
    scopes_supported: ["read", "analyses:create", "personas:create", "evaluations:manage"],
    bearer_methods_supported: ["header"],
    resource_name: "Brand Visibility",
  });
  const at = async (path: string) => (await w.request("GET", path)).body;
  expect(await at("/.well-known/oauth-protected-resource/mcp")).toEqual(resource(mcpUrl));
  expect(await at("/.well-known/oauth-protected-resource")).toEqual(resource(mcpUrl));
  expect(await at("/.well-known/oauth-protected-resource/mcp/connect")).toEqual(resource(`${mcpUrl}/connect`));
  expect(await at("/.well-known/oauth-authorization-server")).toMatchObject({
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    registration_endpoint: `${baseUrl}/oauth/register`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    jwks_uri: `${baseUrl}/oauth/jwks`,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
  const { keys } = await at("/oauth/jwks");
  expect(Object.keys(keys[0]).toSorted()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
});

test("rejects a public address with a path at start, since clients could not find the issuer", () => {
  expect(() => readConfig({ BASE_URL: "https://visibility.test/app" })).toThrow("BASE_URL: must have no path");
});

test.each([
  ["no scope", undefined, ["analyses:create", "personas:create", "read"]],
  ["an empty scope", "", ["analyses:create", "personas:create", "read"]],
  ["an unknown scope", "profile", ["analyses:create", "personas:create", "read"]],
  ["an identity alone", "openid", ["analyses:create", "personas:create", "read"]],
  ["a writing scope alone", "analyses:create", ["analyses:create", "read"]],
  ["an identity and reading", "openid read", ["read"]],
])(
  "a request with %s includes reading, and without a known scope all that stay ticked",
  async (_what, scope, given) => {
    await using w = await world();
    await sceneWithPassword(w);
    const probe = await createOAuthClient(w);
    const { body, status } = await probe.connect({ over: { scope }, untick: ["evaluations:manage"] });
    expect([status, body.scope.split(" ").toSorted()]).toEqual([200, given]);
  },
);

test("each resource's token names it; a client that names none gets the tool server's", async () => {
  await using w = await world();
  await sceneWithPassword(w);
  const { mcpUrl } = w.config;
  const audiences = [];
  for (const resource of [mcpUrl, `${mcpUrl}/connect`, `${mcpUrl}/`, `${mcpUrl}?toolsets=essentials`]) {
    const { body } = await (await createOAuthClient(w)).connect({ over: { resource } });
    audiences.push(decodeJwt(body.access_token).aud);
    expect(await accepts(w, body.access_token)).toBe(true);
  }
  const probe = await createOAuthClient(w);
  const code = (await probe.ask({ over: { resource: undefined } })).url.searchParams.get("code") ?? "";
  audiences.push(decodeJwt((await probe.redeem(code, { resource: undefined })).body.access_token).aud);
  expect(audiences).toEqual([mcpUrl, `${mcpUrl}/connect`, mcpUrl, mcpUrl, mcpUrl]);
  const foreign = await probe.ask({ over: { resource: "https://rival.test/mcp" } });
  expect(foreign.url.searchParams.get("error")).toBe("invalid_target");
});

test.each(["select_account", "select_account consent", "login select_account"])(
  "prompt=%s shows the sign-in page to a person who is signed in",
  async (prompt) => {
    // The authorization server stamps requests with the real time, and the person signed in before.
    let behindMs = 60_000;
    await using w = await world({ now: () => new Date(Date.now() - behindMs).toISOString() });
    await sceneWithPassword(w);
    const browser = await signedInBrowser(w, "owner@acme.test", (url) => url.href.startsWith(REDIRECT));
    behindMs = 0;
    const { body, status, end } = await (await createOAuthClient(w)).connect({ browser, over: { prompt } });
    expect([status, body.scope, end.seen]).toEqual([200, "read", ["sign-in", "consent"]]);
  },
);

const basic = (id: string, secret = "") => ({
  headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` },
});

test("a public client may send its id in a Basic header with an empty secret; one with a secret may not", async () => {
  await using w = await world();
  await sceneWithPassword(w);
  const exchange = async (
    probe: Awaited<ReturnType<typeof createOAuthClient>>,
    over: Record<string, string>,
    init: ReturnType<typeof basic>,
  ) => {
    const { url } = await probe.ask();
    const fields = {
      grant_type: "authorization_code",
      code: url.searchParams.get("code") ?? "",
      redirect_uri: probe.redirectUri,
      code_verifier: probe.verifier,
      ...over,
    };
    const answer = await w.request("POST", "/oauth/token", { ...init, body: new URLSearchParams(fields) });
    return [answer.status, answer.body.error ?? answer.body.scope];
  };
  const probe = await createOAuthClient(w);
  const { clientId } = probe;
  const secretive = await createOAuthClient(w, { token_endpoint_auth_method: "client_secret_basic" });
  const secret = String(secretive.registered.body.client_secret);
  expect({
    "id in both": await exchange(probe, { client_id: clientId }, basic(clientId)),
    "id in the header": await exchange(probe, {}, basic(encodeURIComponent(clientId))),
    "another id in the form": await exchange(probe, { client_id: secretive.clientId }, basic(clientId)),
    "a secret that it has not": await exchange(probe, { client_id: clientId }, basic(clientId, "guess")),
    "no secret of a client that has one": await exchange(secretive, {}, basic(secretive.clientId)),
    "the secret": await exchange(secretive, {}, basic(secretive.clientId, secret)),
  }).toEqual({
    "id in both": [200, "read"],
    "id in the header": [200, "read"],
    "another id in the form": [400, "invalid_request"],
    "a secret that it has not": [401, "invalid_client"],
    "no secret of a client that has one": [401, "invalid_client"],
    "the secret": [200, "read"],
  });
});

test("unticked scopes are not granted, and requested again when needed", async () => {
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w, { redirect_uris: ["https://assistant.test/callback"] });
  const browser = await signedInBrowser(w, "owner@acme.test", (url) => url.host === "assistant.test");
  const scope = Object.keys(SCOPES).join(" ");
  const first = await probe.connect({ browser, over: { scope }, untick: ["analyses:create", "evaluations:manage"] });
  expect(first.body.scope).toBe("read personas:create");
  const same = await probe.connect({ browser, over: { scope: "read personas:create" } });
  expect([same.end.seen, same.body.scope]).toEqual([[], "read personas:create"]);
  const more = await probe.connect({ browser, over: { scope: "read analyses:create" } });
  expect([more.end.seen, more.body.scope]).toEqual([["consent"], "read analyses:create"]);
});

test("declining leaves nothing behind, and the client gets an error", async () => {
  await using w = await world();
  await sceneWithPassword(w);
  const { url } = await (await createOAuthClient(w)).ask({ decision: "deny" });
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    error: "access_denied",
    state: "st",
    iss: w.config.baseUrl,
  });
  const { q, t } = openCommitted(w.store);
  const models = await q.selectDistinct({ model: t.oauthRecords.model }).from(t.oauthRecords);
  expect(models.map(({ model }) => model).toSorted()).toEqual(["Client", "Session"]);
});

test("secrets of the authorization server are not in the database", async () => {
  // Attack: reading tokens and client secrets out of a stolen database file.
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w, { token_endpoint_auth_method: "client_secret_post" });
  const secret = probe.registered.body.client_secret as string;
  const browser = new Browser((url) => url.href.startsWith(REDIRECT));
  const code = (await probe.ask({ browser })).url.searchParams.get("code") ?? "";
  const { status, body } = await probe.redeem(code, { client_secret: secret });
  expect(status).toBe(200);
  expect(await probe.redeem(code, { client_secret: "wrong" })).toMatchObject({ status: 401 });
  const { q, t } = openCommitted(w.store);
  const stored = JSON.stringify([await q.select().from(t.oauthRecords), await q.select().from(t.webSessions)]);
  const cookies = browser.cookies.filter(({ name }) => /session|^bva_oauth$/.test(name)).map(({ value }) => value);
  expect(cookies).toHaveLength(2);
  for (const value of [secret, code, body.refresh_token, body.access_token, ...cookies]) {
    expect(stored.includes(value)).toBe(false);
  }
});

test("a revoked refresh token takes its grant and access tokens with it", async () => {
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w);
  const { body } = await probe.connect();
  const form = new URLSearchParams({ token: body.refresh_token, client_id: probe.clientId });
  expect(await w.request("POST", "/oauth/revoke", { body: form })).toMatchObject({ status: 200 });
  expect(await accepts(w, body.access_token)).toBe(false);
});

test("deletes unused registrations after 30 days, and never one with a grant", async () => {
  await using w = await world();
  await sceneWithPassword(w);
  const [used, unused] = [await createOAuthClient(w), await createOAuthClient(w)];
  await used.connect();
  const start = Date.now();
  const known = async () => {
    const { q, t } = openCommitted(w.store);
    const rows = await q.select({ model: t.oauthRecords.model, id: t.oauthRecords.id }).from(t.oauthRecords);
    return {
      clients: rows.filter(({ model }) => model === "Client").map(({ id }) => id),
      others: rows.filter(({ model }) => model !== "Client").length,
    };
  };
  setClock(start + 29 * DAY_MS);
  await sweepExpired(w.store, w.deps.now());
  expect((await known()).clients.toSorted()).toEqual([used.clientId, unused.clientId].toSorted());
  setClock(start + 900 * DAY_MS);
  await sweepExpired(w.store, w.deps.now());
  expect(await known()).toEqual({ clients: [used.clientId], others: 0 });
  expect((await used.connect()).status).toBe(200);
});

test("keeps rows for 15 seconds of clock difference", async () => {
  let now = "2026-11-21T08:00:00.000Z";
  await using w = await world({ now: () => now });
  await w.store.write(async ({ q, t }) => {
    const row = { model: "Interaction", id: "x", payload: {}, createdAt: now, expiresAt: "2026-11-21T09:00:00.000Z" };
    await q.insert(t.oauthRecords).values(row);
  });
  const left = async () => (await openCommitted(w.store).q.select().from(openCommitted(w.store).t.oauthRecords)).length;
  now = "2026-11-21T09:00:15.000Z";
  await sweepExpired(w.store, now);
  expect(await left()).toBe(1);
  now = "2026-11-21T09:00:15.001Z";
  await sweepExpired(w.store, now);
  expect(await left()).toBe(0);
});

test("browser clients may register and exchange from any origin", async () => {
  await using w = await world();
  const origin = "https://inspector.test";
  const preflight = (path: string) =>
    w.request("OPTIONS", path, {
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,mcp-protocol-version",
      },
    });
  for (const path of ["/oauth/register", "/oauth/token", "/.well-known/oauth-protected-resource/mcp"]) {
    const { status, headers } = await preflight(path);
    expect([path, status]).toEqual([path, 204]);
    expect(["*", origin]).toContain(headers.get("access-control-allow-origin"));
    expect(headers.get("access-control-allow-headers")).toContain("mcp-protocol-version");
  }
  const registered = await w.request("POST", "/oauth/register", {
    headers: { origin },
    body: { redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" },
  });
  expect([registered.status, registered.headers.get("access-control-allow-origin")]).toEqual([201, "*"]);
});

test("limits registrations per address", async () => {
  // Attack: filling the store with registrations.
  await using w = await world();
  const statuses = [];
  for (let call = 0; call < 61; call++) statuses.push((await registerClient(w, { redirect_uris: [REDIRECT] })).status);
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 201), 429]);
});

test("rejects an unreadable token request with an OAuth error", async () => {
  await using w = await world();
  const probe = await createOAuthClient(w);
  const answers = [
    await requestToken(w, {}),
    await requestToken(w, { grant_type: "password", client_id: probe.clientId }),
    await requestToken(w, { grant_type: "client_credentials", client_id: probe.clientId }),
    await requestToken(w, { grant_type: "authorization_code", client_id: "nobody", code: "x" }),
    await probe.redeem("x\0y"),
    await probe.refresh("x".repeat(10_000)),
    await w.request("POST", "/oauth/token", { body: "{", headers: { "content-type": "application/json" } }),
    await w.request("POST", "/oauth/register", { body: "{", headers: { "content-type": "application/json" } }),
    await w.request("POST", "/oauth/register", { body: { redirect_uris: ["x".repeat(5_000_000)] } }),
    await w.request("POST", "/oauth/register", { body: [] }),
  ];
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
    [400, "invalid_request"],
    [400, "unsupported_grant_type"],
    [400, "unsupported_grant_type"],
    [401, "invalid_client"],
    [400, "invalid_grant"],
    [400, "invalid_grant"],
    [400, "invalid_request"],
    [400, "invalid_request"],
    [413, "invalid_request"],
    [400, "invalid_request"],
  ]);
});
