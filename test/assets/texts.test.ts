import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";
import { visibleFields } from "../support/text-facts.ts";

test("a text becomes an asset that is ready at once, and reads the same by REST and by tool", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const text = "# Phones\r\n\r\nThe Acme One lasts two days.\u202E";
  const made = await owner.post(`${workspace.path}/assets`, { name: "Landing page", text });
  expect(made).toMatchObject({ status: 201 });
  expect(made.body).toEqual({
    id: expect.any(String),
    name: "Landing page",
    type: "markdown",
    media_type: "text/markdown",
    size_bytes: 43,
    sha256: createHash("sha256").update(text).digest("hex"),
    status: "ready",
    status_reason: null,
    word_count: 7,
    text_length: 38,
    excerpt: "# Phones The Acme One lasts two days.",
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  const read = await owner.get(`${workspace.path}/assets/${made.body.id}`);
  const whole = { tags: [], text: "# Phones\n\nThe Acme One lasts two days.", text_offset: 0, next_text_offset: null };
  expect(read.body).toEqual({ ...made.body, ...whole });

  const { token } = await mintToolToken(w, owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(w.config.mcpUrl, { token });
  const path = { organization_id: organization.id, workspace_id: workspace.id };
  expect(read.body).toMatchObject(visibleFields(await client?.call("get_asset", { ...path, asset_id: made.body.id })));
  const listed = await client?.call("list_assets", { ...path, type: "markdown" });
  expect([made.body]).toMatchObject(listed?.structured.data);
});

test("parts of a long text add up to the whole", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const text = Array.from({ length: 3000 }, (_, index) => `word${index}`).join(" ");
  const made = await owner.post(`${workspace.path}/assets`, { name: "Long", text });
  expect(made.body).toMatchObject({ type: "text", word_count: 3000, text_length: text.length });
  let [whole, offset] = ["", 0 as number | null];
  while (offset !== null) {
    const { body } = await owner.get(`${workspace.path}/assets/${made.body.id}?text_offset=${offset}`);
    expect(body.text_offset).toBe(offset);
    [whole, offset] = [whole + body.text, body.next_text_offset];
  }
  expect(whole).toBe(text);
});

test("lists assets by type, status and name, archived ones on request, in pages", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const add = async (name: string, text: string) =>
    (await owner.post(`${workspace.path}/assets`, { name, text })).body.id as string;
  const plain = await add("Plain 100%", "Just text.");
  const marked = await add("Marked", "## A heading");
  const old = await add("Old", "Old text.");
  expect(await owner.post(`${workspace.path}/assets/${old}/archive`)).toMatchObject({
    status: 200,
    body: { id: old, status: "archived" },
  });
  expect(await owner.post(`${workspace.path}/assets/${old}/archive`)).toMatchObject({ status: 200 });
  const listed = async (query: string) =>
    ((await owner.get(`${workspace.path}/assets${query}`)).body.data as { id: string }[]).map(({ id }) => id);
  expect(await listed("")).toEqual([plain, marked]);
  expect(await listed("?type=markdown")).toEqual([marked]);
  expect(await listed("?status=archived")).toEqual([old]);
  expect(await listed("?text=100%25")).toEqual([plain]);
  const first = await owner.get(`${workspace.path}/assets?limit=1`);
  expect(first.body.data).toMatchObject([{ id: plain }]);
  expect(await listed(`?limit=1&cursor=${first.body.next_cursor}`)).toEqual([marked]);
});

test("returns 404 for another workspace's asset; a viewer reads but cannot add", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const rival = await w.insertTenant("Rival");
  const mallory = await w.signIn("mallory@rival.test", { organizationId: rival.organization.id, role: "owner" });
  const { body } = await owner.post(`${workspace.path}/assets`, { name: "Ours", text: "Secret plans." });
  for (const answer of [
    await mallory.get(`${rival.workspace.path}/assets/${body.id}`),
    await mallory.post(`${rival.workspace.path}/assets/${body.id}/archive`),
  ]) {
    expect(answer).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  }
  const viewer = await w.signIn("viewer@acme.test", { organizationId: organization.id, role: "viewer" });
  expect((await viewer.get(`${workspace.path}/assets/${body.id}`)).body.text).toBe("Secret plans.");
  expect((await viewer.post(`${workspace.path}/assets`, { name: "x", text: "x" })).status).toBe(403);
});

test("an organization at its quota of assets or bytes cannot add one until it archives another", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const { q, t } = openCommitted(w.store);
  const allow = (quotas: Record<string, number>) =>
    w.store.write(async (db) => void (await db.q.update(db.t.organizations).set({ quotas })));
  const add = () => owner.post(`${workspace.path}/assets`, { name: "x", text: "ten bytes." });
  await allow({ assets: 1 });
  const first = await add();
  expect(await add()).toMatchObject({ status: 409, body: { code: "QUOTA_EXCEEDED" } });
  await owner.post(`${workspace.path}/assets/${first.body.id}/archive`);
  expect((await add()).status).toBe(201);
  await allow({ asset_bytes: 19 });
  expect(await add()).toMatchObject({ status: 409, body: { code: "QUOTA_EXCEEDED" } });
  await allow({ asset_bytes: 20 });
  expect((await add()).status).toBe(201);
  expect((await owner.get(organization.path)).body.used).toMatchObject({ assets: 2, asset_bytes: 20 });
  expect(await q.$count(t.assets)).toBe(3);
});
