import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { Database } from "../../db/engine/sqlite/sqlite.ts";
import { openCommitted } from "../support/committed.ts";
import { world } from "../support/world.ts";

test("a brand is created, read, changed, listed and archived, and its name is unique whatever its case", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const path = `${workspace.path}/brands`;
  const made = await owner.post(path, {
    name: "Galaxy",
    domains: ["Samsung.com"],
    aliases: [{ text: "SG", case_sensitive: true }],
    relationship: "competitor",
  });
  expect(made).toMatchObject({
    status: 201,
    body: { name: "Galaxy", domains: ["samsung.com"], kind: "brand", parent_id: null },
  });
  expect(await owner.post(path, { name: "GALAXY" })).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
  const brand = `${path}/${made.body.id}`;
  expect((await owner.get(brand)).body).toEqual(made.body);
  expect((await owner.patch(brand, { excluded_phrases: ["galaxy far away"] })).body).toMatchObject({
    name: "Galaxy",
    excluded_phrases: ["galaxy far away"],
  });
  const product = await owner.post(path, { name: "Galaxy S25", kind: "product", parent_id: made.body.id });
  expect(product.status).toBe(201);
  expect(await owner.delete(brand)).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
  const { hints, ...listed } = product.body;
  expect([hints, (await owner.get(`${path}?text=s25`)).body.data]).toEqual([[], [listed]]);
  expect((await owner.delete(`${path}/${product.body.id}`)).body).toEqual({ id: product.body.id, archived: true });
  expect((await owner.delete(brand)).status).toBe(200);
  expect((await owner.get(path)).body).toEqual({ data: [], next_cursor: null, total_count: 0 });
});

test("an archived brand is listed apart and restored as it was; a product after its parent", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const path = `${workspace.path}/brands`;
  const given = {
    name: "Galaxy",
    aliases: [{ text: "SG", case_sensitive: true }],
    excluded_phrases: ["galaxy far away"],
  };
  const { hints: _hints, ...parent } = (await owner.post(path, { ...given, domains: ["samsung.test"] })).body;
  const product = (await owner.post(path, { name: "Galaxy S25", kind: "product", parent_id: parent.id })).body;
  const restore = async (id: string) => owner.post(`${path}/${id}/restore`);
  await owner.delete(`${path}/${product.id}`);
  await owner.delete(`${path}/${parent.id}`);
  const names = async (query: string) =>
    (await owner.get(`${path}?${query}`)).body.data.map(({ name }: { name: string }) => name);
  expect([await names("archived=true"), await names("")]).toEqual([["Galaxy", "Galaxy S25"], []]);
  expect(await restore(product.id)).toMatchObject({ status: 400, body: { fields: [{ path: "parent_id" }] } });
  const back = await restore(parent.id);
  expect(back).toMatchObject({ status: 200, body: { ...parent, updated_at: expect.any(String) } });
  // A repeated call gives the same result.
  expect((await restore(parent.id)).body).toEqual(back.body);
  expect((await restore(product.id)).status).toBe(200);
  expect([await names("archived=true"), await names("")]).toEqual([[], ["Galaxy", "Galaxy S25"]]);
  expect((await restore(workspace.id)).status).toBe(404);
});

test("a parent must be a root brand of the same workspace", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const path = `${workspace.path}/brands`;
  const parent = await owner.post(path, { name: "Parent" });
  const child = await owner.post(path, { name: "Child", kind: "sub_brand", parent_id: parent.body.id });
  const wrong = { status: 400, body: { code: "VALIDATION_FAILED", fields: [{ path: "parent_id" }] } };
  expect(await owner.post(path, { name: "A", kind: "product" })).toMatchObject(wrong);
  expect(await owner.post(path, { name: "A", parent_id: parent.body.id })).toMatchObject(wrong);
  expect(await owner.post(path, { name: "A", kind: "product", parent_id: child.body.id })).toMatchObject(wrong);
  expect(await owner.post(path, { name: "A", kind: "product", parent_id: workspace.id })).toMatchObject(wrong);
  expect(await owner.patch(`${path}/${parent.body.id}`, { kind: "product", parent_id: child.body.id })).toMatchObject(
    wrong,
  );
});

test("accepts JSON, form, multipart and untyped bodies", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const path = `${workspace.path}/brands`;
  const form = new FormData();
  form.set("name", "Multipart");
  form.append("domains[]", "multipart.test");
  const sent = [
    await owner.request("POST", path, { body: new URLSearchParams("name=Form&domains=a.test&domains=b.test") }),
    await owner.request("POST", path, { body: form }),
    await owner.request("POST", path, { body: '{"name":"Plain"}', headers: { "content-type": "text/plain" } }),
  ];
  expect(sent.map(({ status, body }) => [status, body.name, body.domains])).toEqual([
    [201, "Form", ["a.test", "b.test"]],
    [201, "Multipart", ["multipart.test"]],
    [201, "Plain", []],
  ]);
});

test("in forms, structured fields are JSON text: one by one, or all together", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const path = `${workspace.path}/brands`;
  const [one, two] = ['{"text":"Uno"}', '{"text":"Dos","case_sensitive":true}'];
  const multipart = new FormData();
  for (const [name, value] of Object.entries({ name: "B", aliases: '[{"text":"Eins"},{"text":"Zwei"}]' })) {
    multipart.set(name, value);
  }
  const sent = [
    await owner.request("POST", path, { body: new URLSearchParams({ name: "A", aliases: one, "aliases[]": two }) }),
    await owner.request("POST", path, { body: multipart }),
    await owner.request("POST", path, { body: new URLSearchParams({ name: "C", aliases: "{" }) }),
    await owner.request("POST", path, { body: new URLSearchParams({ name: "D", ["__proto__"]: "x" }) }),
  ];
  const uno = { text: "Uno", case_sensitive: false };
  const dos = { text: "Dos", case_sensitive: true };
  expect(sent.map(({ status, body }) => [status, body.aliases ?? body.fields?.[0].path])).toEqual([
    [201, [uno, dos]],
    [201, ["Eins", "Zwei"].map((text) => ({ text, case_sensitive: false }))],
    [400, "aliases.0"],
    [400, "__proto__"],
  ]);
});

test("rejects hostile bodies clearly, and stores nothing", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const path = `${workspace.path}/brands`;
  const send = (body: string | Uint8Array) =>
    owner.request("POST", path, { body, headers: { "content-type": "application/json" } });
  expect(await send("{")).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  expect(await send("[]")).toMatchObject({ status: 400 });
  expect(await send(new Uint8Array([0x7b, 0xff, 0x7d]))).toMatchObject({
    status: 400,
    body: { message: "The body is not valid UTF-8." },
  });
  expect(await send(`{"name":"${"x".repeat(5_000_000)}"}`)).toMatchObject({
    status: 413,
    body: { code: "PAYLOAD_TOO_LARGE" },
  });
  expect(await send('{"name":"\\ud800"}')).toMatchObject({ status: 400, body: { fields: [{ path: "name" }] } });
  expect(await send('{"name":"x","__proto__":{"a":1}}')).toMatchObject({ status: 400 });
  expect(await send(`{"name":"x","workspace_id":"${workspace.id}"}`)).toMatchObject({
    status: 400,
    body: { fields: [{ path: "workspace_id" }] },
  });
  expect((await owner.get(path)).body.data).toEqual([]);
});

test("pages neither skip nor repeat a row, and a cursor works only on its own list with its own filters", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const path = `${workspace.path}/brands`;
  for (const name of ["A", "B", "C"]) await owner.post(path, { name });
  const first = await owner.get(`${path}?limit=2`);
  await owner.post(path, { name: "D" });
  const second = await owner.get(`${path}?limit=2&cursor=${first.body.next_cursor}`);
  const names = [...first.body.data, ...second.body.data].map((brand: { name: string }) => brand.name);
  expect(names).toEqual(["A", "B", "C", "D"]);
  const refused = { status: 400, body: { code: "VALIDATION_FAILED", fields: [{ path: "cursor" }] } };
  expect(await owner.get(`${path}?kind=brand&cursor=${first.body.next_cursor}`)).toMatchObject(refused);
  expect(await owner.get(`${workspace.path}/analyses?cursor=${first.body.next_cursor}`)).toMatchObject(refused);
  expect(await owner.get(`${path}?cursor=nonsense`)).toMatchObject(refused);
});

test("fault: adding brands in bulk used separate statements per brand, and blocked the writer as long", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const adding = async (word: string, count: number) => {
    const brands = Array.from({ length: count }, (_, at) => ({
      name: `${word} ${at}`,
      domains: [`${word}${at}.test`],
    }));
    const prepare = vi.spyOn(Database.prototype, "prepare");
    try {
      const { body } = await owner.post(`${workspace.path}/brands/bulk`, { brands });
      expect(body.results.map(({ status }: { status: string }) => status)).toEqual(brands.map(() => "created"));
      return prepare.mock.calls.length;
    } finally {
      prepare.mockRestore();
    }
  };
  // Statements prepared once for all brands.
  await adding("first", 1);
  expect(await adding("many", 300)).toBeLessThanOrEqual((await adding("one", 1)) + 5);
});

test("adds several brands in one request: existing ones are named, rejected ones have reasons, and answers are re-extracted once", async () => {
  await using w = await world();
  const { owner, workspace, organization } = await w.acme();
  const path = `${workspace.path}/brands`;
  const acme = await owner.post(path, { name: "Acme", domains: ["acme.test"] });
  const brands = [
    { name: "Bolt", aliases: [{ text: "BT" }], relationship: "competitor" },
    { name: "ACME" },
    { name: "Corex", domains: ["www.acme.test"] },
    { name: "bolt" },
    { name: "Delta", aliases: [{ text: "bt" }] },
    { name: "Part", kind: "product" },
    { name: "Echo" },
  ];
  const { status, body } = await owner.post(`${path}/bulk`, { brands });
  const [bolt, , , , , , echo] = body.results as { brand_id: string }[];
  const nothing = { code: null, message: null, fields: null };
  const conflict = { status: "refused", brand_id: null, code: "CONFLICT", message: expect.any(String) };
  expect([status, body.results]).toEqual([
    200,
    [
      { index: 0, status: "created", brand_id: bolt?.brand_id, ...nothing },
      { index: 1, status: "exists", brand_id: acme.body.id, ...nothing },
      { index: 2, ...conflict, fields: [{ path: "domains.0", message: "belongs to another brand" }] },
      { index: 3, status: "exists", brand_id: bolt?.brand_id, ...nothing },
      { index: 4, ...conflict, fields: [{ path: "aliases.0", message: "is a name or alias of another brand" }] },
      {
        index: 5,
        ...conflict,
        code: "VALIDATION_FAILED",
        fields: [{ path: "parent_id", message: expect.any(String) }],
      },
      { index: 6, status: "created", brand_id: echo?.brand_id, ...nothing },
    ],
  ]);
  expect((await owner.get(`${path}/${bolt?.brand_id}`)).body).toMatchObject({
    name: "Bolt",
    relationship: "competitor",
  });
  const names = (await owner.get(path)).body.data.map(({ name }: { name: string }) => name);
  expect(names).toEqual(["Acme", "Bolt", "Echo"]);
  const { q, t } = openCommitted(w.store);
  expect(await q.$count(t.backgroundJobs)).toBe(1);

  const broken = await owner.post(`${path}/bulk`, { brands: [{ name: "Fine" }, { name: "" }] });
  expect([broken.status, broken.body.fields[0].path]).toEqual([400, "brands.1.name"]);
  for (const count of [0, 1001]) {
    const many = Array.from({ length: count }, (_, at) => ({ name: `B${at}` }));
    expect((await owner.post(`${path}/bulk`, { brands: many })).status).toBe(400);
  }
  const room = { brands: 4 };
  await w.store.write((db) =>
    db.q.update(db.t.organizations).set({ quotas: room }).where(eq(db.t.organizations.id, organization.id)),
  );
  const full = await owner.post(`${path}/bulk`, { brands: [{ name: "Four" }, { name: "Five" }, { name: "echo" }] });
  expect(full.body.results.map((row: { status: string; code: string }) => [row.status, row.code])).toEqual([
    ["created", null],
    ["refused", "QUOTA_EXCEEDED"],
    ["exists", null],
  ]);
});
