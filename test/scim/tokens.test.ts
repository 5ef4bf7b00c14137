import { expect, test } from "vitest";
import { world } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";

test("shows a SCIM token once, lists it by its first and last characters, and revokes it", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const path = `${organization.path}/scim-tokens`;
  const made = await owner.post(path, { name: "Identity provider" });
  expect(made.status).toBe(201);
  const { token, ...shown } = made.body;
  expect(token).toMatch(/^bva_scim_[0-9A-Za-z]{49}$/);
  expect(shown).toEqual({
    id: expect.any(String) as unknown,
    name: "Identity provider",
    hint: `${token.slice(0, 13)}…${token.slice(-4)}`,
    created_at: expect.any(String) as unknown,
    expires_at: null,
    last_used_at: null,
    revoked_at: null,
  });
  expect((await owner.get(path)).body).toEqual({ data: [shown], next_cursor: null });
  expect((await owner.delete(`${path}/${shown.id}`)).body).toEqual({ revoked: true });
  expect(await owner.delete(`${path}/${shown.id}`)).toMatchObject({ status: 404 });
  const [listed] = (await owner.get(path)).body.data;
  expect(listed).toEqual({ ...shown, revoked_at: expect.any(String) as unknown });
});

test("a SCIM token cannot end in the past", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const wanted = { name: "Old", expires_at: "2020-01-01T00:00:00Z" };
  expect(await owner.post(`${organization.path}/scim-tokens`, wanted)).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", fields: [{ path: "expires_at" }] },
  });
});

// Attack: read the tokens out of a copy of the database.
test("stores only a keyed hash of a SCIM token", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const { body } = await owner.post(`${organization.path}/scim-tokens`, { name: "Identity provider" });
  const { q, t } = openCommitted(w.store);
  const rows = JSON.stringify(await q.select().from(t.scimTokens));
  expect(rows).not.toContain(body.token);
  expect(rows).not.toContain(body.token.slice(9, -4));
});

test("only an owner manages SCIM tokens, and another organization's are not there", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const path = `${organization.path}/scim-tokens`;
  const { body } = await owner.post(path, { name: "Identity provider" });
  const editor = await w.signIn("editor@acme.test", { organizationId: organization.id, role: "editor" });
  expect((await editor.get(path)).status).toBe(403);
  expect((await editor.post(path, { name: "Mine" })).status).toBe(403);
  const rival = await w.insertTenant("Rival");
  const other = await w.signIn("owner@rival.test", { organizationId: rival.organization.id, role: "owner" });
  expect((await other.delete(`${path}/${body.id}`)).status).toBe(404);
  expect((await other.delete(`${rival.organization.path}/scim-tokens/${body.id}`)).status).toBe(404);
});
