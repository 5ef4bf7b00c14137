import { expect, test } from "vitest";
import { z } from "zod";
import { SOURCES } from "../../core/sources/sources.ts";
import { listSettings, readConfig } from "../../src/config/config.ts";
import { describeAdapters, openSources } from "../../src/outside/sources/open-sources.ts";
import { declareProvider } from "../../src/outside/sources/declare-provider.ts";
import { PROVIDERS } from "../../src/outside/sources/providers.ts";
import { waitForAnswer, QUESTION } from "../providers/ask-provider.ts";

/** A provider that exists only in this test, to show how one is added. */
const rival = declareProvider({
  name: "rival",
  title: "a rival",
  serves: { ASSISTANT_A: "api", ASSISTANT_B: "capture" },
  mayServe: { ASSISTANT_D: "api" },
  settings: z.object({
    RIVAL_KEY: z.string().optional().describe("Key for the rival."),
    RIVAL_PER_MINUTE: z.coerce.number().min(1).default(60).describe("Most requests a minute."),
  }),
  needs: ["RIVAL_KEY"],
  recordedOn: null,
  configure: ({ RIVAL_KEY, RIVAL_PER_MINUTE }) =>
    RIVAL_KEY === undefined ? undefined : { RIVAL_KEY, RIVAL_PER_MINUTE },
  limits: ({ RIVAL_PER_MINUTE }) => ({ requestsPerMinute: RIVAL_PER_MINUTE }),
  price: (_, source) => ({ expectedUsd: source === "ASSISTANT_A" ? 0.02 : 0.03, maxUsd: null }),
  ask({ prompt }, { configured: { RIVAL_KEY } }) {
    const text = prompt === "" ? "" : `${RIVAL_KEY} says ${prompt}`;
    const said = { text, citations: [], results: [], rawBody: `raw: ${text}` };
    return Promise.resolve({ ...said, model: "r-1", costUsd: 0.01, tokens: 7 });
  },
});

const question = { ...QUESTION, source: "ASSISTANT_B" as const };

/** The sources of a process that knows these providers, as its environment configures them. */
function sourcesOf(env: Record<string, string>, declared = [...PROVIDERS.slice(0, 1), rival, ...PROVIDERS.slice(1)]) {
  const { providers, chosenProviders } = readConfig(env, declared);
  return openSources(providers, chosenProviders);
}

const namesOf = (sources: ReturnType<typeof openSources>) =>
  Object.fromEntries(SOURCES.map((source) => [source, sources[source].name]));

const allSimulated = Object.fromEntries(SOURCES.map((source) => [source, "simulated"]));

test("a provider is its declaration: settings, sources, adapters and answers follow from it", async () => {
  const sources = sourcesOf({ RIVAL_KEY: "key", RIVAL_PER_MINUTE: "30", COLLECT_CONCURRENCY: "3" });
  expect(namesOf(sources)).toEqual({ ...allSimulated, ASSISTANT_A: "rival", ASSISTANT_B: "rival" });
  const asked = sources.ASSISTANT_B;
  if (asked.name === null) throw new Error("the rival is not configured");
  expect(asked.limits).toEqual({
    concurrency: 3,
    requestsPerMinute: 30,
    tokensPerMinute: null,
    spendCapUsd: null,
    dailyCapUsd: null,
  });
  expect(await waitForAnswer(asked, question)).toEqual({
    text: "key says best phone",
    citations: [],
    results: [],
    rawBody: "raw: key says best phone",
    model: "r-1",
    costUsd: 0.01,
    tokens: 7,
    provider: "rival",
    collectionMethod: "capture",
  });
  const empty = waitForAnswer(asked, { ...question, prompt: "" });
  await expect(empty).rejects.toMatchObject({ kind: "malformed", rawBody: "raw: ", costUsd: 0.01 });
  expect(describeAdapters(sources)).toMatchObject({
    ASSISTANT_A: { collection_method: "api", isConfigured: true, usd_per_question: 0.02 },
    ASSISTANT_B: { collection_method: "capture", isConfigured: true, usd_per_question: 0.03 },
    ASSISTANT_C: { collection_method: "simulated", isConfigured: true, usd_per_question: 0 },
  });
});

test("uses the provider that the operator chose for a source, among the capable ones", () => {
  const keys = { OPENAI_API_KEY: "key", RIVAL_KEY: "key" };
  const chosen = { SOURCE_ASSISTANT_A: "rival", SOURCE_ASSISTANT_D: "rival", SOURCE_ASSISTANT_B: "simulated" };
  const names = { ...allSimulated, ASSISTANT_A: "rival", ASSISTANT_D: "rival" };
  expect(namesOf(sourcesOf({ ...keys, ...chosen }))).toEqual(names);
  const { ASSISTANT_A: unset } = sourcesOf({ SOURCE_ASSISTANT_A: "rival" });
  expect(unset).toEqual({ name: null, reason: "SOURCE_ASSISTANT_A names a provider that is not configured." });
  expect(() => sourcesOf({ SOURCE_ASSISTANT_C: "rival" })).toThrow("SOURCE_ASSISTANT_C: must be one of ");
});

test("uses the first provider with a method, or the one chosen for the method, or for the source if it has the method", () => {
  const keys = { OPENAI_API_KEY: "key", RIVAL_KEY: "key", CLORO_API_KEY: "key" };
  const byMethod = (env: Record<string, string>) => {
    const sources = sourcesOf({ ...keys, ...env });
    return (["ASSISTANT_A", "ASSISTANT_A:api", "ASSISTANT_A:capture"] as const).map((asked) => sources[asked].name);
  };
  expect(byMethod({})).toEqual(["openai", "openai", "cloro"]);
  expect(byMethod({ SOURCE_ASSISTANT_A: "rival" })).toEqual(["rival", "rival", "cloro"]);
  expect(byMethod({ SOURCE_ASSISTANT_A: "cloro" })).toEqual(["cloro", "openai", "cloro"]);
  expect(byMethod({ SOURCE_ASSISTANT_A_API: "rival" })).toEqual(["openai", "rival", "cloro"]);
  expect(byMethod({ CLORO_API_KEY: "", SOURCE_ASSISTANT_A_CAPTURE: "cloro" })).toEqual(["openai", "openai", null]);
  const unset = sourcesOf({ RIVAL_KEY: "key", SOURCE_ASSISTANT_A_API: "openai" });
  expect([unset["ASSISTANT_A:api"], unset["ASSISTANT_D:capture"]]).toEqual([
    { name: null, reason: "SOURCE_ASSISTANT_A_API names a provider that is not configured." },
    { name: null, reason: "No provider of ASSISTANT_D by capture is configured." },
  ]);
  expect(() => sourcesOf({ SOURCE_ASSISTANT_A_API: "cloro" })).toThrow(
    "SOURCE_ASSISTANT_A_API: must be one of openai, rival",
  );
});

test("uses the first configured provider of a source, and reports a source without one as not configured", () => {
  const keys = { OPENAI_API_KEY: "key", RIVAL_KEY: "key" };
  expect(namesOf(sourcesOf(keys))).toMatchObject({ ASSISTANT_A: "openai", ASSISTANT_B: "rival" });
  const sources = sourcesOf({ ...keys, SIMULATION: "0" });
  expect(sources.ASSISTANT_C).toEqual({
    name: null,
    reason: "No provider is configured for ASSISTANT_C, and simulation is off.",
  });
  expect(describeAdapters(sources).ASSISTANT_C).toEqual({
    collection_method: "api",
    isConfigured: false,
    usd_per_question: 0,
    most_usd_per_question: 0,
    provider: null,
  });
  expect(namesOf(sourcesOf({}))).toEqual(allSimulated);
});

test("reports a provider's invalid settings at the start, together with all others", () => {
  const wrong = { PORT: "-1", RIVAL_PER_MINUTE: "none", OPENAI_MONTHLY_USD: "5" };
  for (const name of Object.keys(wrong)) expect(() => sourcesOf(wrong)).toThrow(`  ${name}: `);
  expect(() => readConfig({ OPENAI_MONTHLY_USD: "5" })).toThrow("OPENAI_MONTHLY_USD: needs OPENAI_PRICES");
});

test("has one meaning, a description and a printable default per setting", () => {
  const settings = listSettings([...PROVIDERS, rival]);
  expect(settings).toContainEqual({ name: "RIVAL_PER_MINUTE", description: "Most requests a minute.", default: 60 });
  const names = settings.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  expect(settings.filter(({ description }) => description === "")).toEqual([]);
});
