import { expect, test } from "vitest";
import type { Person } from "../support/world.ts";
import { findCreditFaults, countPendingTasks } from "./run-state.ts";
import { collectScene } from "./scene.ts";

const MONDAY = "2026-11-02T08:00:00.000Z";
const WEEKLY = { schedule: "weekly", ends_at: "2026-11-30T08:00:00.000Z", sources: ["ASSISTANT_B"] };

const phones = (...keywords: object[]) => [{ name: "Phones", topics: [{ name: "All", keywords }] }];

/** The setup of an analysis with some fields of it changed, as the price of a change takes it. */
async function changed(person: Person, analysis: string, fields: object) {
  const { body } = await person.post(`${analysis}/duplicate`);
  return { ...body.setup, name: "Phones", ...fields };
}

/** Prices and applies a change. */
async function change(person: Person, analysis: string, fields: object) {
  const priced = await person.post(`${analysis}/setup/price`, await changed(person, analysis, fields));
  expect(priced).toMatchObject({ status: 200 });
  const body = { quote_id: priced.body.quote_id, confirmed: true };
  return { priced, made: await person.request("PUT", `${analysis}/setup`, { body }) };
}

test("a larger setup reserves the difference, and applies from the next collect", async () => {
  let now = MONDAY;
  await using s = await collectScene({ now: () => now });
  const analysis = await s.create(["phone 0", "phone 1"], WEEKLY);
  await s.ended(analysis, 1);
  const stale = await s.owner.post(`${analysis}/collects/price`);
  const thematics = phones({ text: "phone 1" }, { text: "phone 2" }, { text: "phone 0", funnel_stage: "BoFu" });
  const { priced, made } = await change(s.owner, analysis, { thematics });
  expect(priced.body.cost).toMatchObject({
    credits: 4,
    total_credits: 4,
    per_collect: 3,
    collects_left: 4,
    planned_credits: 12,
    reserved_credits: 8,
    released_credits: 0,
  });
  expect(priced.body.presentation).toContain("Planned: 12 credits (3 x 4 runs). Reserved now: 8 credits.");
  expect(made).toMatchObject({ status: 200, body: { setup_version: 2, collects_left: 4, reserved_credits: 12 } });
  expect(await s.credits()).toMatchObject({ available: 9986, reserved: 12 });
  expect(await findCreditFaults(s)).toEqual([]);
  const run = { quote_id: stale.body.quote_id, confirmed: true };
  expect(await s.owner.post(`${analysis}/collects`, run)).toMatchObject({
    status: 409,
    body: { code: "PRICE_CHANGED" },
  });

  now = "2026-11-09T08:00:00.000Z";
  const owner = await s.signInAgain();
  expect(await s.ended(analysis, 2)).toMatchObject({ status: "completed", planned: 3, setup_version: 2 });
  const collects = (await owner.get(`${analysis}/collects`)).body.data;
  expect(collects).toMatchObject([
    { number: 2, setup_version: 2 },
    { number: 1, setup_version: 1, planned: 2 },
  ]);
  const asked = async (nth: number) => {
    const { body } = await owner.get(`${analysis}/answers?collect_id=${collects[nth].id}`);
    return (body.data as { prompt: string; keyword_id: string }[]).toSorted((a, b) => (a.prompt < b.prompt ? -1 : 1));
  };
  const [second, first] = [await asked(0), await asked(1)];
  expect(second.map(({ prompt }) => prompt)).toEqual(["phone 0", "phone 1", "phone 2"]);
  // An unchanged keyword keeps its id; a changed one gets a new id.
  expect(second[1]?.keyword_id).toBe(first[1]?.keyword_id);
  expect(second[0]?.keyword_id).not.toBe(first[0]?.keyword_id);
  expect(await findCreditFaults(s)).toEqual([]);

  // Fault: a duplicate keyword gave the next imported one an occupied position.
  const lines = JSON.stringify({ keyword: "imported", source: "ASSISTANT_A", text: "Acme" });
  const headers = { "content-type": "application/x-ndjson" };
  const imported = await owner.request("POST", `${analysis}/answers/import`, { body: lines, headers });
  expect(imported).toMatchObject({ status: 201, body: { accepted: 1 } });
});

test("a smaller setup, or a schedule that ends, releases unneeded credits", async () => {
  await using s = await collectScene({ env: { SERVE: "core" }, now: () => MONDAY });
  const analysis = await s.create(["phone 0", "phone 1"], WEEKLY);
  const smaller = await change(s.owner, analysis, { thematics: phones({ text: "phone 0" }) });
  expect(smaller.priced.body.cost).toMatchObject({ total_credits: 0, released_credits: 4 });
  expect(smaller.made.body).toMatchObject({ reserved_credits: 4, collects_left: 4 });
  const daily = { schedule: { every: "daily", at: "22:15", time_zone: "Europe/Berlin" } };
  const more = await change(s.owner, analysis, { ...daily, ends_at: "2026-11-04T08:00:00.000Z" });
  expect(more.made.body).toMatchObject({ reserved_credits: 2, next_collect_at: "2026-11-02T21:15:00.000Z" });
  const once = await change(s.owner, analysis, { schedule: "once" });
  expect(once.made.body).toMatchObject({ reserved_credits: 0, collects_left: 0, next_collect_at: null, ends_at: null });
  expect(await findCreditFaults(s)).toEqual([]);
});

test("rejects a change of an archived analysis, to another brand, or with another change's quote", async () => {
  await using s = await collectScene({ env: { SERVE: "core" }, now: () => MONDAY });
  const analysis = await s.create(["phone 0"], WEEKLY);
  const other = await s.create(["phone 0"], WEEKLY);
  const brands = (await s.owner.get(`${s.workspace.path}/brands`)).body.data as { id: string; name: string }[];
  const rival = brands.find(({ name }) => name === "Rival")?.id;
  const price = async (fields: object) =>
    s.owner.post(`${analysis}/setup/price`, await changed(s.owner, analysis, fields));
  expect(await price({ brand_id: rival })).toMatchObject({ status: 400, body: { fields: [{ path: "brand_id" }] } });
  const body = { quote_id: (await price({})).body.quote_id, confirmed: true };
  expect((await s.owner.request("PUT", `${other}/setup`, { body })).status).toBe(404);
  await s.owner.post(`${analysis}/archive`);
  const archived = { status: 409, body: { code: "CONFLICT", message: expect.stringContaining("archived") as string } };
  expect(await price({})).toMatchObject(archived);
  expect(await s.owner.request("PUT", `${analysis}/setup`, { body })).toMatchObject(archived);
});

test("a copy of an archived analysis sends the same, and a restored workspace plans again after confirming a setup", async () => {
  await using s = await collectScene({ env: { SERVE: "core" }, now: () => MONDAY });
  const keywords = phones(
    { text: "best phone", type: "Generic", funnel_stage: "BoFu", strength: "battery", intent: ["buy"] },
    { text: "acme phone", type: "Brand" },
  );
  const analysis = await s.create([], { ...WEEKLY, thematics: keywords });
  await s.owner.post(`${analysis}/archive`);
  const { status, body } = await s.owner.post(`${analysis}/duplicate`);
  expect(status).toBe(200);
  expect(body.setup).toMatchObject({
    name: "Phones (copy)",
    thematics: keywords,
    schedule: { every: "weekly", weekday: "monday" },
    ends_at: WEEKLY.ends_at,
  });
  const priced = await s.owner.post(`${s.workspace.path}/search-analyses/price`, body.setup);
  const copied = await s.owner.post(`${s.workspace.path}/search-analyses`, {
    quote_id: priced.body.quote_id,
    confirmed: true,
  });
  expect(copied).toMatchObject({ status: 201, body: { name: "Phones (copy)", collects_left: 4 } });

  const copy = `${s.workspace.path}/analyses/${copied.body.id}`;
  await s.owner.post(`${s.workspace.path}/archive`);
  await s.owner.post(`${s.workspace.path}/restore`);
  expect((await s.owner.get(copy)).body.collects_left).toBe(0);
  const { made } = await change(s.owner, copy, {});
  expect(made.body).toMatchObject({ collects_left: 4, reserved_credits: 8 });
  expect(await findCreditFaults(s)).toEqual([]);
  expect(await countPendingTasks(s, MONDAY)).toBeGreaterThan(0);
});

test("an analysis is renamed by a valid name only", async () => {
  await using s = await collectScene({ env: { SERVE: "core" } });
  const analysis = await s.create(["phone 0"]);
  const patch = (body: object) => s.owner.request("PATCH", analysis, { body });
  expect(await patch({ name: "Phones 2" })).toMatchObject({ status: 200, body: { name: "Phones 2" } });
  expect((await s.owner.get(analysis)).body.name).toBe("Phones 2");
  expect((await patch({ name: "" })).status).toBe(400);
  expect((await patch({ schedule: "daily" })).status).toBe(400);
});
