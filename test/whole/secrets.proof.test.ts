import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { issueSsoCode } from "../../auth/sso/sso-codes.ts";
import { Browser } from "../../examples/browser.ts";
import { createOAuthClient as oauthClient, givePassword, PASSWORD } from "../support/assistant.ts";
import { startAssistant as provider } from "../collecting/provider.ts";
import { PARTNER_TOKEN, startPartner } from "../partner/partner-process.ts";
import { WITH_WORKER, world, type Person } from "../support/world.ts";
import { recordTraffic, type RecordedExchange } from "./traffic.ts";
import { PLATFORM_KINDS } from "../../core/platforms/platforms.ts";
import { insertConnection } from "../platforms/insert-connection.ts";
import { providerProof } from "../sign-in/address-proof.ts";

// Searches for every secret of a run in the log at its most verbose level, the database, other
// files, error responses and addresses.

/** A secret and its kind. A one-time secret may appear in the address that carries it. */
interface Secret {
  what: string;
  value: string;
  isLink?: true;
}

/** A searched text and where it was found. */
interface Place {
  kind: "log" | "file" | "refusal" | "address";
  name: string;
  bytes: Buffer;
}

const PROVIDER_KEY = `sk-${randomBytes(24).toString("hex")}`;
/** A sign-in that a program began. */
const NO_BROWSER = { browserHash: null, forProgram: true, loopbackUri: null };
const CLIENT_SECRET = `idp-${randomBytes(24).toString("hex")}`;

async function run(dataDir: string) {
  const secrets: Secret[] = [
    { what: "password", value: PASSWORD },
    { what: "provider key", value: PROVIDER_KEY },
    { what: "identity provider's client secret", value: CLIENT_SECRET },
    { what: "partner token", value: PARTNER_TOKEN },
  ];
  const lines: string[] = [];
  using traffic = recordTraffic();
  await using partner = await startPartner();
  // A provider that repeats the key in its error, as real ones do.
  await using model = await provider(() => ({
    status: 401,
    body: { error: { message: `Incorrect key: ${PROVIDER_KEY}` } },
  }));
  const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
  const w = await world({
    dataDir,
    log,
    env: { ...WITH_WORKER, ...model.env, OPENAI_API_KEY: PROVIDER_KEY, PARTNER_BASE_URL: partner.address },
  });
  const { owner, organization, workspace } = await w.acme();
  const keep = (what: string, value: unknown, isLink?: true) => {
    if (typeof value !== "string" || value.length < 16) throw new Error(`The run made no ${what}.`);
    // Only a token's signature is secret.
    secrets.push({ what, value: value.split(".").at(-1) ?? value, ...(isLink ? { isLink } : {}) });
    return value;
  };
  keep("API key", owner.apiKey);
  keep("access token", owner.accessToken);
  await keysAndTokens(w, owner, keep);
  await administration(w, { owner, organization, workspace, keep });
  await collecting(owner, { workspace, model });
  const { browser } = await assistants(w, owner, keep);
  // Ids of a step, its resumption and the last workspace appear in addresses; they grant no access.
  const proving = browser.cookies.filter(({ name }) => !/^bva_(oauth_(step|resume)|workspace)$/.test(name));
  for (const { name, value } of proving) keep(`cookie ${name}`, value);
  await refusals(w, owner, secrets);
  for (const key of (await readFile(join(dataDir, "master.key"), "utf8")).split(/\s+/).filter(Boolean)) {
    keep("master key", key);
  }
  await w.deps.audit.flush();
  // Reads files while the service runs, including the write-ahead log, and after it has stopped.
  const places = await filesIn(dataDir, "running");
  await w[Symbol.asyncDispose]();
  places.push(...(await filesIn(dataDir, "stopped")));
  places.push({ kind: "log", name: `${lines.length} lines`, bytes: Buffer.from(lines.join("")) });
  const { host } = new URL(w.config.baseUrl);
  places.push(...traffic.exchanged.flatMap((one) => placesOf(one, host)));
  return { secrets, places };
}

type World = Awaited<ReturnType<typeof world>>;
type Keep = (what: string, value: unknown, isLink?: true) => string;

async function keysAndTokens(w: World, owner: Person, keep: Keep): Promise<void> {
  const idempotent = { "idempotency-key": "the-same-again" };
  const made = await owner.post("/v1/api-keys", { name: "Second" }, idempotent);
  const key = keep("second API key", made.body.api_key);
  await owner.post("/v1/api-keys", { name: "Second" }, idempotent);
  const rotated = await owner.post(`/v1/api-keys/${made.body.id}/rotate`, {});
  const newest = keep("rotated API key", rotated.body.api_key);
  const pair = await w.request("POST", "/v1/auth/token", { body: { api_key: newest } });
  keep("access token", pair.body.access_token);
  const refreshToken = keep("refresh token", pair.body.refresh_token);
  const next = await w.request("POST", "/v1/auth/refresh", { body: { refresh_token: refreshToken } });
  keep("second access token", next.body.access_token);
  const last = keep("second refresh token", next.body.refresh_token);
  await w.request("POST", "/v1/auth/revoke", { body: { refresh_token: last } });
  await w.request("POST", "/v1/auth/refresh", { body: { refresh_token: last } });
  await w.request("POST", "/v1/auth/token", { body: { api_key: `${key}x` } });
}

async function administration(
  w: World,
  s: { owner: Person; organization: { id: string; path: string }; workspace: { path: string }; keep: Keep },
): Promise<void> {
  const { owner, organization, workspace, keep } = s;
  const scim = await owner.post(
    `${organization.path}/scim-tokens`,
    { name: "Directory" },
    { "idempotency-key": "scim" },
  );
  keep("SCIM token", scim.body.token);
  await w.request("GET", "/scim/v2/Users", { headers: { authorization: `Bearer ${scim.body.token}` } });
  const invited = await owner.post(`${organization.path}/invitations`, { email: "ana@acme.test", role: "viewer" });
  keep("invitation", new URL(invited.body.link).searchParams.get("link"), true);
  const joining = await new Browser().get(invited.body.link);
  await new Browser().submit(joining, { action: /\/join$/, fill: { name: "Ana", password: PASSWORD } });
  keep("set-up link", new URL(w.setupLink ?? "").searchParams.get("link"), true);
  await new Browser().get(w.setupLink ?? "");
  const workspaceId = workspace.path.split("/").at(-1) ?? "";
  const connection = { organizationId: organization.id, workspaceId, userId: owner.id, platform: PLATFORM_KINDS[0] };
  await insertConnection(w, connection, {
    accessToken: keep("platform's access token", `platform-access-${crypto.randomUUID()}`),
    refreshToken: keep("platform's refresh token", `platform-refresh-${crypto.randomUUID()}`),
  });
  await owner.get(`${workspace.path}/platform-integrations`);
  const configured = await owner.request("PUT", `${organization.path}/sso`, {
    body: { protocol: "oidc", issuer: "https://idp.acme.test", client_id: "visibility", client_secret: CLIENT_SECRET },
  });
  expect(configured.status).toBe(200);
  const signIn = {
    userId: owner.id,
    organizationId: organization.id,
    authenticatedAt: null,
    proofId: await providerProof(w, owner.id, organization.id),
    initiatedBy: "sp",
    relayPath: "/",
    ...NO_BROWSER,
  } as const;
  const code = keep("single sign-on code", await w.store.write((db) => issueSsoCode(db, signIn, w.deps.now())), true);
  const exchanged = await w.request("POST", "/v1/auth/sso/exchange", { body: { code } });
  keep("single sign-on token", exchanged.body.token);
  await w.request("POST", "/v1/auth/sso/exchange", { body: { code } });
  const connected = await owner.request("PUT", `${workspace.path}/platform-integrations/partner`, {
    body: { api_token: PARTNER_TOKEN, partner_workspace_id: "demo", recipients: ["writer@example.com"] },
  });
  expect(connected.status).toBe(200);
}

/** Asks the provider, which refuses. */
async function collecting(
  owner: Person,
  { workspace, model }: { workspace: { path: string }; model: Awaited<ReturnType<typeof provider>> },
): Promise<void> {
  const brand = await owner.post(`${workspace.path}/brands`, { name: "Acme", relationship: "mine" });
  const priced = await owner.post(`${workspace.path}/search-analyses/price`, {
    name: "Phones",
    website: "https://acme.test",
    brand_id: brand.body.id,
    sources: ["ASSISTANT_A"],
    thematics: [{ name: "Phones", topics: [{ name: "Price", keywords: [{ text: "best phone" }] }] }],
  });
  await owner.post(`${workspace.path}/search-analyses`, { quote_id: priced.body.quote_id, confirmed: true });
  await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(model.requests[0]?.headers.authorization).toBe(`Bearer ${PROVIDER_KEY}`);
}

/** An assistant's whole sign-in through the pages, its tools, and its refresh. */
async function assistants(w: World, owner: Person, keep: Keep) {
  await givePassword(w, owner.id);
  const probe = await oauthClient(w);
  const browser = new Browser((url) => url.href.startsWith(probe.redirectUri));
  const page = await browser.get(`${w.config.baseUrl}/sign-in`);
  await browser.submit(page, { action: /\/sign-in$/, fill: { email: owner.email, password: `${PASSWORD}x` } });
  await browser.submit(page, { action: /\/sign-in$/, fill: { email: owner.email, password: PASSWORD } });
  const connected = await probe.connect({ browser });
  keep("authorization code", connected.code, true);
  keep("code verifier", probe.verifier);
  const token = keep("tool access token", connected.body.access_token);
  const refreshToken = keep("tool refresh token", connected.body.refresh_token);
  const next = await probe.refresh(refreshToken);
  keep("second tool refresh token", next.body.refresh_token);
  await probe.redeem(connected.code);
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_me", arguments: {} } };
  const headers = { authorization: `Bearer ${token}`, accept: "application/json, text/event-stream" };
  await w.request("POST", w.config.mcpUrl, { headers, body: call });
  await w.request("POST", w.config.mcpUrl, { headers, body: { ...call, params: { name: "nothing" } } });
  const keys = await browser.get(`${w.config.baseUrl}/api-keys`);
  expect(keys.status).toBe(200);
  return { browser };
}

/** Every secret in every place that is wrong for it. */
async function refusals(w: World, owner: Person, secrets: readonly Secret[]): Promise<void> {
  for (const { value } of secrets) {
    const bearer = { authorization: `Bearer ${value.replaceAll(" ", "")}` };
    const wrong = [
      await w.request("GET", "/v1/auth/me", { headers: bearer }),
      await w.request("POST", w.config.mcpUrl, {
        headers: bearer,
        body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
      }),
      await w.request("POST", "/v1/auth/refresh", { body: { refresh_token: value, [value]: value } }),
      await w.request("POST", "/v1/auth/token", { body: `{"api_key": "${value}` }),
      await w.request("POST", "/v1/auth/sso/exchange", { body: { code: [value] } }),
      await w.request("POST", "/oauth/token", {
        body: new URLSearchParams({ grant_type: value, client_id: value, code: value }),
      }),
      await owner.post("/v1/api-keys", { name: value, expires_at: value, scope: value }),
      await w.request("GET", "/v1/auth/me", { headers: { authorization: `Basic ${value}`, "idempotency-key": value } }),
    ];
    expect(wrong.map(({ status }) => status).filter((status) => status < 400)).toEqual([]);
  }
}

/** A requested address of any host, and the service's error response. */
function placesOf({ url, location, status, text }: RecordedExchange, ourHost: string): Place[] {
  const isRefusal = status >= 400 && new URL(url).host === ourHost;
  const address = { kind: "address" as const, name: new URL(url).pathname };
  return [
    { ...address, bytes: Buffer.from(`${url} ${location}`) },
    ...(isRefusal ? [{ kind: "refusal" as const, name: `${status} ${address.name}`, bytes: Buffer.from(text) }] : []),
  ];
}

/** Every file of the data folder except master.key, the only secret stored in plain text. */
async function filesIn(dataDir: string, when: string): Promise<Place[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== "master.key");
  return Promise.all(
    files.map(async ({ parentPath, name }) => ({
      kind: "file" as const,
      name: `${name}, ${when}`,
      bytes: await readFile(join(parentPath, name)),
    })),
  );
}

/** Encodings in which a text may be stored. */
function formsOf(value: string): Buffer[] {
  const raw = Buffer.from(value);
  const forms = [value, encodeURIComponent(value), raw.toString("hex"), raw.toString("base64url").slice(0, -2)];
  return [...new Set(forms)].map((form) => Buffer.from(form));
}

function leaks(secrets: readonly Secret[], places: readonly Place[]): string[] {
  return secrets.flatMap(({ what, value, isLink }) => {
    const forms = formsOf(value);
    return places
      .filter(({ kind }) => !(isLink && kind === "address"))
      .filter(({ bytes }) => forms.some((form) => bytes.includes(form)))
      .map(({ kind, name }) => `${what} in ${kind} ${name}`);
  });
}

test("after a whole run no secret is in the log, in the database, on disk, in a refusal or in an address", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "secrets-"));
  try {
    const { secrets, places } = await run(dataDir);
    process.stdout.write(`searched for ${secrets.length} secrets in ${places.length} places\n`);
    expect([...new Set(leaks(secrets, places))]).toEqual([]);
    expect(secrets.length).toBeGreaterThan(20);
    // Self-check: each kind of place holds a known non-secret text, and planted secrets are found.
    const has = (kind: Place["kind"], text: string) =>
      places.some((place) => place.kind === kind && place.bytes.includes(text));
    expect([has("log", "/v1/auth/token"), has("file", "owner@acme.test"), has("refusal", "UNAUTHENTICATED")]).toEqual([
      true,
      true,
      true,
    ]);
    const lines: string[] = [];
    const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
    log.trace({ sent: { password: PASSWORD } }, "planted");
    await writeFile(join(dataDir, "planted"), Buffer.from(PROVIDER_KEY).toString("hex"));
    const planted: Place[] = [
      { kind: "log", name: "planted", bytes: Buffer.from(lines.join("")) },
      ...(await filesIn(dataDir, "planted")),
      ...placesOf(
        {
          url: `http://localhost/x?key=${PARTNER_TOKEN}`,
          status: 400,
          location: "",
          cookies: [],
          text: CLIENT_SECRET,
        },
        "localhost",
      ),
    ];
    expect(leaks(secrets, planted)).toEqual([
      "password in log planted",
      "provider key in file planted, planted",
      "identity provider's client secret in refusal 400 /x",
      "partner token in address /x",
    ]);
  } finally {
    await rm(dataDir, { recursive: true });
  }
}, 120_000);
