import { expect, test } from "vitest";
import { type ToolClient, type ToolClientOptions, CLIENTS } from "../support/tool-client.ts";
import { signedInBrowser } from "../support/assistant.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world, type Person } from "../support/world.ts";
import { presentationOf, setupOf, TESTED_KINDS, type TestedKind } from "../analyses/analysis-setups.ts";
import { openCommitted } from "../support/committed.ts";

type Connect = (typeof CLIENTS)[string];

/** A workspace for pricing search analyses by tools, and a count of created ones. */
async function scene(kind: TestedKind, options: Parameters<typeof world>[0] = {}) {
  const w = await world({ env: { SERVE: "core,search,mcp", ...options.env }, ...options });
  const { owner, organization, workspace } = await w.acme();
  const brand = await owner.post(`${workspace.path}/brands`, { name: "Acme", relationship: "mine" });
  const path = { organization_id: organization.id, workspace_id: workspace.id };
  const bravo = await owner.post(`${workspace.path}/brands`, { name: "Bravo" });
  const setup = { ...path, ...setupOf(kind, { own: brand.body.id, rival: bravo.body.id }) };
  const [price, create] = [`price_${kind.type}`, `create_${kind.type}`];
  return {
    ...w,
    owner,
    organization,
    workspace,
    path,
    setup,
    price,
    create,
    async connect(connect: Connect, options_: ToolClientOptions & { by?: Person } = {}): Promise<ToolClient> {
      const { token } = await mintToolToken(w, options_.by ?? owner);
      return connect(w.config.mcpUrl, { token, ...options_ });
    },
    async quote(client: ToolClient): Promise<{ quote_id: string }> {
      const priced = await client.call(price, setup);
      return { ...path, quote_id: priced.structured.quote_id };
    },
    /** Names of the analyses that exist, and the credits that are reserved for them. */
    async made() {
      const analyses = await owner.get(`${workspace.path}/analyses`);
      const credits = await owner.get(`${organization.path}/credits`);
      return [analyses.body.data.map((one: { name: string }) => one.name), credits.body.reserved];
    },
    async audited() {
      await w.deps.audit.flush();
      const { q, t } = openCommitted(w.store);
      const rows = await q.select().from(t.auditLog).orderBy(t.auditLog.id);
      return rows
        .filter((row) => row.endpoint === `create${kind.endpoint}`)
        .map(({ confirmation, outcome, costCredits }) => [confirmation, outcome, costCredits]);
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

const refusal = (answer: { text: string; isError: boolean; structured: unknown }) => {
  expect(answer).toMatchObject({ isError: true, structured: undefined });
  return JSON.parse(answer.text) as { code: string; message: string; retryable: boolean; hint: string };
};

const CLIENTS_AND_KINDS = Object.entries(CLIENTS).flatMap(([client, connect]) =>
  TESTED_KINDS.map((kind) => ({ name: `${client}, ${kind.noun}`, connect, kind, cost: 2 * kind.credits })),
);

for (const { name, connect, kind, cost } of CLIENTS_AND_KINDS) {
  test(`${name}: the person sees setup, cost and balance in a form, and a yes creates once`, async () => {
    await using s = await scene(kind);
    await using client = await s.connect(connect, { person: () => "accept" });
    const quote = await s.quote(client);
    const made = await client.call(s.create, quote);
    expect(made).toMatchObject({ isError: false, structured: { name: "Phones", status: "launching" } });
    expect(client.asked).toEqual([presentationOf(kind)]);
    expect(await s.made()).toEqual([["Phones"], cost]);
    expect(refusal(await client.call(s.create, quote))).toMatchObject({ code: "QUOTE_USED" });
    expect(client.asked).toHaveLength(1);
    expect(await s.made()).toEqual([["Phones"], cost]);
    expect(await s.audited()).toContainEqual(["elicited", "ok", cost]);
  });

  test(`${name}: a client with forms cannot bypass one with confirmed, and declining is final`, async () => {
    // Attack: an assistant that answers for its person.
    await using s = await scene(kind);
    let answer: "decline" | "cancel" | "accept" = "cancel";
    await using client = await s.connect(connect, { person: () => answer });
    const quote = await s.quote(client);
    const sure = { ...quote, confirmed: true };
    expect(refusal(await client.call(s.create, sure))).toEqual({
      code: "NOT_CONFIRMED",
      message: "The person did not answer, which is not a confirmation.",
      retryable: false,
      hint: "Nothing was created and nothing spent. Ask the person what they want instead.",
    });
    answer = "decline";
    expect(refusal(await client.call(s.create, sure))).toMatchObject({
      code: "NOT_CONFIRMED",
      message: "The person declined. This is final: do not retry.",
    });
    answer = "accept";
    expect(refusal(await client.call(s.create, sure))).toMatchObject({ code: "QUOTE_USED" });
    expect(client.asked).toHaveLength(2);
    expect(await s.made()).toEqual([[], 0]);
    expect(await s.audited()).toEqual(
      expect.arrayContaining([
        ["elicited", "cancelled", null],
        ["elicited", "declined", null],
      ]),
    );
  });

  test(`${name}: a client without forms must send confirmed, after instructions`, async () => {
    await using s = await scene(kind);
    await using client = await s.connect(connect);
    const priced = await client.call(s.price, { ...(await s.quote(client)), name: "x" });
    expect(refusal(priced).code).toBe("VALIDATION_FAILED");
    const quote = await s.quote(client);
    const asked = refusal(await client.call(s.create, quote));
    // Fault: the message asked the assistant to send only the quote_id, then rejected for it with
    // retryable: false.
    expect(asked).toEqual({
      code: "VALIDATION_FAILED",
      message: "The request is not valid. Correct: confirmed.",
      retryable: true,
      hint: `Show the person the presentation from ${s.price}, wait for an explicit yes, then call again with the quote_id and confirmed: true.`,
      fields: [{ path: "confirmed", message: expect.any(String) }],
    });
    expect(await s.made()).toEqual([[], 0]);
    const made = await client.call(s.create, { ...quote, confirmed: true });
    expect(made).toMatchObject({ isError: false, structured: { name: "Phones" } });
    expect(await s.made()).toEqual([["Phones"], cost]);
    expect(await s.audited()).toEqual([
      ["none", "VALIDATION_FAILED", null],
      ["argument", "ok", cost],
    ]);
  });
}

const [auto] = Object.values(CLIENTS) as [Connect];

const [SEARCH] = TESTED_KINDS as [TestedKind];

test.each(TESTED_KINDS)(
  "$noun: a price tells the assistant to show it and wait, in text and structured content",
  async (kind) => {
    await using s = await scene(kind);
    await using client = await s.connect(auto);
    const { text, structured } = await client.call(s.price, s.setup);
    const note = `Show the person the presentation, and wait for an explicit yes. Only then call ${s.create} with this quote_id and confirmed: true.`;
    expect(text).toContain(`Note: ${note}`);
    expect(text).toContain(`quote_id: ${structured.quote_id}`);
    expect(structured).toMatchObject({
      notes: [note],
      cost: { total_credits: 2 * kind.credits },
      balance: { after: 10_000 - 2 * kind.credits },
    });
    expect(structured.presentation).toBe(presentationOf(kind));
    expect(text).toContain(`presentation: ${JSON.stringify(presentationOf(kind))}`);
    expect(structured.sources).toEqual([
      { source: "ASSISTANT_B", name: "Perplexity", collection_method: "simulated", real: false },
    ]);
  },
);

test("a person confirms the complete setup: all keyword fields, names, approval, and an insufficient balance", async () => {
  // Fault: persona, type, funnel stage, strength and all other fields of keywords were confirmed
  // unseen; ids stood for names.
  await using s = await scene(SEARCH);
  const rival = await s.owner.post(`${s.workspace.path}/brands`, { name: "Rival" });
  const persona = await s.owner.post(`${s.workspace.path}/personas`, { name: "Busy parent" });
  expect([rival.status, persona.status]).toEqual([201, 201]);
  await s.owner.patch(s.organization.path, { approval_above_credits: 1 });
  await using client = await s.connect(auto);
  const keyword = {
    text: "acme battery",
    type: "Brand",
    funnel_stage: "BoFu",
    persona_id: persona.body.id,
    strength: "battery",
    weakness: "price",
    related_product: "Acme One",
    sub_brand: "Acme Pro",
    intent: ["buy", "compare"],
    search_volume: 12_000,
    trends: [1, 2],
    search_interest_trends: [3],
    related_queries: [{ query: "acme battery life" }],
  };
  const topics = [{ name: "Power", keywords: [keyword] }];
  const { structured } = await client.call("price_search_analysis", {
    ...s.setup,
    competitor_ids: [rival.body.id],
    thematics: [{ name: "Phones", topics }],
    runs_per_prompt: 10,
    schedule: "daily",
    ends_at: new Date(Date.now() + 364 * 86_400_000).toISOString(),
    sources: ["ASSISTANT_A", "ASSISTANT_B", "ASSISTANT_C"],
  });
  const lines = (structured.presentation as string).split("\n");
  const total = (30 * structured.cost.collects_planned).toLocaleString("en-US");
  expect(structured.balance.after).toBeLessThan(0);
  expect(lines).toContain("Compared with: Rival");
  expect(lines.slice(lines.indexOf("Prompts: 1"))).toEqual([
    "Prompts: 1",
    "  Phones / Power:",
    "    acme battery (Brand; BoFu; asked as Busy parent; about the strength battery; about the weakness price; product Acme One; sub-brand Acme Pro; intent buy, compare; 12,000 searches a month; monthly searches 1, 2; interest 3; related acme battery life)",
    "",
    `Cost: ${total} credits (30 x ${structured.cost.collects_planned} runs).`,
    "With so few generic prompts, two runs show no change of presence. To detect 5 points, track 124 generic prompts; more repeats may not help.",
    `Available: 10,000 credits. This costs ${total} credits: more than are available. Make the setup smaller, or ask an owner for more credits.`,
    `Approval: a person must approve this in the browser first, at ${s.config.baseUrl}/approve/${structured.quote_id}`,
  ]);
  const ids = [s.setup.brand_id, rival.body.id, persona.body.id];
  expect(ids.filter((id) => lines.join().includes(id))).toEqual([]);
});

function keywords(topic: string, count: number): { text: string }[] {
  return Array.from({ length: count }, (_, at) => ({ text: `${topic} ${at}` }));
}

function listed(from: readonly { text: string }[]): string[] {
  return from.map(({ text }) => `    ${text} (Generic)`);
}

test("more than 200 keywords are counted by their groups, and a page lists them all", async () => {
  await using s = await scene(SEARCH, { env: {} });
  await using client = await s.connect(auto);
  const topics = [
    { name: "Price", keywords: keywords("price", 150) },
    { name: "Power", keywords: keywords("power", 51) },
  ];
  const setup = { ...s.setup, thematics: [{ name: "Phones", topics }], runs_per_prompt: 1 };
  const { structured } = await client.call(s.price, setup);
  const lines = (structured.presentation as string).split("\n");
  const page = `${s.config.baseUrl}/approve/${structured.quote_id}`;
  expect(lines.slice(lines.indexOf("Prompts: 201"), -4)).toEqual([
    "Prompts: 201",
    "  Phones / Price: 150 keywords",
    "  Phones / Power: 51 keywords",
    "The first 20:",
    "  Phones / Price:",
    ...listed(keywords("price", 20)),
    `All of them: ${page}`,
  ]);
  const browser = await signedInBrowser(s, s.owner.email);
  const shown = await browser.get(page);
  expect([shown.status, shown.text.includes("<button")]).toEqual([200, false]);
  for (const { text } of [...keywords("price", 150), ...keywords("power", 51)]) {
    expect(shown.text).toContain(`\n    ${text} (Generic)`);
  }
});

test.each(TESTED_KINDS)("$noun: a used quote names the object it created", async (kind) => {
  await using s = await scene(kind);
  await using client = await s.connect(auto);
  const quote = { ...(await s.quote(client)), confirmed: true };
  const made = await client.call(s.create, quote);
  expect(refusal(await client.call(s.create, quote))).toEqual({
    code: "QUOTE_USED",
    message: `This quote was already used, for the ${kind.noun} ${made.structured.id}. Ask for a new price to create another.`,
    retryable: false,
    hint: "Do not retry with this quote.",
  });
});

test.each(TESTED_KINDS)(
  "$noun: above the organization's limit, the tool returns the approval page and creates nothing",
  async (kind) => {
    await using s = await scene(kind);
    await s.owner.patch(s.organization.path, { approval_above_credits: 1 });
    for (const person of [undefined, () => "accept" as const]) {
      await using client = await s.connect(auto, person ? { person } : {});
      const quote = await s.quote(client);
      expect(refusal(await client.call(s.create, { ...quote, confirmed: true }))).toMatchObject({
        code: "APPROVAL_REQUIRED",
        message: `A person must approve this at ${s.config.baseUrl}/approve/${quote.quote_id}`,
      });
      expect(client.asked).toEqual([]);
    }
    expect(await s.made()).toEqual([[], 0]);
  },
);
