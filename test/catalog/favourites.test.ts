import { expect, test } from "vitest";
import { tagScene } from "./tag-scene.ts";

const PATH = "/v1/me/favourites";

test("a person bookmarks workspaces and analyses, listed in order, page by page", async () => {
  await using s = await tagScene();
  const { owner, workspace, organization, first, second } = s;
  const mark = (id: string) => owner.request("PUT", `${PATH}/${id}`);
  for (const id of [second, workspace.id, first, second]) expect((await mark(id)).body).toEqual({ id, marked: true });
  const { body } = await owner.get(PATH);
  expect(body).toEqual({
    data: [second, workspace.id, first].map((id) => ({
      id,
      kind: id === workspace.id ? "workspace" : "analysis",
      name: expect.any(String),
      organization_id: organization.id,
      workspace_id: workspace.id,
      created_at: expect.any(String),
    })),
    next_cursor: null,
  });
  expect(body.data[1].name).toBe("Acme workspace");
  const page = await owner.get(`${PATH}?limit=2`);
  const rest = await owner.get(`${PATH}?limit=2&cursor=${page.body.next_cursor}`);
  expect([...page.body.data, ...rest.body.data]).toEqual(body.data);
  expect((await owner.get(`${PATH}?kind=workspace`)).body.data).toEqual([body.data[1]]);
  expect((await owner.delete(`${PATH}/${second}`)).body).toEqual({ id: second, marked: false });
  expect((await owner.delete(`${PATH}/${second}`)).status).toBe(404);
  expect((await owner.get(PATH)).body.data).toEqual(body.data.slice(1));
});

test("rejects bookmarks of inaccessible things, and hides them once access is lost", async () => {
  // Attack: bookmarking a rival's analysis to learn its name, and reading names after removal.
  await using s = await tagScene();
  const mallory = await s.w.signIn("mallory@rival.test");
  for (const id of [s.first, s.workspace.id, s.w.deps.newId()]) {
    expect(await mallory.request("PUT", `${PATH}/${id}`)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  }
  const organizationId = s.organization.id;
  const guest = await s.w.signIn("guest@acme.test", { organizationId, role: "guest" });
  expect((await guest.request("PUT", `${PATH}/${s.first}`)).status).toBe(404);
  const member = `${s.organization.path}/members/${guest.id}`;
  const inWorkspace = `${s.workspace.path}/members/${guest.id}`;
  const listed = async () => (await guest.get(PATH)).body.data.length;
  await s.owner.request("PUT", inWorkspace, { body: { role: "viewer" } });
  expect((await guest.request("PUT", `${PATH}/${s.first}`)).status).toBe(200);
  expect(await listed()).toBe(1);
  await s.owner.delete(inWorkspace);
  expect(await listed()).toBe(0);
  await s.owner.request("PUT", member, { body: { role: "viewer" } });
  expect(await listed()).toBe(1);
  await s.owner.request("PUT", member, { body: { role: "viewer", status: "suspended" } });
  expect(await listed()).toBe(0);
});

test("favourites are a person's own, and no key of an organization sees or changes them", async () => {
  // Attack: a key of one organization reads its creator's bookmarks in others.
  await using s = await tagScene();
  await s.owner.request("PUT", `${PATH}/${s.first}`);
  const viewer = await s.w.signIn("viewer@acme.test", { organizationId: s.organization.id, role: "viewer" });
  expect((await viewer.get(PATH)).body.data).toEqual([]);
  const key = { name: "K", kind: "organization", organization_id: s.organization.id, role: "owner" };
  const made = await s.owner.post("/v1/api-keys", key);
  const { body } = await s.w.request("POST", "/v1/auth/token", { body: { api_key: made.body.api_key } });
  const headers = { authorization: `Bearer ${body.access_token}` };
  for (const [method, path] of [
    ["GET", PATH],
    ["PUT", `${PATH}/${s.second}`],
    ["DELETE", `${PATH}/${s.first}`],
  ] as const) {
    expect((await s.w.request(method, path, { headers })).status).toBe(403);
  }
});
