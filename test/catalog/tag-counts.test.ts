import { expect, test } from "vitest";
import { insertAnalysis, UNKNOWN_ID, NOT_FOUND, tagScene, type TagBody } from "./tag-scene.ts";

test("analyses are counted and found by their tags, a parent by its children too, and each of them once", async () => {
  await using s = await tagScene();
  const parent = await s.make({ name: "Parent" });
  const child = await s.make({ name: "Child", parent: parent.id });
  const shared = await s.make({ name: "Shared" }, s.organizationTags);
  const put = (analysis: string, tag_ids: string[]) =>
    s.owner.request("PUT", `${s.workspace.path}/analyses/${analysis}/tags`, { body: { tag_ids } });
  const counts = async () => {
    const [top] = (await s.owner.get(s.tags)).body.data;
    const [all] = (await s.owner.get(s.organizationTags)).body.data;
    return [top.analyses_count, top.children[0].analyses_count, all.analyses_count];
  };
  const found = async (tag: string) =>
    (await s.owner.get(`${s.workspace.path}/analyses?tag=${tag}`)).body.data.map((row: { id: string }) => row.id);

  const answer = await put(s.first, [parent.id, child.id, shared.id, parent.id]);
  expect(answer.status).toBe(200);
  expect(answer.body.tags.map((tag: TagBody & { analyses_count: number }) => [tag.name, tag.analyses_count])).toEqual([
    ["Parent", 1],
    ["Child", 1],
    ["Shared", 1],
  ]);
  await put(s.second, [child.id]);
  expect(await counts()).toEqual([2, 2, 1]);
  expect([await found(parent.id), await found(child.id), await found(shared.id), await found(UNKNOWN_ID)]).toEqual([
    [s.first, s.second],
    [s.first, s.second],
    [s.first],
    [],
  ]);
  expect((await s.owner.get(`${s.workspace.path}/analyses/${s.first}`)).body.tags).toEqual(
    [parent, child, shared].map(({ id, name }) => ({ id, name })),
  );
  expect((await put(s.first, [])).body).toEqual({ tags: [] });
  expect(await counts()).toEqual([1, 1, 0]);
  expect((await s.owner.delete(`${s.tags}/${parent.id}`)).body).toEqual({
    id: parent.id,
    deleted: true,
    children_deleted: 1,
    analyses_untagged: 1,
    assets_untagged: 0,
  });
  expect(await s.owner.delete(`${s.tags}/${child.id}`)).toMatchObject(NOT_FOUND);
  expect((await s.owner.get(`${s.workspace.path}/analyses/${s.second}`)).body.tags).toEqual([]);
  expect(await put(UNKNOWN_ID, [])).toMatchObject(NOT_FOUND);
  expect(
    await put(
      s.first,
      Array.from({ length: 101 }, () => shared.id),
    ),
  ).toMatchObject({ status: 400 });
});

test("assets are counted by their tags until they are archived", async () => {
  await using s = await tagScene();
  const parent = await s.make({ name: "Parent" });
  const child = await s.make({ name: "Child", parent: parent.id });
  const asset = await s.owner.post(`${s.workspace.path}/assets`, { name: "Text", text: "Some words." });
  const path = `${s.workspace.path}/assets/${asset.body.id}`;
  const answer = await s.owner.request("PUT", `${path}/tags`, { body: { tag_ids: [child.id, parent.id] } });
  expect([answer.status, answer.body.tags.map((tag: TagBody) => tag.name)]).toEqual([200, ["Parent", "Child"]]);
  const counts = async () => {
    const [top] = (await s.owner.get(s.tags)).body.data;
    return [top.assets_count, top.children[0].assets_count];
  };
  expect(await counts()).toEqual([1, 1]);
  expect((await s.owner.get(path)).body.tags).toEqual([parent, child].map(({ id, name }) => ({ id, name })));
  await s.owner.request("PUT", `${path}/tags`, { body: { tag_ids: [child.id] } });
  const found = async (tag: string) => (await s.owner.get(`${s.workspace.path}/assets?tag=${tag}`)).body.data.length;
  expect([await found(parent.id), await found(child.id), await found(UNKNOWN_ID)]).toEqual([1, 1, 0]);
  await s.owner.request("PUT", `${path}/tags`, { body: { tag_ids: [child.id, parent.id] } });
  const other = `${s.workspace.path}/assets/${UNKNOWN_ID}/tags`;
  expect(await s.owner.request("PUT", other, { body: { tag_ids: [] } })).toMatchObject(NOT_FOUND);
  expect(await s.owner.request("PUT", `${path}/tags`, { body: { tag_ids: [UNKNOWN_ID] } })).toMatchObject(NOT_FOUND);
  expect((await s.owner.delete(`${s.tags}/${child.id}`)).body.assets_untagged).toBe(1);
  expect((await s.owner.get(s.tags)).body.data).toMatchObject([{ assets_count: 1, children: [] }]);
  expect((await s.owner.post(`${path}/archive`)).status).toBe(200);
  expect((await s.owner.get(s.tags)).body.data).toMatchObject([{ assets_count: 0 }]);
});

test("a tag of the organization counts analyses of every workspace of it", async () => {
  await using s = await tagScene();
  const shared = await s.make({ name: "Shared" }, s.organizationTags);
  const at = s.w.deps.now();
  const second = s.w.deps.newId();
  await s.w.store.write(async ({ q, t }) => {
    const row = { id: second, organizationId: s.organization.id, name: "Second", createdAt: at, updatedAt: at };
    await q.insert(t.workspaces).values(row);
  });
  const ids = { organizationId: s.organization.id, workspaceId: second, userId: s.owner.id };
  const there = await insertAnalysis(s.w, ids);
  const body = { tag_ids: [shared.id] };
  await s.owner.request("PUT", `${s.workspace.path}/analyses/${s.first}/tags`, { body });
  await s.owner.request("PUT", `${s.organization.path}/workspaces/${second}/analyses/${there}/tags`, { body });
  expect((await s.owner.get(s.organizationTags)).body.data).toMatchObject([{ analyses_count: 2 }]);
  const local = await s.make({ name: "Local" });
  const elsewhere = `${s.organization.path}/workspaces/${second}/analyses/${there}/tags`;
  expect(await s.owner.request("PUT", elsewhere, { body: { tag_ids: [local.id] } })).toMatchObject(NOT_FOUND);
});
