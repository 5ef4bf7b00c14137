import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { addMs } from "../../core/shared/time.ts";
import { exchange, apiKeyScene, namesOf, T0 } from "./api-key-scene.ts";
import type { Person } from "../support/world.ts";

test("a rotated key works for its grace period with its tokens, next to a new one of equal reach", async () => {
  await using s = await apiKeyScene();
  const old = await s.make(s.owner, {
    name: "Nightly",
    ...s.ofWorkspace,
    role: "editor",
    expires_at: addMs(T0, 86_400_000 * 30),
  });
  const program = await exchange(s.w, old.api_key);
  s.clock.at = addMs(T0, 60_000);
  const { status, body } = await s.owner.post(`/v1/api-keys/${old.id}/rotate`, { grace_seconds: 600 });
  const { api_key: _, ...before } = old;
  expect([status, body]).toEqual([
    201,
    {
      ...before,
      id: expect.any(String),
      hint: expect.any(String),
      created_at: addMs(T0, 60_000),
      expires_at: addMs(T0, 86_400_000 * 30 + 60_000),
      api_key: expect.stringMatching(/^bva_wsp_[0-9A-Za-z]{49}$/),
      replaces: { ...before, last_used_at: T0, expires_at: addMs(T0, 660_000), rotated_to_id: body.id },
    },
  ]);
  expect(body.api_key).not.toBe(old.api_key);
  const next = await exchange(s.w, body.api_key);
  const write = async (with_: typeof program) =>
    (await with_.post(`${s.workspace.path}/brands`, { name: s.clock.at })).status;
  expect([await write(program), (await exchange(s.w, old.api_key)).status]).toEqual([201, 200]);
  s.clock.at = addMs(T0, 660_000);
  expect([await write(program), (await exchange(s.w, old.api_key)).status]).toEqual([401, 401]);
  const refreshed = await s.w.request("POST", "/v1/auth/refresh", { body: { refresh_token: program.refreshToken } });
  expect([refreshed.status, await write(next)]).toEqual([401, 201]);
  expect((await s.owner.post(`/v1/api-keys/${old.id}/rotate`)).body.code).toBe("CONFLICT");
  expect((await s.owner.post(`/v1/api-keys/${body.id}/rotate`, { grace_seconds: 604_801 })).status).toBe(400);
});

test("a rotation repeated by Idempotency-Key, or concurrently, shows no secret and creates no second key", async () => {
  await using s = await apiKeyScene();
  const old = await s.make(s.owner, { name: "Once" });
  const rotate = (headers?: Record<string, string>) => s.owner.post(`/v1/api-keys/${old.id}/rotate`, {}, headers);
  const first = await rotate({ "idempotency-key": "r-1" });
  const again = await rotate({ "idempotency-key": "r-1" });
  expect([again.status, again.body]).toEqual([201, { ...first.body, api_key: null }]);
  const next = await s.make(s.owner, { name: "Twice" });
  const both = await Promise.all([1, 2].map(() => s.owner.post(`/v1/api-keys/${next.id}/rotate`)));
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  expect(namesOf(await s.owner.get("/v1/api-keys"))).toEqual(["test", "Once", "Once", "Twice", "Twice"]);
});

test("rejects rotating a key that the caller could not create now", async () => {
  // Attack: keeping an owner's or editor's rights after losing the role by rotating a key.
  await using s = await apiKeyScene();
  const org = await s.make(s.owner, { name: "org", ...s.ofOrganization, role: "owner" });
  const wsp = await s.make(s.local, { name: "wsp", ...s.ofWorkspace, role: "editor" });
  const demote = async (person: Person) =>
    s.w.store.write(async ({ q, t }) => {
      await q.update(t.organizationMembers).set({ role: "viewer" }).where(eq(t.organizationMembers.userId, person.id));
      await q.update(t.workspaceMembers).set({ role: "viewer" }).where(eq(t.workspaceMembers.userId, person.id));
    });
  await demote(s.owner);
  await demote(s.local);
  for (const [person, key] of [
    [s.owner, org],
    [s.local, wsp],
  ] as const) {
    expect(await person.post(`/v1/api-keys/${key.id}/rotate`)).toMatchObject({ status: 403 });
    expect((await person.get(`/v1/api-keys/${key.id}`)).body).toMatchObject({ status: "active", rotated_to_id: null });
    expect((await person.delete(`/v1/api-keys/${key.id}`)).status).toBe(200);
  }
});

test("a rotated key belongs to the person who rotated it, with their rights", async () => {
  await using s = await apiKeyScene();
  const made = await s.make(s.owner, { name: "wsp", ...s.ofWorkspace, role: "editor" });
  const { body } = await s.local.post(`/v1/api-keys/${made.id}/rotate`);
  expect(body).toMatchObject({ created_by: { id: s.local.id }, replaces: { created_by: { id: s.owner.id } } });
  const program = await exchange(s.w, body.api_key);
  expect((await program.get(s.workspace.path)).status).toBe(200);
  await s.w.store.write(async ({ q, t }) => {
    await q.delete(t.workspaceMembers).where(eq(t.workspaceMembers.userId, s.local.id));
  });
  expect((await program.get(s.workspace.path)).status).toBe(404);
});

test("rotating a key revokes the keys it created in an earlier version, also if it rotates itself", async () => {
  // Attack: a thief creates a second key with a stolen one, to survive its rotation.
  await using s = await apiKeyScene();
  const [, own] = await Promise.all([s.make(s.editor, { name: "first" }), s.make(s.editor, { name: "own" })]);
  const child = await s.make(s.editor, { name: "child" });
  await s.w.store.write(async ({ q, t }) => {
    await q.update(t.apiKeys).set({ madeWithKeyId: own.id }).where(eq(t.apiKeys.id, child.id));
  });
  const rotated = (await (await exchange(s.w, child.api_key)).post(`/v1/api-keys/${child.id}/rotate`)).body;
  expect((await s.editor.post(`/v1/api-keys/${own.id}/rotate`, { grace_seconds: 60 })).status).toBe(201);
  const used = async () =>
    Promise.all([child.api_key, rotated.api_key].map(async (key) => (await exchange(s.w, key)).status));
  expect(await used()).toEqual([200, 200]);
  s.clock.at = addMs(T0, 60_000);
  expect(await used()).toEqual([401, 401]);
});

test("an organization at its key quota can rotate existing keys", async () => {
  await using s = await apiKeyScene();
  const key = await s.make(s.owner, { name: "only", ...s.ofOrganization });
  await s.w.store.write(async ({ q, t }) => {
    await q.update(t.organizations).set({ quotas: { api_keys: 1 } });
  });
  expect((await s.owner.post("/v1/api-keys", { name: "more", ...s.ofOrganization })).body.code).toBe("QUOTA_EXCEEDED");
  const rotated = await s.owner.post(`/v1/api-keys/${key.id}/rotate`);
  expect(rotated.status).toBe(201);
  expect((await s.owner.post(`/v1/api-keys/${rotated.body.id}/rotate`)).status).toBe(201);
});
