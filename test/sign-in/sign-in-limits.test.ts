import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { verifyPassword } from "../../auth/people/password.ts";
import { Browser } from "../../examples/browser.ts";
import {
  createOAuthClient,
  cheapHash,
  givePassword,
  PASSWORD,
  sceneWithPassword,
  signedInBrowser,
  requestToken,
} from "../support/assistant.ts";
import { world, type Answer } from "../support/world.ts";
import { OWNER, ATTEMPT_KEY, trySignIn } from "./sign-in-limits-cases.ts";

/** Too long to be hashed, so a wrong password costs the test no time. */
const WRONG = "x".repeat(1025);

function alertOf(text: string): string | undefined {
  return /role="alert"[^>]*>([^<]*)/.exec(text)?.[1]?.trim();
}

async function scene(env: Record<string, string> = {}) {
  const w = await world({ env: { TRUST_PROXY: "1", ...env } });
  await sceneWithPassword(w);
  return w;
}

test("does not lock out the account's browser or its owner's other addresses after strangers' failed sign-ins", async () => {
  // Attack: lock a person out by wrong passwords, from one address and from many.
  await using w = await scene({ SIGN_IN_FAILURES_STRANGERS: "40" });
  const home = await trySignIn(w, OWNER, PASSWORD, { address: "192.0.2.1" });
  expect([home.status, home.device]).toEqual([303, expect.stringMatching(/^bva_device=.{22}\..{43}$/)]);
  for (let time = 0; time < 11; time++) await trySignIn(w, OWNER, WRONG, { address: "198.51.100.9" });
  expect((await trySignIn(w, OWNER, PASSWORD, { address: "198.51.100.9" })).status).toBe(429);
  expect((await trySignIn(w, OWNER, PASSWORD, { address: "192.0.2.77" })).status).toBe(303);

  for (let time = 0; time < 40; time++) await trySignIn(w, OWNER, WRONG, { address: `198.51.100.${time}` });
  const stranger = await trySignIn(w, OWNER, PASSWORD, { address: "203.0.113.1" });
  expect([stranger.status, Number(stranger.headers.get("retry-after")) > 60]).toEqual([429, true]);
  // The browser that knows the account goes in, even from where the attack came.
  expect((await trySignIn(w, OWNER, PASSWORD, { address: "198.51.100.9", cookie: home.device })).status).toBe(303);
});

test("accepts a browser mark only for its own account, if genuine, and for ten attempts", async () => {
  // Attack: use one's own account's mark, or a forged one, to guess other accounts' passwords
  // without limit.
  await using w = await scene({ SIGN_IN_FAILURES_STRANGERS: "3" });
  const mallory = await w.signIn("mallory@rival.test");
  await givePassword(w, mallory.id);
  const { device } = await trySignIn(w, mallory.email, PASSWORD, { address: "203.0.113.5" });
  const forged = "bva_device=AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
  const statuses = [];
  for (const [at, cookie] of [device, forged, device, forged].entries()) {
    statuses.push((await trySignIn(w, OWNER, WRONG, { address: `203.0.113.${at}`, cookie })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 429]);
  const own = [];
  for (let time = 0; time < 11; time++) own.push((await trySignIn(w, mallory.email, WRONG, { cookie: device })).status);
  expect(own).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
});

test("counts concurrent attempts before hashing, and counts successful ones as no failures", async () => {
  // Attack: send many guesses concurrently, before the first one fails.
  await using w = await scene({ SIGN_IN_FAILURES: "3" });
  const burst = await Promise.all(Array.from({ length: 20 }, () => trySignIn(w, OWNER, "wrong password 1")));
  expect(burst.filter(({ status }) => status === 401)).toHaveLength(3);
  expect(burst.filter(({ status }) => status === 429)).toHaveLength(17);
  for (let time = 0; time < 4; time++) {
    expect((await trySignIn(w, OWNER, PASSWORD, { address: "192.0.2.1" })).status).toBe(303);
  }
});

test("limits one address to attempts on a hundred accounts", async () => {
  // Attack: try one common password on every account.
  await using w = await scene({ SIGN_IN_FAILURES_ADDRESS: "12" });
  const statuses = [];
  for (let at = 0; at < 13; at++) statuses.push((await trySignIn(w, `person-${at}@acme.test`, WRONG)).status);
  expect(statuses).toEqual([...Array.from({ length: 12 }, () => 401), 429]);
});

test("rejects concurrent passwords that cannot be hashed within seconds, so that no sign-in waits without limit", async () => {
  // Attack: taking the machine's memory with 64 MiB for each of very many sign-ins at the same
  // time.
  const known = await cheapHash();
  const all = await Promise.allSettled(
    Array.from({ length: 17 * availableParallelism() + 5 }, (_, at) =>
      verifyPassword(known, PASSWORD, { address: `198.51.100.${at}`, email: `person-${at}@acme.test` }),
    ),
  );
  const refused = all.filter((one) => one.status === "rejected").map(({ reason }): unknown => reason);
  expect(refused).toHaveLength(5);
  expect(all.some((one) => one.status === "fulfilled" && one.value)).toBe(true);
  expect(refused[0]).toMatchObject({ code: "UNAVAILABLE", retryAfterSeconds: 5 });
  expect(await verifyPassword(known, PASSWORD, ATTEMPT_KEY)).toBe(true);
});

test("a known browser has its own count of sign-ins, which strangers with the password do not use up", async () => {
  // Attack: signing in to a shared account without end, from anywhere, so that nobody else can.
  await using w = await scene({ SIGN_INS_ACCOUNT: "3", SIGN_INS_ADDRESS: "4" });
  const { device } = await trySignIn(w, OWNER, PASSWORD, { address: "192.0.2.1" });
  const statuses = [];
  for (let at = 0; at < 3; at++)
    statuses.push((await trySignIn(w, OWNER, PASSWORD, { address: `198.51.100.${at}` })).status);
  for (let at = 0; at < 4; at++) statuses.push((await trySignIn(w, OWNER, PASSWORD, { cookie: device })).status);
  expect(statuses).toEqual([303, 303, 429, 303, 303, 303, 429]);
  const mallory = await w.signIn("mallory@rival.test");
  const eve = await w.signIn("eve@rival.test");
  for (const { id } of [mallory, eve]) await givePassword(w, id);
  const ofAddress = [];
  for (const email of [mallory.email, mallory.email, eve.email, eve.email, eve.email]) {
    ofAddress.push((await trySignIn(w, email, PASSWORD, { address: "203.0.113.1" })).status);
  }
  expect(ofAddress).toEqual([303, 303, 303, 303, 429]);
});

test("keeps the form and shows the rate-limit message on every page that checks a password", async () => {
  await using w = await scene({ SIGN_INS_ACCOUNT: "1" });
  await trySignIn(w, OWNER, PASSWORD);
  const browser = new Browser();
  const form = await browser.get(`${w.config.baseUrl}/sign-in?next=%2Fsettings`);
  const told = await browser.submit(form, { action: /\/sign-in$/, fill: { email: OWNER, password: PASSWORD } });
  expect([told.status, alertOf(told.text)]).toEqual([
    429,
    "Too many sign-in attempts. Wait 15 minutes, then try again.",
  ]);
  expect(told.text).toContain(`value="${OWNER}"`);
  expect(told.text).toContain('name="next" value="/settings"');
  expect(told.text).not.toContain(PASSWORD);
  const known = await signedInBrowser(w, OWNER);
  const fill = { present: PASSWORD, password: "another good password 7" };
  const refused = await known.submit(await known.get(`${w.config.baseUrl}/account`), {
    action: /\/account\/password$/,
    fill,
  });
  expect([refused.status, alertOf(refused.text)]).toEqual([429, expect.stringMatching(/^Too many sign-in attempts\./)]);
});

test("stops one wrong key that is sent repeatedly, and accepts the right one from the same address", async () => {
  // Attack: trying keys; and a program with an old key that would shut out its neighbours.
  await using w = await world({ env: { TOKEN_FAILURES_ADDRESS: "20" } });
  const { owner } = await w.acme();
  const exchange = (api_key: string) => w.request("POST", "/v1/auth/token", { body: { api_key } });
  const old: Answer[] = [];
  for (let time = 0; time < 30; time++) old.push(await exchange("bva_usr_old"));
  expect(old.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 10 }, () => old[0]?.status),
    ...Array.from({ length: 20 }, () => 429),
  ]);
  expect([old[0]?.status, old.at(-1)?.body.code]).toEqual([401, "RATE_LIMITED"]);
  expect(old[0]?.headers.get("ratelimit-policy")).toBe('"address";q=6000;w=60, "failures";q=20;w=900');
  for (let time = 0; time < 15; time++) expect((await exchange(owner.apiKey)).status).toBe(200);
  const others = [];
  for (let time = 0; time < 11; time++) others.push((await exchange(`bva_usr_${time}`)).status);
  expect(others).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  const refused = await exchange(owner.apiKey);
  expect([refused.status, refused.body.code, Number(refused.headers.get("retry-after")) > 60]).toEqual([
    429,
    "RATE_LIMITED",
    true,
  ]);
});

test("counts wrong codes at the token endpoint and wrong links, in each interface's own error format", async () => {
  await using w = await world({ env: { TOKEN_FAILURES_ADDRESS: "3" } });
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w);
  const wrong = { grant_type: "authorization_code", client_id: probe.clientId, code: "x", code_verifier: "x" };
  const answers = [];
  for (let time = 0; time < 4; time++) answers.push(await requestToken(w, wrong));
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
    [400, "invalid_grant"],
    [400, "invalid_grant"],
    [400, "invalid_grant"],
    [429, "temporarily_unavailable"],
  ]);
  expect(Number(answers[3]?.headers.get("retry-after"))).toBeGreaterThan(60);
  const link = await new Browser().get(`${w.config.baseUrl}/setup?link=x`);
  expect([link.status, link.text.includes("Too many attempts")]).toEqual([429, true]);
});
