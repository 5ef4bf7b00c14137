import { expect, test } from "vitest";
import { insertScene } from "../support/search-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world, type Person } from "../support/world.ts";
import { visibleFields } from "../support/text-facts.ts";

const NOBODY = "00000000-0000-7000-8000-000000000000";
const NOT_FOUND = { status: 404, body: { code: "NOT_FOUND" } };
const FORBIDDEN = { status: 403, body: { code: "FORBIDDEN" } };
const ARCHIVED = { status: 409, body: { code: "CONFLICT", message: expect.stringContaining("Restore it") } };

const namesIn = async (person: Pick<Person, "get">, path: string) =>
  (await person.get(path)).body.data.map((row: { name: string }) => row.name);

test("a workspace is created, read, listed and renamed, by REST and by tool alike", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const made = await owner.post(`${organization.path}/workspaces`, { name: " Spain " });
  expect([made.status, made.body]).toEqual([
    201,
    {
      id: expect.any(String),
      organization_id: organization.id,
      name: "Spain",
      archived_at: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: made.body.created_at,
    },
  ]);
  const path = `${organization.path}/workspaces/${made.body.id}`;
  expect((await owner.get(path)).body).toEqual(made.body);
  expect(await namesIn(owner, "/v1/workspaces")).toEqual([workspace.name, "Spain"]);
  expect(await namesIn(owner, `${organization.path}/workspaces`)).toEqual([workspace.name, "Spain"]);
  const renamed = await owner.patch(path, { name: "Portugal" });
  expect(renamed.body).toEqual({ ...made.body, name: "Portugal", updated_at: expect.stringMatching(/Z$/) });
  expect((await owner.patch(path, {})).body).toEqual(renamed.body);
  expect((await owner.post(`${path}/brands`, { name: "Acme" })).status).toBe(201);
  for (const name of ["", "  ", "x".repeat(201), "two\nlines", 7]) {
    const refused = { status: 400, body: { code: "VALIDATION_FAILED", fields: [{ path: "name" }] } };
    expect(await owner.post(`${organization.path}/workspaces`, { name })).toMatchObject(refused);
    expect(await owner.patch(path, { name })).toMatchObject(refused);
  }
  const { token } = await mintToolToken(w, owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(w.config.mcpUrl, { token });
  const ids = { organization_id: organization.id, workspace_id: made.body.id };
  expect(renamed.body).toMatchObject(visibleFields(await client?.call("get_workspace", ids)));
});

test("organization editors create, archive and restore; workspace editors only rename; others do neither", async () => {
  await using w = await world();
  const { organization, workspace } = await w.acme();
  const member = { organizationId: organization.id, workspaceId: workspace.id };
  const editor = await w.signIn("editor@acme.test", { ...member, role: "editor" });
  const local = await w.signIn("local@acme.test", { ...member, workspaceRole: "editor" });
  const viewer = await w.signIn("viewer@acme.test", { ...member, role: "viewer" });
  const stranger = await w.signIn("stranger@rival.test");
  const create = (by: Person) => by.post(`${organization.path}/workspaces`, { name: "New" });
  const rename = (by: Person) => by.patch(workspace.path, { name: "Renamed" });
  const archive = (by: Person) => by.post(`${workspace.path}/archive`);
  const restore = (by: Person) => by.post(`${workspace.path}/restore`);
  for (const act of [create, archive, restore]) {
    expect(await act(local)).toMatchObject(FORBIDDEN);
    expect(await act(viewer)).toMatchObject(FORBIDDEN);
    expect(await act(stranger)).toMatchObject(NOT_FOUND);
  }
  expect((await rename(local)).status).toBe(200);
  expect(await rename(viewer)).toMatchObject(FORBIDDEN);
  expect(await rename(stranger)).toMatchObject(NOT_FOUND);
  for (const act of [archive, restore]) expect((await act(editor)).status).toBe(200);
  expect((await create(editor)).status).toBe(201);
  const nowhere = `${organization.path}/workspaces/${NOBODY}`;
  expect(await editor.post(`${nowhere}/archive`)).toMatchObject(NOT_FOUND);
  expect(await editor.post(`${nowhere}/restore`)).toMatchObject(NOT_FOUND);
  const other = await w.insertTenant("Other");
  const foreign = `${organization.path}/workspaces/${other.workspace.id}`;
  expect(await editor.post(`${foreign}/archive`)).toMatchObject(NOT_FOUND);
  expect(await editor.post(`${foreign}/restore`)).toMatchObject(NOT_FOUND);
});

test("an archived workspace is out of the lists, can be read, refuses every write, and comes back as it was", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const brand = await owner.post(`${workspace.path}/brands`, { name: "Acme" });
  const archived = await owner.post(`${workspace.path}/archive`);
  expect(archived.body).toMatchObject({ id: workspace.id, archived_at: expect.stringMatching(/Z$/) });
  expect((await owner.post(`${workspace.path}/archive`)).body).toEqual(archived.body);

  const lists = ["/v1/workspaces", `${organization.path}/workspaces`, `${organization.path}/workspaces/usage`];
  for (const path of lists) {
    expect(await namesIn(owner, path)).toEqual([]);
    expect(await namesIn(owner, `${path}?include_archived=true`)).toEqual([workspace.name]);
  }
  expect((await owner.get("/v1/auth/me")).body.workspaces).toEqual([]);
  expect((await owner.get(`${workspace.path}/brands/${brand.body.id}`)).body).toEqual(brand.body);
  expect((await owner.get(workspace.path)).body).toEqual(archived.body);

  expect(await owner.patch(workspace.path, { name: "x" })).toMatchObject(ARCHIVED);
  expect(await owner.post(`${workspace.path}/brands`, { name: "x" })).toMatchObject(ARCHIVED);
  expect(await owner.delete(`${workspace.path}/brands/${brand.body.id}`)).toMatchObject(ARCHIVED);
  expect(await owner.post(`${workspace.path}/search-analyses/price`, {})).toMatchObject(ARCHIVED);
  const key = { name: "x", kind: "workspace", organization_id: organization.id, workspace_id: workspace.id };
  expect(await owner.post("/v1/api-keys", key)).toMatchObject(ARCHIVED);
  const { token } = await mintToolToken(w, owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(w.config.mcpUrl, { token });
  const given = { organization_id: organization.id, workspace_id: workspace.id, name: "x" };
  expect(await client?.call("create_persona", given)).toMatchObject({
    isError: true,
    text: expect.stringContaining("Restore it"),
  });

  const restored = await owner.post(`${workspace.path}/restore`);
  expect(restored.body).toMatchObject({ archived_at: null });
  expect((await owner.post(`${workspace.path}/restore`)).body).toEqual(restored.body);
  expect(await namesIn(owner, "/v1/workspaces")).toEqual([workspace.name]);
  expect((await owner.post(`${workspace.path}/brands`, { name: "x" })).status).toBe(201);
});

test("archiving frees quota for another workspace, and restoring needs quota again", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  await w.store.write(async ({ q, t }) => {
    await q.update(t.organizations).set({ quotas: { workspaces: 2 } });
  });
  const create = () => owner.post(`${organization.path}/workspaces`, { name: "New" });
  const made = await Promise.all(Array.from({ length: 50 }, create));
  expect(made.filter(({ status }) => status === 201)).toHaveLength(1);
  const full = { status: 409, body: { code: "QUOTA_EXCEEDED" } };
  expect(await create()).toMatchObject(full);
  await owner.post(`${workspace.path}/archive`);
  expect((await create()).status).toBe(201);
  expect(await owner.post(`${workspace.path}/restore`)).toMatchObject(full);
  expect((await owner.get(workspace.path)).body.archived_at).not.toBeNull();
});

test("a token lists exactly the workspaces that its person and its key reach", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const second = (await owner.post(`${organization.path}/workspaces`, { name: "Second" })).body;
  const other = await w.insertTenant("Other");
  await w.insertTenant("Foreign");
  await w.signIn("owner@acme.test", { organizationId: other.organization.id, role: "editor" });
  const listed = async (key: object) => {
    const { body } = await owner.post("/v1/api-keys", { name: "Key", ...key });
    const exchanged = await w.request("POST", "/v1/auth/token", { body: { api_key: body.api_key } });
    const headers = { authorization: `Bearer ${exchanged.body.access_token}` };
    const get = (path: string) => w.request("GET", path, { headers });
    return {
      workspaces: await namesIn({ get }, "/v1/workspaces"),
      within: await namesIn({ get }, `${organization.path}/workspaces`),
      usage: await namesIn({ get }, `${organization.path}/workspaces/usage`),
      organizations: await namesIn({ get }, "/v1/organizations"),
    };
  };
  const acme = [workspace.name, "Second"];
  expect(await listed({ kind: "user" })).toEqual({
    workspaces: [...acme, other.workspace.name],
    within: acme,
    usage: acme,
    organizations: ["Acme", "Other"],
  });
  const organization_id = organization.id;
  expect(await listed({ kind: "organization", organization_id })).toEqual({
    workspaces: acme,
    within: acme,
    usage: acme,
    organizations: ["Acme"],
  });
  expect(await listed({ kind: "workspace", organization_id, workspace_id: second.id })).toEqual({
    workspaces: ["Second"],
    within: ["Second"],
    usage: ["Second"],
    organizations: ["Acme"],
  });
  const member = { organizationId: organization.id, workspaceId: second.id };
  const guest = await w.signIn("guest@acme.test", { ...member, workspaceRole: "viewer" });
  expect(await namesIn(guest, "/v1/workspaces")).toEqual(["Second"]);
  expect(await namesIn(guest, `${organization.path}/workspaces/usage`)).toEqual(["Second"]);
});

test("usage counts each workspace's contents and monthly spending, by REST and by tool", async () => {
  const now = "2026-11-21T10:00:00.000Z";
  await using w = await world({ now: () => now });
  const { owner, organization, workspace } = await w.acme();
  const second = (await owner.post(`${organization.path}/workspaces`, { name: "Second" })).body;
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  const newId = w.deps.newId;
  const [brand, thematic, topic, keyword, projectId, collect] = Array.from({ length: 6 }, newId);
  await w.store.write(async (db) => {
    await insertScene(db, ids, {
      projectId: projectId ?? "",
      ownBrandId: brand ?? "",
      brands: [{ id: brand ?? "", name: "Acme" }],
      facets: [
        { id: thematic ?? "", kind: "thematic", name: "A" },
        { id: topic ?? "", kind: "topic", name: "A", parentId: thematic ?? "" },
      ],
      keywords: [{ id: keyword ?? "", text: "k", thematicId: thematic ?? "", topicId: topic ?? "" }],
      collects: [
        {
          id: collect ?? "",
          number: 1,
          answers: [1, 2, 3].map((run) => ({ keyword: keyword ?? "", source: "SEARCH_A" as const, run })),
        },
      ],
    });
    const spend = { organizationId: organization.id, kind: "spend" as const, availableDelta: 0, note: "Answers" };
    await db.q.insert(db.t.ledgerEntries).values([
      { ...spend, id: newId(), workspaceId: workspace.id, reservedDelta: -3, createdAt: now },
      { ...spend, id: newId(), workspaceId: workspace.id, reservedDelta: -4, createdAt: "2026-11-01T00:00:00.000Z" },
      { ...spend, id: newId(), workspaceId: workspace.id, reservedDelta: -9, createdAt: "2026-10-31T23:59:59.000Z" },
    ]);
  });
  await owner.post(`${workspace.path}/personas`, { name: "P" });
  const tag = await owner.post(`${workspace.path}/tags`, { name: "T" });
  await owner.post(`${workspace.path}/tags`, { name: "U", parent: tag.body.id });
  await owner.post(`${organization.path}/tags`, { name: "Of the organization" });
  const path = `${organization.path}/workspaces/usage`;
  const { body } = await owner.get(path);
  const empty = { brands: 0, personas: 0, analyses: 0, answers: 0, tags: 0, assets: 0, content_briefs: 0 };
  expect(body).toEqual({
    data: [
      {
        workspace_id: workspace.id,
        name: workspace.name,
        archived_at: null,
        ...empty,
        brands: 1,
        personas: 1,
        analyses: 1,
        answers: 3,
        tags: 2,
        credits_spent_this_month: 7,
        last_collect_at: "2026-11-21T08:00:00.000Z",
      },
      {
        workspace_id: second.id,
        name: "Second",
        archived_at: null,
        ...empty,
        credits_spent_this_month: 0,
        last_collect_at: null,
      },
    ],
    next_cursor: null,
  });
  const first = await owner.get(`${path}?limit=1`);
  const rest = await owner.get(`${path}?limit=1&cursor=${first.body.next_cursor}`);
  expect([...first.body.data, ...rest.body.data]).toEqual(body.data);
  expect(rest.body.next_cursor).toBeNull();
  const stranger = await w.signIn("stranger@rival.test");
  expect(await stranger.get(path)).toMatchObject(NOT_FOUND);
  const { token } = await mintToolToken(w, owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(w.config.mcpUrl, { token });
  const answer = await client?.call("list_workspace_usage", { organization_id: organization.id });
  expect(answer?.structured.data).toMatchObject([
    { workspace_id: workspace.id, answers: 3, credits_spent_this_month: 7 },
    { workspace_id: second.id },
  ]);
});
