import { expect, test } from "vitest";
import { setupOf, TESTED_KINDS, type TestedKind } from "./analysis-setups.ts";
import { world, type Person } from "../support/world.ts";

type Scene = Awaited<ReturnType<typeof scene>>;

async function scene(kind: TestedKind, options: Parameters<typeof world>[0] = {}) {
  const w = await world(options);
  const { owner, organization, workspace } = await w.acme();
  const brand = await owner.post(`${workspace.path}/brands`, {
    name: "Acme",
    domains: ["acme.test"],
    relationship: "mine",
  });
  const rival = await owner.post(`${workspace.path}/brands`, { name: "Bravo", relationship: "competitor" });
  const brands = { own: brand.body.id, rival: rival.body.id };
  const setup = { ...setupOf(kind, brands), sources: ["ASSISTANT_B", "SEARCH_A"] };
  return {
    w,
    owner,
    organization,
    workspace,
    setup,
    cost: 4 * kind.credits,
    price: (body: object = setup, by: Person = owner) => by.post(`${workspace.path}/${kind.path}/price`, body),
    create: (quote_id: string, by: Person = owner) =>
      by.post(`${workspace.path}/${kind.path}`, { quote_id, confirmed: true }),
    credits: async () => (await owner.get(`${organization.path}/credits`)).body,
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

async function analysesOf({ owner, workspace }: Scene): Promise<string[]> {
  const { body } = await owner.get(`${workspace.path}/analyses`);
  return body.data.map((analysis: { name: string }) => analysis.name);
}

test.each(TESTED_KINDS)(
  "$noun: a price returns the normalised setup, itemised cost and remaining balance, and spends nothing",
  async (kind) => {
    await using s = await scene(kind);
    const before = await s.credits();
    const { status, body } = await s.price();
    expect(status).toBe(200);
    expect(body.setup).toMatchObject({
      sources: ["SEARCH_A", "ASSISTANT_B"],
      language: "en",
      schedule: { every: "once" },
    });
    expect(body.cost).toEqual({
      credits: s.cost,
      per_collect: s.cost,
      collects_planned: 1,
      total_credits: s.cost,
      breakdown: ["SEARCH_A", "ASSISTANT_B"].map((source) => {
        return { what: `${source}: ${kind.unit}`, unit_credits: 1, ...kind.twoRuns };
      }),
      estimated_provider_cost_usd: 0,
    });
    expect(body.balance).toEqual({ available: 10_000, after: 9_992 });
    const bing = { source: "SEARCH_A", name: "Bing", collection_method: "simulated", real: false };
    expect(body.sources).toContainEqual(bing);
    expect(await s.credits()).toEqual(before);
  },
);

test.each(TESTED_KINDS)(
  "$noun: a confirmed quote creates the analysis, its keywords and first collect, and reserves credits",
  async (kind) => {
    await using s = await scene(kind, { env: { SERVE: "core,search" } });
    const quote = await s.price();
    const made = await s.create(quote.body.quote_id);
    expect(made).toMatchObject({ status: 201, body: { name: "Phones", type: kind.type, status: "launching" } });
    expect(await s.credits()).toMatchObject({ available: 9_992, reserved: 8 });
    const path = `${s.workspace.path}/analyses/${made.body.id}`;
    expect((await s.owner.get(path)).body).toMatchObject({
      credits_per_collect: s.cost,
      keyword_count: kind.questions,
      setup: { runs_per_prompt: 2 },
    });
    expect((await s.owner.get(`${path}/collects`)).body.data).toMatchObject([
      { number: 1, status: "queued", planned: 4 * kind.questions, cost: { reserved_credits: 8, spent_credits: 0 } },
    ]);
    const ledger = await s.owner.get(`${s.organization.path}/credits/ledger`);
    expect(ledger.body.data).toMatchObject([
      { kind: "grant", available_delta: 10_000, reserved_delta: 0 },
      {
        kind: "reserve",
        available_delta: -8,
        reserved_delta: 8,
        quote_id: quote.body.quote_id,
        workspace: "Acme workspace",
        analysis_id: made.body.id,
        analysis: made.body.name,
        collect_number: null,
        evaluation: null,
      },
    ]);
  },
);

test.each(TESTED_KINDS)("$noun: fifty concurrent confirmations of one quote create one analysis", async (kind) => {
  await using s = await scene(kind);
  const { body } = await s.price();
  const answers = await Promise.all(Array.from({ length: 50 }, () => s.create(body.quote_id)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(new Set(answers.filter(({ status }) => status !== 201).map((answer) => answer.body.code))).toEqual(
    new Set(["QUOTE_USED"]),
  );
  expect(await analysesOf(s)).toEqual(["Phones"]);
});

test.each(TESTED_KINDS)(
  "$noun: concurrent requests with one Idempotency-Key create one analysis and return the first response",
  async (kind) => {
    await using s = await scene(kind);
    const { body } = await s.price();
    const send = (quote_id: string) =>
      s.owner.post(`${s.workspace.path}/${kind.path}`, { quote_id, confirmed: true }, { "idempotency-key": "k1" });
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(body.quote_id)));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.body.id}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    const other = await s.price({ ...s.setup, name: "Other" });
    expect(await send(other.body.quote_id)).toMatchObject({ status: 409, body: { code: "IDEMPOTENCY_MISMATCH" } });
  },
);

test.each(TESTED_KINDS)("$noun: an expired quote creates nothing and names the remedy", async (kind) => {
  let now = "2026-11-21T08:00:00.000Z";
  await using s = await scene(kind, { now: () => now });
  const { body } = await s.price();
  now = "2026-11-21T08:14:59.999Z";
  const late = await s.price();
  now = "2026-11-21T08:15:00.000Z";
  const refreshed = await s.w.signIn("owner@acme.test");
  expect(await s.create(body.quote_id, refreshed)).toMatchObject({ status: 409, body: { code: "QUOTE_EXPIRED" } });
  expect((await s.create(late.body.quote_id, refreshed)).status).toBe(201);
});

test.each(TESTED_KINDS)(
  "$noun: a quote of another person, another workspace or an unknown one creates nothing",
  async (kind) => {
    await using s = await scene(kind);
    const colleague = await s.w.signIn("editor@acme.test", { organizationId: s.organization.id, role: "editor" });
    const mallory = await s.w.signIn("mallory@rival.test");
    const { body } = await s.price();
    expect(await s.create(body.quote_id, colleague)).toMatchObject({ status: 409, body: { code: "QUOTE_FOREIGN" } });
    expect(await s.create(body.quote_id, mallory)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect(await s.create(s.workspace.id)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect(await analysesOf(s)).toEqual([]);
  },
);

test.each(TESTED_KINDS)("$noun: denies viewers, and rejects unconfirmed and altered creations", async (kind) => {
  await using s = await scene(kind);
  const viewer = await s.w.signIn("viewer@acme.test", { organizationId: s.organization.id, role: "viewer" });
  const { body } = await s.price();
  expect(await s.price(s.setup, viewer)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
  expect(await s.create(body.quote_id, viewer)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
  const post = (altered: object) =>
    s.owner.post(`${s.workspace.path}/${kind.path}`, { quote_id: body.quote_id, ...altered });
  expect(await post({})).toMatchObject({ status: 400, body: { fields: [{ path: "confirmed" }] } });
  expect(await post({ confirmed: false })).toMatchObject({ status: 400 });
  expect(await post({ confirmed: true, total_credits: 1 })).toMatchObject({
    status: 400,
    body: { fields: [{ path: "total_credits" }] },
  });
  expect(await analysesOf(s)).toEqual([]);
});

test.each(TESTED_KINDS)("$noun: too few credits or too low a monthly cap create nothing", async (kind) => {
  await using s = await scene(kind);
  const days = 360 * 86_400_000;
  const yearly = { schedule: "daily", ends_at: new Date(Date.now() + days).toISOString() };
  const large = await s.price({ ...s.setup, ...yearly, runs_per_prompt: 10 });
  expect(large.body.balance.after).toBe(10_000 - large.body.cost.total_credits);
  expect(large.body.balance.after).toBeLessThan(0);
  expect(await s.create(large.body.quote_id)).toMatchObject({ status: 402, body: { code: "INSUFFICIENT_CREDITS" } });
  const { store } = s.w;
  await store.write(async ({ q, t }) => q.update(t.organizations).set({ monthlyCreditCap: 7 }));
  const small = await s.price();
  expect(await s.create(small.body.quote_id)).toMatchObject({ status: 402, body: { code: "INSUFFICIENT_CREDITS" } });
  expect(await analysesOf(s)).toEqual([]);
  expect(await s.credits()).toMatchObject({ available: 10_000, reserved: 0, monthly_cap: 7 });
});

test.each(TESTED_KINDS)("$noun: credits released by archiving leave the monthly cap to others", async (kind) => {
  await using s = await scene(kind);
  await s.w.store.write(async ({ q, t }) => q.update(t.organizations).set({ monthlyCreditCap: 10 }));
  const ofSix = { ...s.setup, sources: ["SEARCH_A"], runs_per_prompt: 3 };
  const createForSix = async () => s.create((await s.price(ofSix)).body.quote_id);
  const first = await createForSix();
  expect(await s.credits()).toMatchObject({ reserved: 6 });
  expect(await createForSix()).toMatchObject({ status: 402, body: { code: "INSUFFICIENT_CREDITS" } });
  await s.owner.post(`${s.workspace.path}/analyses/${first.body.id}/archive`);
  expect(await s.credits()).toMatchObject({ available: 10_000, reserved: 0 });
  expect(await createForSix()).toMatchObject({ status: 201 });
});

test.each(TESTED_KINDS)("$noun: a price that changed since the quote creates nothing", async (kind) => {
  await using s = await scene(kind);
  const { body } = await s.price();
  s.w.deps.prices[kind.price] = 2;
  expect(await s.create(body.quote_id)).toMatchObject({ status: 409, body: { code: "PRICE_CHANGED" } });
  expect(await analysesOf(s)).toEqual([]);
});

test.each(TESTED_KINDS)("$noun: a recurring schedule is priced to its end, which must be given", async (kind) => {
  await using s = await scene(kind, { now: () => "2026-01-31T08:00:00.000Z" });
  const endless = await s.price({ ...s.setup, schedule: "monthly" });
  expect(endless).toMatchObject({ status: 400, body: { fields: [{ path: "ends_at" }] } });
  const { body } = await s.price({ ...s.setup, schedule: "monthly", ends_at: "2026-04-30T08:00:00Z" });
  expect(body.cost).toMatchObject({ per_collect: 8, collects_planned: 4, total_credits: 32 });
});

test.each(TESTED_KINDS)(
  "$noun: above the organization's bound a creation waits for a person's approval in the browser",
  async (kind) => {
    await using s = await scene(kind);
    const bounded = await s.owner.patch(s.organization.path, { approval_above_credits: 7 });
    expect(bounded).toMatchObject({ status: 200, body: { approval_above_credits: 7, monthly_credit_cap: null } });
    const { body } = await s.price();
    const refused = await s.create(body.quote_id);
    expect(refused).toMatchObject({ status: 409, body: { code: "APPROVAL_REQUIRED" } });
    expect(refused.body.message).toContain(`/approve/${body.quote_id}`);
    expect(await analysesOf(s)).toEqual([]);
    const small = await s.price({ ...s.setup, runs_per_prompt: 1 });
    expect((await s.create(small.body.quote_id)).status).toBe(201);
  },
);
const [SEARCH] = TESTED_KINDS as [TestedKind];

test("a price states the detectable change of presence, for Generic keywords at text sources", async () => {
  await using s = await scene(SEARCH);
  const few = await s.price();
  expect(few.body.power).toEqual({ points: null, keywords_for_five_points: 586, rests_on: "assumed" });
  expect(few.body.presentation).toContain("With so few generic prompts, two runs show no change of presence.");
  const keywords = Array.from({ length: 50 }, (_, at) => ({
    text: `phone ${at}`,
    type: at < 40 ? "Generic" : "Brand",
  }));
  const thematics = [{ name: "Phones", topics: [{ name: "Price", keywords }] }];
  const many = await s.price({ ...s.setup, thematics, runs_per_prompt: 3 });
  expect(many.body.power).toEqual({ points: 17.3, keywords_for_five_points: 437, rests_on: "assumed" });
  expect(many.body.presentation).toContain(
    "Two runs show a change of presence of 17.3 points or more in 80 % of cases (assumed, before there is enough data). To detect 5 points, track 437 generic prompts; more repeats may not help.",
  );
  expect((await s.price({ ...s.setup, sources: [] })).body.power).toBeNull();
});

test("names each invalid field of a setup, and stores nothing", async () => {
  await using s = await scene(SEARCH);
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
