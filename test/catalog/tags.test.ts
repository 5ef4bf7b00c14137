import { expect, test, vi } from "vitest";
import { Database } from "../../db/engine/sqlite/sqlite.ts";
import { CONFLICT, UNKNOWN_ID, NOT_FOUND, tagScene, readTree } from "./tag-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { visibleFields } from "../support/text-facts.ts";

test("a tag has exactly the fields of the specification, at both levels, in the list as in the creation", async () => {
  await using s = await tagScene();
  const made = await s.owner.post(s.tags, { name: "Season", color: "#1a2B3c" });
  const fields = {
    id: expect.any(String),
    organization_id: s.organization.id,
    workspace_id: s.workspace.id,
    name: "Season",
    order: 0,
    analyses_count: 0,
    assets_count: 0,
    created_at: expect.stringMatching(/Z$/),
    updated_at: expect.stringMatching(/Z$/),
    color: "#1a2B3c",
    children: [],
  };
  expect([made.status, made.body]).toEqual([201, fields]);
  const child = await s.owner.post(s.tags, { name: "Spring", parent: made.body.id });
  const { color: _, ...withoutColor } = fields;
  expect(child.body).toEqual({ ...withoutColor, name: "Spring", parent: made.body.id });
  const whole = { ...made.body, children: [child.body] };
  expect((await s.owner.get(s.tags)).body).toEqual({ data: [whole], next_cursor: null });
  expect((await s.owner.get(`${s.tags}/${made.body.id}`)).body).toEqual(whole);
  expect((await s.owner.get(`${s.tags}/${child.body.id}`)).body).toEqual(child.body);
  const { token } = await mintToolToken(s.w, s.owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(s.w.config.mcpUrl, { token });
  const answer = await client?.call("list_tags", {
    organization_id: s.organization.id,
    workspace_id: s.workspace.id,
  });
  expect(answer?.structured.data).toMatchObject([{ id: made.body.id, children: [{ id: child.body.id }] }]);
  const one = { organization_id: s.organization.id, workspace_id: s.workspace.id, tag_id: made.body.id };
  expect({ ...made.body, children: [child.body] }).toMatchObject(visibleFields(await client?.call("get_tag", one)));
});

test("a tag of the organization has no workspace, and is listed separately", async () => {
  await using s = await tagScene();
  const shared = await s.make({ name: "Everywhere" }, s.organizationTags);
  const child = await s.make({ name: "Below", parent: shared.id }, s.organizationTags);
  expect(shared).not.toHaveProperty("workspace_id");
  expect(shared).not.toHaveProperty("parent");
  expect((await s.owner.get(s.organizationTags)).body.data).toEqual([{ ...shared, children: [child] }]);
  expect((await s.owner.get(s.tags)).body.data).toEqual([]);
  expect(await s.owner.post(s.tags, { name: "x", parent: shared.id })).toMatchObject(NOT_FOUND);
  expect(await s.owner.patch(`${s.tags}/${shared.id}`, { name: "x" })).toMatchObject(NOT_FOUND);
  expect(await s.owner.delete(`${s.tags}/${shared.id}`)).toMatchObject(NOT_FOUND);
  const { token } = await mintToolToken(s.w, s.owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(s.w.config.mcpUrl, { token });
  const answer = await client?.call("list_organization_tags", { organization_id: s.organization.id });
  expect(answer?.structured.data).toMatchObject([{ id: shared.id, children: [{ id: child.id }] }]);
  expect((await s.owner.get(`${s.organizationTags}/${shared.id}`)).body).toEqual({ ...shared, children: [child] });
  expect(await s.owner.get(`${s.tags}/${shared.id}`)).toMatchObject(NOT_FOUND);
  const one = { organization_id: s.organization.id, tag_id: child.id };
  expect(child).toMatchObject(visibleFields(await client?.call("get_organization_tag", one)));
  const changed = await s.owner.patch(`${s.organizationTags}/${child.id}`, { name: "Above", parent: null });
  expect(changed).toMatchObject({ status: 200, body: { name: "Above", order: 1 } });
  expect((await s.owner.delete(`${s.organizationTags}/${shared.id}`)).body.children_deleted).toBe(0);
  expect(await readTree(s.owner, s.organizationTags)).toEqual([["Above", []]]);
});

test("each content type creates the same tag: JSON, form, multipart, and any other", async () => {
  await using s = await tagScene();
  const parent = await s.make({ name: "Parent" });
  const fields = { name: "Ünïcode & more", parent: parent.id, color: "#ABCDEF", order: "7" };
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.set(key, value);
  const as = (type: string) => ({ body: JSON.stringify(fields), headers: { "content-type": type } });
  const requests = [
    { body: fields },
    { body: new URLSearchParams(fields) },
    { body: form },
    as("application/vnd.acme+json"),
    as("text/plain"),
    as("application/octet-stream"),
  ];
  for (const [order, request] of requests.entries()) {
    const { status, body } = await s.owner.request("POST", s.tags, request);
    const { order: _, ...sent } = fields;
    expect([status, body]).toEqual([201, expect.objectContaining({ ...sent, order })]);
  }
  // Forms have no null: empty means the first level, and no color.
  const empty = new URLSearchParams({ name: "Top", parent: "", color: "" });
  const top = await s.owner.request("POST", s.tags, { body: empty });
  expect([top.status, "parent" in top.body, "color" in top.body, top.body.order]).toEqual([201, false, false, 1]);
  expect((await s.owner.post(s.tags, { name: "Top", parent: "", color: null })).body.order).toBe(2);
});

test("order is ignored whatever is sent for it, in creations and changes", async () => {
  await using s = await tagScene();
  for (const [index, order] of [5, -1, "first", null, true, { a: 1 }, [3]].entries()) {
    const { status, body } = await s.owner.post(s.tags, { name: `T ${index}`, order });
    expect([status, body.order]).toEqual([201, index]);
    expect((await s.owner.patch(`${s.tags}/${body.id}`, { order })).body).toEqual(body);
  }
});

test("names have 1 to 255 characters and colors are #RRGGBB; each wrong field is named", async () => {
  await using s = await tagScene();
  const longest = "😀".repeat(255);
  expect((await s.make({ name: longest })).name).toBe(longest);
  expect((await s.make({ name: "Same" })).name).toBe((await s.make({ name: "Same" })).name);
  const wrong = async (body: object) => {
    const answer = await s.owner.post(s.tags, body);
    expect([answer.status, answer.body.code]).toEqual([400, "VALIDATION_FAILED"]);
    return answer.body.fields.map((field: { path: string }) => field.path);
  };
  expect(await wrong({})).toEqual(["name"]);
  expect(await wrong({ name: " " })).toEqual(["name"]);
  expect(await wrong({ name: "x".repeat(256) })).toEqual(["name"]);
  for (const color of ["red", "#12345", "#1234567", "123456", "#GGGGGG", "#12345\n", 7]) {
    expect(await wrong({ name: "x", color })).toEqual(["color"]);
  }
  expect(await wrong({ name: "x", parent: "no uuid" })).toEqual(["parent"]);
  expect(await wrong({ name: "x", children: [] })).toEqual(["children"]);
});

test("a parent must be a tag of the same workspace and of the first level", async () => {
  await using s = await tagScene();
  const parent = await s.make({ name: "Parent" });
  const child = await s.make({ name: "Child", parent: parent.id });
  const other = await s.w.insertTenant("Other");
  const stranger = await s.w.signIn("owner@other.test", { organizationId: other.organization.id, role: "owner" });
  const foreign = await stranger.post(`${other.workspace.path}/tags`, { name: "Foreign" });
  for (const id of [UNKNOWN_ID, foreign.body.id]) {
    expect(await s.owner.post(s.tags, { name: "x", parent: id })).toMatchObject(NOT_FOUND);
    expect(await s.owner.patch(`${s.tags}/${child.id}`, { parent: id })).toMatchObject(NOT_FOUND);
    expect(await s.owner.patch(`${s.tags}/${id}`, { name: "x" })).toMatchObject(NOT_FOUND);
    expect(await s.owner.delete(`${s.tags}/${id}`)).toMatchObject(NOT_FOUND);
    expect(await s.owner.get(`${s.tags}/${id}`)).toMatchObject(NOT_FOUND);
    expect(await s.owner.get(`${s.organizationTags}/${id}`)).toMatchObject(NOT_FOUND);
    const put = { body: { tag_ids: [parent.id, id] } };
    const path = `${s.workspace.path}/analyses/${s.first}/tags`;
    expect(await s.owner.request("PUT", path, put)).toMatchObject(NOT_FOUND);
  }
  expect(await s.owner.post(s.tags, { name: "x", parent: child.id })).toMatchObject(CONFLICT);
  const second = await s.make({ name: "Second" });
  expect(await s.owner.patch(`${s.tags}/${second.id}`, { parent: child.id })).toMatchObject(CONFLICT);
  expect(await s.owner.patch(`${s.tags}/${parent.id}`, { parent: second.id })).toMatchObject(CONFLICT);
  expect(await s.owner.patch(`${s.tags}/${second.id}`, { parent: second.id })).toMatchObject(CONFLICT);
  expect(await readTree(s.owner, s.tags)).toEqual([
    ["Parent", ["Child"]],
    ["Second", []],
  ]);
});

test("viewers read tags and cannot write them; workspace editors tag, but only organization editors make shared tags", async () => {
  await using s = await tagScene();
  const tag = await s.make({ name: "Tag" });
  const shared = await s.make({ name: "Shared" }, s.organizationTags);
  const member = { organizationId: s.organization.id, workspaceId: s.workspace.id };
  const viewer = await s.w.signIn("viewer@acme.test", { ...member, role: "viewer" });
  const editor = await s.w.signIn("editor@acme.test", { ...member, workspaceRole: "editor" });
  const forbidden = { status: 403, body: { code: "FORBIDDEN" } };
  const put = { body: { tag_ids: [tag.id, shared.id] } };
  const path = `${s.workspace.path}/analyses/${s.first}/tags`;
  expect((await viewer.get(s.tags)).body.data).toEqual([tag]);
  expect((await viewer.get(s.organizationTags)).body.data).toEqual([shared]);
  expect(await viewer.request("PUT", path, put)).toMatchObject(forbidden);
  expect((await editor.request("PUT", path, put)).status).toBe(200);
  expect((await editor.post(s.tags, { name: "x" })).status).toBe(201);
  expect(await editor.post(s.organizationTags, { name: "x" })).toMatchObject(forbidden);
  expect(await editor.get(s.organizationTags)).toMatchObject(forbidden);
});

test("fault: adding a tag rebuilt its statements each time; once warm it prepares none", async () => {
  await using s = await tagScene();
  const add = () => s.owner.post(s.tags, { name: "Autumn" });
  await add();
  const prepare = vi.spyOn(Database.prototype, "prepare");
  try {
    const { status } = await add();
    expect([status, prepare.mock.calls.map(([sql]) => sql)]).toEqual([201, []]);
  } finally {
    prepare.mockRestore();
  }
});
