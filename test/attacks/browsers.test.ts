import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { Browser } from "../../examples/browser.ts";
import {
  createOAuthClient,
  givePassword,
  PASSWORD,
  REDIRECT,
  sceneWithPassword,
  signedInBrowser,
} from "../support/assistant.ts";
import { world } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";
import { findCallerOf } from "../support/tool-token.ts";

type World = Awaited<ReturnType<typeof world>>;
const OWNER = "owner@acme.test";
const isClientRedirect = (url: URL) => url.href.startsWith(REDIRECT);

async function signIn(w: World, browser: Browser, email: string, password = PASSWORD, path = "/sign-in") {
  const page = await browser.get(`${w.config.baseUrl}${path}`);
  return browser.submit(page, { action: /^\/sign-in$/, fill: { email, password } });
}

test("rejects forms posted by another site", async () => {
  // Attack: cross-site request forgery, a form on another page that signs in, revokes or allows.
  await using w = await world();
  await sceneWithPassword(w);
  const { baseUrl } = w.config;
  const browser = await signedInBrowser(w, OWNER);
  const probe = await createOAuthClient(w);
  const step = await browser.get(probe.authorizeUrl());
  const targets = [
    "/sign-in",
    "/sign-out",
    "/setup",
    "/api-keys",
    "/assistants/disconnect",
    "/account/password",
    "/account/sign-out",
    "/set-password",
    step.url.pathname + "/consent",
  ];
  const forgeries = [
    { origin: "https://rival.test", "sec-fetch-site": "cross-site" },
    { origin: "https://rival.test", "sec-fetch-site": "same-origin" },
    { origin: "null", "sec-fetch-site": "cross-site" },
    { origin: baseUrl.replace("http:", "https:"), "sec-fetch-site": "cross-site" },
    { origin: baseUrl, "sec-fetch-site": "same-site" },
  ];
  for (const path of targets) {
    for (const headers of forgeries) {
      const { status } = await browser.post(
        new URL(path, baseUrl),
        new URLSearchParams({ decision: "allow" }),
        headers,
      );
      expect([path, headers.origin, status]).toEqual([path, headers.origin, 403]);
    }
    const silent = await fetch(new URL(path, baseUrl), {
      method: "POST",
      body: new URLSearchParams({ decision: "allow" }),
    });
    expect([path, silent.status]).toEqual([path, 403]);
  }
  const { q, t } = openCommitted(w.store);
  expect(await q.select().from(t.oauthRecords).where(eq(t.oauthRecords.model, "Grant"))).toEqual([]);
});

test("continues only to own pages after sign-in", async () => {
  // Attack: an open redirect from the sign-in page.
  await using w = await world();
  await sceneWithPassword(w);
  const ends: string[] = [];
  for (const next of ["/api-keys", "//rival.test/x", "/\\rival.test/x", "https://rival.test", "/\t/rival.test", "x"]) {
    const browser = new Browser((url) => url.hostname === "rival.test");
    const end = await signIn(w, browser, OWNER, PASSWORD, `/sign-in?next=${encodeURIComponent(next)}`);
    ends.push(`${end.url.hostname}${end.url.pathname}`);
  }
  expect(ends).toEqual(["localhost/api-keys", ...Array.from({ length: 5 }, () => "localhost/")]);
});

test("every page forbids scripts, frames, foreign sources and foreign form targets, and is never cached", async () => {
  // Attack: injected markup, clickjacking of the consent page.
  await using w = await world();
  await sceneWithPassword(w);
  const browser = await signedInBrowser(w, OWNER);
  const { baseUrl } = w.config;
  const probe = await createOAuthClient(w);
  const consent = await browser.get(probe.authorizeUrl());
  const pages = [consent, await new Browser().get(probe.authorizeUrl())];
  for (const path of [
    "/",
    "/assistants",
    "/api-keys",
    "/signed-out",
    "/setup?link=x",
    "/oauth/authorize?client_id=x",
  ]) {
    pages.push(await browser.get(baseUrl + path));
  }
  pages.push(await new Browser().get(`${baseUrl}/sign-in`));
  for (const { url, headers, text } of pages) {
    expect([url.pathname, headers.get("content-security-policy")]).toEqual([
      url.pathname,
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    ]);
    expect([url.pathname, headers.get("cache-control")]).toEqual([url.pathname, "no-store"]);
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
  }
});

test("an open consent page grants nothing after its person signed out", async () => {
  // Attack: pressing Allow on a page that somebody left behind.
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w);
  const browser = await signedInBrowser(w, OWNER, isClientRedirect);
  const consent = await browser.get(probe.authorizeUrl());
  await browser.submit(await browser.get(`${w.config.baseUrl}/`), { action: /^\/sign-out$/ });
  const answer = await browser.submit(consent, { action: /\/consent$/, press: ["decision", "allow"] });
  expect(answer.url.searchParams.get("code")).toBeNull();
  const { q, t } = openCommitted(w.store);
  expect(await q.select().from(t.oauthRecords).where(eq(t.oauthRecords.model, "Grant"))).toEqual([]);
});

test("a sign-in started in one browser cannot be finished in another", async () => {
  // Attack: sending somebody the address of one's own half-finished sign-in.
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w);
  const mallory = await new Browser().get(probe.authorizeUrl());
  const victim = await signedInBrowser(w, OWNER);
  const page = await victim.get(mallory.url);
  expect([
    page.status,
    page.text.includes(
      "This sign-in has ended, or was started in another browser. Go back to your assistant and connect again.",
    ),
  ]).toEqual([409, true]);
});

test("another person in the same browser never gets the first one's grant", async () => {
  // Attack: console session and authorization server session of one browser belong to different
  // people.
  await using w = await world();
  const { organization } = await sceneWithPassword(w);
  const second = await w.signIn("second@acme.test", { organizationId: organization.id, role: "viewer" });
  await givePassword(w, second.id);
  const probe = await createOAuthClient(w, { redirect_uris: ["https://assistant.test/callback"] });
  const browser = await signedInBrowser(w, OWNER, (url) => url.host === "assistant.test");
  await probe.connect({ browser });
  // The console session of the first person is gone (such as expired), while the other one lives.
  browser.cookies = browser.cookies.filter(({ name }) => name !== "bva_session");
  const { body, end } = await probe.connect({ browser, email: "second@acme.test" });
  expect(end.seen).toEqual(["sign-in", "consent"]);
  const caller = await findCallerOf(w.deps.toolTokens, w.store, body.access_token, w.deps.now());
  expect(caller.userId).toBe(second.id);
});

test("signing in replaces the session, and signing out ends it on the server", async () => {
  // Attack: session fixation, a cookie set or withheld by a stranger.
  await using w = await world();
  await sceneWithPassword(w);
  const { baseUrl } = w.config;
  const browser = new Browser(isClientRedirect);
  const planted = { name: "bva_session", value: "planted-by-a-stranger", path: "/", host: "localhost", attributes: [] };
  const probe = await createOAuthClient(w);
  await browser.get(probe.authorizeUrl());
  const before = new Set(browser.cookies.map(({ value }) => value));
  browser.cookies.push({ ...planted });
  await probe.ask({ browser });
  const sessions = ["bva_oauth", "bva_session"].map((kind) => browser.cookies.filter(({ name }) => name === kind));
  expect(sessions.flat().map(({ name, value }) => [name, before.has(value) || value === planted.value])).toEqual([
    ["bva_oauth", false],
    ["bva_session", false],
  ]);
  const stranger = new Browser();
  stranger.cookies.push({ ...planted });
  expect((await stranger.get(`${baseUrl}/`)).url.pathname).toBe("/sign-in");
  const first = browser.cookies.map((cookie) => ({ ...cookie }));
  const again = await signedInAgain(w, browser);
  expect(again.cookies.find(({ name }) => name === "bva_session")?.value).not.toBe(cookieOf(first));
  stranger.cookies = first;
  expect((await stranger.get(`${baseUrl}/`)).url.pathname).toBe("/sign-in");
  const kept = browser.cookies.map((cookie) => ({ ...cookie }));
  await browser.submit(await browser.get(`${baseUrl}/`), { action: /^\/sign-out$/ });
  stranger.cookies = kept;
  expect((await stranger.get(`${baseUrl}/`)).url.pathname).toBe("/sign-in");
  expect((await stranger.get(probe.authorizeUrl())).text).toContain("Sign in");
});

const cookieOf = (cookies: Browser["cookies"]) => cookies.find(({ name }) => name === "bva_session")?.value;

async function signedInAgain(w: World, browser: Browser): Promise<Browser> {
  const fields = new URLSearchParams({ email: OWNER, password: PASSWORD });
  await browser.post(`${w.config.baseUrl}/sign-in`, fields);
  return browser;
}

test("a page of another site cannot sign a browser in as another person", async () => {
  // Attack: login CSRF, so that what the victim connects or types belongs to the attacker.
  await using w = await world();
  const { organization } = await sceneWithPassword(w);
  const mallory = await w.signIn("mallory@acme.test", { organizationId: organization.id, role: "viewer" });
  await givePassword(w, mallory.id);
  const victim = await signedInBrowser(w, OWNER, isClientRedirect);
  const form = new URLSearchParams({ email: mallory.email, password: PASSWORD });
  const foreign = { origin: "https://rival.test", "sec-fetch-site": "cross-site" };
  expect((await victim.post(`${w.config.baseUrl}/sign-in`, form, foreign)).status).toBe(403);
  const probe = await createOAuthClient(w);
  const step = await new Browser().get(probe.authorizeUrl());
  expect((await victim.post(`${step.url.href}/sign-in`, form, foreign)).status).toBe(403);
  // Nor with a step that was begun in the attacker's browser, from a page of ours.
  expect((await victim.post(`${step.url.href}/sign-in`, form)).status).toBe(409);
  expect((await victim.get(`${w.config.baseUrl}/account`)).text).toContain(OWNER);
});

test("allows an assistant only on the consent page, never by a link or a page of another site", async () => {
  // Attack: consent CSRF.
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w);
  const browser = await signedInBrowser(w, OWNER, isClientRedirect);
  const consent = await browser.get(probe.authorizeUrl());
  const allow = new URLSearchParams({ decision: "allow" });
  const sites = ["https://rival.test", "null", w.config.baseUrl.replace("localhost", "127.0.0.1")];
  for (const origin of sites) {
    const headers = { origin, "sec-fetch-site": "cross-site" };
    expect([origin, (await browser.post(`${consent.url.href}/consent`, allow, headers)).status]).toEqual([origin, 403]);
  }
  expect((await browser.get(`${consent.url.href}/consent?decision=allow`)).url.searchParams.get("code")).toBeNull();
  const invented = consent.url.href.replace(/[^/]+$/, "invented");
  expect((await browser.post(`${invented}/consent`, allow)).status).toBe(409);
  const { q, t } = openCommitted(w.store);
  expect(await q.select().from(t.oauthRecords).where(eq(t.oauthRecords.model, "Grant"))).toEqual([]);
});

test("no page of the authorization server can be framed, including its errors", async () => {
  // Attack: clickjacking, a consent page under a page that the person thinks to press on.
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w);
  const { baseUrl } = w.config;
  const browser = await signedInBrowser(w, OWNER, isClientRedirect);
  const consent = await browser.get(probe.authorizeUrl());
  const pages = [
    consent,
    await new Browser().get(probe.authorizeUrl()),
    await browser.submit(consent, { action: /\/switch$/ }),
    await browser.get(`${baseUrl}/oauth/authorize`),
    await browser.get(`${baseUrl}/oauth/authorize?client_id=${probe.clientId}&redirect_uri=https://rival.test`),
    await browser.get(`${baseUrl}/oauth/interaction/none`),
    await browser.get(`${baseUrl}/oauth/authorize/none`),
    await browser.get(`${baseUrl}/sign-in`),
    await browser.get(`${baseUrl}/set-password?link=x`),
    await browser.post(`${baseUrl}/sign-in`, new URLSearchParams({ email: "x", password: "x" })),
  ];
  for (const { url, headers } of pages) {
    const policy = headers.get("content-security-policy") ?? "";
    const told = [policy.includes("frame-ancestors 'none'"), headers.get("x-frame-options")];
    expect([url.pathname, ...told]).toEqual([url.pathname, true, "DENY"]);
  }
});

test("responses that are no pages load nothing, cannot be framed, and keep their content type", async () => {
  // Attack: having a browser show an answer for programs, a file or an error as a page.
  await using w = await world();
  const { owner } = await w.acme();
  const answers = [
    await owner.get("/v1/organizations"),
    await w.request("GET", "/v1/organizations"),
    await w.request("POST", "/mcp", { body: {} }),
    await w.request("GET", "/scim/v2/Users"),
    await w.request("GET", "/nowhere"),
    await w.request("GET", "/openapi.json"),
    await w.request("GET", "/assets/style.css"),
    await w.request("GET", "/.well-known/oauth-authorization-server"),
    await w.request("GET", "/.well-known/jwks.json"),
    await w.request("GET", "/healthz"),
  ];
  const told = answers.map(({ status, headers }) => [
    status < 500 && (headers.get("content-security-policy") ?? ""),
    headers.get("x-content-type-options"),
  ]);
  const policy = expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/) as unknown;
  expect(told).toEqual(answers.map(() => [policy, "nosniff"]));
});
