import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { eq } from "drizzle-orm";
import { decodeJwt } from "jose";
import { alertText } from "../support/alert-text.ts";
import { Browser } from "../../examples/browser.ts";
import { world } from "../support/world.ts";
import { signInAtProvider, startProvider, type ProviderProcess } from "./provider-process.ts";
import { configureSso, verifyDomain, type World } from "./scene.ts";
import { openCommitted } from "../support/committed.ts";

let provider: ProviderProcess;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider[Symbol.asyncDispose]());

/** The service with an organization that signs in through the provider. */
async function scene(settings: Record<string, unknown> = {}) {
  const w = await world({ env: { SSO_ALLOW_PRIVATE_ADDRESSES: "1" } });
  const acme = await w.acme();
  const { id } = acme.organization;
  await verifyDomain(w, id, "acme.test");
  const client = await provider.register(`${w.config.baseUrl}/sso/${id}/callback`);
  const configuration = await configureSso(w, acme, { ...client, ...settings });
  const at = (path: string) => `${w.config.baseUrl}/sso/${id}${path}`;
  return {
    ...acme,
    w,
    configuration,
    client,
    at,
    /** Signs in through the provider as one of its people. */
    async come(browser: Browser, name: Parameters<typeof signInAtProvider>[2], query = "") {
      return signInAtProvider(browser, await browser.get(at(`/start${query}`)), name);
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

/** The address at which the browser comes back from the provider, not yet opened. */
async function answerOf(s: { at: (path: string) => string }, browser: Browser, name: "ann" | "bob"): Promise<URL> {
  const pausing = new Browser((url) => url.pathname.endsWith("/callback"));
  pausing.cookies = browser.cookies;
  const asked = await pausing.get(s.at("/start"));
  // The provider does not ask a person who is already signed in there.
  const { url } = asked.url.pathname.endsWith("/callback") ? asked : await signInAtProvider(pausing, asked, name);
  browser.cookies = pausing.cookies;
  return url;
}

const exchange = (w: World, code: string) => w.request("POST", "/v1/auth/sso/exchange", { body: { code } });

test("signs a person in through the organization's provider and returns to the requested page", async () => {
  await using s = await scene({ group_roles: [{ group: "Analysts", role: "editor" }] });
  const browser = new Browser();
  const page = await s.come(browser, "ann", "?relay_path=/organizations");
  expect([page.status, page.url.pathname]).toEqual([200, "/organizations"]);
  expect(page.text).toContain("ann@acme.test");
  expect(page.text).toMatch(/Acme[\s\S]*editor/);
  expect((await s.owner.get(`${s.organization.path}/sso`)).body.last_used_at).not.toBeNull();
});

test("a sign-in names the provider in the log of its organization, and in no other", async () => {
  // Fault: the audit log said "Signed in" without the method.
  await using s = await scene();
  const rival = await s.w.insertTenant("Rival");
  const owner = await s.w.signIn("owner@rival.test", { organizationId: rival.organization.id, role: "owner" });
  await s.come(new Browser(), "ann");
  const ann = await s.w.signIn("ann@acme.test", { organizationId: rival.organization.id, role: "viewer" });
  await s.come(new Browser(), "ann");
  await s.w.deps.audit.flush();
  const told = async (person: typeof owner, { path }: { path: string }) => {
    const { body } = await person.get(`${path}/audit-log?endpoint=signIn&user_id=${ann.id}`);
    return body.data.map((row: { text: string }) => row.text);
  };
  const through = `Signed in through “${s.configuration.issuer}”`;
  expect(await told(s.owner, s.organization)).toEqual([through, through]);
  expect(await told(owner, rival.organization)).toEqual(["Signed in"]);
});

test("exchanges the one-time code for a token that ends with the account", async () => {
  await using s = await scene();
  const page = await s.come(new Browser(), "ann", "?for=program&relay_path=/actions");
  const code = /<code id="code">([\w-]+)<\/code>/.exec(page.text)?.[1] ?? "";
  const { status, body } = await exchange(s.w, code);
  expect([status, body]).toEqual([200, { token: expect.any(String), initiated_by: "sp", relay_path: "/actions" }]);
  const { sub, exp = 0, iat = 0 } = decodeJwt(body.token);
  expect(exp - iat).toBe(900);
  const me = () => s.w.request("GET", "/v1/auth/me", { headers: { authorization: `Bearer ${body.token}` } });
  expect(await me()).toMatchObject({ status: 200, body: { id: sub, email: "ann@acme.test" } });
  await s.w.store.write(async ({ q, t }) => void (await q.update(t.users).set({ disabledAt: s.w.deps.now() })));
  expect((await me()).status).toBe(401);
});

test("a program that listens on this device is handed the code by the person's own click, and no other address is", async () => {
  // Theft of a code by an address that a link names.
  await using s = await scene();
  const query = `?return_to=${encodeURIComponent("http://127.0.0.1:43117/done?state=x1")}`;
  const page = await s.come(new Browser(), "ann", query);
  const link =
    /href="(http:&#47;&#47;127[^"]*|http:\/\/127[^"]*)"/.exec(page.text)?.[1]?.replaceAll("&#38;", "&") ?? "";
  expect(new URL(link).searchParams.get("state")).toBe("x1");
  expect((await exchange(s.w, new URL(link).searchParams.get("code") ?? "")).status).toBe(200);
  for (const address of [
    "https://evil.test/",
    "http://127.0.0.1.evil.test:1/",
    "http://127.0.0.1@evil.test:1/",
    "http://127.0.0.1/",
    "javascript:alert(1)",
  ]) {
    const refused = await new Browser().get(s.at(`/start?return_to=${encodeURIComponent(address)}`));
    expect([address, refused.status]).toEqual([address, 400]);
  }
});

const query = (iss: string, link: string) =>
  `?${new URLSearchParams({ iss, target_link_uri: link, login_hint: "ann" }).toString()}`;

test("accepts sign-in from the provider's application portal only if the organization allows it", async () => {
  await using s = await scene({ accepts_idp_initiated: true });
  const target = `${s.w.config.baseUrl}/organizations`;
  const browser = new Browser();
  const asked = await browser.get(s.at(`/initiate${query(provider.issuer, target)}`));
  expect(asked.text).toContain('value="ann"');
  expect((await signInAtProvider(browser, asked, "ann")).url.pathname).toBe("/organizations");
  const elsewhere = new Browser();
  const away = await elsewhere.get(s.at(`/initiate${query(provider.issuer, "https://evil.test/organizations")}`));
  expect((await signInAtProvider(elsewhere, away, "ann")).url.href).toBe(`${s.w.config.baseUrl}/`);
  expect((await new Browser().get(s.at(`/initiate${query("https://evil.test", target)}`))).status).toBe(403);
  await configureSso(s.w, s, s.client);
  expect((await new Browser().get(s.at(`/initiate${query(provider.issuer, target)}`))).status).toBe(403);
});

test("a code works once, also when it is brought many times at once", async () => {
  // Replay of a stolen code.
  await using s = await scene();
  const page = await s.come(new Browser(), "ann", "?for=program");
  const code = /<code id="code">([\w-]+)<\/code>/.exec(page.text)?.[1] ?? "";
  const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(s.w, code)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
  const { codeHash } = await storedCode(s.w);
  expect(codeHash).toBeUndefined();
});

async function storedCode({ store }: World) {
  const [row] = await openCommitted(store).q.select().from(openCommitted(store).t.ssoCodes);
  return { codeHash: row?.codeHash };
}

test("accepts a provider's response once, only in the browser that began the sign-in", async () => {
  // Login cross-site request forgery: the attacker's answer is opened in the victim's browser.
  await using s = await scene();
  const attacker = new Browser();
  const answer = await answerOf(s, attacker, "bob");
  const victim = new Browser();
  expect((await victim.get(answer)).status).toBe(403);
  // The victim has a sign-in of their own in progress.
  await victim.get(s.at("/start"));
  const again = await answerOf(s, attacker, "bob");
  expect((await victim.get(again)).status).toBe(403);
  expect(victim.cookies.some(({ name }) => name === "bva_session")).toBe(false);
  const third = await answerOf(s, attacker, "bob");
  expect((await attacker.get(third)).url.pathname).toBe("/");
  expect((await attacker.get(third)).status).toBe(403);
});

test("rejects a response of another issuer, or for another organization", async () => {
  // Attack: mix-up. Have an honest provider's code redeemed at the attacker's provider, or the
  // reverse.
  await using s = await scene();
  const browser = new Browser();
  const other = await answerOf(s, browser, "ann");
  expect(other.searchParams.get("iss")).toBe(provider.issuer);
  other.searchParams.set("iss", "https://evil.test");
  expect((await browser.get(other)).status).toBe(403);
  const absent = await answerOf(s, browser, "ann");
  absent.searchParams.delete("iss");
  expect((await browser.get(absent)).status).toBe(403);

  const rival = await s.w.insertTenant("Rival");
  const owner = await s.w.signIn("owner@rival.test", { organizationId: rival.organization.id, role: "owner" });
  await configureSso(s.w, { ...rival, owner }, s.client);
  const crossed = await answerOf(s, browser, "ann");
  crossed.pathname = `/sso/${rival.organization.id}/callback`;
  expect((await browser.get(crossed)).status).toBe(403);
});

test("rejects an unverified e-mail, one of a foreign domain, and a disabled account", async () => {
  // Attack: take over an account by a provider's claims.
  await using s = await scene();
  const victim = await s.w.signIn("victim@rival.test");
  const refused = async (name: Parameters<typeof signInAtProvider>[2]) => {
    const browser = new Browser();
    const { status, text } = await s.come(browser, name);
    const isIn = browser.cookies.some((cookie) => cookie.name === "bva_session");
    return [status, isIn, alertText(text)];
  };
  expect(await refused("unchecked")).toEqual([
    403,
    false,
    "Your identity provider did not mark your e-mail as verified. Verify it there first.",
  ]);
  expect(await refused("mallory")).toEqual([
    403,
    false,
    "This organization does not use single sign-on for your e-mail domain. Ask an owner to verify and allow it.",
  ]);
  expect(await refused("nobody")).toEqual([
    403,
    false,
    "The identity provider denied access. Ask its administrator to assign this application to you.",
  ]);
  const { id } = await s.w.signIn("bob@acme.test");
  await s.w.store.write(async ({ q, t }) => {
    await q.update(t.users).set({ disabledAt: s.w.deps.now() }).where(eq(t.users.id, id));
  });
  expect(await refused("bob")).toEqual([403, false, expect.stringContaining("disabled")]);
  expect(victim.email).toBe("victim@rival.test");
  await vi.waitFor(async () => {
    const { body } = await s.owner.get(`${s.organization.path}/audit-log?endpoint=signIn`);
    const told = body.data.map((row: { outcome: string; text: string }) => [row.outcome, row.text]);
    const through = `through “${s.configuration.issuer}”`;
    expect(told).toEqual([
      ["FORBIDDEN", `Sign-in of “bob@acme.test” ${through}`],
      ["FORBIDDEN", `Sign-in of “victim@rival.test” ${through}`],
      ["FORBIDDEN", `Sign-in of “unchecked@acme.test” ${through}`],
    ]);
    // Audit rows of refusals are written up to a second late.
  }, 5000);
});

test("relay_path never leads to another site", async () => {
  // Open redirect after a true sign-in.
  await using s = await scene();
  for (const path of [
    "https://evil.test/",
    "//evil.test",
    "/\\evil.test",
    "/%5c/evil.test\\",
    "\\/evil.test",
    "/x\ny",
  ]) {
    const page = await s.come(new Browser(), "ann", `?relay_path=${encodeURIComponent(path)}`);
    expect([path, page.url.href]).toEqual([path, `${s.w.config.baseUrl}/`]);
  }
});

test("neither state, code nor secret is in the store", async () => {
  await using s = await scene();
  const browser = new Browser();
  const answer = await answerOf(s, browser, "ann");
  const { q, t } = openCommitted(s.w.store);
  const logins = JSON.stringify(await q.select().from(t.ssoLogins));
  const secret = browser.cookies.find(({ name }) => name === "bva_sso")?.value ?? "";
  expect([logins.length > 100, secret.length]).toEqual([true, 43]);
  for (const hidden of [answer.searchParams.get("state") ?? "?", secret]) expect(logins).not.toContain(hidden);
});
