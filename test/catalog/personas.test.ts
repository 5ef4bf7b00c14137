import { expect, test } from "vitest";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

const NOBODY = "00000000-0000-7000-8000-000000000000";
const NOT_FOUND = { status: 404, body: { code: "NOT_FOUND" } };

const WHOLE = {
  name: "First-time buyer",
  archetype: "The careful beginner",
  description: "Wants good coffee.",
  demographic: { age: "25 to 40" },
  motivations: ["Coffee every morning"],
  pain_points: ["Too many machines"],
  core_questions: ["Which one first?"],
  language: "es",
  country: "ES",
};

test("a persona is created, read, listed, changed field by field and deleted", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const path = `${workspace.path}/personas`;
  const made = await owner.post(path, WHOLE);
  const stamps = { id: expect.any(String), created_at: expect.any(String), updated_at: expect.any(String) };
  expect([made.status, made.body]).toEqual([201, { ...WHOLE, ...stamps }]);
  const persona = `${path}/${made.body.id}`;
  expect((await owner.get(persona)).body).toEqual(made.body);
  expect((await owner.patch(persona, {})).body).toMatchObject(WHOLE);
  const change = {
    name: "Second-time buyer",
    archetype: "",
    description: "Knows what a grinder is.",
    demographic: {},
    motivations: [],
    pain_points: ["Noise", "Price"],
    core_questions: ["Is it quiet?"],
    language: "en",
    country: "US",
  };
  for (const [field, value] of Object.entries(change)) {
    const before = (await owner.get(persona)).body;
    const after = await owner.patch(persona, { [field]: value });
    expect([after.status, after.body]).toEqual([200, { ...before, [field]: value, updated_at: expect.any(String) }]);
  }
  expect((await owner.get(path)).body).toEqual({
    data: [{ ...made.body, ...change, updated_at: expect.any(String) }],
    next_cursor: null,
  });
  expect((await owner.delete(persona)).body).toEqual({ id: made.body.id, deleted: true });
  for (const answer of [await owner.get(persona), await owner.patch(persona, {}), await owner.delete(persona)]) {
    expect(answer).toMatchObject(NOT_FOUND);
  }
});

test("an assistant creates, reads and finds the personas that REST shows; names may repeat", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const { token } = await mintToolToken(w, owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(w.config.mcpUrl, { token });
  const ids = { organization_id: organization.id, workspace_id: workspace.id };
  const first = await client?.call("create_persona", { ...ids, ...WHOLE });
  const second = await client?.call("create_persona", { ...ids, name: WHOLE.name });
  expect([first?.isError, second?.isError]).toEqual([false, false]);
  const listed = (await owner.get(`${workspace.path}/personas`)).body.data;
  expect(listed).toMatchObject([WHOLE, { name: WHOLE.name, archetype: "", language: "en", country: "US" }]);
  const read = await client?.call("get_persona", { ...ids, persona_id: listed[0].id });
  expect(read?.structured).toMatchObject(listed[0]);
  const found = await client?.call("list_personas", { ...ids, text: "careful" });
  expect(found?.structured.data).toMatchObject([{ id: listed[0].id }]);
});

test("finds personas by any part of name or archetype, without wildcards", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  for (const [name, archetype] of [
    ["Ágata", "Careful"],
    ["Bruno 100%", ""],
    ["Clara_B", "CAREFUL"],
  ]) {
    await owner.post(`${workspace.path}/personas`, { name, archetype });
  }
  const found = async (text: string) => {
    const query = new URLSearchParams({ text });
    const { body } = await owner.get(`${workspace.path}/personas?${query.toString()}`);
    return body.data.map((row: { name: string }) => row.name);
  };
  expect(await found("careful")).toEqual(["Ágata", "Clara_B"]);
  expect(await found("Ágata")).toEqual(["Ágata"]);
  expect(await found("%")).toEqual(["Bruno 100%"]);
  expect(await found("_")).toEqual(["Clara_B"]);
  expect(await found(String.raw`\ `)).toEqual([]);
  const first = await owner.get(`${workspace.path}/personas?text=careful&limit=1`);
  const cursor = first.body.next_cursor as string;
  const rest = await owner.get(`${workspace.path}/personas?text=careful&limit=1&cursor=${cursor}`);
  expect([first, rest].map(({ body }) => body.data[0].name)).toEqual(["Ágata", "Clara_B"]);
  expect(await owner.get(`${workspace.path}/personas?text=other&limit=1&cursor=${cursor}`)).toMatchObject({
    status: 400,
  });
});

test("rejects deleting a persona used by keywords, with the number of analyses", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const persona = await owner.post(`${workspace.path}/personas`, WHOLE);
  const brand = await owner.post(`${workspace.path}/brands`, { name: "Acme", relationship: "mine" });
  const keywords = ["a", "b"].map((text) => ({ text, persona_id: persona.body.id }));
  const quote = await owner.post(`${workspace.path}/search-analyses/price`, {
    name: "Phones",
    website: "https://acme.test",
    brand_id: brand.body.id,
    sources: ["SEARCH_A"],
    thematics: [{ name: "Phones", topics: [{ name: "Price", keywords }] }],
  });
  await owner.post(`${workspace.path}/search-analyses`, { quote_id: quote.body.quote_id, confirmed: true });
  const path = `${workspace.path}/personas/${persona.body.id}`;
  expect(await owner.delete(path)).toMatchObject({
    status: 409,
    body: { code: "CONFLICT", message: expect.stringContaining(": 1.") },
  });
  expect((await owner.patch(path, { name: "Renamed" })).status).toBe(200);
  expect((await owner.get(path)).body.name).toBe("Renamed");
});

test("names invalid fields, hides other organizations' personas, and denies viewers", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const persona = await owner.post(`${workspace.path}/personas`, WHOLE);
  const path = `${workspace.path}/personas/${persona.body.id}`;
  const wrong = {
    name: "",
    archetype: "x".repeat(201),
    description: 7,
    demographic: { age: 3 },
    motivations: "one",
    pain_points: [""],
    core_questions: Array.from({ length: 21 }, () => "?"),
    language: "English",
    country: "Spain",
  };
  for (const [field, value] of Object.entries(wrong)) {
    for (const answer of [
      await owner.post(`${workspace.path}/personas`, { ...WHOLE, [field]: value }),
      await owner.patch(path, { [field]: value }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([400, "VALIDATION_FAILED"]);
      expect(answer.body.fields[0].path.split(".")[0]).toBe(field);
    }
  }
  const other = await w.insertTenant("Other");
  const stranger = await w.signIn("owner@other.test", { organizationId: other.organization.id, role: "owner" });
  const foreign = `${other.workspace.path}/personas/${persona.body.id}`;
  expect([
    await stranger.get(foreign),
    await stranger.patch(foreign, {}),
    await stranger.delete(foreign),
  ]).toMatchObject([NOT_FOUND, NOT_FOUND, NOT_FOUND]);
  expect(await owner.delete(`${workspace.path}/personas/${NOBODY}`)).toMatchObject(NOT_FOUND);
  const viewer = await w.signIn("viewer@acme.test", { organizationId: organization.id, role: "viewer" });
  expect((await viewer.get(path)).status).toBe(200);
  expect((await viewer.patch(path, { name: "x" })).status).toBe(403);
  expect((await viewer.delete(path)).status).toBe(403);
  expect((await owner.get(path)).body).toEqual(persona.body);
});
