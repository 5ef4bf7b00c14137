import { desc } from "drizzle-orm";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sweepExpired } from "../../auth/sweep.ts";
import { Browser } from "../../examples/browser.ts";
import { addMs } from "../../core/shared/time.ts";
import { alertText } from "../support/alert-text.ts";
import { startSamlProvider } from "./provider.ts";
import { ALICE, post, samlScene } from "./scene.ts";
import { openCommitted } from "../support/committed.ts";

let idp: Awaited<ReturnType<typeof startSamlProvider>>;
beforeAll(async () => {
  idp = await startSamlProvider();
});
afterAll(() => idp[Symbol.asyncDispose]());

const ADMINISTRATOR = "Contact your organization's single sign-on administrator.";
const AGAIN = "Sign in again from here.";

type Scene = Awaited<ReturnType<typeof samlScene>>;
const codeIn = (text: string) => /<code id="code">([\w-]+)<\/code>/.exec(text)?.[1] ?? "";
const exchange = ({ w }: Scene, code: string) => w.request("POST", "/v1/auth/sso/exchange", { body: { code } });
const isSignedIn = (browser: Browser) => browser.cookies.some(({ name }) => name === "bva_session");

test("signs a person in through the organization's SAML provider and returns to the requested page", async () => {
  await using s = await samlScene(idp, { group_roles: [{ group: "analysts", role: "editor" }] });
  const page = await s.come(new Browser(), "?relay_path=/organizations");
  expect([page.status, page.url.pathname]).toEqual([200, "/organizations"]);
  expect(page.text).toContain("alice@acme.test");
  expect(page.text).toMatch(/Acme[\s\S]*editor/);
  // The e-mail matters only at the first sign-in; later ones match the name ID.
  await idp.tell({ user: { ...ALICE, attributes: {} } });
  const again = await s.come(new Browser());
  expect([again.status, again.text.includes("alice@acme.test")]).toEqual([200, true]);
  const users = await openCommitted(s.w.store).q.select().from(openCommitted(s.w.store).t.users);
  expect(users.map(({ email }) => email).toSorted()).toEqual(["alice@acme.test", "owner@acme.test"]);
});

test("exchanges the one-time code of a SAML sign-in for a token that acts as the person", async () => {
  await using s = await samlScene(idp);
  const page = await s.come(new Browser(), "?for=program&relay_path=/actions");
  const { status, body } = await exchange(s, codeIn(page.text));
  expect([status, body]).toEqual([200, { token: expect.any(String), initiated_by: "sp", relay_path: "/actions" }]);
  const me = await s.w.request("GET", "/v1/auth/me", { headers: { authorization: `Bearer ${body.token}` } });
  expect(me.body).toMatchObject({ id: decodeJwt(body.token).sub, email: "alice@acme.test" });
});

test("serves the metadata at the entity ID, even before SAML is configured", async () => {
  await using s = await samlScene(idp);
  const answer = await fetch(s.service.entityId);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "application/samlmetadata+xml; charset=utf-8",
  ]);
  expect(await answer.text()).toContain(`Location="${s.service.acsUrl}"`);
  await s.owner.delete(`${s.organization.path}/sso`);
  expect((await fetch(s.service.entityId)).status).toBe(200);
  expect((await fetch(s.service.entityId.replace(s.organization.id, s.workspace.id))).status).toBe(404);
  const late = await post(new Browser(), await s.launched());
  expect(late.status).toBe(404);
});

test("accepts sign-in begun at the provider only if the organization allows it, and asks for confirmation", async () => {
  // Attack: login cross-site request forgery, by a page that posts an answer for the attacker's own
  // account.
  await using s = await samlScene(idp);
  const refused = await post(new Browser(), await s.launched());
  expect([refused.status, alertText(refused.text)]).toEqual([
    403,
    `This organization does not allow sign-ins started at its identity provider. ${AGAIN}`,
  ]);
  await s.configure({ accepts_idp_initiated: true });
  const browser = new Browser();
  const asked = await post(browser, await s.launched("/organizations"));
  expect([asked.status, asked.url.pathname, isSignedIn(browser)]).toEqual([200, "/sso/finish", false]);
  expect(asked.text).toContain("alice@acme.test");
  const page = await browser.submit(asked, { action: /^\/sso\/finish$/ });
  expect([page.status, page.url.pathname, isSignedIn(browser)]).toEqual([200, "/organizations", true]);
});

test("follows RelayState only to a path of the service", async () => {
  // Attack: an open redirect by RelayState.
  await using s = await samlScene(idp, { accepts_idp_initiated: true });
  const ends: unknown[] = [];
  for (const relay of ["/actions", "https://rival.test/", "//rival.test", "/\\rival.test", "x".repeat(5000), ""]) {
    await post(new Browser(), await s.launched(relay));
    const { q, t } = openCommitted(s.w.store);
    const [code] = await q.select().from(t.ssoCodes).orderBy(desc(t.ssoCodes.createdAt)).limit(1);
    ends.push([code?.initiatedBy, code?.relayPath]);
    await s.w.store.write(async (db) => void (await db.q.delete(db.t.ssoCodes)));
  }
  expect(ends).toEqual([["idp", "/actions"], ...Array.from({ length: 5 }, () => ["idp", "/"])]);
});

test("rejects a program's exchange of a code bound to a browser, and consumes the code", async () => {
  // Attack: intercept a browser's code and exchange it for a token elsewhere.
  await using s = await samlScene(idp, { accepts_idp_initiated: true });
  const refused = async (browser: Browser) => {
    const code = browser.cookies.find(({ name }) => name === "bva_sso_code")?.value ?? "";
    expect(code).toMatch(/^[\w-]{43}$/);
    const { status, body } = await exchange(s, code);
    const { q, t } = openCommitted(s.w.store);
    return [status, body.code, await q.select().from(t.ssoCodes)];
  };
  const own = new Browser((url) => url.pathname === "/sso/finish");
  await post(own, await s.answerFor(own));
  expect(await refused(own)).toEqual([401, "UNAUTHENTICATED", []]);
  expect((await new Browser().get(`${s.w.config.baseUrl}/sso/finish`)).status).toBe(403);
  // A sign-in begun at the provider is bound to no browser; the response says who began it.
  const launched = new Browser();
  await post(launched, await s.launched("/actions"));
  const { status, body } = await exchange(s, launched.cookies.find(({ name }) => name === "bva_sso_code")?.value ?? "");
  expect([status, body.initiated_by, body.relay_path]).toEqual([200, "idp", "/actions"]);
});

test("accepts a response once until it expires, also when it is posted many times concurrently", async () => {
  // Attack: assertion replay.
  await using s = await samlScene(idp, { accepts_idp_initiated: true });
  const answer = await s.launched();
  const pages = await Promise.all(Array.from({ length: 8 }, () => post(new Browser(), answer)));
  expect(pages.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(7).fill(403)]);
  expect(pages.find(({ status }) => status === 403)?.text).toContain(
    "This sign-in was already used. Sign in again from here.",
  );
  const browser = new Browser();
  const own = await s.answerFor(browser);
  expect((await post(browser, own)).status).toBe(200);
  expect((await post(browser, own)).status).toBe(403);
  const kept = () => openCommitted(s.w.store).q.select().from(openCommitted(s.w.store).t.samlAssertions);
  expect(await kept()).toHaveLength(2);
  await sweepExpired(s.w.store, s.w.deps.now());
  expect(await kept()).toHaveLength(2);
  await sweepExpired(s.w.store, addMs(s.w.deps.now(), 6 * 60_000));
  expect(await kept()).toEqual([]);
});

test("completes the sign-in only in the browser that requested it", async () => {
  // Attack: the answer to an attacker's request opened in a victim's browser, and a stolen answer
  // in the attacker's.
  await using s = await samlScene(idp);
  const [attacker, victim] = [new Browser(), new Browser()];
  const forced = await post(victim, await s.answerFor(attacker));
  expect([forced.status, isSignedIn(victim)]).toEqual([403, false]);
  await s.answerFor(victim);
  expect((await post(victim, await s.answerFor(attacker))).status).toBe(403);
  const stolen = await s.answerFor(victim);
  const theft = await post(attacker, stolen);
  expect([theft.status, isSignedIn(attacker)]).toEqual([403, false]);
  const [one, two] = [await s.answerFor(victim), await s.answerFor(victim)];
  const crossed = await post(victim, { ...one, RelayState: two.RelayState });
  expect([crossed.status, alertText(crossed.text)]).toEqual([
    403,
    `This sign-in has ended, or was started in another browser. ${AGAIN}`,
  ]);
  expect((await post(victim, { ...(await s.answerFor(victim)), RelayState: "" })).status).toBe(403);
  expect((await s.come(victim)).status).toBe(200);
});

test("rejects a response of another issuer, and says what to do", async () => {
  // Attack: unsigned, foreign and altered responses, sent over HTTP.
  await using s = await samlScene(idp);
  const cases: [object, string][] = [
    [
      { signAssertion: false },
      `The response or its assertion is not signed by your organization's identity provider. ${ADMINISTRATOR}`,
    ],
    [
      { otherKey: true },
      `The response or its assertion is not signed by your organization's identity provider. ${ADMINISTRATOR}`,
    ],
    [
      { signatureAlgorithm: "rsa-sha1" },
      `Your identity provider signs with an insecure algorithm, such as SHA-1. It must use SHA-256. ${ADMINISTRATOR}`,
    ],
    [
      { audience: "https://rival.test" },
      `The response is for another service. The provider's audience must be this service's entity ID. ${ADMINISTRATOR}`,
    ],
    [
      { recipient: "https://rival.test/acs" },
      `The response is for another URL. The provider's recipient must be this service's assertion consumer URL. ${ADMINISTRATOR}`,
    ],
    [
      { issuer: "https://rival.test" },
      `The response is from another identity provider than your organization's. ${ADMINISTRATOR}`,
    ],
    [{ lifetimeInSeconds: -60 }, `The response has expired, or the clocks differ by more than 15 seconds. ${AGAIN}`],
    [{ inResponseTo: "_other" }, `This sign-in has ended, or was started in another browser. ${AGAIN}`],
    [{ inResponseTo: null }, `This organization does not allow sign-ins started at its identity provider. ${AGAIN}`],
  ];
  for (const [told, shown] of cases) {
    await idp.tell({ user: ALICE, ...told });
    const browser = new Browser();
    const page = await s.come(browser);
    expect([told, page.status, alertText(page.text), isSignedIn(browser)]).toEqual([told, 403, shown, false]);
  }
  const { q, t } = openCommitted(s.w.store);
  expect(await q.select().from(t.externalIdentities)).toEqual([]);
});

test("accepts cross-site posts only at the response address, and only forms of bounded size", async () => {
  // Attack: cross-site request forgery through the one exempt address.
  await using s = await samlScene(idp, { accepts_idp_initiated: true });
  const { acsUrl } = s.service;
  const answer = await s.launched();
  const elsewhere = { origin: "https://idp.test", "sec-fetch-site": "cross-site" };
  const send = async (url: string, body: URLSearchParams | string, headers: Record<string, string> = {}) =>
    (await fetch(url, { method: "POST", body, headers: { ...elsewhere, ...headers }, redirect: "manual" })).status;
  const form = new URLSearchParams({ SAMLResponse: answer.SAMLResponse });
  for (const url of [
    acsUrl.replace("/acs", "/acs/"),
    acsUrl.replace("/saml/", "/SAML/"),
    acsUrl.replace("/saml/acs", "/start"),
    acsUrl.replace(/\/sso\/.*$/, "/sso/finish"),
    acsUrl.replace(/\/sso\/.*$/, "/sign-out"),
  ]) {
    expect([url, await send(url, form)]).toEqual([url, 403]);
  }
  expect(await send(acsUrl, new URLSearchParams({ SAMLResponse: "A".repeat(600_000) }))).toBe(413);
  expect(await send(acsUrl, new URLSearchParams({ SAMLResponse: "A".repeat(500_000) }))).toBe(403);
  expect(await send(acsUrl, "{}", { "content-type": "application/json" })).toBe(415);
  expect(await send(acsUrl, new URLSearchParams())).toBe(403);
  expect((await fetch(acsUrl)).status).toBe(404);
  expect(await send(acsUrl, form)).toBe(303);
});
