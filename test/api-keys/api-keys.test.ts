import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { sweepExpired } from "../../auth/sweep.ts";
import { addMs } from "../../core/shared/time.ts";
import { world, type Person } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";

async function signInWith(w: Awaited<ReturnType<typeof world>>, apiKey: string) {
  const { status, body } = await w.request("POST", "/v1/auth/token", { body: { api_key: apiKey } });
  const headers = { authorization: `Bearer ${body.access_token}` };
  return {
    status,
    get: (path: string) => w.request("GET", path, { headers }),
    post: (path: string, json: unknown) => w.request("POST", path, { headers, body: json }),
    delete: (path: string) => w.request("DELETE", path, { headers }),
  };
}

test("a user key is shown once, acts as its person, and stops working when revoked", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const made = await owner.post("/v1/api-keys", { name: "Nightly report" });
  expect([made.status, made.body]).toEqual([
    201,
    {
      id: expect.any(String),
      kind: "user",
      name: "Nightly report",
      organization_id: null,
      workspace_id: null,
      role: null,
      hint: expect.stringMatching(/^bva_usr_.{4}….{4}$/),
      status: "active",
      created_by: { id: owner.id, email: owner.email, name: owner.email },
      created_at: expect.any(String),
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      rotated_to_id: null,
      api_key: expect.stringMatching(/^bva_usr_[0-9A-Za-z]{49}$/),
    },
  ]);
  const { api_key, ...shown } = made.body;
  const program = await signInWith(w, api_key);
  expect((await program.get(workspace.path)).status).toBe(200);
  const { data } = (await owner.get("/v1/api-keys")).body;
  expect(data).toMatchObject([{ name: "test" }, { ...shown, last_used_at: expect.any(String) }]);
  expect(JSON.stringify(data)).not.toContain(api_key.slice(8, 40));
  expect((await owner.delete(`/v1/api-keys/${made.body.id}`)).body).toEqual({ revoked: true });
  expect((await program.get(workspace.path)).status).toBe(401);
  expect((await signInWith(w, api_key)).status).toBe(401);
  expect((await owner.delete(`/v1/api-keys/${made.body.id}`)).status).toBe(404);
});

test("a repeated creation returns the key without its secret, and creates no second key", async () => {
  await using w = await world();
  const { owner } = await w.acme();
  const headers = { "idempotency-key": "once-1" };
  const first = await owner.post("/v1/api-keys", { name: "Once" }, headers);
  const again = await owner.post("/v1/api-keys", { name: "Once" }, headers);
  expect([again.status, again.body]).toEqual([201, { ...first.body, api_key: null }]);
  expect((await owner.get("/v1/api-keys")).body.data).toHaveLength(2);
  const { q, t } = openCommitted(w.store);
  const kept = JSON.stringify([await q.select().from(t.idempotencyKeys), await q.select().from(t.apiKeys)]);
  expect(kept).not.toContain(first.body.api_key);
  const nextDay = addMs(w.deps.now(), 86_400_000);
  await sweepExpired(w.store, addMs(nextDay, -60_000));
  expect(await q.select().from(t.idempotencyKeys)).toHaveLength(1);
  await sweepExpired(w.store, addMs(nextDay, 60_000));
  expect(await q.select().from(t.idempotencyKeys)).toHaveLength(0);
});

test("organization and workspace keys reach what they name, with their role", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const other = await w.insertTenant("Other");
  await w.signIn(owner.email, { organizationId: other.organization.id, role: "owner" });
  const organizationKey = await owner.post("/v1/api-keys", {
    name: "Org",
    kind: "organization",
    organization_id: organization.id,
  });
  expect(organizationKey.body).toMatchObject({ role: "viewer", organization_id: organization.id, workspace_id: null });
  const viewer = await signInWith(w, organizationKey.body.api_key);
  expect((await viewer.get(workspace.path)).status).toBe(200);
  expect((await viewer.get(other.workspace.path)).status).toBe(404);
  expect((await viewer.post(`${workspace.path}/brands`, { name: "X" })).status).toBe(403);
  const bounded = await owner.post("/v1/api-keys", {
    name: "Wsp",
    kind: "workspace",
    organization_id: organization.id,
    workspace_id: workspace.id,
    role: "editor",
  });
  const editor = await signInWith(w, bounded.body.api_key);
  expect((await editor.post(`${workspace.path}/brands`, { name: "X" })).status).toBe(201);
  expect((await editor.get(organization.path)).status).toBe(403);
});

function workspaceKey(person: Person, tenant: { organization: { id: string }; workspace: { id: string } } | null) {
  const ids = tenant && { organization_id: tenant.organization.id, workspace_id: tenant.workspace.id };
  return person.post("/v1/api-keys", { name: "k", kind: "workspace", ...ids, role: "editor" });
}

test("a viewer's key reports its own role even if its person edits the workspace", async () => {
  await using w = await world();
  const { organization, workspace } = await w.acme();
  const ids = { organizationId: organization.id, workspaceId: workspace.id };
  const editor = await w.signIn("local@acme.test", { ...ids, workspaceRole: "editor" });
  expect((await editor.get("/v1/auth/me")).body.workspaces).toMatchObject([{ role: "editor" }]);
  const kind = { kind: "workspace", organization_id: organization.id, workspace_id: workspace.id, role: "viewer" };
  const made = await editor.post("/v1/api-keys", { name: "Report", ...kind });
  const program = await signInWith(w, made.body.api_key);
  expect((await program.get("/v1/auth/me")).body.workspaces).toMatchObject([{ id: workspace.id, role: "viewer" }]);
  expect((await program.post(`${workspace.path}/personas`, { name: "x" })).status).toBe(403);
});

test("denies creating a key for something the person does not administer", async () => {
  // Attack: turning a viewer's access into an organization's key.
  await using w = await world();
  const { organization, workspace } = await w.acme();
  const other = await w.insertTenant("Other");
  const viewer = await w.signIn("viewer@acme.test", { organizationId: organization.id, role: "viewer" });
  const editor = await w.signIn("editor@acme.test", { organizationId: organization.id, role: "editor" });
  const orgKey = { name: "k", kind: "organization", organization_id: organization.id, role: "owner" };
  expect((await viewer.post("/v1/api-keys", orgKey)).status).toBe(403);
  expect((await editor.post("/v1/api-keys", orgKey)).status).toBe(403);
  expect((await workspaceKey(viewer, { organization, workspace })).status).toBe(403);
  expect((await workspaceKey(editor, { organization, workspace })).status).toBe(201);
  expect((await workspaceKey(editor, other)).status).toBe(404);
  expect((await workspaceKey(editor, { organization, workspace: other.workspace })).status).toBe(404);
  expect((await workspaceKey(editor, null)).status).toBe(400);
});

test("revoking a key revokes the keys it created in an earlier version", async () => {
  // Attack: using a stolen key once to keep access after its revocation.
  await using w = await world();
  const { owner } = await w.acme();
  const child = await owner.post("/v1/api-keys", { name: "child" });
  const [own] = (await owner.get("/v1/api-keys")).body.data;
  await w.store.write(async ({ q, t }) => {
    await q.update(t.apiKeys).set({ madeWithKeyId: own.id }).where(eq(t.apiKeys.id, child.body.id));
  });
  const program = await signInWith(w, child.body.api_key);
  expect((await program.get("/v1/workspaces")).status).toBe(200);
  expect((await owner.delete(`/v1/api-keys/${own.id}`)).status).toBe(200);
  expect((await signInWith(w, child.body.api_key)).status).toBe(401);
  expect((await program.get("/v1/workspaces")).status).toBe(401);
});

test("a key that reaches less than its person manages no keys", async () => {
  // Attack: widening a workspace key's access through the list of keys.
  await using w = await world();
  const { organization, workspace } = await w.acme();
  const narrow = await w.signIn("second@acme.test", { organizationId: organization.id, role: "owner" });
  const bound = await narrow.post("/v1/api-keys", {
    name: "bound",
    kind: "workspace",
    organization_id: organization.id,
    workspace_id: workspace.id,
  });
  const program = await signInWith(w, bound.body.api_key);
  expect((await program.get("/v1/api-keys")).status).toBe(403);
  expect((await program.post("/v1/api-keys", { name: "wider" })).status).toBe(403);
  const other = await narrow.post("/v1/api-keys", { name: "other" });
  expect((await program.delete(`/v1/api-keys/${other.body.id}`)).status).toBe(403);
});

test("another person's keys cannot be listed or revoked, and wrong fields are named", async () => {
  await using w = await world();
  const { owner } = await w.acme();
  const mallory = await w.signIn("mallory@rival.test");
  const mine = await owner.post("/v1/api-keys", { name: "mine" });
  expect((await mallory.delete(`/v1/api-keys/${mine.body.id}`)).status).toBe(404);
  expect((await mallory.get("/v1/api-keys")).body.data).toHaveLength(1);
  const wrong = async (body: object) => {
    const answer = await owner.post("/v1/api-keys", body);
    return [answer.status, (answer.body.fields as { path: string }[] | undefined)?.map(({ path }) => path)];
  };
  const id = mine.body.id;
  expect(await wrong({})).toEqual([400, ["name"]]);
  expect(await wrong({ name: "x", kind: "organization" })).toEqual([400, ["organization_id"]]);
  expect(await wrong({ name: "x", organization_id: id, workspace_id: id, role: "owner" })).toEqual([
    400,
    ["organization_id", "workspace_id", "role"],
  ]);
  expect(await wrong({ name: "x", expires_at: "2020-01-01T00:00:00Z" })).toEqual([400, ["expires_at"]]);
});
