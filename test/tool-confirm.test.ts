import { expect, test } from "vitest";
import type { ToolClient, ToolClientOptions } from "./tool-client.ts";
import { CLIENTS } from "./tool-client.ts";
import { mintToolToken } from "./tool-token.ts";
import { world, type Person } from "./world.ts";
import { committed } from "./committed.ts";

type Connect = (typeof CLIENTS)[string];

/** A workspace whose search analyses can be priced through tools, and how to count what was made. */
async function scene(options: Parameters<typeof world>[0] = {}) {
  const w = await world({ env: { SERVE: "core,search,mcp", ...options.env }, ...options });
  const { owner, organization, workspace } = await w.acme();
  const brand = await owner.post(`${workspace.path}/brands`, { name: "Acme", relationship: "mine" });
  const path = { organization_id: organization.id, workspace_id: workspace.id };
  const setup = {
    ...path,
    name: "Phones",
    website: "https://acme.test",
    brand_id: brand.body.id,
    sources: ["ASSISTANT_B"],
    thematics: [{ name: "Phones", topics: [{ name: "Price", keywords: [{ text: "best phone" }] }] }],
    runs_per_prompt: 2,
  };
  return {
    ...w,
    owner,
    organization,
    workspace,
    path,
    setup,
    async connect(connect: Connect, options_: ToolClientOptions & { by?: Person } = {}): Promise<ToolClient> {
      const { token } = await mintToolToken(w, options_.by ?? owner);
      return connect(w.config.mcpUrl, { token, ...options_ });
    },
    async quote(client: ToolClient): Promise<{ quote_id: string }> {
      const priced = await client.call("price_search_analysis", setup);
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
      const { q, t } = committed(w.store);
      const rows = await q.select().from(t.auditLog).orderBy(t.auditLog.id);
      return rows
        .filter((row) => row.endpoint === "createSearchAnalysis")
        .map(({ confirmation, outcome, costCredits }) => [confirmation, outcome, costCredits]);
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

const refusal = (answer: { text: string; isError: boolean; structured: unknown }) => {
  expect(answer).toMatchObject({ isError: true, structured: undefined });
  return JSON.parse(answer.text) as { code: string; message: string; retryable: boolean; hint: string };
};

for (const [name, connect] of Object.entries(CLIENTS)) {
  test(`${name}: the person sees setup, cost and balance in a form, and a yes creates once`, async () => {
    await using s = await scene();
    await using client = await s.connect(connect, { person: () => "accept" });
    const quote = await s.quote(client);
    const made = await client.call("create_search_analysis", quote);
    expect(made).toMatchObject({ isError: false, structured: { name: "Phones", status: "launching" } });
    expect(client.asked).toEqual([expect.stringMatching(/"Phones".*best phone.*Cost: 2 credits.*after this: 9998/s)]);
    expect(await s.made()).toEqual([["Phones"], 2]);
    expect(refusal(await client.call("create_search_analysis", quote))).toMatchObject({ code: "QUOTE_USED" });
    expect(client.asked).toHaveLength(1);
    expect(await s.made()).toEqual([["Phones"], 2]);
    expect(await s.audited()).toContainEqual(["elicited", "ok", 2]);
  });

  test(`${name}: a client that shows forms cannot get past one with confirmed, and a no is final`, async () => {
    // Attack: an assistant that answers for its person.
    await using s = await scene();
    let answer: "decline" | "cancel" | "accept" = "cancel";
    await using client = await s.connect(connect, { person: () => answer });
    const quote = await s.quote(client);
    const sure = { ...quote, confirmed: true };
    expect(refusal(await client.call("create_search_analysis", sure))).toEqual({
      code: "NOT_CONFIRMED",
      message: "The person gave no answer. That is not a yes.",
      retryable: false,
      hint: "Nothing was created and nothing spent. Ask the person what they want instead.",
    });
    answer = "decline";
    expect(refusal(await client.call("create_search_analysis", sure))).toMatchObject({
      code: "NOT_CONFIRMED",
      message: "The person declined. This is final: do not retry.",
    });
    answer = "accept";
    expect(refusal(await client.call("create_search_analysis", sure))).toMatchObject({ code: "QUOTE_USED" });
    expect(client.asked).toHaveLength(2);
    expect(await s.made()).toEqual([[], 0]);
    expect(await s.audited()).toEqual(
      expect.arrayContaining([
        ["elicited", "cancelled", null],
        ["elicited", "declined", null],
      ]),
    );
  });

  test(`${name}: a client without forms must say confirmed, and is told what to do first`, async () => {
    await using s = await scene();
    await using client = await s.connect(connect);
    const priced = await client.call("price_search_analysis", { ...(await s.quote(client)), name: "x" });
    expect(refusal(priced).code).toBe("VALIDATION_FAILED");
    const quote = await s.quote(client);
    const asked = refusal(await client.call("create_search_analysis", quote));
    expect(asked).toMatchObject({ code: "VALIDATION_FAILED", fields: [{ path: "confirmed" }] });
    expect(asked.hint).toContain("wait for an explicit yes");
    expect(await s.made()).toEqual([[], 0]);
    const made = await client.call("create_search_analysis", { ...quote, confirmed: true });
    expect(made).toMatchObject({ isError: false, structured: { name: "Phones" } });
    expect(await s.made()).toEqual([["Phones"], 2]);
    expect(await s.audited()).toEqual([
      ["none", "VALIDATION_FAILED", null],
      ["argument", "ok", 2],
    ]);
  });
}

const [auto] = Object.values(CLIENTS) as [Connect];

test("a price tells the assistant to show it and to wait, in text and in structured content", async () => {
  await using s = await scene();
  await using client = await s.connect(auto);
  const { text, structured } = await client.call("price_search_analysis", s.setup);
  const note = `Show the person the whole setup and the cost, and wait for an explicit yes. Only then call create_search_analysis with this quote_id.`;
  expect(text).toContain(`Note: ${note}`);
  expect(text).toContain(`quote_id: ${structured.quote_id}`);
  expect(structured).toMatchObject({ notes: [note], cost: { total_credits: 2 }, balance: { after: 9998 } });
});

test("above the organization's bound the tool gives the address of the approval page, and creates nothing", async () => {
  await using s = await scene();
  await s.owner.patch(s.organization.path, { approval_above_credits: 1 });
  for (const person of [undefined, () => "accept" as const]) {
    await using client = await s.connect(auto, person ? { person } : {});
    const quote = await s.quote(client);
    expect(refusal(await client.call("create_search_analysis", { ...quote, confirmed: true }))).toMatchObject({
      code: "APPROVAL_REQUIRED",
      message: `A person must approve this at ${s.config.baseUrl}/approve/${quote.quote_id}`,
    });
    expect(client.asked).toEqual([]);
  }
  expect(await s.made()).toEqual([[], 0]);
});
