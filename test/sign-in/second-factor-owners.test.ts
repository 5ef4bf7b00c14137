import { expect, test } from "vitest";
import { alertText } from "../support/alert-text.ts";
import { givePassword, signedInBrowser } from "../support/assistant.ts";
import { OWNER, ownerWithApp, setUpApp } from "./second-factor-scene.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { toolCallStatus } from "../access/credentials.ts";
import { world } from "../support/world.ts";

test("denies owners without a second factor everything in an organization that requires one", async () => {
  // Attack: an owner's stolen password, or a key made with it, in an organization that requires a
  // second factor.
  await using w = await world();
  const { owner, organization, workspace } = await ownerWithApp(w);
  const organizationId = organization.id;
  const second = await w.signIn("second@acme.test", { organizationId, role: "owner" });
  await givePassword(w, second.id);
  const editor = await w.signIn("editor@acme.test", { organizationId, role: "editor" });
  const key = await mintToolToken(w, second);
  expect(await toolCallStatus(w, key.token)).toBe(200);
  const set = await owner.patch(organization.path, { owners_need_second_factor: true });
  expect([set.status, set.body.owners_need_second_factor]).toEqual([200, true]);
  for (const path of [organization.path, `${workspace.path}/brands`, `${organization.path}/members`]) {
    expect([path, await second.get(path)]).toMatchObject([
      path,
      {
        status: 403,
        body: {
          message: `This organization requires a second factor of its owners. Set one up at ${w.config.baseUrl}/account, then connect assistants again.`,
        },
      },
    ]);
    expect((await owner.get(path)).status).toBe(200);
  }
  expect((await editor.get(organization.path)).body.owners_need_second_factor).toBe(true);
  // Lists omit the contents of the organization; the owner still sees the organization itself.
  expect((await second.get("/v1/workspaces")).body.data).toEqual([]);
  expect((await second.get("/v1/organizations")).body.data).toHaveLength(1);
  expect((await second.request("PUT", `/v1/me/favourites/${workspace.id}`)).status).toBe(404);
  const browser = await signedInBrowser(w, second.email);
  const page = await browser.get(`${w.config.baseUrl}/organizations/${organizationId}`);
  expect([page.status, alertText(page.text)?.includes(`${w.config.baseUrl}/account`)]).toEqual([403, true]);
  expect((await browser.get(`${w.config.baseUrl}/account`)).status).toBe(200);
  expect((await browser.get(`${w.config.baseUrl}/`)).status).toBe(200);
  await setUpApp(w, second.email);
  expect((await second.get(organization.path)).status).toBe(200);
  expect((await second.get("/v1/workspaces")).body.data).toHaveLength(1);
});

test("lets only an owner with a second factor require it, so that none locks themselves out", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const refused = await owner.patch(organization.path, { owners_need_second_factor: true });
  expect([refused.status, refused.body.message]).toEqual([
    409,
    `You have no second factor and would lose access. Set one up at ${w.config.baseUrl}/account first.`,
  ]);
  await givePassword(w, owner.id);
  await setUpApp(w, OWNER);
  const browser = await signedInBrowser(w, OWNER);
  const page = await browser.get(`${w.config.baseUrl}/organizations/${organization.id}`);
  const saved = await browser.submit(page, { action: /\/save$/, fill: { owners_need_second_factor: "1" } });
  expect([saved.text.includes("Saved."), / checked/.test(saved.text)]).toEqual([true, true]);
  const off = await browser.submit(saved, { action: /\/save$/, untick: ["1"] });
  expect(/ checked/.test(off.text)).toBe(false);
});
