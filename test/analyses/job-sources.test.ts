import { expect, test } from "vitest";
import { JOB_SOURCES, expandSources, findNamedMethod, toSource, SOURCES } from "../../core/sources/sources.ts";
import { findCreditFaults } from "../collecting/run-state.ts";
import { collectScene } from "../collecting/scene.ts";
import { methodsScene } from "../metrics/methods-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";

const BOTH = ["api", "capture"];

test("an asked source is a source, or an assistant with a method, and identifies both", () => {
  for (const asked of JOB_SOURCES) {
    const method = findNamedMethod(asked);
    expect(asked).toBe(method === undefined ? toSource(asked) : `${toSource(asked)}:${method}`);
  }
  expect(expandSources(["SEARCH_B", "ASSISTANT_A"], [])).toEqual(["SEARCH_B", "ASSISTANT_A"]);
  expect(expandSources(["SEARCH_B", "ASSISTANT_A"], ["capture", "api"])).toEqual([
    "SEARCH_B",
    "ASSISTANT_A:capture",
    "ASSISTANT_A:api",
  ]);
  expect(expandSources(SOURCES, ["api"]).map(toSource)).toEqual(SOURCES);
});

test("an assistant is queried by API and by capture, each at full price", async () => {
  await using s = await methodsScene();
  const sources = ["ASSISTANT_A", "SEARCH_B"];
  const setup = { sources, methods: BOTH, runs_per_prompt: 2 };
  const analysis = await s.create(["best phone", "bad phone"], setup);
  const collect = await s.ended(analysis);
  expect(collect).toMatchObject({ status: "completed", planned: 12, succeeded: 12, cost: { spent_credits: 12 } });
  expect((await s.owner.get(`${analysis}/collects/${collect.id}`)).body.sources).toEqual(
    [
      { source: "ASSISTANT_A", method: "api" },
      { source: "ASSISTANT_A", method: "capture" },
      { source: "SEARCH_B" },
    ].map((one) => ({ ...one, planned: 4, answered: 4, not_shown: 0, refused: 0, failed: 0, failures: [] })),
  );
  const answers = (await s.answers()).map(({ source, run, prompt, text, provider, collectionMethod }) => {
    return source === "SEARCH_B" ? provider : [source, run, prompt, text, provider, collectionMethod].join(" | ");
  });
  expect(answers.toSorted()).toEqual(
    [
      ...["bad", "best"].flatMap((which) =>
        [1, 2].flatMap((run) => [
          `ASSISTANT_A | ${run} | ${which} phone | Acme is fine for ${which} phone. | openai | api`,
          `ASSISTANT_A | ${run} | ${which} phone | Rival for ${which} phone. | cloro | capture`,
        ]),
      ),
      ...Array.from({ length: 4 }, () => "simulated"),
    ].toSorted(),
  );
  expect([s.api.requests.length, s.capture.sent.length]).toEqual([4, 4]);
  expect(await findCreditFaults(s)).toEqual([]);
  const { body } = await s.owner.get(analysis);
  expect(body.setup).toMatchObject({ sources, methods: BOTH });
  const { token } = await mintToolToken(s, s.owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(s.config.mcpUrl, { token });
  const ids = { organization: s.organization.id, workspace: s.workspace.id, analysis: body.id as string };
  expect((await client?.call("get_analysis", ids))?.structured.setup).toMatchObject({ sources, methods: BOTH });
  // Costs are in the ledger under the provider that billed them.
  const spent = await s.store.read((db) => db.q.select().from(db.t.providerSpend));
  const billed = Object.fromEntries(spent.map(({ provider, usd }) => [provider, Number(usd.toFixed(6))]));
  expect(billed).toEqual({ openai: 0.04024, cloro: 0.028 });
});

/** The clock of the service is that of the machine. */
const IN_MONTHS = new Date(Date.now() + 60 * 86_400_000).toISOString();
const KEYWORDS = ["best phone", "phone"];
const THEMATICS = [{ name: "T", topics: [{ name: "A", keywords: KEYWORDS.map((text) => ({ text })) }] }];
const SETUP = { name: "Phones", website: "https://acme.test", thematics: THEMATICS, runs_per_prompt: 3 };

test.each([
  [undefined, { ASSISTANT_A: ["api"], ASSISTANT_B: ["capture"], SEARCH_B: ["simulated"] }],
  [["api"], { ASSISTANT_A: ["api"], SEARCH_B: ["simulated"] }],
  [["capture"], { ASSISTANT_A: ["capture"], ASSISTANT_B: ["capture"] }],
  [BOTH, { ASSISTANT_A: BOTH, SEARCH_B: ["simulated"] }],
  [BOTH.toReversed(), { ASSISTANT_A: BOTH.toReversed() }],
])("methods %j ask %j, at the price of each, before and after a yes", async (methods, asked) => {
  await using s = await methodsScene();
  const given = { ...SETUP, brand_id: s.brandId, sources: Object.keys(asked), methods };
  const priced = await s.owner.post(`${s.workspace.path}/search-analyses/price`, given);
  const ways = Object.entries(asked).flatMap(([source, own]) => own.map((method) => [source, method]));
  const shown = priced.body.sources as { source: string; collection_method: string; real: boolean }[];
  expect(shown.map(({ source, collection_method: method }) => [source, method])).toEqual(ways);
  const each = KEYWORDS.length * 3;
  const whole = each * ways.length;
  expect(priced.body.cost).toMatchObject({ per_collect: whole, total_credits: whole });
  expect(priced.body.cost.breakdown.map(({ quantity }: { quantity: number }) => quantity)).toEqual(
    ways.map(() => each),
  );
  const yes = { quote_id: priced.body.quote_id, confirmed: true };
  const made = await s.owner.post(`${s.workspace.path}/search-analyses`, yes);
  const path = `${s.workspace.path}/analyses/${made.body.id}`;
  expect(await s.ended(path)).toMatchObject({ planned: whole, succeeded: whole, cost: { spent_credits: whole } });
  // A copy and a manual collect use the analysis's methods.
  expect((await s.owner.get(path)).body.setup.methods).toEqual(methods);
  expect((await s.owner.post(`${path}/duplicate`, {})).body.setup.methods).toEqual(methods);
  expect((await s.owner.post(`${path}/collects/price`, {})).body.cost.total_credits).toBe(whole);
  // A changed setup is priced like a new one.
  const change = { ...given, sources: ["ASSISTANT_A"], methods: BOTH, schedule: "weekly", ends_at: IN_MONTHS };
  expect((await s.owner.post(`${path}/setup/price`, change)).body.cost).toMatchObject({ per_collect: 2 * each });
});

test("rejects a method without a provider at pricing, naming the source", async () => {
  await using s = await methodsScene(undefined, { SERVE: "core" });
  const priced = async (sources: string[], methods: string[]) => {
    const { body } = await s.owner.post(`${s.workspace.path}/search-analyses/price`, {
      ...SETUP,
      brand_id: s.brandId,
      sources,
      methods,
    });
    return (body.fields as { path: string; message: string }[] | undefined)?.map(({ path }) => path);
  };
  expect(await priced(["ASSISTANT_A"], BOTH)).toBeUndefined();
  expect(await priced(["ASSISTANT_B"], ["api"])).toEqual(["methods.0"]);
  expect(await priced(["ASSISTANT_A", "ASSISTANT_C"], BOTH)).toEqual(["methods.0", "methods.1"]);
  expect(await priced(["ASSISTANT_A"], ["api", "api"])).toEqual(["methods.1"]);
  expect(await priced(["ASSISTANT_A"], ["serp_provider"])).toEqual(["methods.0"]);
  expect(await priced(["ASSISTANT_A"], [])).toEqual(["methods"]);
  const told = await s.owner.post(`${s.workspace.path}/search-analyses/price`, {
    ...SETUP,
    brand_id: s.brandId,
    sources: ["ASSISTANT_A", "ASSISTANT_C"],
    methods: ["capture"],
  });
  const message =
    "no provider of Claude as a vendor captures it is configured here: leave out the source, or the method";
  expect(told.body.fields).toEqual([{ path: "methods.0", message }]);
});

test("rejects a second method for a simulated assistant, whose answers could show no gap", async () => {
  await using s = await collectScene({ env: { SERVE: "core" } });
  const priced = await s.owner.post(`${s.workspace.path}/search-analyses/price`, {
    ...SETUP,
    brand_id: s.brandId,
    sources: ["ASSISTANT_A"],
    methods: BOTH,
  });
  expect([priced.status, priced.body.fields.map(({ path }: { path: string }) => path)]).toEqual([
    400,
    ["methods.0", "methods.1"],
  ]);
});

test("a group of ten prompts of a brand analysis is paid once for each method", async () => {
  await using s = await methodsScene();
  const brands = (await s.owner.get(`${s.workspace.path}/brands`)).body.data as { id: string; name: string }[];
  const priced = await s.owner.post(`${s.workspace.path}/brand-analyses/price`, {
    name: "Opinion",
    brand_id: s.brandId,
    category: "phones",
    competitor_ids: brands.filter(({ name }) => name === "Rival").map(({ id }) => id),
    sources: ["ASSISTANT_A"],
    methods: BOTH,
    runs_per_prompt: 1,
    prompts: Array.from({ length: 11 }, (_, at) => ({ kind: "unaided", text: `Which phone ${at}?` })),
  });
  expect(priced.body.cost).toMatchObject({ per_collect: 4 });
  const yes = { quote_id: priced.body.quote_id, confirmed: true };
  const { id } = (await s.owner.post(`${s.workspace.path}/brand-analyses`, yes)).body;
  const collect = await s.ended(`${s.workspace.path}/analyses/${id}`);
  expect(collect).toMatchObject({ status: "completed", planned: 22, succeeded: 22, cost: { spent_credits: 4 } });
  expect(await findCreditFaults(s)).toEqual([]);
});
