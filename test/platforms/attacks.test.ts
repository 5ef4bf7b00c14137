import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Browser } from "../../examples/browser.ts";
import { alertText } from "../support/alert-text.ts";
import { signedInBrowser } from "../support/assistant.ts";
import { platformScene } from "./scene.ts";

let scene: Awaited<ReturnType<typeof platformScene>>;
let callback: string;
beforeAll(async () => {
  scene = await platformScene({ LOG_LEVEL: "trace" });
  callback = `${scene.w.config.baseUrl}/platform-accounts/callback`;
});
afterAll(() => scene[Symbol.asyncDispose]());

/** Approves at the platform and returns the callback URL without following it. */
async function answered(browser: Browser, platform = "advertising"): Promise<URL> {
  const opened = await browser.get(scene.w.config.baseUrl + scene.page);
  const asked = await browser.submit(opened, { action: /\/connect$/, fill: { platform } });
  const end = await browser.submit(asked, { action: /^\/ask\//, press: ["say", "yes"] });
  expect(end).toMatchObject({ status: 0 });
  return end.url;
}

const leaves = (url: URL) => url.href.startsWith(callback);
const owners = () => signedInBrowser(scene.w, scene.owner.email, leaves);
const whole = async (email = scene.owner.email) => signedInBrowser(scene.w, email);
const connections = async () => (await scene.owner.get(scene.rest)).body.data.length;

test("accepts a callback only in the browser that began the connection", async () => {
  // Attack: have a victim's browser end the attacker's connection, or an attacker's end the
  // victim's (CSRF, RFC 6749 10.12).
  const url = await answered(await owners());
  const codes = (await scene.advertising.seen()).codes;
  const ids = { organizationId: scene.organization.id, role: "owner" as const };
  await scene.w.signIn("second@acme.test", ids);
  const strangers = [new Browser(), await whole("second@acme.test"), await whole()];
  for (const stranger of strangers) {
    const refused = await stranger.get(url);
    expect(refused.status).toBe(409);
    expect(alertText(refused.text)).toBe(
      "This connection was started in another browser, or has expired. Open your workspace's page and connect again.",
    );
  }
  expect([await connections(), (await scene.advertising.seen()).codes]).toEqual([0, codes]);
});

test("accepts a callback once, and rejects one that was never requested", async () => {
  // Attack: replay a callback, or send one with a self-chosen state.
  const browser = await owners();
  const url = await answered(browser);
  const same = new Browser();
  same.cookies = browser.cookies;
  const forged = new URL(url);
  forged.searchParams.set("state", "x".repeat(43));
  const stateless = new URL(url);
  stateless.searchParams.delete("state");
  for (const wrong of [forged, stateless]) expect((await same.get(wrong)).status).toBe(409);
  expect((await same.get(url)).url.search).toBe("?came=connected");
  expect((await same.get(url)).status).toBe(409);
  const [{ id }] = (await scene.owner.get(scene.rest)).body.data;
  await scene.owner.delete(`${scene.rest}/${id}`);
});

test("rejects an authorization code of another connection, because its PKCE verifier differs", async () => {
  // Attack: inject a stolen code into the attacker's own callback (RFC 9700 section 4.5).
  const stolen = (await answered(await owners())).searchParams.get("code") ?? "";
  const browser = await owners();
  const own = await answered(browser);
  own.searchParams.set("code", stolen);
  const same = new Browser();
  same.cookies = browser.cookies;
  expect((await same.get(own)).url.search).toBe("?came=failed");
  expect(await connections()).toBe(0);
});

test("rejects a callback of the other platform and one that names another issuer", async () => {
  // Attack: mix-up. Have a code of one platform sent to the token endpoint of the other (RFC 9700
  // section 4.4).
  const browser = await owners();
  const url = await answered(browser);
  const codes = (await scene.video.seen()).codes;
  const same = new Browser();
  same.cookies = browser.cookies;
  const elsewhere = new URL(url);
  elsewhere.pathname = elsewhere.pathname.replace("advertising", "social_video");
  expect((await same.get(elsewhere)).status).toBe(409);
  const otherIssuer = new URL(url);
  otherIssuer.searchParams.set("iss", scene.video.address);
  expect((await same.get(otherIssuer)).url.search).toBe("?came=failed");
  expect([await connections(), (await scene.video.seen()).codes]).toEqual([0, codes]);
});

test("rejects a form sent from another site", async () => {
  // Attack: cross-site request forgery of the first step.
  const browser = await whole();
  const form = new URLSearchParams({ platform: "advertising" });
  const from = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  const refused = await browser.post(`${scene.w.config.baseUrl}${scene.page}/connect`, form, from);
  expect([refused.status, refused.url.host]).toEqual([403, new URL(scene.w.config.baseUrl).host]);
});

test("refuses to connect after the member loses the role, and revokes the permission at the platform", async () => {
  // Attack: begin with a role, and end without it.
  const ids = { organizationId: scene.organization.id, workspaceId: scene.workspace.id };
  const editor = await scene.w.signIn("gone@acme.test", { ...ids, workspaceRole: "editor" });
  const browser = await signedInBrowser(scene.w, editor.email, leaves);
  const url = await answered(browser);
  await scene.w.store.write(async ({ q, t }) => {
    await q.update(t.workspaceMembers).set({ role: "viewer" });
  });
  const { revocations } = await scene.advertising.seen();
  const same = new Browser();
  same.cookies = browser.cookies;
  expect((await same.get(url)).status).toBe(403);
  expect([await connections(), (await scene.advertising.seen()).revocations]).toEqual([0, revocations + 1]);
});

test("hides and rejects another organization's workspace, connections and accounts", async () => {
  // Attack: name another organization's workspace, or its ids in one's own workspace.
  await scene.connect();
  const [{ id }] = (await scene.owner.get(scene.rest)).body.data;
  const account = (await scene.owner.get(scene.accountsPath)).body.data[0].id;
  const rival = await scene.w.insertTenant("Rival");
  const ids = { organizationId: rival.organization.id, role: "owner" as const };
  const mallory = await scene.w.signIn("mallory@rival.test", ids);
  const own = `${rival.workspace.path}/platform-integrations`;
  const tries = [
    mallory.get(scene.rest),
    mallory.get(scene.accountsPath),
    mallory.delete(`${scene.rest}/${id}`),
    mallory.delete(`${own}/${id}`),
    mallory.patch(`${own}/${id}`, { status: "disabled" }),
    mallory.post(`${own}/${id}/refresh`),
    mallory.patch(`${rival.workspace.path}/platform-accounts/${account}`, { status: "active" }),
  ];
  expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(tries.map(() => 404));
  const browser = await whole(mallory.email);
  const form = new URLSearchParams({ platform: "advertising" });
  expect((await browser.post(`${scene.w.config.baseUrl}${scene.page}/connect`, form)).status).toBe(404);
});

test("exposes no token, code, verifier or client secret in the database, the log, a page or a response", async () => {
  // Attack: read credentials of the platform from a database copy, the log or a response.
  const browser = await owners();
  const url = await answered(browser);
  const code = url.searchParams.get("code") ?? "";
  const state = url.searchParams.get("state") ?? "";
  const same = new Browser();
  same.cookies = browser.cookies;
  const arrived = await same.get(url);
  expect(arrived.url.search).toBe("?came=connected");
  const secrets = [code, state, scene.advertising.settings.client_secret, ...(await scene.storedTokens())];
  expect(secrets.length).toBeGreaterThan(4);
  const shown = [
    arrived.text,
    arrived.url.href,
    JSON.stringify((await scene.owner.get(scene.rest)).body),
    JSON.stringify((await scene.owner.get(scene.accountsPath)).body),
    scene.log(),
    ...["visibility.db", "visibility.db-wal"].map((file) =>
      readFileSync(scene.w.store.file.replace("visibility.db", file)).toString("latin1"),
    ),
  ];
  expect(scene.log().length).toBeGreaterThan(0);
  for (const secret of secrets) expect(shown.map((text) => text.includes(secret))).toEqual(shown.map(() => false));
});
