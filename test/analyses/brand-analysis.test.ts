import { expect, test } from "vitest";
import { openCommitted } from "../support/committed.ts";
import { startAssistant, responseBody } from "../collecting/provider.ts";
import { findCreditFaults } from "../collecting/run-state.ts";
import { collectScene } from "../collecting/scene.ts";
import type { Person } from "../support/world.ts";

const MONDAY = "2026-11-02T08:00:00.000Z";
const WEEKLY = { schedule: "weekly", ends_at: "2026-11-30T08:00:00.000Z" };

/**
 * A service that collects, with two brands and two personas, and brand analyses that are created as
 * people create them.
 */
async function scene(options: Parameters<typeof collectScene>[0] = {}) {
  const s = await collectScene(options);
  const { owner, workspace } = s;
  const brands = (await owner.get(`${workspace.path}/brands`)).body.data as { id: string; name: string }[];
  const rivalId = brands.find(({ name }) => name === "Rival")?.id ?? "";
  const personas = await Promise.all(
    ["Anna", "Ben"].map(async (name) => (await owner.post(`${workspace.path}/personas`, { name })).body.id as string),
  );
  const setup = {
    name: "Opinion",
    brand_id: s.brandId,
    category: "phones",
    competitor_ids: [rivalId],
    attributes: ["battery"],
    countries: ["US", "DE"],
    persona_ids: personas,
    sources: ["ASSISTANT_A"],
    runs_per_prompt: 1,
  };
  const price = (body: object = setup, by: Person = owner) => by.post(`${workspace.path}/brand-analyses/price`, body);
  return {
    ...s,
    rivalId,
    personas,
    setup,
    price,
    async createBrand(given: object = {}) {
      const priced = await price({ ...setup, ...given });
      if (priced.status !== 200) throw new Error(JSON.stringify(priced.body));
      const yes = { quote_id: priced.body.quote_id, confirmed: true };
      const made = await owner.post(`${workspace.path}/brand-analyses`, yes);
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      return `${workspace.path}/analyses/${made.body.id}`;
    },
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

/** This number of unaided prompts. */
function unaided(count: number, more: object = {}) {
  return Array.from({ length: count }, (_, at) => ({ kind: "unaided", text: `Which phone ${at}?`, ...more }));
}

test("pricing generates prompts, returns them for editing, and accepts changed, added and removed ones", async () => {
  await using s = await scene({ env: { SERVE: "core" } });
  const made = (await s.price()).body.setup.prompts as { kind: string; text: string; tag: string | null }[];
  expect(new Set(made.map(({ kind }) => kind))).toEqual(
    new Set(["unaided", "aided", "perception", "attribute", "comparison"]),
  );
  const again = (await s.price({ ...s.setup, prompts: made })).body.setup.prompts;
  expect(again).toEqual(made);
  const [first] = made;
  const changed = [{ ...first, text: "Which phone would you buy?", tag: "mine" }, ...unaided(1)];
  const { status, body } = await s.price({ ...s.setup, prompts: changed });
  expect(status).toBe(200);
  expect(body.setup.prompts).toMatchObject([
    { kind: "unaided", text: "Which phone would you buy?", tag: "mine" },
    { kind: "unaided", text: "Which phone 0?", tag: null, country: null, persona_id: null },
  ]);
});

const units = (quantity: number, questions: number) => [{ quantity, unit_credits: 1, credits: quantity, questions }];

test("ten prompts cost one credit per country, persona, source and run", async () => {
  await using s = await scene({ env: { SERVE: "core" } });
  const costOf = async (prompts: object[], more: object = {}) =>
    (await s.price({ ...s.setup, prompts, ...more })).body.cost.breakdown;
  // 2 countries x 2 personas.
  expect(await costOf(unaided(10))).toMatchObject(units(4, 40));
  expect(await costOf(unaided(11))).toMatchObject(units(8, 44));
  expect(await costOf(unaided(11), { persona_ids: [] })).toMatchObject(units(4, 22));
  expect(await costOf(unaided(11), { runs_per_prompt: 3 })).toMatchObject(units(24, 132));
  // Prompts for one country or persona fill separate groups.
  const only = { country: "DE", persona_id: s.personas[0] };
  const prompts = [...unaided(10), { kind: "unaided", text: "Only there?", ...only }];
  expect(await costOf(prompts)).toMatchObject(units(5, 41));
});

test("every wrong field of a setup is named, and a language without templates needs prompts", async () => {
  await using s = await scene({ env: { SERVE: "core" } });
  const stranger = "00000000-0000-7000-8000-000000000000";
  const faultsOf = async (given: object) => {
    const { status, body } = await s.price({ ...s.setup, ...given });
    return [status, ...(body.fields ?? []).map(({ path }: { path: string }) => path)];
  };
  expect(
    await faultsOf({ competitor_ids: [s.brandId, stranger], countries: ["US", "US"], persona_ids: [stranger] }),
  ).toEqual([400, "countries.1", "competitor_ids.0", "competitor_ids.1", "persona_ids.0"]);
  expect(await faultsOf({ competitor_ids: [] })).toEqual([400, "competitor_ids"]);
  expect(await faultsOf({ sources: [] })).toEqual([400, "sources"]);
  expect(await faultsOf({ language: "fi" })).toEqual([400, "prompts"]);
  expect(await faultsOf({ language: "fi", prompts: unaided(1) })).toEqual([200]);
  expect(await faultsOf({ category: "Acme phones" })).toEqual([400, "category"]);
  expect(await faultsOf({ prompts: unaided(301) })).toEqual([400, "prompts"]);
  const about = { kind: "aided", text: "Do you know Acme?" };
  const prompts = [
    { kind: "unaided", text: "Is Acme best?" },
    { kind: "unaided", text: "Which?", country: "FR" },
    { kind: "unaided", text: "Which?", persona_id: stranger },
    { kind: "unaided", text: "Why?", brand_id: s.brandId },
    about,
    { ...about, text: "Know Acmona?", brand_id: s.brandId, look_alike: "Acmora" },
    { kind: "attribute", text: "Is Acme cheap?", brand_id: s.brandId, attribute: "price" },
    { kind: "comparison", text: "Acme or Acme?", brand_id: s.brandId },
    { kind: "comparison", text: "Acme or Acme?", brand_id: s.rivalId },
  ];
  expect(await faultsOf({ prompts })).toEqual([
    400,
    "prompts.8.text",
    "prompts.0.text",
    "prompts.1.country",
    "prompts.2.persona_id",
    "prompts.3.brand_id",
    "prompts.4.brand_id",
    "prompts.5.text",
    "prompts.6.attribute",
    "prompts.7.brand_id",
  ]);
  const much = { runs_per_prompt: 10, sources: ["ASSISTANT_A", "ASSISTANT_B", "ASSISTANT_C", "ASSISTANT_D"] };
  const refused = await s.price({
    ...s.setup,
    ...much,
    countries: ["US", "DE", "FR", "GB", "ES"],
    prompts: unaided(300),
  });
  expect(refused.body.fields).toEqual([
    {
      path: "prompts",
      message:
        "a collect would ask 120,000 questions, more than 100,000: use fewer prompts, countries, personas or sources",
    },
  ]);
});

test("a person confirms the complete setup, with names and all prompt fields", async () => {
  await using s = await scene({ env: { SERVE: "core" } });
  const [anna] = s.personas;
  const about = { brand_id: s.brandId };
  const prompts = [
    { kind: "unaided", text: "Which phone?", country: "DE", persona_id: anna, tag: "launch" },
    { kind: "aided", text: "Do you know Acmora?", ...about, look_alike: "Acmora", template: "mine-1" },
    { kind: "perception", text: "What speaks against Acme?", ...about, asks_pros_cons: true },
    { kind: "attribute", text: "Does Acme last as long as Rival?", ...about, attribute: "battery" },
    { kind: "comparison", text: "Rival or Acme?", brand_id: s.rivalId },
  ];
  const { body } = await s.price({ ...s.setup, ...WEEKLY, ends_at: later(40), runs_per_prompt: 2, prompts });
  const { per_collect: per, collects_planned: collects, total_credits: total } = body.cost;
  expect(body.presentation.split("\n")).toEqual([
    'Create the brand analysis "Opinion"?',
    "",
    "Own brand: Acme",
    "Category: phones",
    "Compared with: Rival",
    "Attributes: battery",
    "Countries, language: US, DE; en",
    "Asked as: Anna, Ben",
    "Sources: ChatGPT (simulated: answers are invented)",
    "Each prompt is sent: 2 times per country, persona, source and run",
    expect.stringMatching(/^Schedule: weekly.* until 20/),
    "Prompts: 5; each run collects 34 answers",
    "  Unaided, naming no brand:",
    "    Which phone? (only in DE; only as Anna; tag launch)",
    "  Aided, asking whether a brand is known:",
    "    Do you know Acmora? (Acmora is an invented name for comparison; brand Acme)",
    "  Perception:",
    "    What speaks against Acme? (asks for pros and cons)",
    "  Attributes:",
    "    Does Acme last as long as Rival? (brand Acme; attribute battery)",
    "  Comparisons with the own brand:",
    "    Rival or Acme?",
    "",
    `Cost: ${total} credits (${per} x ${collects} runs).`,
    expect.stringContaining("unaided prompts"),
    `Available: 10,000 credits; after this: ${(10_000 - total).toLocaleString("en-US")}.`,
  ]);
});

function later(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

test("more than 100 prompts are counted by their kinds, and a page lists them all", async () => {
  await using s = await scene({ env: { SERVE: "core" } });
  const { body } = await s.price({ ...s.setup, prompts: unaided(101) });
  const lines = body.presentation.split("\n") as string[];
  expect(lines).toContain("  Unaided, naming no brand: 101 prompts");
  expect(lines).toContain(`All of them: ${s.config.baseUrl}/approve/${body.quote_id}`);
  expect(lines.join()).not.toContain("Which phone 0?");
});

test("each prompt is sent in each country and as each persona, in its language and place, and listed accordingly", async () => {
  await using provider = await startAssistant();
  await using s = await scene({ env: provider.env });
  const prompts = [...unaided(1), { kind: "comparison", text: "Acme or Rival?", brand_id: s.rivalId, country: "DE" }];
  const analysis = await s.createBrand({ prompts, language: "de" });
  expect(await s.ended(analysis)).toMatchObject({ status: "completed", planned: 6, succeeded: 6 });
  const rows = (await s.owner.get(`${analysis}/prompts`)).body.data;
  const [, , inGermany] = rows;
  expect(rows.map(({ text, country, persona }: Record<string, string>) => [text, country, persona])).toEqual([
    ["Which phone 0?", "US", "Anna"],
    ["Which phone 0?", "US", "Ben"],
    ["Which phone 0?", "DE", "Anna"],
    ["Which phone 0?", "DE", "Ben"],
    ["Acme or Rival?", "DE", "Anna"],
    ["Acme or Rival?", "DE", "Ben"],
  ]);
  expect(rows[4]).toMatchObject({ kind: "comparison", brand: "Acme", other_brand: "Rival", attribute: null });
  const listed = async (query: string) => (await s.owner.get(`${analysis}/prompts?${query}`)).body.data.length;
  expect([await listed("country=US"), await listed("kinds=comparison"), await listed("persona_id=anna")]).toEqual([
    2, 2, 3,
  ]);
  const [answer] = (await s.owner.get(`${analysis}/answers?keyword_id=${inGermany.id}`)).body.data;
  expect(answer).toMatchObject({ prompt: "Which phone 0?", locale: "de-DE", cost: { credits: 0 } });
  expect(JSON.stringify(provider.requests.map(({ body }) => body))).toContain("Anna");
});

test("charges ten prompts if at least half were answered, and releases their credits otherwise", async () => {
  // Twelve prompts: a group of ten with four or five failures, and one of two with none or both.
  const fails = new Set<string>();
  await using provider = await startAssistant((prompt) =>
    fails.has(prompt) ? { status: 400 } : { body: responseBody("Acme is fine.") },
  );
  await using s = await scene({ env: provider.env });
  const asked = { prompts: unaided(12), countries: ["US"], persona_ids: [], runs_per_prompt: 2 };
  const failing = async (numbers: number[]) => {
    fails.clear();
    for (const number of numbers) fails.add(`Which phone ${number}?`);
    return (await s.ended(await s.createBrand(asked))).cost;
  };
  expect(await failing([0, 1, 2, 3, 4])).toEqual({ reserved_credits: 0, spent_credits: 4 });
  expect(await failing([0, 1, 2, 3, 4, 5])).toEqual({ reserved_credits: 0, spent_credits: 2 });
  expect(await failing([0, 1, 2, 3, 4, 5, 10, 11])).toEqual({ reserved_credits: 0, spent_credits: 0 });
  expect(await failing([10])).toEqual({ reserved_credits: 0, spent_credits: 4 });
  expect(await failing(Array.from({ length: 12 }, (_, at) => at))).toMatchObject({ spent_credits: 0 });
  expect(await findCreditFaults(s)).toEqual([]);
  expect(await s.credits()).toMatchObject({ reserved: 0, available: 9990 });
});

test("visibility is of unaided prompts, and by kind of prompt, country and persona", async () => {
  const texts: Record<string, string> = {
    "Which phone 0?": "Rival is best.",
    "Do you know Acme?": "Yes, I know Acme.",
  };
  await using provider = await startAssistant((prompt) => ({ body: responseBody(texts[prompt] ?? "No idea.") }));
  await using s = await scene({ env: provider.env });
  const prompts = [...unaided(1), { kind: "aided", text: "Do you know Acme?", brand_id: s.brandId, country: "DE" }];
  const analysis = await s.createBrand({ prompts });
  await s.ended(analysis);
  const rows = async (query: string) => {
    const { body } = await s.owner.get(`${analysis}/metrics/visibility?${query}`);
    return body.data.map((row: Record<string, unknown>) => [row["brand"], row["answers"], row["occurrences"]]);
  };
  expect(await rows("")).toEqual([
    ["Rival", 4, 4],
    ["Acme", 4, 0],
  ]);
  expect(await rows("group_by=prompt_kind&sort=answers")).toEqual([
    ["Acme", 4, 0],
    ["Acme", 2, 2],
  ]);
  expect(await rows("group_by=country&brands=rival")).toEqual([
    ["Rival", 2, 2],
    ["Rival", 2, 2],
  ]);
  expect(await rows("group_by=persona&prompt_kinds=aided")).toHaveLength(2);
  expect(await rows("brands=rival&personas=anna")).toEqual([["Rival", 2, 2]]);
  for (const list of ["citations", "queries"]) {
    expect((await s.owner.get(`${analysis}/metrics/${list}`)).status).toBe(200);
  }
  const top = await s.owner.get(
    `/api/v1/top-brands?client_id=${s.organization.id}&project_id=${analysis.split("/").at(-1)}`,
  );
  expect(top.body.data).toMatchObject([{ brand: "Rival", total: 4 }, { brand: "Acme" }]);
});

test("a setup is changed, copied, paused, resumed and archived as that of a search analysis, and its credits add up", async () => {
  await using s = await scene({ env: { SERVE: "core" }, now: () => MONDAY });
  const analysis = await s.createBrand({ ...WEEKLY, prompts: unaided(11) });
  const credits = async () => (await s.owner.get(analysis)).body.reserved_credits;
  // 2 countries x 2 personas x 2 groups; one collect has begun.
  expect(await credits()).toBe(4 * 8);
  const copy = (await s.owner.post(`${analysis}/duplicate`)).body.setup;
  expect(copy).toMatchObject({ name: "Opinion (copy)", category: "phones", countries: ["US", "DE"] });
  expect(copy.prompts).toHaveLength(11);
  expect((await s.price(copy)).body.cost.per_collect).toBe(8);
  const change = async (given: object) => {
    const priced = await s.owner.post(`${analysis}/setup/price`, { ...copy, name: "Opinion", ...given });
    if (priced.status !== 200) return priced;
    const body = { quote_id: priced.body.quote_id, confirmed: true };
    return s.owner.request("PUT", `${analysis}/setup`, { body });
  };
  const smaller = await change({ prompts: copy.prompts.slice(1), countries: ["DE"] });
  expect(smaller).toMatchObject({ status: 200, body: { setup_version: 2, reserved_credits: 4 * 2 } });
  const listed = (await s.owner.get(`${analysis}/prompts?limit=100`)).body.data;
  expect(new Set(listed.map(({ country }: { country: string }) => country))).toEqual(new Set(["DE"]));
  expect(listed).toHaveLength(20);
  expect(await change({ website: "https://acme.test" })).toMatchObject({
    status: 400,
    body: { fields: [{ path: "website" }] },
  });
  expect((await s.owner.post(`${analysis}/pause`)).status).toBe(200);
  expect((await s.owner.post(`${analysis}/resume`)).status).toBe(200);
  expect((await s.owner.post(`${analysis}/archive`)).body).toMatchObject({ status: "archived", reserved_credits: 0 });
  expect(await s.credits()).toMatchObject({ available: 10_000, reserved: 0 });
  expect(await findCreditFaults(s)).toEqual([]);
});

test("a collect that runs now asks the present setup, and is paid by its groups of ten", async () => {
  await using s = await scene();
  const analysis = await s.createBrand({ prompts: unaided(3) });
  await s.ended(analysis);
  const priced = await s.owner.post(`${analysis}/collects/price`);
  expect(priced.body.cost).toMatchObject({ total_credits: 4, breakdown: [{ quantity: 4, questions: 12 }] });
  const yes = { quote_id: priced.body.quote_id, confirmed: true };
  expect(await s.owner.post(`${analysis}/collects`, yes)).toMatchObject({ status: 201, body: { planned: 12 } });
  expect(await s.ended(analysis, 2)).toMatchObject({ status: "completed", cost: { spent_credits: 4 } });
  expect(await findCreditFaults(s)).toEqual([]);
});

test("rejects imports into a brand analysis, and suggests no brand from look-alikes", async () => {
  await using provider = await startAssistant(() => ({ body: responseBody("1. **Acmora** - a phone.\n2. **Acme**") }));
  await using s = await scene({ env: provider.env });
  const control = { kind: "aided", text: "Do you know Acmora?", brand_id: s.brandId, look_alike: "Acmora" };
  const analysis = await s.createBrand({ prompts: [control] });
  await s.ended(analysis);
  const lines = JSON.stringify({ keyword: "x", source: "ASSISTANT_A", text: "Acme" });
  const headers = { "content-type": "application/x-ndjson" };
  const imported = await s.owner.request("POST", `${analysis}/answers/import`, { body: lines, headers });
  expect(imported).toMatchObject({ status: 422 });
  const { q, t } = openCommitted(s.store);
  await expect.poll(async () => q.$count(t.answers)).toBe(4);
  expect((await s.owner.get(`${s.workspace.path}/brand-suggestions`)).body.data).toEqual([]);
});
