import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { addMs } from "../../core/shared/time.ts";
import { exchange, apiKeyScene, namesOf, T0 } from "./api-key-scene.ts";
import type { Person } from "../support/world.ts";

// Visibility and revocation of keys, and their rights when the creator loses rights.

test("an owner sees all keys of the organization, a workspace editor those of the workspace, others their own", async () => {
  await using s = await apiKeyScene();
  await s.make(s.owner, { name: "org", ...s.ofOrganization });
  await s.make(s.editor, { name: "first", ...s.ofWorkspace });
  await s.make(s.owner, { name: "second", ...s.ofSecond });
  await s.make(s.mallory, { name: "rival", kind: "organization", organization_id: s.rival.organization.id });
  const [all, one] = [
    `/v1/api-keys?organization_id=${s.organization.id}`,
    `/v1/api-keys?organization_id=${s.organization.id}&workspace_id=${s.workspace.id}`,
  ];
  expect(namesOf(await s.owner.get(all))).toEqual(["org", "first", "second"]);
  expect(namesOf(await s.owner.get(one))).toEqual(["first"]);
  expect((await s.editor.get(all)).status).toBe(403);
  expect(namesOf(await s.editor.get(one))).toEqual(["first"]);
  expect(namesOf(await s.local.get(one))).toEqual(["first"]);
  expect((await s.local.get(one.replace(s.workspace.id, s.ofSecond.workspace_id))).status).toBe(404);
  expect([(await s.mallory.get(all)).status, (await s.mallory.get(one)).status]).toEqual([404, 404]);
  expect(namesOf(await s.editor.get("/v1/api-keys"))).toEqual(["test", "first"]);
  expect(await s.owner.get(`/v1/api-keys?workspace_id=${s.workspace.id}`)).toMatchObject({
    status: 400,
    body: { fields: [{ path: "organization_id" }] },
  });
});

test("keys are listed by state, and in pages that neither skip nor repeat", async () => {
  await using s = await apiKeyScene();
  const made = [];
  for (const name of ["a", "b", "c", "d"]) made.push(await s.make(s.owner, { name, ...s.ofOrganization }));
  await s.owner.delete(`/v1/api-keys/${made[1].id}`);
  await s.owner.post(`/v1/api-keys/${made[2].id}/rotate`, { grace_seconds: 0 });
  const at = (more: string) => s.owner.get(`/v1/api-keys?organization_id=${s.organization.id}${more}`);
  expect(namesOf(await at("&status=active"))).toEqual(["a", "d", "c"]);
  expect(namesOf(await at("&status=revoked"))).toEqual(["b"]);
  expect(namesOf(await at("&status=expired"))).toEqual(["c"]);
  const first = await at("&limit=3");
  const rest = await at(`&limit=3&cursor=${first.body.next_cursor}`);
  expect([...namesOf(first), ...namesOf(rest)]).toEqual(["a", "b", "c", "d", "c"]);
  const elsewhere = await s.owner.get(`/v1/api-keys?limit=3&cursor=${first.body.next_cursor}`);
  expect(elsewhere.status).toBe(400);
});

async function end(person: Person, key: { id: string }) {
  return (await person.delete(`/v1/api-keys/${key.id}`)).status;
}
async function readStatus(person: Person, key: { id: string }) {
  return (await person.get(`/v1/api-keys/${key.id}`)).status;
}

test("lets an owner revoke any key of the organization, an editor any of the workspace, and neither a person's own", async () => {
  await using s = await apiKeyScene();
  const org = await s.make(s.owner, { name: "org", ...s.ofOrganization });
  const first = await s.make(s.owner, { name: "first", ...s.ofWorkspace });
  const second = await s.make(s.owner, { name: "second", ...s.ofSecond });
  const own = await s.make(s.editor, { name: "own" });
  for (const key of [org, first, second, own])
    expect([await readStatus(s.mallory, key), await end(s.mallory, key)]).toEqual([404, 404]);
  expect([await end(s.owner, own), await readStatus(s.owner, own)]).toEqual([404, 404]);
  expect([await end(s.local, org), await end(s.local, second), await readStatus(s.local, second)]).toEqual([
    404, 404, 404,
  ]);
  expect([await readStatus(s.local, first), await end(s.local, first), await end(s.local, first)]).toEqual([
    200, 200, 404,
  ]);
  const program = await exchange(s.w, second.api_key);
  expect((await program.get(`${s.organization.path}/workspaces/${s.ofSecond.workspace_id}`)).status).toBe(200);
  expect([await end(s.owner, second), await end(s.owner, org)]).toEqual([200, 200]);
  expect((await program.get(`${s.organization.path}/workspaces/${s.ofSecond.workspace_id}`)).status).toBe(401);
  expect((await s.owner.get(`/v1/api-keys/${second.id}`)).body).toMatchObject({ status: "revoked", revoked_at: T0 });
});

test("a key loses its creator's lost role, membership or account at the next call", async () => {
  await using s = await apiKeyScene();
  const org = await exchange(s.w, (await s.make(s.owner, { name: "o", ...s.ofOrganization, role: "owner" })).api_key);
  const wsp = await exchange(s.w, (await s.make(s.local, { name: "w", ...s.ofWorkspace, role: "editor" })).api_key);
  const usr = await exchange(s.w, (await s.make(s.editor, { name: "u" })).api_key);
  const statuses = async () => [
    (await org.get(s.organization.path)).status,
    (await org.post(`${s.organization.path}/workspaces`, { name: s.w.deps.newId() })).status,
    (await wsp.post(`${s.workspace.path}/brands`, { name: s.w.deps.newId() })).status,
    (await usr.get(s.workspace.path)).status,
  ];
  const change = (work: Parameters<typeof s.w.store.write>[0]) => s.w.store.write(work);
  expect(await statuses()).toEqual([200, 201, 201, 200]);
  await change(async ({ q, t }) => {
    await q.update(t.organizationMembers).set({ role: "viewer" }).where(eq(t.organizationMembers.userId, s.owner.id));
    await q.update(t.workspaceMembers).set({ role: "viewer" }).where(eq(t.workspaceMembers.userId, s.local.id));
    await q.update(t.organizationMembers).set({ suspendedAt: T0 }).where(eq(t.organizationMembers.userId, s.editor.id));
  });
  expect(await statuses()).toEqual([200, 403, 403, 404]);
  await change(async ({ q, t }) => {
    await q.delete(t.organizationMembers).where(eq(t.organizationMembers.userId, s.owner.id));
    await q.update(t.users).set({ disabledAt: T0 }).where(eq(t.users.id, s.local.id));
  });
  expect(await statuses()).toEqual([404, 404, 401, 404]);
});

test("distinguishes a mistyped key from a revoked one, and says that a raw key must be exchanged", async () => {
  await using s = await apiKeyScene();
  const { api_key, id } = await s.make(s.owner, { name: "k" });
  const told = async (text: string) => (await exchange(s.w, text)).message;
  const oneOther = api_key.slice(0, 10) + (api_key[10] === "A" ? "B" : "A") + api_key.slice(11);
  for (const typo of [
    oneOther,
    api_key.slice(0, -1),
    `${api_key}x`,
    api_key.toLowerCase(),
    ` ${api_key}`,
    "",
    "secret",
  ]) {
    expect([typo, await told(typo)]).toEqual([
      typo,
      "This is not a valid API key: a character is wrong or missing. Copy the whole key.",
    ]);
  }
  await s.owner.delete(`/v1/api-keys/${id}`);
  expect(await told(api_key)).toBe("This API key is unknown, expired or revoked. Create a new one.");
  const { refreshToken } = await exchange(s.w, s.owner.apiKey);
  const sent = async (token: string, path: string) => {
    const headers = { authorization: `Bearer ${token}`, accept: "application/json, text/event-stream" };
    const init = path === "/mcp" ? { body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: {} } } : {};
    const { status, body } = await s.w.request(path === "/mcp" ? "POST" : "GET", path, { headers, ...init });
    return [status, JSON.stringify(body)];
  };
  for (const path of ["/v1/auth/me", s.workspace.path, "/api/v1/projects", "/mcp"]) {
    expect([path, ...(await sent(s.owner.apiKey, path))]).toEqual([
      path,
      401,
      expect.stringContaining("Exchange it for an access token at POST /v1/auth/token"),
    ]);
    expect([path, ...(await sent(refreshToken, path))]).toEqual([
      path,
      401,
      expect.stringContaining("/v1/auth/refresh"),
    ]);
  }
});

test("a refresh counts as use", async () => {
  await using s = await apiKeyScene();
  const made = await s.make(s.owner, { name: "k" });
  const { refreshToken } = await exchange(s.w, made.api_key);
  s.clock.at = addMs(T0, 3_600_000);
  await s.w.request("POST", "/v1/auth/refresh", { body: { refresh_token: refreshToken } });
  expect((await s.owner.get(`/v1/api-keys/${made.id}`)).status).toBe(401);
  s.clock.at = addMs(T0, 600_000);
  expect((await s.owner.get(`/v1/api-keys/${made.id}`)).body.last_used_at).toBe(addMs(T0, 3_600_000));
});
