import { expect, test } from "vitest";
import { insertMember } from "../../db/identity/organizations.ts";
import { ALL_WORKING, NONE_WORKING, openCredentials } from "../access/credentials.ts";
import { world } from "../support/world.ts";
import { ERROR, GROUP, scimUser, scene } from "./client.ts";
import { openCommitted } from "../support/committed.ts";

type World = Awaited<ReturnType<typeof world>>;

async function makeOwner(w: World, organizationId: string, userId: string): Promise<void> {
  await w.store.write((db) => insertMember({ db, organizationId }, { userId, role: "owner", createdAt: w.deps.now() }));
}

// Attack: keep using credentials after the employer deactivated, or reactivated, the account.
test("ends sessions, assistants, tokens and keys on deactivation from the next call, and restores none on reactivation", async () => {
  await using w = await world();
  const s = await scene(w);
  const user = await s.user("ada@acme.test");
  const ada = await w.signIn("ada@acme.test");
  await makeOwner(w, s.organization.id, ada.id);
  const state = await openCredentials(w, ada, s.organization.id);
  expect(await state()).toEqual(ALL_WORKING);
  const change = (active: unknown) =>
    s.client.patch(`/Users/${user.id}`, [{ op: "replace", path: "active", value: active }]);
  expect((await change(false)).body.active).toBe(false);
  expect(await state()).toEqual(NONE_WORKING);
  expect((await change(true)).body.active).toBe(true);
  expect(await state()).toEqual(NONE_WORKING);
  const again = await w.signIn("ada@acme.test");
  expect((await again.get("/v1/auth/me")).body.organizations).toMatchObject([{ role: "owner" }]);
});

test("ends all access on deletion, and lets the same person be created again", async () => {
  await using w = await world();
  const s = await scene(w);
  const user = await s.user("ada@acme.test");
  const ada = await w.signIn("ada@acme.test");
  await makeOwner(w, s.organization.id, ada.id);
  const state = await openCredentials(w, ada, s.organization.id);
  expect((await s.client.remove(`/Users/${user.id}`)).status).toBe(204);
  expect(await state()).toEqual(NONE_WORKING);
  expect((await s.client.find("/Users", 'userName eq "ada@acme.test"')).body.totalResults).toBe(0);
  const again = await s.user("ada@acme.test");
  expect([again.active, again.id === user.id]).toEqual([true, false]);
  expect(await state()).toEqual(NONE_WORKING);
  const back = await w.signIn("ada@acme.test");
  expect((await back.get("/v1/auth/me")).body.organizations).toMatchObject([{ role: "guest" }]);
});

test("removes an account that is managed elsewhere from this organization only", async () => {
  await using w = await world();
  const s = await scene(w);
  const other = await w.insertTenant("Other");
  const member = await w.signIn("member@acme.test", { organizationId: s.organization.id, role: "owner" });
  await makeOwner(w, other.organization.id, member.id);
  const user = await s.user("member@acme.test");
  expect(user.active).toBe(true);
  const state = await openCredentials(w, member, s.organization.id);
  expect(await state()).toEqual(ALL_WORKING);
  const { body } = await s.client.patch(`/Users/${user.id}`, [{ op: "replace", value: { active: false } }]);
  expect(body.active).toBe(false);
  expect(await state()).toEqual({ ...ALL_WORKING, organizationKey: 401 });
  const names = async () =>
    (await member.get("/v1/organizations")).body.data.map(({ name }: { name: string }) => name) as string[];
  expect(await names()).toEqual(["Other"]);
  expect((await member.get(s.organization.path)).status).toBe(404);
  await s.client.patch(`/Users/${user.id}`, [{ op: "replace", value: { active: true } }]);
  expect(await names()).toEqual(["Acme", "Other"]);
  expect(await state()).toEqual({ ...ALL_WORKING, organizationKey: 401 });
});

test("rejects deactivating or deleting the last active owner", async () => {
  await using w = await world();
  const s = await scene(w);
  const owner = await s.user("owner@acme.test");
  const refused = {
    status: 409,
    body: { schemas: [ERROR], status: "409", detail: expect.stringContaining("must keep an owner") as unknown },
  };
  const off = [{ op: "replace", path: "active", value: false }];
  expect(await s.client.patch(`/Users/${owner.id}`, off)).toMatchObject(refused);
  expect(await s.client.remove(`/Users/${owner.id}`)).toMatchObject(refused);
  expect(await s.client.replace(`/Users/${owner.id}`, scimUser("owner@acme.test", { active: false }))).toMatchObject(
    refused,
  );
  expect((await s.client.get(`/Users/${owner.id}`)).body).toEqual(owner);
  expect((await s.owner.get(s.organization.path)).status).toBe(200);
});

test("marks a member whom an owner removed as inactive, and restores the role of their groups on return", async () => {
  await using w = await world();
  const s = await scene(w);
  const user = await s.user("ada@acme.test");
  const group = await s.group("Staff", [user.id]);
  await s.owner.request("PUT", `${s.organization.path}/scim-groups/${group.id}`, {
    body: { organization_role: "viewer" },
  });
  const ada = await w.signIn("ada@acme.test");
  expect((await s.owner.delete(`${s.organization.path}/members/${ada.id}`)).status).toBe(200);
  expect((await s.client.get(`/Users/${user.id}`)).body.active).toBe(false);
  await s.client.patch(`/Users/${user.id}`, [{ op: "replace", path: "active", value: true }]);
  expect((await ada.get("/v1/auth/me")).body.organizations).toMatchObject([{ role: "viewer" }]);
});

test("says that the organization has reached its member limit", async () => {
  await using w = await world();
  const s = await scene(w);
  await w.store.write(async ({ q, t }) => void (await q.update(t.organizations).set({ quotas: { members: 2 } })));
  await s.user("second@acme.test");
  const { status, body } = await s.client.create("/Users", scimUser("third@acme.test"));
  expect([status, body.scimType, body.schemas]).toEqual([409, undefined, [ERROR]]);
});

test("records in a directory's audit entry the person, the change and the token", async () => {
  // Fault: an owner reads "Changed a person (directory)" without the person or the directory.
  await using w = await world();
  const s = await scene(w);
  const { id } = await s.user("ada@acme.test");
  const become = (active: boolean) =>
    s.client.patch(`/Users/${id}`, [{ op: "replace", path: "active", value: active }]);
  await become(false);
  await become(true);
  await s.client.patch(`/Users/${id}`, [{ op: "replace", path: "displayName", value: "Ada" }]);
  const group = await s.client.create("/Groups", { schemas: [GROUP], displayName: "Writers" });
  await s.client.patch(`/Groups/${group.body.id}`, [{ op: "replace", path: "displayName", value: "Editors" }]);
  await s.client.remove(`/Groups/${group.body.id}`);
  await s.client.replace(`/Users/${id}`, scimUser("ada@acme.test", { active: false }));
  await s.client.remove(`/Users/${id}`);
  const { body } = await s.owner.get(`${s.organization.path}/audit-log?endpoint=scimDeleteUser`);
  expect(body.data[0]).toMatchObject({ user_id: null, client_name: "Identity provider" });
  const { body: all } = await s.owner.get(`${s.organization.path}/audit-log`);
  const texts = all.data.flatMap((row: { door: string; text: string }) => (row.door === "scim" ? [row.text] : []));
  const through = "through SCIM token “Identity provider”";
  expect(texts).toEqual([
    `Removed “ada@acme.test” ${through}`,
    `Deactivated “ada@acme.test” ${through}`,
    `Removed group “Editors” ${through}`,
    `Changed group “Editors” ${through}`,
    `Added group “Writers” ${through}`,
    `Changed “ada@acme.test” ${through}`,
    `Reactivated “ada@acme.test” ${through}`,
    `Deactivated “ada@acme.test” ${through}`,
    `Added “ada@acme.test” ${through}`,
  ]);
});

test("writes an audit entry with its token for every change, rejected ones included", async () => {
  await using w = await world();
  const s = await scene(w);
  const user = await s.user("ada@acme.test");
  await s.client.create("/Users", scimUser("ada@acme.test"));
  await s.client.remove(`/Users/${user.id}`);
  await s.client.get("/Users");
  await w.deps.audit.flush();
  const { q, t } = openCommitted(w.store);
  const [token] = await q.select().from(t.scimTokens);
  const rows = (await q.select().from(t.auditLog)).filter(({ door }) => door === "scim");
  const told = rows.map(({ endpoint, outcome }) => `${endpoint} ${outcome}`);
  expect(told.toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    "scimCreateUser CONFLICT",
    "scimCreateUser ok",
    "scimDeleteUser ok",
    "scimListUsers ok",
  ]);
  expect(new Set(rows.map(({ clientId, organizationId }) => `${clientId} ${organizationId}`))).toEqual(
    new Set([`${token?.id} ${s.organization.id}`]),
  );
});
