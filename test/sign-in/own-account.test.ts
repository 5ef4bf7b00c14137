import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { runAccountCommand } from "../../src/cli/account-command.ts";
import { Browser } from "../../examples/browser.ts";
import { detectBrowserName } from "../../src/http/sign-in/browser-name.ts";
import { createOAuthClient, PASSWORD, sceneWithPassword, signedInBrowser } from "../support/assistant.ts";
import { world, type Person } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";
import { findCallerOf } from "../support/tool-token.ts";

type World = Awaited<ReturnType<typeof world>>;
const OWNER = "owner@acme.test";
const NEW_PASSWORD = "another horse battery";

async function signIn(w: World, password: string, browser = new Browser()) {
  const page = await browser.get(`${w.config.baseUrl}/sign-in`);
  const end = await browser.submit(page, { action: /^\/sign-in$/, fill: { email: OWNER, password } });
  return { browser, signedIn: end.url.pathname === "/" };
}

const isIn = async (w: World, browser: Browser) =>
  (await browser.get(`${w.config.baseUrl}/account`)).url.pathname === "/account";

const sessionsOf = async (person: Person) => (await person.get("/v1/me/sessions")).body.data;

test("lets people change their own name, and no one else's", async () => {
  await using w = await world();
  const { owner } = await w.acme();
  const browser = await signedInBrowser(w, OWNER);
  const page = await browser.get(`${w.config.baseUrl}/account`);
  const saved = await browser.submit(page, { action: /\/rename$/, fill: { name: "Ada Lovelace" } });
  expect([saved.status, saved.text.includes("Saved.")]).toEqual([200, true]);
  expect((await owner.get("/v1/auth/me")).body.name).toBe("Ada Lovelace");
  const wrong = await browser.submit(saved, { action: /\/rename$/, fill: { name: "two\nlines" } });
  expect([wrong.status, wrong.text.includes('role="alert"')]).toEqual([400, true]);
  expect(await owner.patch("/v1/auth/me", { name: "Ada" })).toMatchObject({
    status: 200,
    body: { id: owner.id, email: OWNER, name: "Ada" },
  });
});

test("a name that an organization manages is not the person's to change", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  await w.store.write(async ({ q, t }) => {
    await q.update(t.users).set({ managedByOrganizationId: organization.id }).where(eq(t.users.id, owner.id));
  });
  expect(await owner.patch("/v1/auth/me", { name: "Ada" })).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
  const page = await (await signedInBrowser(w, OWNER)).get(`${w.config.baseUrl}/account`);
  expect([page.text.includes('action="/account/rename"'), page.text.includes("manages this account")]).toEqual([
    false,
    true,
  ]);
  const reset = await runAccountCommand(w.store, ["reset", OWNER], w.config);
  expect([reset.ok, reset.text]).toEqual([
    false,
    expect.stringContaining(
      "An organization manages this account: it signs in through the organization's identity provider.",
    ),
  ]);
});

test("lists a person's signed-in browsers and signs out one of them", async () => {
  await using w = await world();
  const { owner } = await sceneWithPassword(w);
  const here = (await signIn(w, PASSWORD)).browser;
  const there = await signedInBrowser(w, OWNER);
  expect((await w.signIn("mallory@rival.test").then(sessionsOf)).length).toBe(0);
  expect(await sessionsOf(owner)).toEqual([
    expect.objectContaining({ browser: null, signed_in_through: null }),
    expect.objectContaining({ browser: null, signed_in_through: null, created_at: expect.any(String) }),
  ]);
  const page = await here.get(`${w.config.baseUrl}/account`);
  expect(page.text.match(/This browser/g)).toHaveLength(1);
  expect([await isIn(w, here), await isIn(w, there)]).toEqual([true, true]);
  await expect
    .poll(async () => (await sessionsOf(owner))[0].last_used_at, { timeout: 4000 })
    .toEqual(expect.any(String));
  const ended = await here.submit(page, { action: /\/end$/ });
  expect(ended.text).toContain("That browser is signed out.");
  expect([await isIn(w, here), await isIn(w, there)]).toEqual([true, false]);
  const [left] = await sessionsOf(owner);
  const mallory = await w.signIn("mallory@rival.test");
  expect((await mallory.delete(`/v1/me/sessions/${left.id}`)).status).toBe(404);
  expect((await owner.delete(`/v1/me/sessions/${left.id}`)).body).toEqual({ ended: true });
  expect(await isIn(w, here)).toBe(false);
});

test("names browsers by their user agent", () => {
  const agents = {
    "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0": "Firefox on Linux",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36":
      "Chrome on Windows",
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36 Edg/142.0":
      "Edge on Windows",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15":
      "Safari on macOS",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/142.0 Mobile Safari/604.1":
      "Chrome on iPhone",
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36":
      "Samsung Internet on Android",
    node: null,
    "<script>alert(1)</script> Linux": "Linux",
  };
  expect(Object.keys(agents).map(detectBrowserName)).toEqual(Object.values(agents));
  expect(detectBrowserName(undefined)).toBeNull();
});

test("ends all other browsers and assistants on a password change, invalidates the old password and keeps keys", async () => {
  // Attack: staying signed in with a stolen password or session after its owner changed it.
  await using w = await world();
  const { owner } = await sceneWithPassword(w);
  const [here, thief] = [await signedInBrowser(w, OWNER), await signedInBrowser(w, OWNER)];
  const probe = await createOAuthClient(w);
  const connected = (await probe.connect()).body;
  const page = await here.get(`${w.config.baseUrl}/account`);
  const before = new Set(here.cookies.map(({ value }) => value));
  const change = (present: string, password: string) =>
    here.submit(page, { action: /\/password$/, fill: { present, password } });
  const wrong = await change("not the password", NEW_PASSWORD);
  expect([wrong.status, wrong.text.includes("The current password is wrong.")]).toEqual([400, true]);
  const short = await change(PASSWORD, "short");
  expect([short.status, short.text.includes("must have 12 to 1024 characters")]).toEqual([400, true]);
  expect(await isIn(w, thief)).toBe(true);
  const changed = await change(PASSWORD, NEW_PASSWORD);
  expect([
    changed.status,
    changed.text.includes("Password changed. Your other browsers are signed out and all assistants are disconnected."),
  ]).toEqual([200, true]);
  expect([await isIn(w, here), await isIn(w, thief)]).toEqual([true, false]);
  expect(here.cookies.some(({ name, value }) => name === "bva_session" && before.has(value))).toBe(false);
  expect((await probe.refresh(connected.refresh_token)).status).toBe(400);
  expect((await owner.get("/v1/auth/me")).status).toBe(200);
  expect([(await signIn(w, PASSWORD)).signedIn, (await signIn(w, NEW_PASSWORD)).signedIn]).toEqual([false, true]);
  const [user] = await openCommitted(w.store)
    .q.select()
    .from(openCommitted(w.store).t.users)
    .where(eq(openCommitted(w.store).t.users.id, owner.id));
  expect(user?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=65536,/);
});

test("the present password cannot be guessed on the account page", async () => {
  // Attack: trying passwords from a browser that somebody left signed in.
  await using w = await world();
  await sceneWithPassword(w);
  const browser = await signedInBrowser(w, OWNER);
  const page = await browser.get(`${w.config.baseUrl}/account`);
  const statuses = new Set<number>();
  for (let attempt = 0; attempt < 25; attempt++) {
    const fill = { present: "x".repeat(1025), password: NEW_PASSWORD };
    statuses.add((await browser.submit(page, { action: /\/password$/, fill })).status);
  }
  expect([...statuses]).toEqual([400, 429]);
});

test("ends every browser and assistant on signing out everywhere, and the keys if requested", async () => {
  await using w = await world();
  const { owner } = await sceneWithPassword(w);
  const [here, there] = [await signedInBrowser(w, OWNER), await signedInBrowser(w, OWNER)];
  const probe = await createOAuthClient(w);
  const { access_token } = (await probe.connect()).body;
  const acts = () =>
    findCallerOf(w.deps.toolTokens, w.store, access_token, w.deps.now()).then(
      () => true,
      () => false,
    );
  expect(await acts()).toBe(true);
  const page = await here.get(`${w.config.baseUrl}/account`);
  const out = await here.submit(page, { action: /^\/account\/sign-out$/ });
  expect(out.text).toContain("You are signed out");
  expect([await isIn(w, here), await isIn(w, there), await acts()]).toEqual([false, false, false]);
  expect((await owner.get("/v1/auth/me")).status).toBe(200);
  expect((await owner.post("/v1/me/sign-out", { api_keys: true })).body).toEqual({ signed_out: true });
  expect((await owner.get("/v1/auth/me")).status).toBe(401);
  expect((await w.request("POST", "/v1/auth/token", { body: { api_key: owner.apiKey } })).status).toBe(401);
});

test("connected assistants are listed with first and last use, page by page, and disconnected over REST", async () => {
  await using w = await world();
  const { owner } = await sceneWithPassword(w);
  const probes = [
    await createOAuthClient(w, { client_name: "One" }),
    await createOAuthClient(w, { client_name: "Two" }),
  ];
  const tokens = [];
  for (const probe of probes)
    tokens.push((await probe.connect({ over: { scope: "read analyses:create" } })).body.access_token);
  await findCallerOf(w.deps.toolTokens, w.store, tokens[0], w.deps.now());
  const list = async (query = "") => (await owner.get(`/v1/me/assistants${query}`)).body;
  await expect.poll(async () => (await list()).data[1].first_used_at, { timeout: 4000 }).toEqual(expect.any(String));
  const { data } = await list();
  expect(data).toEqual([
    {
      id: expect.any(String),
      client_id: probes[1]?.clientId,
      name: "Two",
      verified: false,
      redirect_to: "127.0.0.1:43117",
      scopes: ["read", "analyses:create"],
      workspace_id: null,
      connected_at: expect.any(String),
      first_used_at: null,
      last_used_at: null,
      expires_at: expect.any(String),
    },
    expect.objectContaining({ name: "One", last_used_at: data[1].first_used_at }),
  ]);
  const first = await list("?limit=1");
  const second = await list(`?limit=1&cursor=${first.next_cursor}`);
  expect([...first.data, ...second.data, second.next_cursor]).toEqual([...data, null]);
  const mallory = await w.signIn("mallory@rival.test");
  expect((await mallory.delete(`/v1/me/assistants/${data[0].id}`)).status).toBe(404);
  expect((await owner.delete(`/v1/me/assistants/${data[0].id}`)).body).toEqual({ disconnected: true });
  expect((await list()).data.map(({ name }: { name: string }) => name)).toEqual(["One"]);
});

test("a key that reaches less than its person neither sees nor changes their account", async () => {
  // Attack: a workspace's key that signs its maker out, or reads where they are signed in.
  await using w = await world();
  const { owner, organization } = await w.acme();
  const kind = { kind: "organization", organization_id: organization.id, role: "owner" };
  const made = await owner.post("/v1/api-keys", { name: "Org", ...kind });
  const { access_token } = (await w.request("POST", "/v1/auth/token", { body: { api_key: made.body.api_key } })).body;
  const headers = { authorization: `Bearer ${access_token}` };
  const calls: [string, string, unknown?][] = [
    ["PATCH", "/v1/auth/me", { name: "x" }],
    ["GET", "/v1/me/sessions"],
    ["DELETE", `/v1/me/sessions/${crypto.randomUUID()}`],
    ["GET", "/v1/me/assistants"],
    ["DELETE", `/v1/me/assistants/${crypto.randomUUID()}`],
    ["POST", "/v1/me/sign-out", {}],
  ];
  for (const [method, path, body] of calls) {
    expect([path, (await w.request(method, path, { headers, body })).status]).toEqual([path, 403]);
  }
});

test("sets a password once by an operator's link within an hour, and ends the access of the old one", async () => {
  // Attack: use a link from a mailbox or log after, or concurrently with, its recipient.
  let now = new Date().toISOString();
  await using w = await world({ now: () => now });
  await sceneWithPassword(w);
  const thief = await signedInBrowser(w, OWNER);
  const environment = { ...w.config, PORT: Number(new URL(w.config.baseUrl).port) };
  const linkOf = async () =>
    (await runAccountCommand(w.store, ["reset", ` ${OWNER.toUpperCase()}`], environment)).text.split("\n")[0] ?? "";
  const first = await linkOf();
  const link = await linkOf();
  expect(link).toMatch(new RegExp(`^${w.config.baseUrl}/set-password\\?link=[\\w-]{43}$`));
  expect((await new Browser().get(first)).status).toBe(404);
  const stored = JSON.stringify(await openCommitted(w.store).q.select().from(openCommitted(w.store).t.oneTimeLinks));
  expect(stored).not.toContain(link.slice(-43));
  const page = await new Browser().get(link);
  expect(page.text).toContain(`for ${OWNER}`);
  expect((await new Browser().submit(page, { action: /^\/set-password$/, fill: { password: "short" } })).status).toBe(
    400,
  );
  expect(await isIn(w, thief)).toBe(true);
  const uses = await Promise.all(
    [1, 2, 3].map((n) =>
      new Browser().submit(page, { action: /^\/set-password$/, fill: { password: `${NEW_PASSWORD} ${n}` } }),
    ),
  );
  expect(uses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
  const winner = uses.findIndex(({ status }) => status === 200) + 1;
  expect([await isIn(w, thief), (await new Browser().get(link)).status]).toEqual([false, 404]);
  expect([(await signIn(w, PASSWORD)).signedIn, (await signIn(w, `${NEW_PASSWORD} ${winner}`)).signedIn]).toEqual([
    false,
    true,
  ]);
  const late = await linkOf();
  now = new Date(Date.now() + 3_600_000).toISOString();
  expect((await new Browser().get(late)).status).toBe(404);
});

test("an operator disables an account with everything that it opened, and enables it again", async () => {
  await using w = await world();
  const { owner, organization } = await sceneWithPassword(w);
  const browser = await signedInBrowser(w, OWNER);
  const run = (...args: string[]) => runAccountCommand(w.store, args, w.config);
  expect((await run("disable", OWNER)).ok).toBe(true);
  expect((await owner.get("/v1/auth/me")).status).toBe(401);
  expect([await isIn(w, browser), (await signIn(w, PASSWORD)).signedIn]).toEqual([false, false]);
  expect(await run("reset", OWNER)).toMatchObject({ ok: false, text: "This account is disabled. Enable it first.\n" });
  expect(await run("enable", OWNER)).toEqual({ ok: true, text: "Enabled.\n" });
  expect((await signIn(w, PASSWORD)).signedIn).toBe(true);
  expect((await w.request("POST", "/v1/auth/token", { body: { api_key: owner.apiKey } })).status).toBe(401);
  expect(await run("disable", "nobody@acme.test")).toMatchObject({ ok: false });
  for (const args of [["forget", OWNER], ["reset"], ["reset", OWNER, "x"], ["__proto__", OWNER]]) {
    expect(await run(...args)).toMatchObject({
      ok: false,
      text: expect.stringContaining("npx brand-visibility accounts"),
    });
  }
  const { q, t } = openCommitted(w.store);
  const rows = await q.select().from(t.auditLog).where(eq(t.auditLog.door, "command"));
  expect(rows.map(({ endpoint, organizationId }) => [endpoint, organizationId])).toEqual([
    ["disableAccount", organization.id],
    ["enableAccount", organization.id],
  ]);
});
