import { expect, test } from "vitest";
import { world } from "../support/world.ts";
import { GROUP, scene } from "./client.ts";
import { openCommitted } from "../support/committed.ts";

const text = expect.any(String) as unknown;

test("creates, edits, renames, replaces and deletes a group with members", async () => {
  await using w = await world();
  const s = await scene(w);
  const [ada, bea, cy] = [await s.user("ada@acme.test"), await s.user("bea@acme.test"), await s.user("cy@acme.test")];
  const made = await s.client.create("/Groups", {
    schemas: [GROUP],
    displayName: "Staff",
    externalId: "g-1",
    members: [{ value: ada.id }],
  });
  const base = `${w.config.baseUrl}/scim/v2`;
  const member = (user: { id: string; userName: string }) => ({
    value: user.id,
    $ref: `${base}/Users/${user.id}`,
    display: user.userName,
    type: "User",
  });
  const location = `${base}/Groups/${made.body.id}`;
  expect([made.status, made.headers.get("location"), made.body]).toEqual([
    201,
    location,
    {
      schemas: [GROUP],
      id: text,
      externalId: "g-1",
      displayName: "Staff",
      members: [member(ada)],
      meta: { resourceType: "Group", created: text, lastModified: text, location, version: 'W/"1"' },
    },
  ]);
  const path = `/Groups/${made.body.id}`;
  const after = async (operations: object[]) => {
    const { status, body } = await s.client.patch(path, operations as Record<string, unknown>[]);
    expect([status, body.detail]).toEqual([200, undefined]);
    return (body.members ?? []).map(({ display }: { display: string }) => display.slice(0, 3)).join(" ");
  };
  expect(await after([{ op: "add", path: "members", value: [{ value: bea.id }, { value: ada.id }] }])).toBe("ada bea");
  expect(await after([{ op: "remove", path: `members[value eq "${ada.id}"]` }])).toBe("bea");
  expect(await after([{ op: "add", value: { members: [{ value: cy.id }] } }])).toBe("bea cy@");
  expect(await after([{ op: "remove", path: `members[display sw "c"]` }])).toBe("bea");
  expect(await after([{ op: "remove", path: "members", value: [{ value: bea.id }] }])).toBe("");
  expect(await after([{ op: "replace", path: "members", value: [{ value: cy.id }] }])).toBe("cy@");
  expect(await after([{ op: "remove", path: "members" }])).toBe("");
  const renamed = await s.client.patch(path, [{ op: "replace", path: "displayName", value: "People" }]);
  expect([renamed.body.displayName, renamed.body.externalId, renamed.headers.get("etag")]).toEqual([
    "People",
    "g-1",
    renamed.body.meta.version,
  ]);
  const replaced = await s.client.replace(path, { displayName: "All", members: [{ value: ada.id }] });
  expect([replaced.body.displayName, replaced.body.externalId, replaced.body.members.length]).toEqual([
    "All",
    undefined,
    1,
  ]);
  expect((await s.client.get(`/Users/${ada.id}`)).body.groups).toEqual([
    { value: made.body.id, $ref: location, display: "All" },
  ]);
  expect((await s.client.get(`${path}?excludedAttributes=members`)).body).not.toHaveProperty("members");
  expect((await s.client.remove(path)).status).toBe(204);
  expect((await s.client.get(path)).status).toBe(404);
  expect((await s.client.get(`/Users/${ada.id}`)).body).not.toHaveProperty("groups");
});

test("takes only users of the organization as members, and changes nothing if one is not", async () => {
  await using w = await world();
  const s = await scene(w);
  const ada = await s.user("ada@acme.test");
  const group = await s.group("Staff", [ada.id]);
  for (const value of [group.id, "00000000-0000-7000-8000-000000000000", "nobody"]) {
    const { body } = await s.client.patch(`/Groups/${group.id}`, [
      { op: "replace", path: "displayName", value: "Changed" },
      { op: "add", path: "members", value: [{ value }] },
    ]);
    expect([body.status, body.scimType]).toEqual(["400", "invalidValue"]);
  }
  const inside = [{ op: "replace", path: `members[value eq "${ada.id}"].value`, value: "x" }];
  expect((await s.client.patch(`/Groups/${group.id}`, inside)).body.scimType).toBe("mutability");
  expect((await s.client.get(`/Groups/${group.id}`)).body).toEqual(group);
});

/** An organization with a group of one person, whose roles can be read. */
async function staffed(w: Awaited<ReturnType<typeof world>>) {
  const s = await scene(w);
  const member = await s.user("ada@acme.test");
  const staff = await s.group("Staff", [member.id]);
  const ada = await w.signIn("ada@acme.test");
  const path = `${s.organization.path}/scim-groups`;
  return {
    ...s,
    member,
    staff,
    ada,
    path,
    map: (id: string, mapping: object) => s.owner.request("PUT", `${path}/${id}`, { body: mapping }),
    /** The person's roles in the organization and its workspace; null for none. */
    async roles() {
      const { organizations, workspaces } = (await ada.get("/v1/auth/me")).body;
      return [organizations[0]?.role ?? null, workspaces[0]?.role ?? null];
    },
  };
}

test("grants the group's role from the next call, and withdraws it when the mapping ends", async () => {
  await using w = await world();
  const s = await staffed(w);
  expect(await s.roles()).toEqual(["guest", null]);
  const mapped = await s.map(s.staff.id, { organization_role: "editor" });
  expect(mapped).toMatchObject({ status: 200, body: { name: "Staff", members: 1, organization_role: "editor" } });
  expect(await s.roles()).toEqual(["editor", "editor"]);
  expect((await s.owner.get(s.path)).body).toEqual({ data: [mapped.body], next_cursor: null });
  const leads = await s.group("Leads", [s.member.id]);
  await s.map(leads.id, { organization_role: "viewer" });
  expect(await s.roles()).toEqual(["editor", "editor"]);
  await s.client.patch(`/Groups/${s.staff.id}`, [{ op: "remove", path: `members[value eq "${s.member.id}"]` }]);
  expect(await s.roles()).toEqual(["viewer", "viewer"]);
  await s.client.remove(`/Groups/${leads.id}`);
  expect(await s.roles()).toEqual(["guest", null]);
});

test("grants a group's role in one workspace in addition to a role that an owner gave", async () => {
  await using w = await world();
  const s = await staffed(w);
  const mapping = { workspace_id: s.workspace.id, workspace_role: "viewer" };
  await s.map(s.staff.id, mapping);
  expect(await s.roles()).toEqual(["guest", "viewer"]);
  await s.map(s.staff.id, { ...mapping, workspace_role: "editor" });
  expect(await s.roles()).toEqual(["guest", "editor"]);
  await s.map(s.staff.id, {});
  expect(await s.roles()).toEqual(["guest", null]);
  const own = `${s.workspace.path}/members/${s.ada.id}`;
  expect((await s.owner.request("PUT", own, { body: { role: "viewer" } })).status).toBe(200);
  await s.map(s.staff.id, { ...mapping, workspace_role: "editor" });
  expect(await s.roles()).toEqual(["guest", "editor"]);
  await s.client.remove(`/Groups/${s.staff.id}`);
  expect(await s.roles()).toEqual(["guest", "viewer"]);
});

test("keeps a role that an owner gave when group roles are withdrawn", async () => {
  await using w = await world();
  const s = await staffed(w);
  await s.map(s.staff.id, { organization_role: "viewer" });
  const own = `${s.organization.path}/members/${s.ada.id}`;
  expect((await s.owner.request("PUT", own, { body: { role: "editor" } })).status).toBe(200);
  await s.map(s.staff.id, {});
  expect(await s.roles()).toEqual(["editor", "editor"]);
});

// Attack: an identity provider's administrator puts themselves into a group to own the
// organization, or to demote owners.
test("never grants or withdraws ownership through a group", async () => {
  await using w = await world();
  const s = await staffed(w);
  expect(await s.map(s.staff.id, { organization_role: "owner" })).toMatchObject({ status: 400 });
  const owner = await s.user("owner@acme.test");
  await s.client.patch(`/Groups/${s.staff.id}`, [{ op: "add", path: "members", value: [{ value: owner.id }] }]);
  await s.map(s.staff.id, { organization_role: "guest" });
  await s.client.remove(`/Groups/${s.staff.id}`);
  expect((await s.owner.get(s.path)).status).toBe(200);
});

test("maps a group to one role, in the organization or one of its workspaces", async () => {
  await using w = await world();
  const s = await staffed(w);
  const rival = await w.insertTenant("Rival");
  const refused = async (mapping: object) => (await s.map(s.staff.id, mapping)).status;
  expect(await refused({ workspace_id: s.workspace.id })).toBe(400);
  expect(await refused({ workspace_role: "viewer" })).toBe(400);
  const both = { organization_role: "viewer", workspace_id: s.workspace.id, workspace_role: "viewer" };
  expect(await refused(both)).toBe(400);
  expect(await refused({ workspace_id: rival.workspace.id, workspace_role: "viewer" })).toBe(404);
  expect((await s.map("00000000-0000-7000-8000-000000000000", {})).status).toBe(404);
});

test("a group of two thousand is filled, emptied and mapped without holding the service up", async () => {
  await using w = await world();
  const s = await scene(w);
  await w.store.write(async ({ q, t }) => {
    await q.update(t.organizations).set({ quotas: { members: 5000 } });
  });
  const at = w.deps.now();
  const ids = Array.from({ length: 2000 }, () => w.deps.newId());
  const organizationId = s.organization.id;
  await w.store.write(async (db) => {
    const { t } = db;
    const of = (id: string) => ({ organizationId, userId: id, createdAt: at });
    await db.bulkInsert(
      t.users,
      ids.map((id) => ({ id, email: `${id}@acme.test`, name: id, createdAt: at })),
    );
    await db.bulkInsert(
      t.organizationMembers,
      ids.map((id) => ({ ...of(id), role: "guest" as const })),
    );
    const guest = { baseRole: "guest", givenRole: "guest", details: {}, updatedAt: at } as const;
    await db.bulkInsert(
      t.scimUsers,
      ids.map((id) => ({ ...of(id), id, userName: id, userNameKey: id, ...guest })),
    );
  });
  const group = await s.group("Everybody", ids);
  expect(group.members.length).toBe(2000);
  const removed = { op: "remove", path: "members", value: ids.slice(0, 100).map((value) => ({ value })) };
  expect((await s.client.patch(`/Groups/${group.id}`, [removed])).body.members.length).toBe(1900);
  const mapping = { body: { organization_role: "viewer" } };
  await s.owner.request("PUT", `${s.organization.path}/scim-groups/${group.id}`, mapping);
  const { q, t } = openCommitted(w.store);
  const viewers = (await q.select().from(t.organizationMembers)).filter(({ role }) => role === "viewer");
  expect(viewers.length).toBe(1900);
  const found = await s.client.find("/Users", `groups.display eq "everybody" and not (userName sw "x")`);
  expect(found.body.totalResults).toBe(1900);
});
