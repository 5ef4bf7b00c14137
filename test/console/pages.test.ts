import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createOAuthClient, PASSWORD, REDIRECT, sceneWithPassword, signedInBrowser } from "../support/assistant.ts";
import { Browser } from "../../examples/browser.ts";
import { world } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";
import { findCallerOf } from "../support/tool-token.ts";
import { OWNER, signIn, freePort } from "./pages-cases.ts";

const isClientRedirect = (url: URL) => url.href.startsWith(REDIRECT);

function withoutNames(text: string): string {
  return text.replaceAll(/(?:owner|nobody)@acme\.test/g, "");
}

test("the setup link creates the first owner once; parallel uses and later starts create none", async () => {
  // Attack: using the printed link after, or at the same moment as, the person it was printed for.
  const dataDir = await mkdtemp(join(tmpdir(), "visibility-"));
  const fill = { name: "Ada", email: " Ada@Example.com ", password: PASSWORD, organization: "Acme", workspace: "US" };
  {
    await using w = await world({ dataDir });
    const link = w.setupLink ?? "";
    const page = await new Browser().get(link);
    const uses = await Promise.all(
      [1, 2, 3].map((n) =>
        new Browser().submit(page, { action: /^\/setup$/, fill: { ...fill, email: `ada${n}@example.com` } }),
      ),
    );
    expect(uses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
    expect(uses.find(({ status }) => status === 200)?.text).toContain("Hello, Ada");
    expect((await new Browser().get(link)).status).toBe(404);
    const { q, t } = openCommitted(w.store);
    expect(await q.select().from(t.users)).toHaveLength(1);
    const [organization] = await q.select().from(t.organizations);
    const [balance] = await q.select().from(t.creditBalances);
    expect([organization?.name, balance?.available]).toEqual(["Acme", 10_000]);
  }
  await using again = await world({ dataDir });
  expect(again.setupLink).toBeUndefined();
  await rm(dataDir, { recursive: true });
});

test("each start without an account prints a new link and invalidates the old one", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "visibility-"));
  const port = await freePort();
  const links: string[] = [];
  for (let start = 0; start < 2; start++) {
    await using w = await world({ dataDir, env: { PORT: port } });
    links.push(w.setupLink ?? "");
    const statuses = [];
    for (const link of links) statuses.push((await new Browser().get(link)).status);
    expect(statuses).toEqual(start === 0 ? [200] : [404, 200]);
  }
  await rm(dataDir, { recursive: true });
});

test.each([
  ["as shown", {}, [], 100],
  ["another number", { approval_above_credits: "0" }, [], 0],
  ["unticked", { approval_above_credits: "7" }, ["on"], null],
])("the setup form asks for approval above 100 credits: %s", async (_title, over, untick, stored) => {
  await using w = await world();
  const browser = new Browser();
  const page = await browser.get(w.setupLink ?? "");
  const owner = { name: "Ada", email: "ada@example.com", password: PASSWORD, organization: "Acme", workspace: "US" };
  const fill = { ...owner, ...over };
  expect((await browser.submit(page, { action: /^\/setup$/, fill, untick: [...untick, "1"] })).status).toBe(200);
  const { q, t } = openCommitted(w.store);
  const organizations = await q.select().from(t.organizations);
  expect(organizations.map((one) => [one.name, one.approvalAboveCredits])).toEqual([["Acme", stored]]);
});

test("an account of BOOTSTRAP_EMAIL and the demo require no approval in the browser", async () => {
  await using w = await world({ env: { BOOTSTRAP_EMAIL: "ada@example.com", BOOTSTRAP_PASSWORD: PASSWORD, DEMO: "1" } });
  const { q, t } = openCommitted(w.store);
  const organizations = await q.select().from(t.organizations);
  expect(organizations.map((one) => one.approvalAboveCredits)).toEqual([null, null]);
});

test("names missing fields of the setup form, and creates nothing", async () => {
  await using w = await world();
  const browser = new Browser();
  const page = await browser.get(w.setupLink ?? "");
  const fill = { name: "Ada", email: "ada@example.com", password: PASSWORD, organization: "Acme", workspace: "US" };
  const approval_above_credits = "1.5";
  for (const [field, value] of Object.entries({
    name: " ",
    email: "ada",
    password: "short",
    workspace: "a\u202Eb",
    approval_above_credits,
  })) {
    const answer = await browser.submit(page, { action: /^\/setup$/, fill: { ...fill, [field]: value } });
    expect([field, answer.status, /role="alert"/.test(answer.text)]).toEqual([field, 400, true]);
  }
  expect(await openCommitted(w.store).q.select().from(openCommitted(w.store).t.users)).toEqual([]);
});

test("a wrong password and an unknown account get the same answer; ten tries are the most", async () => {
  // Attack: guessing passwords, and finding out who has an account.
  await using w = await world();
  await sceneWithPassword(w);
  const wrong = await signIn(w, new Browser(), OWNER, "wrong password 1");
  const unknown = await signIn(w, new Browser(), "nobody@acme.test", "wrong password 1");
  expect([wrong.status, unknown.status]).toEqual([401, 401]);
  expect(withoutNames(unknown.text)).toBe(withoutNames(wrong.text));
  const statuses = [];
  for (let attempt = 0; attempt < 10; attempt++) {
    statuses.push((await signIn(w, new Browser(), OWNER, "x".repeat(1025))).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 9 }, () => 401), 429]);
  expect((await signIn(w, new Browser(), OWNER)).status).toBe(429);
  expect((await signIn(w, new Browser(), "other@acme.test", "x".repeat(1025))).status).toBe(401);
});

test("a disabled account can neither sign in nor go on in a browser that is signed in", async () => {
  await using w = await world();
  const { owner } = await sceneWithPassword(w);
  const browser = await signedInBrowser(w, OWNER);
  expect((await browser.get(`${w.config.baseUrl}/`)).url.pathname).toBe("/");
  await w.store.write(async ({ q, t }) => {
    await q.update(t.users).set({ disabledAt: w.deps.now() }).where(eq(t.users.id, owner.id));
  });
  expect((await browser.get(`${w.config.baseUrl}/`)).url.pathname).toBe("/sign-in");
  expect((await signIn(w, new Browser(), OWNER)).status).toBe(401);
});

test("consent is answered with a page that continues by itself, never with a redirect to the client", async () => {
  await using w = await world();
  await sceneWithPassword(w);
  const browser = await signedInBrowser(w, OWNER);
  const probe = await createOAuthClient(w);
  const consent = await browser.get(probe.authorizeUrl());
  const cookie = browser.cookieHeader(consent.url);
  const answer = await fetch(`${consent.url.href}/consent`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, origin: w.config.baseUrl },
    body: new URLSearchParams({ decision: "allow" }),
  });
  expect([answer.status, answer.headers.get("location")]).toEqual([200, null]);
  expect(await answer.text()).toContain(`http-equiv="refresh" content="0;url=${w.config.baseUrl}/oauth/authorize/`);
});

test("signing out ends the authorization server's session too", async () => {
  // Attack: connecting an assistant as the browser's previous user.
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w);
  const browser = await signedInBrowser(w, OWNER, isClientRedirect);
  expect((await probe.ask({ browser })).seen).toEqual(["consent"]);
  const home = await browser.get(`${w.config.baseUrl}/`);
  const out = await browser.submit(home, { action: /^\/sign-out$/ });
  expect(out.text).toContain("You are signed out");
  const next = await browser.get(probe.authorizeUrl());
  expect(next.text).toContain("Sign in");
  const sessions = (await openCommitted(w.store).q.select().from(openCommitted(w.store).t.oauthRecords)).filter(
    ({ model, accountId }) => model === "Session" && accountId !== null,
  );
  expect(sessions).toEqual([]);
});

test("unticked scopes stay unticked after the session expired and the person signs in again", async () => {
  // Fault: the page returned with all boxes ticked, granting what had been denied.
  await using w = await world();
  const { owner } = await sceneWithPassword(w);
  const probe = await createOAuthClient(w);
  const over = { scope: "read analyses:create personas:create" };
  const browser = await signedInBrowser(w, owner.email);
  const consent = await browser.get(probe.authorizeUrl(over));
  await w.store.write(async ({ q, t }) => q.delete(t.webSessions));
  const unticked = { untick: ["analyses:create"], press: ["decision", "allow"] as [string, string] };
  const asked = await browser.submit(consent, { action: /\/consent$/, ...unticked });
  const fill = { email: owner.email, password: PASSWORD };
  const again = await browser.submit(asked, { action: /\/sign-in$/, fill });
  const boxes = [...again.text.matchAll(/name="scope"\s+value="([a-z:]+)"\s+(checked)?/g)].map(([, scope, ticked]) => [
    scope,
    ticked,
  ]);
  expect(boxes).toEqual([
    ["analyses:create", undefined],
    ["personas:create", "checked"],
  ]);
});

test("consent says what needs a confirmation and what enforces it, only if the assistant asks to create", async () => {
  await using w = await world();
  await sceneWithPassword(w);
  const browser = await signedInBrowser(w, OWNER);
  const probe = await createOAuthClient(w);
  const hints = async (scope: string) =>
    [...(await browser.get(probe.authorizeUrl({ scope }))).text.matchAll(/<p class="hint">(.*?)<\/p>/gs)].map(
      ([, text = ""]) => text.replaceAll(/\s+/g, " ").trim(),
    );
  const always = "It can never do more than your own role allows. You can disconnect it at any time under Assistants.";
  const spending =
    "Only what spends credits needs your confirmation: in a form, if the assistant can show one. Otherwise this service relies on the assistant’s word that you agreed. Above the limit that an organization sets, nothing is spent until you approve it in the browser.";
  expect(await hints("read")).toEqual([always]);
  expect(await hints("read analyses:create")).toEqual([always, spending]);
});

test("“Not you?” on the consent page signs out and asks for a sign-in", async () => {
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w);
  const browser = await signedInBrowser(w, OWNER, isClientRedirect);
  const consent = await browser.get(probe.authorizeUrl());
  const asked = await browser.submit(consent, { action: /\/switch$/ });
  expect([asked.status, /\/sign-in"/.test(asked.text)]).toEqual([200, true]);
  expect(browser.cookies.some(({ name }) => name === "bva_session")).toBe(false);
});

test("a disconnected assistant is denied at its next call, and only its person can disconnect it", async () => {
  await using w = await world();
  await sceneWithPassword(w);
  await w.signIn("mallory@rival.test");
  const probe = await createOAuthClient(w, { client_name: "Desk" });
  const { body } = await probe.connect({ over: { scope: "read analyses:create" } });
  const accepted = () =>
    findCallerOf(w.deps.toolTokens, w.store, body.access_token, w.deps.now()).then(
      () => true,
      () => false,
    );
  const browser = await signedInBrowser(w, OWNER);
  const page = await browser.get(`${w.config.baseUrl}/assistants`);
  for (const shown of ["Desk", "Not verified", "127.0.0.1:43117", "Price and create analyses", "Last used"]) {
    expect(page.text).toContain(shown);
  }
  const mallory = await signedInBrowser(w, "mallory@rival.test");
  const theirs = await mallory.get(`${w.config.baseUrl}/assistants`);
  expect(theirs.text).toContain("No assistants connected.");
  expect((await mallory.submit({ ...page, url: theirs.url }, { action: /\/disconnect$/ })).status).toBe(404);
  expect(await accepted()).toBe(true);
  expect((await browser.submit(page, { action: /\/disconnect$/ })).text).toContain("Disconnected");
  expect(await accepted()).toBe(false);
  expect(await probe.refresh(body.refresh_token)).toMatchObject({ status: 400 });
});

test("a restart keeps sessions and half-finished sign-ins", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "visibility-"));
  const env = { PORT: await freePort() };
  const browser = new Browser(isClientRedirect);
  let consent;
  let probe;
  {
    await using w = await world({ dataDir, env });
    await sceneWithPassword(w);
    probe = await createOAuthClient(w);
    browser.cookies = (await signedInBrowser(w, OWNER)).cookies;
    consent = await browser.get(probe.authorizeUrl());
  }
  await using w = await world({ dataDir, env });
  const end = await browser.submit(consent, { action: /\/consent$/, press: ["decision", "allow"] });
  expect((await probe.redeem(end.url.searchParams.get("code") ?? "")).status).toBe(200);
  expect((await browser.get(`${w.config.baseUrl}/`)).text).toContain(OWNER);
  await rm(dataDir, { recursive: true });
});

test("an unknown address answers people with the page and programs with JSON, and there is an icon", async () => {
  await using w = await world();
  const read = async (accept: string) => {
    const answer = await fetch(`${w.config.baseUrl}/nothing/here`, { headers: { accept } });
    return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
  };
  const page = await read("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
  expect([page.status, page.type, /<h1>([^<]*)/.exec(page.text)?.[1]]).toEqual([
    404,
    "text/html; charset=utf-8",
    "Not found",
  ]);
  for (const accept of ["*/*", "application/json", "application/json, text/html"]) {
    const { status, type, text } = await read(accept);
    expect([status, type, JSON.parse(text).code]).toEqual([404, "application/json; charset=utf-8", "NOT_FOUND"]);
  }
  const icon = await fetch(`${w.config.baseUrl}/favicon.ico`);
  const head = new Uint8Array(await icon.arrayBuffer()).slice(0, 4);
  expect([icon.status, icon.headers.get("content-type"), ...head]).toEqual([
    200,
    "image/vnd.microsoft.icon",
    0,
    0,
    1,
    0,
  ]);
});
