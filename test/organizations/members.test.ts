import { expect, test } from "vitest";
import { world, type Person } from "../support/world.ts";

type Role = "owner" | "editor" | "viewer" | "guest";

/** Acme with one member of each role, and a rival. */
async function scene() {
  const w = await world();
  const { owner, organization, workspace } = await w.acme();
  const organizationId = organization.id;
  const as = (email: string, role: Role) => w.signIn(`${email}@acme.test`, { organizationId, role });
  const editor = await as("editor", "editor");
  const viewer = await as("viewer", "viewer");
  const guest = await as("guest", "guest");
  const rivals = await w.insertTenant("Rival");
  const rival = await w.signIn("rival@rival.test", { organizationId: rivals.organization.id, role: "owner" });
  return {
    w,
    owner,
    editor,
    viewer,
    guest,
    rival,
    organization,
    workspace,
    members: `${organization.path}/members`,
    inWorkspace: `${workspace.path}/members`,
    put: (by: Person, path: string, body: unknown) => by.request("PUT", path, { body }),
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** Handwritten expected statuses by caller. */
const TABLE: [string, (s: Scene, by: Person) => Promise<{ status: number }>, Record<Role | "rival", number>][] = [
  ["list members", (s, by) => by.get(s.members), { owner: 200, editor: 403, viewer: 403, guest: 403, rival: 404 }],
  [
    "read a member",
    (s, by) => by.get(`${s.members}/${s.viewer.id}`),
    { owner: 200, editor: 403, viewer: 403, guest: 403, rival: 404 },
  ],
  [
    "set a member's role",
    (s, by) => s.put(by, `${s.members}/${s.viewer.id}`, { role: "viewer" }),
    { owner: 200, editor: 403, viewer: 403, guest: 403, rival: 404 },
  ],
  [
    "list who sees a workspace",
    (s, by) => by.get(s.inWorkspace),
    { owner: 200, editor: 200, viewer: 403, guest: 404, rival: 404 },
  ],
  [
    "read who sees a workspace",
    (s, by) => by.get(`${s.inWorkspace}/${s.viewer.id}`),
    { owner: 200, editor: 200, viewer: 403, guest: 404, rival: 404 },
  ],
  [
    "give a role in a workspace",
    (s, by) => s.put(by, `${s.inWorkspace}/${s.viewer.id}`, { role: "viewer" }),
    { owner: 200, editor: 200, viewer: 403, guest: 404, rival: 404 },
  ],
  [
    "take a role in a workspace that is not there",
    (s, by) => by.delete(`${s.inWorkspace}/${s.guest.id}`),
    { owner: 404, editor: 404, viewer: 403, guest: 404, rival: 404 },
  ],
  [
    "remove somebody else",
    (s, by) => by.delete(`${s.members}/${s.w.deps.newId()}`),
    { owner: 404, editor: 403, viewer: 403, guest: 403, rival: 404 },
  ],
];

test("each role gets the expected status at each members endpoint", async () => {
  await using s = await scene();
  for (const [what, act, wanted] of TABLE) {
    const answers: Record<string, number> = {};
    for (const who of ["owner", "editor", "viewer", "guest", "rival"] as const) {
      answers[who] = (await act(s, s[who])).status;
    }
    expect([what, answers]).toEqual([what, wanted]);
  }
});

test("a member is listed with all roles, and a change applies from the next call", async () => {
  await using s = await scene();
  const path = `${s.members}/${s.guest.id}`;
  expect((await s.guest.get(`${s.workspace.path}/brands`)).status).toBe(404);
  expect((await s.put(s.owner, `${s.inWorkspace}/${s.guest.id}`, { role: "viewer" })).body).toEqual({
    id: s.guest.id,
    email: "guest@acme.test",
    name: "guest@acme.test",
    status: "active",
    role: "viewer",
    workspace_role: "viewer",
    organization_role: "guest",
  });
  expect((await s.guest.get(`${s.workspace.path}/brands`)).status).toBe(200);
  expect((await s.guest.post(`${s.workspace.path}/brands`, { name: "B" })).status).toBe(403);
  const promoted = await s.put(s.owner, path, { role: "editor" });
  expect(promoted.body).toEqual({
    id: s.guest.id,
    email: "guest@acme.test",
    has_second_factor: false,
    name: "guest@acme.test",
    status: "active",
    role: "editor",
    workspace_roles: [{ workspace_id: s.workspace.id, role: "viewer" }],
    created_at: expect.any(String),
  });
  expect((await s.owner.get(path)).body).toEqual(promoted.body);
  expect((await s.guest.post(`${s.workspace.path}/brands`, { name: "B" })).status).toBe(201);
  await s.put(s.owner, path, { role: "guest" });
  expect((await s.owner.delete(`${s.inWorkspace}/${s.guest.id}`)).body).toEqual({ id: s.guest.id, removed: true });
  expect((await s.guest.get(`${s.workspace.path}/brands`)).status).toBe(404);
});

test("a suspended member has no access until resumed, and a removed one loses roles and keys", async () => {
  await using s = await scene();
  const path = `${s.members}/${s.editor.id}`;
  await s.put(s.owner, `${s.inWorkspace}/${s.editor.id}`, { role: "editor" });
  const made = await s.editor.post("/v1/api-keys", {
    name: "Key",
    kind: "workspace",
    organization_id: s.organization.id,
    workspace_id: s.workspace.id,
  });
  const exchange = () => s.w.request("POST", "/v1/auth/token", { body: { api_key: made.body.api_key } });
  const token = (await exchange()).body.access_token as string;
  const byKey = () =>
    s.w.request("GET", `${s.workspace.path}/brands`, { headers: { authorization: `Bearer ${token}` } });
  expect((await byKey()).status).toBe(200);

  const suspended = await s.put(s.owner, path, { role: "editor", status: "suspended" });
  expect(suspended.body).toMatchObject({ status: "suspended", role: "editor" });
  expect([(await byKey()).status, (await s.editor.get(`${s.workspace.path}/brands`)).status]).toEqual([404, 404]);
  expect((await s.editor.get("/v1/organizations")).body.data).toEqual([]);
  expect((await s.put(s.owner, path, { role: "editor", status: "active" })).body.status).toBe("active");
  expect((await byKey()).status).toBe(200);

  expect((await s.owner.delete(path)).body).toEqual({ id: s.editor.id, removed: true });
  expect([(await byKey()).status, (await exchange()).status]).toEqual([401, 401]);
  expect((await s.editor.get(`${s.workspace.path}/brands`)).status).toBe(404);
  expect((await s.owner.get(`${s.inWorkspace}/${s.editor.id}`)).status).toBe(404);
  expect((await s.owner.delete(path)).status).toBe(404);
  // The account and the person's own keys are not the organization's to end.
  expect((await s.editor.get("/v1/auth/me")).body).toMatchObject({ organizations: [], workspaces: [] });
});

test("a member can leave, and return a workspace role", async () => {
  await using s = await scene();
  await s.put(s.owner, `${s.inWorkspace}/${s.guest.id}`, { role: "viewer" });
  expect((await s.guest.delete(`${s.inWorkspace}/${s.guest.id}`)).status).toBe(200);
  expect((await s.viewer.delete(`${s.members}/${s.viewer.id}`)).status).toBe(200);
  expect((await s.viewer.get("/v1/organizations")).body.data).toEqual([]);
});

const LAST_OWNER = {
  status: 409,
  body: {
    code: "CONFLICT",
    message: "The organization must keep an owner. Make another member an owner first, then change this one.",
  },
};

test("the last owner cannot be demoted, suspended or removed, and cannot leave", async () => {
  await using s = await scene();
  const path = `${s.members}/${s.owner.id}`;
  expect(await s.put(s.owner, path, { role: "editor" })).toMatchObject(LAST_OWNER);
  expect(await s.put(s.owner, path, { role: "owner", status: "suspended" })).toMatchObject(LAST_OWNER);
  expect(await s.owner.delete(path)).toMatchObject(LAST_OWNER);
  // Suspended and disabled owners do not count.
  await s.put(s.owner, `${s.members}/${s.editor.id}`, { role: "owner", status: "suspended" });
  expect(await s.owner.delete(path)).toMatchObject(LAST_OWNER);
  await s.put(s.owner, `${s.members}/${s.editor.id}`, { role: "owner", status: "active" });
  expect((await s.owner.delete(path)).status).toBe(200);
  expect((await s.editor.get(s.members)).status).toBe(200);
});

test("two owners who concurrently demote, remove or suspend each other leave one owner", async () => {
  // Attack: each request sees the other owner, and both are carried out.
  const deeds = [
    (s: Scene, by: Person, of: string) => s.put(by, `${s.members}/${of}`, { role: "viewer" }),
    (s: Scene, by: Person, of: string) => s.put(by, `${s.members}/${of}`, { role: "owner", status: "suspended" }),
    (s: Scene, by: Person, of: string) => by.delete(`${s.members}/${of}`),
  ];
  await using s = await scene();
  for (const deed of deeds) {
    const second = await s.w.signIn(`second-${deeds.indexOf(deed)}@acme.test`, {
      organizationId: s.organization.id,
      role: "owner",
    });
    const [a, b] = await Promise.all([deed(s, s.owner, second.id), deed(s, second, s.owner.id)]);
    expect([a.status, b.status].filter((status) => status === 200)).toHaveLength(1);
    const left = [await s.owner.get(s.members), await second.get(s.members)].find(({ status }) => status === 200);
    const active = left?.body.data.filter((one: { role: string; status: string }) => {
      return one.role === "owner" && one.status === "active";
    });
    expect(active).toHaveLength(1);
    // The next round starts with the first owner again.
    if (a.status !== 200) {
      await s.w.signIn(s.owner.email, { organizationId: s.organization.id, role: "owner" });
      await s.put(second, `${s.members}/${s.owner.id}`, { role: "owner", status: "active" });
      await second.delete(`${s.members}/${second.id}`);
    }
  }
});

test("rejects raising one's own rights", async () => {
  // Attack: an editor, a viewer and a guest set their own role, in the organization and in a
  // workspace.
  await using s = await scene();
  for (const who of [s.editor, s.viewer, s.guest]) {
    expect((await s.put(who, `${s.members}/${who.id}`, { role: "owner" })).status).toBe(403);
  }
  expect((await s.put(s.viewer, `${s.inWorkspace}/${s.viewer.id}`, { role: "editor" })).status).toBe(403);
  expect((await s.put(s.guest, `${s.inWorkspace}/${s.guest.id}`, { role: "editor" })).status).toBe(404);
});

test("answers 404 for a person of another organization, whatever the operation", async () => {
  // Attack: an owner names a stranger's user id, to add or identify them.
  await using s = await scene();
  const stranger = s.rival.id;
  expect((await s.put(s.owner, `${s.members}/${stranger}`, { role: "viewer" })).status).toBe(404);
  expect((await s.put(s.owner, `${s.inWorkspace}/${stranger}`, { role: "viewer" })).status).toBe(404);
  expect((await s.owner.get(`${s.members}/${stranger}`)).status).toBe(404);
  expect((await s.owner.delete(`${s.members}/${stranger}`)).status).toBe(404);
  expect((await s.rival.get("/v1/organizations")).body.data).toHaveLength(1);
});

test("a key with less reach than its creator cannot end the creator's membership", async () => {
  // Attack: a viewer key of the organization leaves it in its creator's name.
  await using s = await scene();
  for (const role of ["viewer", "editor"]) {
    const made = await s.owner.post("/v1/api-keys", {
      name: "Key",
      kind: "organization",
      organization_id: s.organization.id,
      role,
    });
    const { body } = await s.w.request("POST", "/v1/auth/token", { body: { api_key: made.body.api_key } });
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect((await s.w.request("DELETE", `${s.members}/${s.owner.id}`, { headers })).status).toBe(403);
    expect((await s.w.request("GET", s.members, { headers })).status).toBe(403);
  }
});
