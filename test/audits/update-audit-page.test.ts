import { expect, test } from "vitest";
import { auditScene } from "./audit-scene.ts";
import { SITE } from "./scene-pages.ts";

test("a person sets a page type: it shows immediately, is filterable, and can be reset", async () => {
  await using s = await auditScene();
  const page = `${s.path}/pages/${s.pages.machine}`;
  const machine = { id: s.pages.machine, url: `${SITE}/machines/one`, type: "category", type_confidence: 0.4 };
  const { status, body } = await s.owner.patch(page, { page_type: "product" });
  expect([status, body]).toEqual([200, { ...machine, type_corrected: "product" }]);
  expect((await s.owner.get(page)).body).toMatchObject({ ...machine, type_corrected: "product" });
  const idsOf = async (query: string) =>
    (await s.owner.get(`${s.path}/pages?${query}`)).body.data.map(({ id }: { id: string }) => id);
  expect([await idsOf("type=product"), await idsOf("type=category")]).toEqual([[s.pages.machine], []]);
  // It persists over runs: an earlier one shows it, too.
  const earlier = await s.owner.get(`${page}?collect_id=${s.runs.first}`);
  expect(earlier.body.type_corrected).toBe("product");
  const back = await s.owner.patch(page, { page_type: null });
  expect(back.body).toEqual({ ...machine, type_corrected: null });
  expect(await idsOf("type=category")).toEqual([s.pages.machine]);
});

test("a page type can be set before any run", async () => {
  await using s = await auditScene({ isNew: true });
  const { body } = await s.owner.patch(`${s.path}/pages/${s.pages.home}`, { page_type: "home" });
  expect(body).toEqual({
    id: s.pages.home,
    url: `${SITE}/`,
    type: null,
    type_confidence: null,
    type_corrected: "home",
  });
});

test("returns 404 for another audit's page or a keyword, and rejects unknown types", async () => {
  // Attack: writing to another organization's page through an own audit.
  await using s = await auditScene();
  const page = `${s.path}/pages/${s.pages.home}`;
  const unknown = await s.owner.patch(page, { page_type: "shop" });
  expect([unknown.status, unknown.body.fields[0].path]).toEqual([400, "page_type"]);
  const rival = await s.w.insertTenant("Rival");
  const mallory = await s.w.signIn("mallory@rival.test", { organizationId: rival.organization.id, role: "owner" });
  const through = `${rival.workspace.path}/analyses/${s.analysisId}/pages/${s.pages.home}`;
  for (const path of [page, through]) expect((await mallory.patch(path, { page_type: "other" })).status).toBe(404);
  const viewer = await s.w.signIn("viewer@acme.test", { organizationId: s.organization.id, role: "viewer" });
  expect((await viewer.patch(page, { page_type: "other" })).status).toBe(403);
  expect((await s.owner.patch(`${s.path}/pages/${s.w.deps.newId()}`, { page_type: "other" })).status).toBe(404);
  expect((await s.owner.get(page)).body.type_corrected).toBeNull();
  await s.w.store.write((db) => db.q.update(db.t.analyses).set({ type: "search_analysis" }));
  expect((await s.owner.patch(page, { page_type: "other" })).status).toBe(404);
});
