import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { signedInBrowser } from "../support/assistant.ts";
import { world } from "../support/world.ts";
import { platformScene } from "./scene.ts";

let scene: Awaited<ReturnType<typeof platformScene>>;
beforeAll(async () => {
  scene = await platformScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

const connectionTo = async (platform: string) =>
  (await scene.owner.get(scene.rest)).body.data.find((row: { platform: string }) => row.platform === platform);

test("a workspace is connected in the console, and its accounts are listed, activated and deactivated", async () => {
  const { arrived } = await scene.connect();
  expect([arrived.status, arrived.url.pathname, arrived.url.search]).toEqual([200, scene.page, "?came=connected"]);
  expect(arrived.text).toMatch(/role="status">Connected\./);
  const { body } = await scene.owner.get(scene.rest);
  expect(body).toEqual({
    data: [
      {
        id: expect.any(String),
        platform: "advertising",
        status: "active",
        problem: null,
        scopes: ["openid", "accounts.read"],
        expires_at: expect.any(String),
        accounts_listed_at: expect.any(String),
        api_token_hint: null,
        partner_workspace_id: null,
        recipients: [],
        max_brief_length: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ],
    next_cursor: null,
  });
  const first = await scene.owner.get(`${scene.accountsPath}?limit=1`);
  const rest = await scene.owner.get(`${scene.accountsPath}?limit=1&cursor=${first.body.next_cursor}`);
  const accounts = [...first.body.data, ...rest.body.data];
  expect(accounts.map(({ external_id, name, status, reachable }) => [external_id, name, status, reachable])).toEqual([
    ["a-1", "Kestrova Search", "inactive", true],
    ["a-2", "Kestrova Video", "inactive", true],
  ]);
  expect(rest.body.next_cursor).toBeNull();
  const [{ id }] = accounts;
  const changed = await scene.owner.patch(`${scene.accountsPath}/${id}`, { status: "active" });
  expect(changed).toMatchObject({ status: 200, body: { id, status: "active", platform: "advertising" } });
  const active = await scene.owner.get(`${scene.accountsPath}?status=active&platform=advertising`);
  expect(active.body.data.map((row: { id: string }) => row.id)).toEqual([id]);
  expect((await scene.owner.get(`${scene.accountsPath}?platform=social_video`)).body.data).toEqual([]);
});

test("reconnects with the same connection and account decisions, and marks missing accounts as unreachable", async () => {
  const before = await connectionTo("advertising");
  await scene.advertising.change({ accounts: [{ id: "a-1", name: "Kestrova Search, new" }] });
  await scene.connect();
  expect(await connectionTo("advertising")).toMatchObject({ id: before.id, created_at: before.created_at });
  const { body } = await scene.owner.get(scene.accountsPath);
  expect(body.data.map((row: Record<string, unknown>) => [row["name"], row["status"], row["reachable"]])).toEqual([
    ["Kestrova Search, new", "active", true],
    ["Kestrova Video", "inactive", false],
  ]);
});

test("returns a person who declines to the page, which says that nothing was connected", async () => {
  const { arrived } = await scene.connect("social_video", "no");
  expect([arrived.status, arrived.url.search]).toEqual([200, "?came=denied"]);
  expect(arrived.text).toMatch(/role="alert"[^>]*>Not connected: permission was denied\. Connect again to retry\.</);
  expect(await connectionTo("social_video")).toBeUndefined();
});

test("reports a platform outage, and lists accounts later when only the account list fails", async () => {
  await scene.video.change({ down: "/token" });
  const { arrived } = await scene.connect("social_video");
  expect(arrived.url.search).toBe("?came=unavailable");
  expect(arrived.text).toContain("Not connected: the platform cannot be reached. Try again in a moment.");
  await scene.video.change({ down: "/accounts" });
  expect((await scene.connect("social_video")).arrived.url.search).toBe("?came=connected");
  await expect
    .poll(async () => (await connectionTo("social_video")).problem?.code, { timeout: 5000 })
    .toBe("unavailable");
  expect(await connectionTo("social_video")).toMatchObject({ status: "active", accounts_listed_at: null });
  await scene.video.change({ down: null });
  const { id } = await connectionTo("social_video");
  await scene.owner.post(`${scene.rest}/${id}/refresh`);
  const names = async () =>
    (await scene.owner.get(`${scene.accountsPath}?platform=social_video`)).body.data.map(
      (row: { name: string }) => row.name,
    );
  await expect.poll(names, { timeout: 5000 }).toEqual(["Kestrova Search", "Kestrova Video"]);
  expect((await connectionTo("social_video")).problem).toBeNull();
  expect((await scene.owner.delete(`${scene.rest}/${id}`)).body.revoked).toBe(true);
});

test("pauses and resumes a connection, refreshes its accounts, and revokes it at the platform on disconnect", async () => {
  const { id } = await connectionTo("advertising");
  const path = `${scene.rest}/${id}`;
  expect((await scene.owner.patch(path, { status: "disabled" })).body).toMatchObject({ id, status: "disabled" });
  expect(await scene.owner.post(`${path}/refresh`)).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
  expect((await scene.owner.patch(path, { status: "active" })).body).toMatchObject({ id, status: "active" });
  await scene.advertising.change({ accounts: [{ id: "a-9", name: "Nine" }] });
  expect(await scene.owner.post(`${path}/refresh`)).toMatchObject({ status: 202, body: { id, status: "active" } });
  const reachable = async () =>
    (await scene.owner.get(scene.accountsPath)).body.data
      .filter((row: { reachable: boolean }) => row.reachable)
      .map((row: { name: string }) => row.name);
  await expect.poll(reachable, { timeout: 5000 }).toEqual(["Nine"]);
  const { revocations } = await scene.advertising.seen();
  expect(await scene.owner.delete(path)).toMatchObject({ status: 200, body: { id, deleted: true, revoked: true } });
  expect((await scene.advertising.seen()).revocations).toBe(revocations + 1);
  expect((await scene.owner.get(scene.rest)).body.data).toEqual([]);
  expect((await scene.owner.get(scene.accountsPath)).body.data).toEqual([]);
  expect((await scene.owner.delete(path)).status).toBe(404);
  expect((await scene.owner.patch(path, { status: "active" })).status).toBe(404);
});

test("lets editors of the workspace connect, and hides the page from viewers", async () => {
  const ids = { organizationId: scene.organization.id, workspaceId: scene.workspace.id };
  const editor = await scene.w.signIn("editor@acme.test", { ...ids, workspaceRole: "editor" });
  const viewer = await scene.w.signIn("viewer@acme.test", { ...ids, workspaceRole: "viewer" });
  const statuses = async (person: typeof editor) => {
    const browser = await signedInBrowser(scene.w, person.email);
    const form = new URLSearchParams({ platform: "advertising" });
    const url = scene.w.config.baseUrl + scene.page;
    const asked = await browser.post(`${url}/connect`, form);
    return [
      (await person.get(scene.accountsPath)).status,
      (await browser.get(url)).status,
      asked.status,
      asked.url.host === new URL(url).host,
    ];
  };
  expect(await statuses(editor)).toEqual([200, 200, 200, false]);
  expect(await statuses(viewer)).toEqual([403, 403, 403, true]);
});

test("says on the page that no platform is configured, and rejects connecting", async () => {
  await using w = await world();
  const { organization, workspace, owner } = await w.acme();
  const browser = await signedInBrowser(w, owner.email);
  const url = `${w.config.baseUrl}/platform-accounts/${organization.id}/${workspace.id}`;
  expect((await browser.get(url)).text).toContain("Not configured. Ask your administrator to set it up.");
  expect((await browser.post(`${url}/connect`, new URLSearchParams({ platform: "advertising" }))).status).toBe(404);
});

// Attack: settings that carry tokens over the open network, or to somewhere else than it seems.
test.each([
  ["not JSON", "{"],
  ["no endpoints", JSON.stringify({ client_id: "x", accounts_endpoint: "https://a.example" })],
  [
    "half of them",
    JSON.stringify({ client_id: "x", accounts_endpoint: "https://a.example", token_endpoint: "https://a.example" }),
  ],
  [
    "plain http",
    JSON.stringify({ client_id: "x", accounts_endpoint: "http://a.example", issuer: "https://a.example" }),
  ],
  [
    "a user",
    JSON.stringify({ client_id: "x", accounts_endpoint: "https://u:p@a.example", issuer: "https://a.example" }),
  ],
  [
    "an unknown field",
    JSON.stringify({ client_id: "x", accounts_endpoint: "https://a.example", issuer: "https://a.example", x: 1 }),
  ],
])("settings of a platform that are not sound stop the start: %s", (_what, text) => {
  expect(() => readConfig({ ADVERTISING_PLATFORM: text })).toThrow("ADVERTISING_PLATFORM");
});
