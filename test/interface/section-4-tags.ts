import { expect } from "vitest";
import { testFields } from "./field-rules.ts";
import { coreScene } from "./core-scene.ts";
import { FIELD_TABLES } from "./field-tables.ts";
import { answerSchema, bodySchema, schemaFields, operationOf, withoutNull, type Json } from "./reference-document.ts";
import { rule } from "./rule.ts";

// Sections 2.3, 4.2 and 8: tags.

const PATH = "/v1/organizations/{organization_id}/workspaces/{workspace_id}/tags";

/** Creates a workspace tag; returns the response. */
async function create(body: unknown, path?: string) {
  const w = await coreScene();
  return w.owner.post(path ?? `${w.workspace.path}/tags`, body);
}

async function made(body: unknown, path?: string): Promise<Json> {
  const answer = await create(body, path);
  expect([answer.status, body]).toEqual([201, body]);
  return answer.body;
}

let tags: Promise<Json[]> | undefined;

/**
 * A first-level tag with color, its child, and one with neither, carried by an analysis and an
 * asset.
 */
function everyTag(): Promise<Json[]> {
  tags ??= (async () => {
    const w = await coreScene();
    const parent = await made({ name: "Season", color: "#1a2B3c" });
    await made({ name: "Spring", parent: parent["id"] });
    const plain = await made({ name: "Plain" });
    const asset = await w.owner.post(`${w.workspace.path}/assets`, { name: "Note", text: "A text." });
    await w.owner.request("PUT", `${w.workspace.path}/assets/${asset.body.id}/tags`, {
      body: { tag_ids: [plain["id"]] },
    });
    const { body } = await w.owner.get(`${w.workspace.path}/tags?limit=100`);
    return body.data.flatMap((tag: Json) => [tag, ...(tag["children"] as Json[])]);
  })();
  return tags;
}

testFields(
  "2.3",
  (FIELD_TABLES["2.3"] ?? []).map(({ name }) => name),
  async () => {
    const { reference } = await coreScene();
    const schema = answerSchema(reference, operationOf(reference, "POST", PATH), 201);
    return { reference, schema, rows: await everyTag() };
  },
);

/** The description of a field of the body that creates a tag, and whether it is required. */
async function described(name: string) {
  const { reference } = await coreScene();
  const body = bodySchema(reference, operationOf(reference, "POST", PATH));
  const field = schemaFields(reference, body)[name] ?? {};
  const options = [field, ...((field["anyOf"] ?? []) as Json[])].map((one) => withoutNull(reference, one).schema);
  return { field, options, required: ((body["required"] ?? []) as string[]).includes(name) };
}

async function expectRejected(body: unknown, field: string): Promise<void> {
  const answer = await create(body);
  expect([body, answer.status, answer.body.code]).toEqual([body, 400, "VALIDATION_FAILED"]);
  expect(answer.body.fields.map((one: { path: string }) => one.path)).toEqual([field]);
}

rule("4.2 · address", async () => {
  const w = await coreScene();
  const operation = operationOf(w.reference, "POST", PATH);
  expect(operation).toMatchObject({ tags: ["Tags"], security: [{ bearer: [] }] });
  expect((await w.request("POST", `${w.workspace.path}/tags`, { body: { name: "x" } })).status).toBe(401);
  expect((await create({ name: "Addressed" })).status).toBe(201);
});

rule("4.2 · path parameters", async () => {
  const w = await coreScene();
  const inPath = operationOf(w.reference, "POST", PATH).parameters?.filter((one) => one.in === "path");
  const uuid = { type: "string", format: "uuid" };
  expect(inPath).toMatchObject([
    { name: "organization_id", required: true, schema: uuid },
    { name: "workspace_id", required: true, schema: uuid },
  ]);
  expect((await create({ name: "x" }, `${w.rival.workspace.path}/tags`)).status).toBe(404);
});

rule("4.2 · name", async () => {
  const { options, required } = await described("name");
  expect([options[0], required]).toMatchObject([{ type: "string", maxLength: 255 }, true]);
  expect(await made({ name: "Named" })).toMatchObject({ name: "Named" });
  await expectRejected({}, "name");
  await expectRejected({ name: 5 }, "name");
});

rule("4.2 · parent", async () => {
  const { options, required } = await described("parent");
  expect([options.some((one) => one["format"] === "uuid"), required]).toEqual([true, false]);
  const w = await coreScene();
  const parent = await made({ name: "Parent" });
  expect(await made({ name: "Child", parent: parent["id"] })).toMatchObject({ parent: parent["id"] });
  const elsewhere = await made({ name: "Elsewhere" }, `${w.second.path}/tags`);
  expect((await create({ name: "x", parent: elsewhere["id"] })).status).toBe(404);
  await expectRejected({ name: "x", parent: "no id" }, "parent");
});

rule("4.2 · color", async () => {
  const { options, required } = await described("color");
  expect([options.some((one) => one["maxLength"] === 7), required]).toEqual([true, false]);
  expect(await made({ name: "Colored", color: "#A0b1C2" })).toMatchObject({ color: "#A0b1C2" });
});

async function holdsTwoLevels(): Promise<void> {
  const parent = await made({ name: "First level" });
  const child = await made({ name: "Second level", parent: parent["id"] });
  const third = await create({ name: "Third level", parent: child["id"] });
  expect(third).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
}

async function holdsOrder(): Promise<void> {
  const parent = await made({ name: "Ordered" });
  const orders: unknown[] = [];
  for (const name of ["one", "two", "three"]) {
    orders.push((await made({ name, parent: parent["id"], order: 0 }))["order"]);
  }
  expect(orders).toEqual([0, 1, 2]);
  const w = await coreScene();
  const { body } = await w.owner.get(`${w.workspace.path}/tags?limit=100`);
  const listed = body.data.find((tag: Json) => tag["id"] === parent["id"]);
  expect(listed.children.map((tag: Json) => tag["name"])).toEqual(["one", "two", "three"]);
  expect(body.data.map((tag: Json) => tag["order"])).toEqual(body.data.map((_: unknown, at: number) => at));
}

rule("4.2 · rule 1", holdsTwoLevels);
rule("4.2 · rule 2", holdsOrder);

rule("4.2 · rule 3", async () => {
  const w = await coreScene();
  for (const order of [0, -1, "first", null, { at: 1 }]) {
    const before = (await w.owner.get(`${w.workspace.path}/tags?limit=100`)).body.data.length;
    expect(await made({ name: `Sent with ${JSON.stringify(order)}`, order })).toMatchObject({ order: before });
  }
});

rule("4.2 · rule 4", async () => {
  const w = await coreScene();
  const own = await made({ name: "Of the workspace" });
  const shared = await made({ name: "Of the organization" }, `${w.organization.path}/tags`);
  const idsAt = async (path: string) =>
    (await w.owner.get(`${path}/tags?limit=100`)).body.data.map((tag: Json) => tag["id"]);
  expect(await idsAt(w.workspace.path)).toContain(own["id"]);
  expect(await idsAt(w.second.path)).not.toContain(own["id"]);
  expect(await idsAt(w.organization.path)).toEqual([shared["id"]]);
});

rule("4.2 · response", async () => {
  const w = await coreScene();
  const before = (await w.owner.get(`${w.workspace.path}/tags?limit=100`)).body.data.length;
  expect(await made({ name: "Whole", color: "#000000" })).toEqual({
    id: expect.any(String),
    workspace_id: w.workspace.id,
    organization_id: w.organization.id,
    name: "Whole",
    order: before,
    children: [],
    analyses_count: 0,
    assets_count: 0,
    created_at: w.deps.now(),
    updated_at: w.deps.now(),
    color: "#000000",
  });
});

rule("8 · Tag name", async () => {
  await made({ name: "n".repeat(255) });
  await made({ name: "é".repeat(255) });
  await expectRejected({ name: "n".repeat(256) }, "name");
});

rule("8 · Tag color", async () => {
  for (const color of ["#1234567", "#12345", "123456", "#GGGGGG", "red"])
    await expectRejected({ name: "x", color }, "color");
});

rule("8 · Tag hierarchy", holdsTwoLevels);
rule("8 · Tags: order", holdsOrder);
