import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { world } from "../support/world.ts";
import { PARTNER_TOKEN } from "./partner-process.ts";
import { partnerScene } from "./scene.ts";
import { openCommitted } from "../support/committed.ts";

let scene: Awaited<ReturnType<typeof partnerScene>>;
let path: string;
beforeAll(async () => {
  scene = await partnerScene("http://127.0.0.1:9");
  path = `${scene.workspace.path}/platform-integrations`;
});
afterAll(() => scene[Symbol.asyncDispose]());

test("a connection is stored, listed without its token, changed and forgotten", async () => {
  const made = await scene.connect({ max_brief_length: 2000 });
  const shown = {
    id: null,
    platform: "partner",
    status: "active",
    problem: null,
    scopes: [],
    expires_at: null,
    accounts_listed_at: null,
    api_token_hint: PARTNER_TOKEN.slice(-4),
    partner_workspace_id: "demo",
    recipients: ["writer@example.com"],
    max_brief_length: 2000,
    created_at: expect.any(String) as unknown,
    updated_at: expect.any(String) as unknown,
  };
  expect(made.body).toEqual(shown);
  expect((await scene.owner.get(path)).body).toEqual({ data: [shown], next_cursor: null });
  const put = (body: unknown) => scene.owner.request("PUT", `${path}/partner`, { body });
  const changed = await put({ partner_workspace_id: "other", recipients: ["a@example.com", "b@example.com"] });
  expect(changed.body).toMatchObject({
    api_token_hint: PARTNER_TOKEN.slice(-4),
    partner_workspace_id: "other",
    recipients: ["a@example.com", "b@example.com"],
    max_brief_length: 50_000,
    created_at: made.body.created_at,
  });
  expect((await scene.owner.delete(`${path}/partner`)).body).toEqual({ platform: "partner", deleted: true });
  expect((await scene.owner.get(path)).body).toEqual({ data: [], next_cursor: null });
  expect((await scene.owner.delete(`${path}/partner`)).status).toBe(404);
  expect(await put({ partner_workspace_id: "demo" })).toMatchObject({
    status: 400,
    body: { fields: [{ path: "api_token" }] },
  });
  await scene.connect();
});

// The attack: reading the database file, or a copy of it, for tokens of other systems.
test("the token is stored sealed, and does not open in another workspace", async () => {
  await scene.connect();
  const files = ["visibility.db", "visibility.db-wal"].map((file) => scene.w.store.file.replace("visibility.db", file));
  for (const file of files) expect(readFileSync(file).includes(PARTNER_TOKEN)).toBe(false);
  const [row] = await openCommitted(scene.w.store).q.select().from(openCommitted(scene.w.store).t.partnerConnections);
  const { secrets } = scene.w.deps;
  const sealed = row?.sealedToken ?? "";
  expect(secrets.unseal(sealed, `partner_connections/${scene.workspace.id}/token`)).toBe(PARTNER_TOKEN);
  expect(() => secrets.unseal(sealed, "partner_connections/another/token")).toThrow("cannot be decrypted");
});

test.each([
  ["recipients", { recipients: ["not an address"] }],
  ["recipients", { recipients: ["a@example.com", "A@example.com"] }],
  ["api_token", { api_token: "two words of it" }],
  ["partner_workspace_id", { partner_workspace_id: "" }],
  ["max_brief_length", { max_brief_length: 0 }],
])("%s is checked: %j", async (field, change) => {
  const refused = await scene.connect(change);
  expect(refused).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  expect(refused.body.fields[0].path.split(".")[0]).toBe(field);
});

test("an editor of the workspace connects it; a viewer cannot even read it", async () => {
  const ids = { organizationId: scene.organization.id, workspaceId: scene.workspace.id };
  const editor = await scene.w.signIn("editor@acme.test", { ...ids, workspaceRole: "editor" });
  const viewer = await scene.w.signIn("viewer@acme.test", { ...ids, workspaceRole: "viewer" });
  expect((await editor.get(path)).status).toBe(200);
  expect((await viewer.get(path)).status).toBe(403);
});

test("without a configured partner nothing is connected, and the response names the operator's setting", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const body = { api_token: PARTNER_TOKEN, partner_workspace_id: "demo" };
  expect(await owner.request("PUT", `${workspace.path}/platform-integrations/partner`, { body })).toMatchObject({
    status: 409,
    body: { code: "PARTNER_NOT_CONNECTED", message: expect.stringContaining("PARTNER_BASE_URL") as unknown },
  });
});

// The attack: a partner address that carries tokens over the open network, or to somewhere else
// than it seems.
test.each([
  ["http://partner.example"],
  ["https://user:secret@partner.example"],
  ["https://partner.example/?x=1"],
  ["ftp://x"],
])("the partner's address is https, or http on this machine: %s stops the start", (address) => {
  expect(() => readConfig({ PARTNER_BASE_URL: address })).toThrow("PARTNER_BASE_URL");
});
