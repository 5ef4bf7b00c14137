import { expect, test } from "vitest";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { signedInBrowser } from "../support/assistant.ts";
import { WITH_WORKER } from "../support/world.ts";
import { evaluationScene, OFF_TOPIC, PAGE } from "./evaluation-scene.ts";
import { formOf, MP4, PNG } from "./files.ts";
import { visibleFields } from "../support/text-facts.ts";

test("texts are priced, confirmed, created and scored; quotes are in their assets; the ledger adds up", async () => {
  await using s = await evaluationScene({ env: WITH_WORKER });
  const ids = [
    await s.addText("Page", PAGE),
    await s.addText("Bakery", OFF_TOPIC),
    await s.addText("Short", "Too short."),
  ];
  const quote = await s.price(s.setupOf(ids));
  expect(quote).toMatchObject({
    status: 200,
    body: {
      setup: { ...s.setupOf(ids), asset_class: "text", language: "en", evaluation_id: null },
      scorer: "rules-1",
      can_judge: true,
      cost: {
        credits: 3,
        total_credits: 3,
        breakdown: [{ what: "assets, text", quantity: 3, unit_credits: 1, credits: 3 }],
        estimated_provider_cost_usd: 0,
      },
      balance: { available: 10_000, after: 9997 },
    },
  });
  const created = await s.owner.post(s.base, { quote_id: quote.body.quote_id, confirmed: true });
  expect(created).toMatchObject({
    status: 201,
    body: { name: "Shoes", run: 1, planned: 3, judged: 0, reserved_credits: 3 },
  });
  const { id } = created.body;
  const ended = await s.until(id);
  expect(ended).toMatchObject({
    status: "partial",
    status_reason: "It has fewer than 20 words.",
    judged: 2,
    reserved_credits: 0,
    cost_credits: 2,
    assets: [{ name: "Page" }, { name: "Bakery" }, { name: "Short" }],
  });
  const scores = await s.scores(id);
  expect(scores.map((row: { status: string }) => row.status)).toEqual(["judged", "judged", "not_judged"]);
  const [page, bakery, short] = scores;
  expect(page).toMatchObject({ asset_id: ids[0], asset_name: "Page", scorer: "rules-1", dropped_quotes: 0 });
  expect(page.score).toBeGreaterThan(bakery.score + 40);
  expect(ended.score).toBe((page.score + bakery.score) / 2);
  expect(short).toMatchObject({ reason: "It has fewer than 20 words.", score: null, quotes: [], attributes: [] });
  const [durability, price, comfort] = page.attributes;
  expect([durability.score > 50, price.score > 60, comfort.score]).toEqual([true, true, 0]);
  const quotes = [page, ...page.attributes].flatMap((mark) => mark.quotes);
  expect(quotes.length).toBeGreaterThan(5);
  for (const { text, start, end } of quotes) expect(PAGE.slice(start, end)).toBe(text);
  expect(await s.ledger(id)).toEqual([
    ["reserve", -3, 3],
    ["spend", 0, -2],
    ["release", 1, -1],
  ]);
  expect(await s.credits()).toEqual({ available: 9998, reserved: 0 });
});

test("an image without a model is not scored, with a reason and without cost", async () => {
  await using s = await evaluationScene({ env: WITH_WORKER });
  const image = await s.owner.post(`${s.workspace.path}/assets`, formOf(PNG, "a.png"));
  const video = await s.owner.post(`${s.workspace.path}/assets`, formOf(MP4, "a.mp4"));
  const quote = await s.price(s.setupOf([video.body.id]));
  expect(quote.body).toMatchObject({ can_judge: false, cost: { total_credits: 3 } });
  const created = await s.create([image.body.id]);
  expect(await s.until(created.body.id)).toMatchObject({ status: "failed", judged: 0, cost_credits: 0, score: null });
  expect(await s.scores(created.body.id)).toMatchObject([
    { status: "not_judged", reason: "Text only: judging an image needs a model." },
  ]);
  expect(await s.credits()).toEqual({ available: 10_000, reserved: 0 });
});

test("rejects an inconsistent setup with each invalid field", async () => {
  await using s = await evaluationScene();
  const text = await s.addText("Page", PAGE);
  const old = await s.addText("Old", PAGE);
  await s.owner.post(`${s.workspace.path}/assets/${old}/archive`);
  const image = (await s.owner.post(`${s.workspace.path}/assets`, formOf(PNG, "a.png"))).body.id;
  const page = (await s.owner.post(`${s.workspace.path}/assets`, formOf(Buffer.from("<p>Still read.</p>"), "a.html")))
    .body.id;
  const nobody = "00000000-0000-7000-8000-000000000000";
  const refused = await s.price({
    ...s.setupOf([text, old, image, page, text, nobody]),
    attributes: ["price", "price"],
    brand_id: nobody,
  });
  expect(refused.status).toBe(400);
  expect(refused.body.fields.map(({ path }: { path: string }) => path)).toEqual([
    "asset_ids.1",
    "asset_ids.2",
    "asset_ids.3",
    "asset_ids.4",
    "asset_ids.5",
    "attributes.1",
    "brand_id",
  ]);
  expect((await s.price({ category: "shoes" })).body.fields).toMatchObject([{ path: "name" }, { path: "asset_ids" }]);
  expect((await s.price(s.setupOf(Array.from({ length: 51 }, () => text)))).status).toBe(400);
});

test("a quote works once, for its person and purpose, while its price is valid", async () => {
  let now = "2026-11-21T08:00:00.000Z";
  await using s = await evaluationScene({ now: () => now });
  const text = await s.addText("Page", PAGE);
  const editor = await s.w.signIn("e@acme.test", { organizationId: s.organization.id, role: "editor" });
  const quoted = async () => (await s.price(s.setupOf([text]))).body.quote_id as string;
  const codeOf = async (quote_id: string, by = s.owner) =>
    (await by.post(s.base, { quote_id, confirmed: true })).body.code;
  const first = await quoted();
  expect(await codeOf(first, editor)).toBe("QUOTE_FOREIGN");
  expect((await s.owner.post(s.base, { quote_id: first })).status).toBe(400);
  const made = await s.owner.post(s.base, { quote_id: first, confirmed: true });
  expect(await codeOf(first)).toBe("QUOTE_USED");
  const rerun = await s.owner.post(`${s.base}/${made.body.id}/rerun`, { quote_id: await quoted(), confirmed: true });
  expect(rerun).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  expect(await s.price({ evaluation_id: made.body.id })).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
  const late = await quoted();
  now = "2026-11-21T08:15:00.000Z";
  expect(await codeOf(late)).toBe("QUOTE_EXPIRED");
  const poor = await quoted();
  await s.w.store.write(async ({ q, t }) => void (await q.update(t.creditBalances).set({ available: 0 })));
  expect(await codeOf(poor)).toBe("INSUFFICIENT_CREDITS");
});

test("a completed evaluation reruns with its own quote, and keeps the first run's scores", async () => {
  await using s = await evaluationScene({ env: WITH_WORKER });
  const created = await s.create([await s.addText("Page", PAGE)]);
  const { id } = created.body;
  await s.until(id);
  const first = await s.scores(id);
  const quote = await s.price({ evaluation_id: id });
  expect(quote.body).toMatchObject({ setup: { evaluation_id: id, name: "Shoes" }, cost: { total_credits: 1 } });
  const again = await s.owner.post(`${s.base}/${id}/rerun`, { quote_id: quote.body.quote_id, confirmed: true });
  expect(again).toMatchObject({ status: 200, body: { id, run: 2, judged: 0, finished_at: null } });
  expect(await s.until(id)).toMatchObject({ run: 2, status: "completed", cost_credits: 1 });
  expect(await s.scores(id, "?run=1")).toEqual(first);
  expect(await s.ledger(id)).toEqual([
    ["reserve", -1, 1],
    ["spend", 0, -1],
    ["reserve", -1, 1],
    ["spend", 0, -1],
  ]);
});

test("archiving an evaluation in progress refunds its credits; lists omit archived ones; names can change", async () => {
  await using s = await evaluationScene();
  const created = await s.create([await s.addText("Page", PAGE)]);
  const { id } = created.body;
  expect((await s.owner.patch(`${s.base}/${id}`, { name: "Boots" })).body).toMatchObject({ name: "Boots" });
  expect((await s.owner.get(`${s.base}?text=boot`)).body.data).toMatchObject([{ id, status: "queued" }]);
  expect((await s.owner.post(`${s.base}/${id}/archive`)).body).toMatchObject({
    status: "archived",
    reserved_credits: 0,
  });
  expect((await s.owner.post(`${s.base}/${id}/archive`)).status).toBe(200);
  expect((await s.owner.get(s.base)).body.data).toEqual([]);
  expect((await s.owner.get(`${s.base}?status=archived`)).body.data).toMatchObject([{ id }]);
  expect(await s.credits()).toEqual({ available: 10_000, reserved: 0 });
});

test("returns 404 for another workspace's evaluations and assets; a viewer reads but cannot create", async () => {
  await using s = await evaluationScene();
  const text = await s.addText("Page", PAGE);
  const { id } = (await s.create([text])).body;
  const rival = await s.w.insertTenant("Rival");
  const mallory = await s.w.signIn("m@rival.test", { organizationId: rival.organization.id, role: "owner" });
  const theirs = `${rival.workspace.path}/asset-evaluations`;
  expect((await mallory.post(`${theirs}/price`, { ...s.setupOf([text]), brand_id: null })).body).toMatchObject({
    code: "VALIDATION_FAILED",
    fields: [{ path: "asset_ids.0" }],
  });
  for (const answer of [
    await mallory.get(`${theirs}/${id}`),
    await mallory.get(`${theirs}/${id}/scores`),
    await mallory.patch(`${theirs}/${id}`, { name: "Mine" }),
    await mallory.post(`${theirs}/${id}/archive`),
    await mallory.post(`${theirs}/price`, { evaluation_id: id }),
  ]) {
    expect(answer).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  }
  const viewer = await s.w.signIn("v@acme.test", { organizationId: s.organization.id, role: "viewer" });
  expect((await viewer.get(`${s.base}/${id}`)).body).toMatchObject({ id });
  expect((await s.price(s.setupOf([text]), viewer)).status).toBe(403);
});

for (const [name, connect] of Object.entries(CLIENTS)) {
  test(`${name}: an assistant prices, its person confirms in a form, and both interfaces return the same facts`, async () => {
    await using s = await evaluationScene({ env: { SERVE: "core,search,mcp,worker" } });
    const { token } = await mintToolToken(s.w, s.owner);
    await using client = await connect(s.w.config.mcpUrl, { token, person: () => "accept" });
    const path = { organization_id: s.organization.id, workspace_id: s.workspace.id };
    const setup = s.setupOf([await s.addText("Page", PAGE)]);
    const priced = await client.call("price_asset_evaluation", { ...path, ...setup });
    const quote = { ...path, quote_id: priced.structured.quote_id };
    const made = await client.call("create_asset_evaluation", quote);
    expect(client.asked).toEqual([
      [
        'Create the asset evaluation "Shoes"?',
        "",
        "Assets (text): Page",
        "Category: running shoes",
        "Attributes: durability; price / value for money; comfort",
        "Brand: Acme",
        "Language: en",
        "Judged by: rules-1",
        "",
        "Cost: at most 1 credit, 1 for each asset that is judged.",
        "Available: 10,000 credits; after this: 9,999.",
      ].join("\n"),
    ]);
    expect(priced.structured.presentation).toBe(client.asked[0]);
    const evaluation = { ...path, evaluation_id: made.structured.id };
    const ended = await s.until(evaluation.evaluation_id);
    const read = await client.call("get_asset_evaluation", evaluation);
    expect(ended).toMatchObject(visibleFields(read));
    const listed = await client.call("list_asset_evaluation_scores", evaluation);
    expect(await s.scores(evaluation.evaluation_id)).toMatchObject(listed.structured.data);

    const again = await client.call("price_asset_evaluation", { ...path, evaluation_id: ended.id });
    const rerun = { ...evaluation, quote_id: again.structured.quote_id };
    expect((await client.call("rerun_asset_evaluation", rerun)).structured).toMatchObject({ run: 2 });
    expect(client.asked[1]).toContain('Run "Shoes" again?');
    await s.until(ended.id);
    const renamed = await client.call("update_asset_evaluation", { ...evaluation, name: "Boots" });
    expect(renamed.structured).toMatchObject({ name: "Boots" });
    expect((await client.call("archive_asset_evaluation", evaluation)).structured).toMatchObject({
      status: "archived",
    });
  });
}

test("above the organization's bound a person approves creation and rerun in the browser", async () => {
  await using s = await evaluationScene({ env: WITH_WORKER });
  const created = await s.create([await s.addText("Page", PAGE)]);
  const { id } = created.body;
  await s.until(id);
  await s.owner.patch(s.organization.path, { approval_above_credits: 0 });
  const rerun = await s.price({ evaluation_id: id });
  const create = await s.price({ ...s.setupOf([await s.addText("Other", PAGE)]), name: "More & <b>more</b>" });
  const browser = await signedInBrowser(s.w, "owner@acme.test");
  for (const [quote, path, title] of [
    [rerun, `${s.base}/${id}/rerun`, "Run &#34;Shoes&#34; again?"],
    [create, s.base, "More &#38; &#60;b&#62;more"],
  ] as const) {
    const use = () => s.owner.post(path, { quote_id: quote.body.quote_id, confirmed: true });
    expect((await use()).body.code).toBe("APPROVAL_REQUIRED");
    const page = await browser.get(`${s.w.config.baseUrl}/approve/${quote.body.quote_id}`);
    expect(page.text).toContain(title);
    await browser.submit(page, { action: /\/approve\//, press: ["decision", "approve"] });
    expect([200, 201]).toContain((await use()).status);
  }
});
