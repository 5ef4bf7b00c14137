import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { UNKNOWN } from "./scene.ts";
import { openCommitted } from "../support/committed.ts";
import { suggestionScene } from "./suggestions-cases.ts";

test("a repeated search of the same answers counts nothing twice", async () => {
  await using s = await suggestionScene();
  const made = await s.owner.post(s.brands, { name: "Nobody Names This" });
  await s.reread();
  await s.owner.delete(`${s.brands}/${made.body.id}`);
  await s.reread();
  expect(await s.list()).toEqual([s.found]);
});

test("an accepted name is a brand that is in exactly the answers that were counted, and undone it is archived", async () => {
  await using s = await suggestionScene();
  const before = await s.top();
  const domains = [`${UNKNOWN.toLowerCase()}.test`];
  const accepted = await s.owner.post(`${s.one}/accept`, { relationship: "competitor", domains });
  expect(accepted).toMatchObject({
    status: 200,
    body: { ...s.found, status: "accepted", brand_id: expect.any(String) },
  });
  const brand = `${s.brands}/${accepted.body.brand_id}`;
  expect((await s.owner.get(brand)).body).toMatchObject({ name: UNKNOWN, relationship: "competitor", domains });
  await s.reread();
  const { q, t } = openCommitted(s.store);
  const named = await q
    .selectDistinct({ answer: t.mentions.answerKey })
    .from(t.mentions)
    .innerJoin(t.brands, eq(t.brands.number, t.mentions.brandNumber))
    .where(eq(t.brands.id, accepted.body.brand_id));
  expect(named).toHaveLength(s.found.occurrences);
  expect((await s.top("rows_per_page=10")).map((row: { brand: string }) => row.brand)).toContain(UNKNOWN);
  expect(await s.list("status=accepted")).toEqual([accepted.body]);
  const withIt = await s.top();
  const twice = await s.owner.post(`${s.one}/accept`, {});
  expect(twice).toMatchObject({ status: 422, body: { code: "UNPROCESSABLE" } });

  expect(await s.owner.post(`${s.one}/undo`)).toMatchObject({ status: 200, body: s.found });
  await s.reread();
  expect((await s.owner.get(brand)).status).toBe(404);
  expect(await s.list()).toEqual([s.found]);
  // It is still extracted: where tracked brands are counted in order, others keep their ranks.
  const after = await s.top();
  expect(after).toEqual(withIt.filter((row: { brand: string }) => row.brand !== UNKNOWN));
  expect(after.map(countsOf).toSorted()).toEqual(before.map(countsOf).toSorted());
  const again = await s.owner.post(`${s.one}/accept`, { relationship: "competitor", domains });
  expect(again.body).toMatchObject({ status: "accepted", brand_id: accepted.body.brand_id });
});

function countsOf(row: Record<string, unknown>): string {
  const { brand, total, occurrences, presence_rate: presence, total_mentions: mentions, nb_keywords: keywords } = row;
  return JSON.stringify({ brand, total, occurrences, presence, mentions, keywords });
}

test("rejects accepting a name taken meanwhile, and undoing for the own brand of an analysis", async () => {
  await using s = await suggestionScene();
  const conflict = { status: 409, body: { code: "CONFLICT" } };
  const made = await s.owner.post(s.brands, { name: "Other", aliases: [{ text: UNKNOWN }] });
  expect(await s.owner.post(`${s.one}/accept`, {})).toMatchObject(conflict);
  expect(await s.owner.post(`${s.one}/merge`, { brand_id: s.brandId })).toMatchObject(conflict);
  expect(await s.owner.post(`${s.one}/merge`, { brand_id: made.body.id })).toMatchObject({ status: 200 });
  expect(await s.owner.post(`${s.one}/undo`)).toMatchObject({ status: 200 });
  // The alias was there before the merge, so undoing leaves it.
  expect((await s.owner.get(`${s.brands}/${made.body.id}`)).body.aliases).toHaveLength(1);
  // An archived brand keeps its names.
  await s.owner.delete(`${s.brands}/${made.body.id}`);
  expect(await s.owner.post(`${s.one}/accept`, {})).toMatchObject(conflict);
  await s.owner.post(s.brands, { name: made.body.name });
  await s.reread();
  const accepted = await s.owner.post(`${s.one}/accept`, {});
  await s.create(["another phone"], { sources: [], brand_id: accepted.body.brand_id });
  expect(await s.owner.post(`${s.one}/undo`)).toMatchObject(conflict);
  expect(await s.list("status=accepted")).toEqual([accepted.body]);
});
