import { expect, test } from "vitest";
import { MAX_FACTS } from "../../tools/brand-facts/brand-fact.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

const CONFLICT = { status: 409, body: { code: "CONFLICT" } };
const NOT_FOUND = { status: 404, body: { code: "NOT_FOUND" } };
const WEIGHT = { kind: "number", number: 249, unit: "g" };

async function scene() {
  const w = await world();
  const { owner, organization, workspace } = await w.acme();
  const brand = await owner.post(`${workspace.path}/brands`, { name: "Acme Air", relationship: "mine" });
  const path = `${workspace.path}/brands/${brand.body.id}`;
  const ids = { organization_id: organization.id, workspace_id: workspace.id };
  return {
    w,
    owner,
    workspace,
    ids,
    brand: path,
    facts: `${path}/facts`,
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

test("a fact of every kind is declared, listed, changed field by field and deleted", async () => {
  await using s = await scene();
  const values = [
    WEIGHT,
    { kind: "date", date: "2012-05" },
    { kind: "price", amount: 499.99, currency: "EUR" },
    { kind: "feature", present: false },
    { kind: "availability", country: "DE", available: true },
    { kind: "text", text: "Made in Portugal" },
  ];
  const made = [];
  for (const value of values) {
    const fact = {
      attribute: `The ${value.kind}`,
      value,
      source_url: "https://acme.example/specs",
      as_of: "2026-11-01",
    };
    const answer = await s.owner.post(s.facts, fact);
    expect(answer).toMatchObject({ status: 201, body: fact });
    made.push(answer.body);
  }
  expect((await s.owner.get(s.facts)).body).toEqual({ data: made, next_cursor: null });
  const first = `${s.facts}/${made[0].id}`;
  expect((await s.owner.patch(first, {})).body).toMatchObject({ attribute: "The number", value: WEIGHT });
  const changes = { attribute: "Weight", value: { ...WEIGHT, number: 250 }, source_url: null, as_of: null };
  for (const [field, value] of Object.entries(changes)) {
    const [before] = (await s.owner.get(s.facts)).body.data;
    const after = await s.owner.patch(first, { [field]: value });
    expect(after).toMatchObject({ status: 200, body: { ...before, [field]: value, updated_at: expect.any(String) } });
  }
  expect((await s.owner.delete(first)).body).toEqual({ id: made[0].id, deleted: true });
  for (const again of [await s.owner.patch(first, {}), await s.owner.delete(first)])
    expect(again).toMatchObject(NOT_FOUND);
  expect((await s.owner.get(`${s.facts}?limit=2`)).body.data).toEqual([made[1], made[2]]);
});

test("rejects a fact that answers cannot be checked against, naming the field", async () => {
  await using s = await scene();
  const wrong = [
    [{ value: { kind: "number", number: 249 } }, "value.unit"],
    [{ value: { kind: "date", date: "2012-13" } }, "value.date"],
    [{ value: { kind: "price", amount: -1, currency: "EUR" } }, "value.amount"],
    [{ value: { kind: "price", amount: 1, currency: "euro" } }, "value.currency"],
    [{ value: { kind: "feature", present: "yes" } }, "value.present"],
    [{ value: { kind: "availability", country: "Germany", available: true } }, "value.country"],
    [{ value: { kind: "guess" } }, "value.kind"],
    [{ value: WEIGHT, source_url: "javascript:alert(1)" }, "source_url"],
    [{ value: WEIGHT, as_of: "yesterday" }, "as_of"],
    [{ value: WEIGHT, attribute: " " }, "attribute"],
  ] as const;
  for (const [body, path] of wrong) {
    expect(await s.owner.post(s.facts, { attribute: "Weight", ...body })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_FAILED", fields: [{ path }] },
    });
  }
});

test("a brand declares an attribute once, ignoring case, up to the limit", async () => {
  await using s = await scene();
  const weight = await s.owner.post(s.facts, { attribute: "Weight", value: WEIGHT });
  expect(await s.owner.post(s.facts, { attribute: "WEIGHT", value: WEIGHT })).toMatchObject(CONFLICT);
  expect((await s.owner.patch(`${s.facts}/${weight.body.id}`, { attribute: "weight" })).status).toBe(200);
  for (let at = 1; at < MAX_FACTS; at++) {
    expect((await s.owner.post(s.facts, { attribute: `Figure ${at}`, value: WEIGHT })).status).toBe(201);
  }
  expect(await s.owner.patch(`${s.facts}/${weight.body.id}`, { attribute: "figure 1" })).toMatchObject(CONFLICT);
  expect(await s.owner.post(s.facts, { attribute: "One more", value: WEIGHT })).toMatchObject({
    status: 409,
    body: { code: "QUOTA_EXCEEDED" },
  });
});

test("a fact is only found under its own, unarchived brand", async () => {
  await using s = await scene();
  const { body: fact } = await s.owner.post(s.facts, { attribute: "Weight", value: WEIGHT });
  const other = await s.owner.post(`${s.workspace.path}/brands`, { name: "Bolt" });
  const elsewhere = `${s.workspace.path}/brands/${other.body.id}/facts`;
  expect((await s.owner.get(elsewhere)).body.data).toEqual([]);
  expect(await s.owner.patch(`${elsewhere}/${fact.id}`, {})).toMatchObject(NOT_FOUND);
  expect(await s.owner.delete(`${elsewhere}/${fact.id}`)).toMatchObject(NOT_FOUND);
  await s.owner.delete(s.brand);
  expect(await s.owner.get(s.facts)).toMatchObject(NOT_FOUND);
  await s.owner.post(`${s.workspace.path}/brands`, { name: "Acme Air", relationship: "mine" });
  expect((await s.owner.get(s.facts)).body.data).toEqual([fact]);
});

test("an assistant lists the facts of a brand that it names", async () => {
  await using s = await scene();
  const { body: fact } = await s.owner.post(s.facts, { attribute: "Weight", value: WEIGHT });
  const { token } = await mintToolToken(s.w, s.owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(s.w.config.mcpUrl, { token });
  const listed = await client?.call("list_brand_facts", { ...s.ids, brand: "acme air" });
  expect(listed?.structured.data).toMatchObject([{ attribute: "Weight", value: WEIGHT }]);
  expect(fact).toMatchObject(listed?.structured.data[0]);
});
