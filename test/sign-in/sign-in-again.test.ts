import { afterAll, beforeAll, expect, test } from "vitest";
import { Browser } from "../../examples/browser.ts";
import { addMs } from "../../core/shared/time.ts";
import { givePassword, PASSWORD, sceneWithPassword, signedInBrowser } from "../support/assistant.ts";
import { openCommitted } from "../support/committed.ts";
import { createClock as movedClock, totpCode, OWNER, ownerWithApp, submitCode } from "./second-factor-scene.ts";
import { signInAtProvider, startProvider, type ProviderProcess } from "../sso/provider-process.ts";
import { configureSso, verifyDomain } from "../sso/scene.ts";
import { world } from "../support/world.ts";

const MINUTE = 60_000;

/** A service whose clock is shifted by minutes and keeps running. */
async function movableWorld(env: Record<string, string> = {}) {
  const clock = { ahead: 0 };
  const w = await world({ now: () => addMs(new Date().toISOString(), clock.ahead * MINUTE), env });
  return { w, clock, [Symbol.asyncDispose]: () => w[Symbol.asyncDispose]() };
}

let provider: ProviderProcess;

beforeAll(async () => {
  provider = await startProvider();
});

afterAll(() => provider[Symbol.asyncDispose]());

/** Posts a form that needs a recent sign-in, and returns the address that follows the sign-in. */
async function heldAt(w: Awaited<ReturnType<typeof world>>, browser: Awaited<ReturnType<typeof signedInBrowser>>) {
  const fields = new URLSearchParams({ name: "Nightly", reach: "user", expires: "90" });
  const page = await browser.post(`${w.config.baseUrl}/api-keys/create`, fields);
  expect([page.status, page.text.includes("Sign in again")]).toEqual([403, true]);
  const [, next = ""] = /name="next" value="([^"]*)"/.exec(page.text) ?? [];
  return w.config.baseUrl + next.replaceAll("&#61;", "=");
}

/**
 * `back` if the page shows the restored values, `gone` if it says that they are no longer
 * available.
 */
async function shownAt(browser: Browser, address: string): Promise<"back" | "gone"> {
  const page = await browser.get(address);
  const [isBack, isGone] = [page.text.includes(`value="Nightly"`), page.text.includes("is no longer here")];
  expect([page.status, isBack !== isGone]).toEqual([200, true]);
  return isBack ? "back" : "gone";
}

test("restores a form once within an hour, at its own page, only for its person and browser", async () => {
  // Attack: open the address of another person's form, to read its values or have it submitted.
  await using s = await movableWorld();
  const { organization } = await sceneWithPassword(s.w);
  const other = await s.w.signIn("other@acme.test", { organizationId: organization.id, role: "owner" });
  await givePassword(s.w, other.id);
  const browser = await signedInBrowser(s.w, OWNER);
  const [own, ...others] = browser.cookies;
  const signAgain = async () => {
    const { cookies } = await signedInBrowser(s.w, OWNER);
    browser.cookies = [...browser.cookies.filter(({ name }) => name !== own?.name), ...cookies];
  };
  expect(others).toEqual([]);
  s.clock.ahead = 11;
  const first = await heldAt(s.w, browser);
  const mark = browser.cookies.filter(({ name }) => name !== own?.name);
  const [stranger, elsewhere] = [await signedInBrowser(s.w, other.email), await signedInBrowser(s.w, OWNER)];
  expect(await shownAt(elsewhere, first)).toBe("gone");
  expect(await shownAt(stranger, first)).toBe("gone");
  stranger.cookies.push(...mark);
  expect(await shownAt(stranger, first)).toBe("gone");
  const moved = first.replace("/api-keys?", `/organizations/${organization.id}/api-keys?`);
  expect(await shownAt(browser, moved)).toBe("gone");
  expect([await shownAt(browser, first), await shownAt(browser, first)]).toEqual(["back", "gone"]);
  expect(await shownAt(browser, `${s.w.config.baseUrl}/api-keys?held=unknown`)).toBe("gone");
  const late = await heldAt(s.w, browser);
  s.clock.ahead = 72;
  await signAgain();
  expect(await shownAt(browser, late)).toBe("gone");
  // No key was created.
  const keys = await openCommitted(s.w.store).q.select().from(openCommitted(s.w.store).t.apiKeys);
  expect(keys.filter(({ name }) => name === "Nightly")).toEqual([]);
});

test("signs a person in again through their provider, which asks for credentials, and restores the form", async () => {
  await using s = await movableWorld({ SSO_ALLOW_PRIVATE_ADDRESSES: "1" });
  const acme = await sceneWithPassword(s.w);
  const { id } = acme.organization;
  const { baseUrl } = s.w.config;
  await verifyDomain(s.w, id, "acme.test");
  await configureSso(s.w, acme, await provider.register(`${baseUrl}/sso/${id}/callback`));
  const browser = new Browser();
  const start = `${baseUrl}/sso/${id}/start?relay_path=/api-keys`;
  const first = await signInAtProvider(browser, await browser.get(start), "ann");
  const own = await browser.submit(first, { action: /create$/, fill: { name: "First", reach: "user", expires: "90" } });
  expect([first.url.pathname, own.text.includes("First is ready")]).toEqual(["/api-keys", true]);
  s.clock.ahead = 11;
  await provider.setClockAhead(11 * MINUTE);
  // Attack: in a browser that was left open, the provider signs the person in once more without
  // asking anything.
  const silent = await browser.get(start);
  expect(silent.url.href).toBe(`${baseUrl}/api-keys`);
  const fields = new URLSearchParams({ name: "Nightly", reach: "user", expires: "90" });
  const refused = await browser.post(`${baseUrl}/api-keys/create`, fields);
  const [, link = ""] = /href="(\/sso\/[^"]*)"/.exec(refused.text) ?? [];
  // They have no password here, and are still signed in there.
  expect([refused.status, refused.text.includes('name="password"')]).toEqual([403, false]);
  const asked = await browser.get(baseUrl + link.replaceAll("&amp;", "&").replaceAll("&#38;", "&"));
  expect(asked.url.origin).not.toBe(baseUrl);
  const back = await signInAtProvider(browser, asked, "ann");
  expect([back.url.pathname, back.text.includes('value="Nightly"')]).toEqual(["/api-keys", true]);
  const made = await browser.submit(back, { action: /create$/, fill: { reach: "user", expires: "90" } });
  expect(made.text).toContain("Nightly is ready");
  await provider.setClockAhead(0);
});

test("does not treat an old sign-in as recent after a password change", async () => {
  // Attack: in a browser that was left open, a password that was found is changed, for ten minutes
  // of lasting access.
  await using s = await movableWorld();
  await sceneWithPassword(s.w);
  const browser = await signedInBrowser(s.w, OWNER);
  s.clock.ahead = 11;
  const account = await browser.get(`${s.w.config.baseUrl}/account`);
  const fill = { present: PASSWORD, password: "seven quiet espresso machines" };
  const changed = await browser.submit(account, { action: /\/account\/password$/, fill });
  expect([changed.status, changed.url.pathname, changed.text.includes("Password changed.")]).toEqual([
    200,
    "/account",
    true,
  ]);
  const fields = new URLSearchParams({ name: "Nightly", reach: "user", expires: "90" });
  expect((await browser.post(`${s.w.config.baseUrl}/api-keys/create`, fields)).status).toBe(403);
});

test("restores the form of a person with a second factor only after the code", async () => {
  // Attack: a browser that was left open, and a password that was found, for a key that outlives
  // both.
  const time = movedClock();
  await using w = await world({ now: time.now });
  const { secret } = await ownerWithApp(w);
  const browser = await signedInBrowser(w, OWNER);
  time.forward(11 * 60);
  const fields = new URLSearchParams({ name: "Nightly", reach: "user", expires: "90" });
  const refused = await browser.post(`${w.config.baseUrl}/api-keys/create`, fields);
  const second = await browser.submit(refused, { action: /^\/sign-in$/, fill: { password: PASSWORD } });
  expect([second.url.pathname, second.text.includes("Nightly")]).toEqual(["/sign-in/second-factor", false]);
  expect((await browser.post(`${w.config.baseUrl}/api-keys/create`, fields)).status).toBe(403);
  const back = await submitCode(browser, second, totpCode(secret, time.now()));
  expect([back.url.pathname, back.text.includes('value="Nightly"')]).toEqual(["/api-keys", true]);
});
