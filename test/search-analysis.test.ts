import { expect, test } from "vitest";
import { world, type Person } from "./world.ts";

type Scene = Awaited<ReturnType<typeof scene>>;

async function scene(options: Parameters<typeof world>[0] = {}) {
  const w = await world(options);
  const { owner, organization, workspace } = await w.acme();
  const brand = await owner.post(`${workspace.path}/brands`, {
    name: "Acme",
    domains: ["acme.test"],
    relationship: "mine",
  });
  const rival = await owner.post(`${workspace.path}/brands`, { name: "Rival", relationship: "competitor" });
  const setup = {
    name: "Phones",
    website: "https://acme.test",
    brand_id: brand.body.id,
    competitor_ids: [rival.body.id],
    sources: ["ASSISTANT_B", "SEARCH_A"],
    thematics: [
      { name: "Phones", topics: [{ name: "Price", keywords: [{ text: "best phone" }, { text: "cheap phone" }] }] },
    ],
    runs_per_prompt: 2,
  };
  return {
    w,
    owner,
    organization,
    workspace,
    setup,
    price: (body: object = setup, by: Person = owner) => by.post(`${workspace.path}/search-analyses/price`, body),
    create: (quote_id: string, by: Person = owner) =>
      by.post(`${workspace.path}/search-analyses`, { quote_id, confirmed: true }),
    credits: async () => (await owner.get(`${organization.path}/credits`)).body,
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

async function analysesOf({ owner, workspace }: Scene): Promise<string[]> {
  const { body } = await owner.get(`${workspace.path}/analyses`);
  return body.data.map((analysis: { name: string }) => analysis.name);
}

test("a price shows the normalised setup, the cost in parts and the balance after it, and spends nothing", async () => {
  await using s = await scene();
  const before = await s.credits();
  const { status, body } = await s.price();
  expect(status).toBe(200);
  expect(body.setup).toMatchObject({
    sources: ["SEARCH_A", "ASSISTANT_B"],
    country: "US",
    schedule: { every: "once" },
  });
  expect(body.cost).toEqual({
    credits: 8,
    per_collect: 8,
    collects_planned: 1,
    total_credits: 8,
    breakdown: [
      { what: "SEARCH_A: keywords x runs, each collect", quantity: 4, unit_credits: 1, credits: 4 },
      { what: "ASSISTANT_B: keywords x runs, each collect", quantity: 4, unit_credits: 1, credits: 4 },
    ],
    estimated_provider_cost_usd: 0,
  });
  expect(body.balance).toEqual({ available: 10_000, after: 9_992 });
  const bing = { source: "SEARCH_A", name: "Bing", collection_method: "simulated", real: false };
  expect(body.sources).toContainEqual(bing);
  expect(await s.credits()).toEqual(before);
});

test("a price says which change of presence two collects show, of the Generic keywords at sources that name brands", async () => {
  await using s = await scene();
  const few = await s.price();
  expect(few.body.power).toEqual({ points: null, keywords_for_five_points: 586, rests_on: "assumed" });
  expect(few.body.presentation).toContain("With so few Generic keywords, two collects show no change of presence.");
  const keywords = Array.from({ length: 50 }, (_, at) => ({
    text: `phone ${at}`,
    type: at < 40 ? "Generic" : "Brand",
  }));
  const thematics = [{ name: "Phones", topics: [{ name: "Price", keywords }] }];
  const many = await s.price({ ...s.setup, thematics, runs_per_prompt: 3 });
  expect(many.body.power).toEqual({ points: 17.3, keywords_for_five_points: 437, rests_on: "assumed" });
  expect(many.body.presentation).toContain(
    "Two collects show a change of presence of 17.3 points or more in 80 % of cases (assumed, before there is enough data). For 5 points, ask 437 Generic keywords: more runs alone may never do.",
  );
  expect((await s.price({ ...s.setup, sources: [] })).body.power).toBeNull();
});

test("a confirmed quote makes the analysis, its keywords and its first collect, and reserves the credits", async () => {
  await using s = await scene({ env: { SERVE: "core,search" } });
  const quote = await s.price();
  const made = await s.create(quote.body.quote_id);
  expect(made).toMatchObject({ status: 201, body: { name: "Phones", type: "search_analysis", status: "launching" } });
  expect(await s.credits()).toMatchObject({ available: 9_992, reserved: 8 });
  const path = `${s.workspace.path}/analyses/${made.body.id}`;
  expect((await s.owner.get(path)).body).toMatchObject({ keyword_count: 2, setup: { runs_per_prompt: 2 } });
  expect((await s.owner.get(`${path}/collects`)).body.data).toMatchObject([
    { number: 1, status: "queued", planned: 8, cost: { reserved_credits: 8, spent_credits: 0 } },
  ]);
  const first = await s.owner.get(`${path}/keywords?limit=1`);
  const second = await s.owner.get(`${path}/keywords?limit=1&cursor=${first.body.next_cursor}`);
  expect([first.body.data[0].text, second.body.data[0].text, second.body.next_cursor]).toEqual([
    "best phone",
    "cheap phone",
    null,
  ]);
  const ledger = await s.owner.get(`${s.organization.path}/credits/ledger`);
  expect(ledger.body.data).toMatchObject([
    { kind: "grant", available_delta: 10_000, reserved_delta: 0 },
    {
      kind: "reserve",
      available_delta: -8,
      reserved_delta: 8,
      quote_id: quote.body.quote_id,
      analysis_id: made.body.id,
    },
  ]);
});

test("fifty confirmations of one quote at once make one analysis", async () => {
  await using s = await scene();
  const { body } = await s.price();
  const answers = await Promise.all(Array.from({ length: 50 }, () => s.create(body.quote_id)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(new Set(answers.filter(({ status }) => status !== 201).map((answer) => answer.body.code))).toEqual(
    new Set(["QUOTE_USED"]),
  );
  expect(await analysesOf(s)).toEqual(["Phones"]);
});

test("an Idempotency-Key sent many times at once makes one thing and gives the first answer again", async () => {
  await using s = await scene();
  const { body } = await s.price();
  const send = (quote_id: string) =>
    s.owner.post(`${s.workspace.path}/search-analyses`, { quote_id, confirmed: true }, { "idempotency-key": "k1" });
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(body.quote_id)));
  expect(new Set(answers.map((answer) => `${answer.status} ${answer.body.id}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  const other = await s.price({ ...s.setup, name: "Other" });
  expect(await send(other.body.quote_id)).toMatchObject({ status: 409, body: { code: "IDEMPOTENCY_MISMATCH" } });
});

test("an expired quote creates nothing and says what to do", async () => {
  let now = "2026-11-21T08:00:00.000Z";
  await using s = await scene({ now: () => now });
  const { body } = await s.price();
  now = "2026-11-21T08:14:59.999Z";
  const late = await s.price();
  now = "2026-11-21T08:15:00.000Z";
  const refreshed = await s.w.signIn("owner@acme.test");
  expect(await s.create(body.quote_id, refreshed)).toMatchObject({ status: 409, body: { code: "QUOTE_EXPIRED" } });
  expect((await s.create(late.body.quote_id, refreshed)).status).toBe(201);
});

test("a quote of another person, of another workspace or of nobody creates nothing", async () => {
  await using s = await scene();
  const colleague = await s.w.signIn("editor@acme.test", { organizationId: s.organization.id, role: "editor" });
  const mallory = await s.w.signIn("mallory@rival.test");
  const { body } = await s.price();
  expect(await s.create(body.quote_id, colleague)).toMatchObject({ status: 409, body: { code: "QUOTE_FOREIGN" } });
  expect(await s.create(body.quote_id, mallory)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  expect(await s.create(s.workspace.id)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  expect(await analysesOf(s)).toEqual([]);
});

test("a viewer can neither price nor create, and an unconfirmed or altered creation is refused", async () => {
  await using s = await scene();
  const viewer = await s.w.signIn("viewer@acme.test", { organizationId: s.organization.id, role: "viewer" });
  const { body } = await s.price();
  expect(await s.price(s.setup, viewer)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
  expect(await s.create(body.quote_id, viewer)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
  const post = (altered: object) =>
    s.owner.post(`${s.workspace.path}/search-analyses`, { quote_id: body.quote_id, ...altered });
  expect(await post({})).toMatchObject({ status: 400, body: { fields: [{ path: "confirmed" }] } });
  expect(await post({ confirmed: false })).toMatchObject({ status: 400 });
  expect(await post({ confirmed: true, total_credits: 1 })).toMatchObject({
    status: 400,
    body: { fields: [{ path: "total_credits" }] },
  });
  expect(await analysesOf(s)).toEqual([]);
});

test("too few credits, or a monthly cap that is too low, create nothing", async () => {
  await using s = await scene();
  const thematics = [
    {
      name: "T",
      topics: [{ name: "T", keywords: Array.from({ length: 3000 }, (_, index) => ({ text: `q${index}` })) }],
    },
  ];
  const large = await s.price({ ...s.setup, thematics });
  expect(large.body.balance).toEqual({ available: 10_000, after: -2000 });
  expect(await s.create(large.body.quote_id)).toMatchObject({ status: 402, body: { code: "INSUFFICIENT_CREDITS" } });
  const { store } = s.w;
  await store.write(async ({ q, t }) => q.update(t.organizations).set({ monthlyCreditCap: 7 }));
  const small = await s.price();
  expect(await s.create(small.body.quote_id)).toMatchObject({ status: 402, body: { code: "INSUFFICIENT_CREDITS" } });
  expect(await analysesOf(s)).toEqual([]);
  expect(await s.credits()).toMatchObject({ available: 10_000, reserved: 0, monthly_cap: 7 });
});

test("a price that changed since it was shown creates nothing", async () => {
  await using s = await scene();
  const { body } = await s.price();
  s.w.deps.prices.search_analysis_question = 2;
  expect(await s.create(body.quote_id)).toMatchObject({ status: 409, body: { code: "PRICE_CHANGED" } });
  expect(await analysesOf(s)).toEqual([]);
});

test("a recurring schedule is priced to its end, which must be given", async () => {
  await using s = await scene({ now: () => "2026-01-31T08:00:00.000Z" });
  const endless = await s.price({ ...s.setup, schedule: "monthly" });
  expect(endless).toMatchObject({ status: 400, body: { fields: [{ path: "ends_at" }] } });
  const { body } = await s.price({ ...s.setup, schedule: "monthly", ends_at: "2026-04-30T08:00:00Z" });
  expect(body.cost).toMatchObject({ per_collect: 8, collects_planned: 4, total_credits: 32 });
});

test("every wrong field of a setup is named, and nothing is kept of it", async () => {
  await using s = await scene();
  const stranger = "00000000-0000-7000-8000-000000000000";
  const { status, body } = await s.price({
    ...s.setup,
    brand_id: stranger,
    sources: ["SEARCH_A", "SEARCH_A"],
    thematics: [
      { name: "T", topics: [{ name: "T", keywords: [{ text: "same" }, { text: "same", persona_id: stranger }] }] },
    ],
  });
  expect(status).toBe(400);
  expect(body.fields.map((field: { path: string }) => field.path)).toEqual([
    "thematics.0.topics.0.keywords.1.text",
    "sources.1",
    "brand_id",
    "thematics.0.topics.0.keywords.1.persona_id",
  ]);
  expect(await s.price({ ...s.setup, sources: ["SEARCH_Z"] })).toMatchObject({
    status: 400,
    body: { fields: [{ path: "sources.0" }] },
  });
  expect(await s.price({ ...s.setup, name: "a\u0000b" })).toMatchObject({
    status: 400,
    body: { fields: [{ path: "name" }] },
  });
  expect(await s.price({ ...s.setup, name: "a\u202Eb" })).toMatchObject({
    status: 400,
    body: { fields: [{ path: "name" }] },
  });
});

test("above the organization's bound a creation waits for a person's approval in the browser", async () => {
  await using s = await scene();
  const bounded = await s.owner.patch(s.organization.path, { approval_above_credits: 7 });
  expect(bounded).toMatchObject({ status: 200, body: { approval_above_credits: 7, monthly_credit_cap: null } });
  const { body } = await s.price();
  const refused = await s.create(body.quote_id);
  expect(refused).toMatchObject({ status: 409, body: { code: "APPROVAL_REQUIRED" } });
  expect(refused.body.message).toContain(`/approve/${body.quote_id}`);
  expect(await analysesOf(s)).toEqual([]);
  const small = await s.price({ ...s.setup, runs_per_prompt: 1 });
  expect((await s.create(small.body.quote_id)).status).toBe(201);
});
