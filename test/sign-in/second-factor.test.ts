import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { toTotpSealContext } from "../../db/identity/second-factors/second-factors.ts";
import { sweepExpired } from "../../auth/sweep.ts";
import { Browser } from "../../examples/browser.ts";
import { runAccountCommand } from "../../src/cli/account-command.ts";
import { alertText } from "../support/alert-text.ts";
import { createOAuthClient, PASSWORD, REDIRECT, sceneWithPassword, signedInBrowser } from "../support/assistant.ts";
import { openCommitted } from "../support/committed.ts";
import {
  enterPassword,
  createClock,
  totpCode,
  readRecoveryCodes,
  OWNER,
  ownerWithApp,
  submitCode,
} from "./second-factor-scene.ts";
import { world } from "../support/world.ts";

type World = Awaited<ReturnType<typeof world>>;
const WRONG = "That was not right, or was used before. Try again.";
const isIn = async (w: World, browser: Browser) =>
  (await browser.get(`${w.config.baseUrl}/account`)).url.pathname === "/account";

test("rejects a stolen password without a code of the app", async () => {
  // Attack: signing in with a password from elsewhere.
  const { now, forward } = createClock();
  await using w = await world({ now });
  const { owner, secret, organization } = await ownerWithApp(w);
  forward(30);
  const { browser, second } = await enterPassword(w);
  expect([second.url.pathname, second.text.includes(`for ${OWNER}`)]).toEqual(["/sign-in/second-factor", true]);
  expect(await isIn(w, browser)).toBe(false);
  for (const path of ["/", "/api-keys", `/organizations/${organization.id}`]) {
    expect((await browser.get(w.config.baseUrl + path)).url.pathname).toBe("/sign-in");
  }
  const wrong = await submitCode(browser, second, "000000");
  expect([wrong.status, alertText(wrong.text), await isIn(w, browser)]).toEqual([401, WRONG, false]);
  const cookie = browser.cookies.find(({ name }) => name === "bva_factor");
  expect(cookie?.attributes).toEqual(expect.arrayContaining(["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=600"]));
  const rows = JSON.stringify(await openCommitted(w.store).q.select().from(openCommitted(w.store).t.factorChallenges));
  expect([rows.includes(owner.id), rows.includes(cookie?.value ?? "")]).toEqual([true, false]);
  const right = await submitCode(browser, wrong, ` ${totpCode(secret, now())} `);
  expect([right.url.pathname, await isIn(w, browser)]).toEqual(["/", true]);
  expect(browser.cookies.some(({ name }) => name === "bva_factor")).toBe(false);
  const { q, t } = openCommitted(w.store);
  expect(await q.select().from(t.factorChallenges)).toEqual([]);
  await expect
    .poll(async () =>
      (await q.select().from(t.auditLog).where(eq(t.auditLog.userId, owner.id)))
        .map(({ endpoint, outcome }) => `${endpoint} ${outcome}`)
        .filter((event) => /signIn|Authenticator/.test(event)),
    )
    .toEqual(["addAuthenticatorApp ok", "signIn ok", "signIn UNAUTHENTICATED", "signIn ok"]);
});

test("asks for the second factor at an assistant's first call, then returns to the assistant", async () => {
  // Attack: connect one's own assistant with a stolen password.
  const { now, forward } = createClock(Date.now());
  await using w = await world({ now });
  const { secret } = await ownerWithApp(w);
  forward(30);
  const probe = await createOAuthClient(w);
  const browser = new Browser((url) => url.href.startsWith(REDIRECT));
  const step = await browser.get(probe.authorizeUrl({ prompt: "login" }));
  const fill = { email: OWNER, password: PASSWORD };
  const second = await browser.submit(step, { action: /\/sign-in$/, fill });
  expect(second.url.pathname).toBe("/sign-in/second-factor");
  expect((await browser.get(step.url)).text).toContain("to connect <strong>Probe</strong>");
  const consent = await submitCode(browser, second, totpCode(secret, now()));
  expect(consent.text).toContain("Connect Probe?");
  const end = await browser.submit(consent, { action: /\/consent$/, press: ["decision", "allow"] });
  const tokens = await probe.redeem(end.url.searchParams.get("code") ?? "");
  expect(tokens.status).toBe(200);
});

test("a code works once, also of two at the same moment, and so does each challenge", async () => {
  // Attack: reuse a code seen over a shoulder or on a phishing page.
  const { now, forward } = createClock();
  await using w = await world({ now });
  const { secret } = await ownerWithApp(w);
  const replay = await enterPassword(w);
  // The code that confirmed the app is used up too.
  expect((await submitCode(replay.browser, replay.second, totpCode(secret, now()))).status).toBe(401);
  forward(30);
  const both = await Promise.all([enterPassword(w), enterPassword(w)]);
  const code = totpCode(secret, now());
  const ends = await Promise.all(both.map(({ browser, second }) => submitCode(browser, second, code)));
  expect(ends.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  expect((await submitCode(replay.browser, replay.second, code)).status).toBe(401);
  // An earlier code is invalid after a later one was used.
  expect((await submitCode(replay.browser, replay.second, totpCode(secret, now(), -1))).status).toBe(401);
  forward(30);
  const used = await enterPassword(w);
  const copy = new Browser();
  copy.cookies = used.browser.cookies.map((cookie) => ({ ...cookie }));
  expect((await submitCode(used.browser, used.second, totpCode(secret, now()))).url.pathname).toBe("/");
  forward(30);
  expect((await submitCode(copy, used.second, totpCode(secret, now()))).url.pathname).toBe("/sign-in");
});

test("accepts a clock one step off in either direction, and rejects two", async () => {
  const { now, forward } = createClock();
  await using w = await world({ now });
  const { secret } = await ownerWithApp(w);
  const signIn = async (steps: number) => {
    forward(300);
    const { browser, second } = await enterPassword(w);
    return (await submitCode(browser, second, totpCode(secret, now(), steps))).status;
  };
  expect([await signIn(-1), await signIn(1), await signIn(-2), await signIn(2)]).toEqual([200, 200, 401, 401]);
});

test("six digits cannot be guessed: ten wrong codes in twelve hours are the most, from all browsers together", async () => {
  // Attack: guess codes with a stolen password, from many addresses, restarting each time.
  const { now, forward } = createClock();
  await using w = await world({ now, env: { TRUST_PROXY: "1" } });
  const { secret, codes } = await ownerWithApp(w);
  forward(30);
  const known = await enterPassword(w);
  await submitCode(known.browser, known.second, totpCode(secret, now()));
  await known.browser.post(`${w.config.baseUrl}/sign-out`, new URLSearchParams());
  const statuses: number[] = [];
  let last = await enterPassword(w);
  const wrong = totpCode(secret, now(), 50);
  for (let attempt = 0; attempt < 12; attempt++) {
    if (attempt % 3 === 0) last = await enterPassword(w);
    const fields = new URLSearchParams({ code: wrong });
    const headers = { "x-forwarded-for": `203.0.113.${attempt}` };
    statuses.push((await last.browser.post(last.second.url, fields, headers)).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  forward(30);
  const locked = await submitCode(last.browser, last.second, totpCode(secret, now()));
  expect([locked.status, locked.text.includes("A recovery code or a passkey still works.")]).toEqual([429, true]);
  // A known browser has its own counter, and a recovery code does not count as a guess.
  const own = await enterPassword(w, known.browser);
  expect((await submitCode(own.browser, own.second, totpCode(secret, now()))).url.pathname).toBe("/");
  expect((await submitCode(last.browser, last.second, codes[0] ?? "")).url.pathname).toBe("/");
});

test("accepts each of ten recovery codes once, and invalidates them when new ones are made", async () => {
  const { now } = createClock();
  await using w = await world({ now });
  const { browser: here, codes, owner } = await ownerWithApp(w);
  expect([codes.length, new Set(codes).size]).toEqual([10, 10]);
  for (const code of codes) expect(code).toMatch(/^[a-z2-9]{6}-[a-z2-9]{6}$/);
  const { q, t } = openCommitted(w.store);
  const stored = JSON.stringify(await q.select().from(t.recoveryCodes));
  for (const code of codes) expect(stored).not.toMatch(new RegExp(`${code}|${code.replace("-", "")}`));
  const [first = "", second = "", third = ""] = codes;
  const lost = await enterPassword(w);
  expect((await submitCode(lost.browser, lost.second, first.toUpperCase().replace("-", " "))).url.pathname).toBe("/");
  const again = await enterPassword(w);
  expect((await submitCode(again.browser, again.second, first)).status).toBe(401);
  const both = await Promise.all([enterPassword(w), enterPassword(w)]);
  const ends = await Promise.all(both.map((one) => submitCode(one.browser, one.second, second)));
  expect(ends.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  const page = await here.get(`${w.config.baseUrl}/account/second-factor`);
  expect(page.text).toContain("8 left.");
  const fresh = readRecoveryCodes(await here.submit(page, { action: /\/codes$/ }));
  expect(fresh).toHaveLength(10);
  expect((await submitCode(again.browser, again.second, third)).status).toBe(401);
  expect((await submitCode(again.browser, again.second, fresh[0] ?? "")).url.pathname).toBe("/");
  const events = await q.select().from(t.auditLog).where(eq(t.auditLog.endpoint, "useRecoveryCode"));
  expect(events.map(({ userId }) => userId)).toEqual([owner.id, owner.id, owner.id]);
});

test("rejects another account's recovery codes and app codes", async () => {
  // Attack: pass one account's second step with another account's second factor.
  const { now, forward } = createClock();
  await using w = await world({ now });
  const { secret, codes, owner } = await ownerWithApp(w);
  const other = await w.signIn("other@rival.test");
  await w.store.write(async ({ q, t }) => {
    await q.update(t.totpFactors).set({ userId: other.id }).where(eq(t.totpFactors.userId, owner.id));
    await q.update(t.recoveryCodes).set({ userId: other.id }).where(eq(t.recoveryCodes.userId, owner.id));
  });
  forward(30);
  const { browser, second } = await enterPassword(w);
  for (const code of [totpCode(secret, now()), codes[0] ?? ""]) {
    expect((await submitCode(browser, second, code)).status).toBe(401);
  }
});

test("turning it on signs out other browsers and assistants; the secret is sealed, and shown until it is confirmed", async () => {
  // Attack: staying signed in with a session that was stolen before.
  const { now } = createClock();
  await using w = await world({ now });
  const { owner } = await sceneWithPassword(w);
  const thief = await signedInBrowser(w, OWNER);
  const probe = await createOAuthClient(w);
  const connected = (await probe.connect()).body;
  const browser = await signedInBrowser(w, OWNER);
  const page = await browser.get(`${w.config.baseUrl}/account/second-factor`);
  const begun = await browser.submit(page, { action: /\/app$/ });
  const secret = (/<code id="secret">([^<]*)</.exec(begun.text)?.[1] ?? "").replaceAll(" ", "");
  expect([secret.length, begun.text.includes(`otpauth://totp/Brand%20Visibility:`)]).toEqual([32, true]);
  const confirm = (code: string) => browser.submit(begun, { action: /\/app\/confirm$/, fill: { code } });
  const wrong = await confirm("000000");
  expect([wrong.status, /role="alert"/.test(wrong.text), await isIn(w, thief)]).toEqual([400, true, true]);
  const before = new Set(browser.cookies.map(({ value }) => value));
  const done = await confirm(totpCode(secret, now()));
  expect([done.status, readRecoveryCodes(done).length]).toEqual([200, 10]);
  expect([await isIn(w, browser), await isIn(w, thief)]).toEqual([true, false]);
  expect(browser.cookies.some(({ name, value }) => name === "bva_session" && before.has(value))).toBe(false);
  expect((await probe.refresh(connected.refresh_token)).status).toBe(400);
  expect((await owner.get("/v1/auth/me")).status).toBe(200);
  expect((await browser.get(`${w.config.baseUrl}/account/second-factor`)).text).not.toContain(secret.slice(0, 4));
  // A confirmed app is not replaced, only removed.
  await browser.post(`${w.config.baseUrl}/account/second-factor/app`, new URLSearchParams());
  const { q, t } = openCommitted(w.store);
  const [row] = await q.select().from(t.totpFactors);
  expect([row?.confirmedAt, row?.sealedSecret.includes(secret)]).toEqual([now(), false]);
  expect(toTotpSealContext(owner.id)).toBe(`totp_factors/${owner.id}/secret`);
});

test("changing the second factor needs a recent sign-in, or password and second factor again", async () => {
  // Attack: turn it off, or add a passkey, in a browser that was left signed in.
  const { now, forward } = createClock();
  await using w = await world({ now });
  const { browser, secret } = await ownerWithApp(w);
  const address = `${w.config.baseUrl}/account/second-factor`;
  forward(601);
  for (const path of ["/remove", "/app/remove", "/codes", "/passkeys/new", "/passkeys/add", "/app/confirm"]) {
    const refused = await browser.post(address + path, new URLSearchParams());
    expect([path, refused.text.includes("Enter your password to go on.")]).toEqual([path, true]);
  }
  const page = await browser.get(address);
  const wrong = await browser.submit(page, { action: /\/second-factor\/sign-in$/, fill: { password: "wrong" } });
  expect([wrong.status, alertText(wrong.text)]).toEqual([400, "The password is wrong."]);
  const second = await browser.submit(page, { action: /\/second-factor\/sign-in$/, fill: { password: PASSWORD } });
  expect(second.url.pathname).toBe("/sign-in/second-factor");
  expect((await browser.get(address)).text).toContain("Enter your password to go on.");
  const back = await submitCode(browser, second, totpCode(secret, now()));
  expect(back.url.pathname).toBe("/account/second-factor");
  const off = await browser.submit(back, { action: /\/remove$/ });
  expect(off.text).toContain("Removed.");
  expect((await enterPassword(w)).second.url.pathname).toBe("/");
});

test("requires the second factor after a password reset by link, and ends half-finished sign-ins", async () => {
  // Attack: going on with an old password's sign-in after it was changed, or around the second
  // factor by a link.
  const { now, forward } = createClock();
  await using w = await world({ now });
  const { secret } = await ownerWithApp(w);
  forward(30);
  const half = await enterPassword(w);
  const environment = { ...w.config, PORT: Number(new URL(w.config.baseUrl).port) };
  const run = (...args: string[]) => runAccountCommand(w.store, args, environment);
  const [link = ""] = (await run("reset", OWNER)).text.split("\n");
  const form = await new Browser().get(link);
  const set = await new Browser().submit(form, { action: /^\/set-password$/, fill: { password: PASSWORD } });
  expect(set.text).toContain("Your password is set");
  expect((await submitCode(half.browser, half.second, totpCode(secret, now()))).url.pathname).toBe("/sign-in");
  expect((await enterPassword(w)).second.url.pathname).toBe("/sign-in/second-factor");
});

test("keeps the second step open for ten minutes, redirects only within this site, and rejects disabled accounts", async () => {
  const { now, forward } = createClock();
  await using w = await world({ now });
  const { secret, owner } = await ownerWithApp(w);
  forward(30);
  const path = "/account?done=password";
  const kept = await enterPassword(w, new Browser(), path);
  expect((await submitCode(kept.browser, kept.second, totpCode(secret, now()))).url.href).toBe(w.config.baseUrl + path);
  const away = await enterPassword(w, new Browser(), "https://rival.test/");
  forward(30);
  expect((await submitCode(away.browser, away.second, totpCode(secret, now()))).url.href).toBe(`${w.config.baseUrl}/`);
  const late = await enterPassword(w);
  forward(601);
  expect((await submitCode(late.browser, late.second, totpCode(secret, now()))).url.pathname).toBe("/sign-in");
  const { q, t } = openCommitted(w.store);
  await sweepExpired(w.store, new Date(Date.parse(now()) + 60_000).toISOString());
  expect(await q.select().from(t.factorChallenges)).toEqual([]);
  const disabled = await enterPassword(w);
  await w.store.write(async (db) => {
    await db.q.update(db.t.users).set({ disabledAt: now() }).where(eq(db.t.users.id, owner.id));
  });
  expect((await submitCode(disabled.browser, disabled.second, totpCode(secret, now()))).url.pathname).toBe("/sign-in");
});
