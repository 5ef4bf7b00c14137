import { expect, test } from "vitest";
import {
  FAILURE_KINDS,
  FAILURE_MESSAGES,
  getFailureKindByStatus,
  describeRemedy,
} from "../../core/sources/provider-failures.ts";
import { SOURCE_NAMES, SOURCES } from "../../core/sources/sources.ts";
import { addSourceSpend, listSourceSpend } from "../../db/sources/source-spend.ts";
import { startAssistant } from "../collecting/provider.ts";
import { collectScene } from "../collecting/scene.ts";
import { sourceScene, PRICES } from "./source-scene.ts";

const INSTANT = expect.stringMatching(/^20.*Z$/) as string;

/** A source without prompts, simulated by default. */
function untouched(source: (typeof SOURCES)[number], more: object = {}) {
  return {
    source,
    name: SOURCE_NAMES[source],
    provider: "simulated",
    provider_title: "a simulated world",
    model: null,
    collection_method: "simulated",
    methods: [],
    state: "simulated",
    limits: null,
    last_answer_at: null,
    last_failure: null,
    answers_this_month: 0,
    usd_this_month: 0,
    unpriced_this_month: 0,
    ...more,
  };
}

const OPENAI = {
  provider: "openai",
  provider_title: "an OpenAI-compatible Responses API",
  model: "gpt-test",
  collection_method: "api",
  methods: [{ method: "api", provider: "openai" }],
  limits: { concurrency: 8, requests_per_minute: 600, tokens_per_minute: null, usd_per_month: null, usd_per_day: null },
};
const PERPLEXITY = {
  provider: "perplexity",
  provider_title: "the Perplexity Agent API",
  model: "perplexity/sonar",
  collection_method: "api",
  methods: [{ method: "api", provider: "perplexity" }],
  limits: { concurrency: 3, requests_per_minute: null, tokens_per_minute: null, usd_per_month: 50, usd_per_day: null },
};
const CLAUDE = {
  provider: "anthropic",
  provider_title: "the Anthropic Messages API",
  model: "claude-sonnet-5-5",
  collection_method: "api",
  methods: [{ method: "api", provider: "anthropic" }],
  limits: {
    concurrency: 8,
    requests_per_minute: null,
    tokens_per_minute: null,
    usd_per_month: null,
    usd_per_day: null,
  },
};
const REFUSED = {
  kind: "unauthorized",
  message: "The provider rejected the configured key (HTTP 401).",
  remedy: "Correct PERPLEXITY_API_KEY.",
  at: INSTANT,
};

/** Rows of all sources, with the given values for those with a provider. */
function rows(of: { ASSISTANT_A: object; ASSISTANT_B: object; ASSISTANT_C: object }) {
  return SOURCES.map((source) => untouched(source, { ...of }[source as keyof typeof of] ?? {}));
}

test("lists every source with its state, limits, last failure with a remedy, and cost this month", async () => {
  await using s = await sourceScene();
  const path = `${s.organization.path}/sources`;
  const before = await s.owner.get(path);
  expect(before).toMatchObject({ status: 200 });
  expect(before.body).toEqual({
    data: rows({
      ASSISTANT_A: { ...OPENAI, state: "configured" },
      ASSISTANT_B: { ...PERPLEXITY, state: "configured" },
      ASSISTANT_C: { ...CLAUDE, state: "configured" },
    }),
  });
  await s.ended(await s.create(["phones", "tablets"], { sources: ["ASSISTANT_A", "ASSISTANT_B", "SEARCH_A"] }));
  const { body } = await s.owner.get(path);
  expect(body).toEqual({
    data: rows({
      // Two answers of ten tokens in and five out.
      ASSISTANT_A: { ...OPENAI, state: "answers", last_answer_at: INSTANT, answers_this_month: 2, usd_this_month: 4 },
      ASSISTANT_B: { ...PERPLEXITY, state: "failing", last_failure: REFUSED },
      ASSISTANT_C: { ...CLAUDE, state: "configured" },
    }),
  });
  expect(JSON.stringify(body)).not.toContain("secret");
});

test("shows sources only to an organization's owners, without other organizations' use", async () => {
  await using s = await sourceScene();
  await s.ended(await s.create(["phones"], { sources: ["ASSISTANT_A", "ASSISTANT_B"] }));
  const tenant = await s.insertTenant("Rival");
  const rival = await s.signIn("owner@rival.test", { organizationId: tenant.organization.id, role: "owner" });
  expect((await rival.get(`${s.organization.path}/sources`)).status).toBe(404);
  const editor = await s.signIn("editor@acme.test", { organizationId: s.organization.id, role: "editor" });
  expect((await editor.get(`${s.organization.path}/sources`)).status).toBe(403);
  const { body } = await rival.get(`${tenant.organization.path}/sources`);
  expect(body).toEqual({
    data: rows({
      ASSISTANT_A: { ...OPENAI, state: "configured" },
      ASSISTANT_B: { ...PERPLEXITY, state: "configured" },
      ASSISTANT_C: { ...CLAUDE, state: "configured" },
    }),
  });
});

test("a source that has no provider is not configured", async () => {
  await using s = await collectScene({ env: { SIMULATION: "0" } });
  const { body } = await s.owner.get(`${s.organization.path}/sources`);
  const none = { provider: null, provider_title: null, collection_method: null, state: "not_configured" };
  expect(body).toEqual({ data: SOURCES.map((source) => untouched(source, none)) });
});

test("counts a prompt that a spending cap prevented as no failure of its provider", async () => {
  const env = { OPENAI_API_KEY: "sk-secret", OPENAI_PRICES: PRICES, OPENAI_MOST_USD: "1", OPENAI_MONTHLY_USD: "0" };
  await using s = await collectScene({ env });
  await s.ended(await s.create(["phones"], { sources: ["ASSISTANT_A"] }));
  const { body } = await s.owner.get(`${s.organization.path}/sources`);
  const state = body.data.find(({ source }: { source: string }) => source === "ASSISTANT_A");
  expect([state.state, state.last_failure]).toEqual([
    "failing",
    {
      kind: null,
      message: "The monthly spending cap of the provider is reached.",
      remedy:
        "A spending cap is reached or cannot be enforced; npx brand-visibility doctor shows the cap. The operator must raise it, or run the collect again on the next day or in the next month.",
      at: INSTANT,
    },
  ]);
});

test("counts answers without a known price apart from billed ones, and starts each month at zero", async () => {
  let now = "2026-11-30T23:00:00.000Z";
  await using provider = await startAssistant();
  await using s = await collectScene({ env: provider.env, now: () => now });
  await s.ended(await s.create(["phones", "tablets"], { sources: ["ASSISTANT_A", "ASSISTANT_B"] }));
  const organizationId = s.organization.id;
  const spend = () => s.store.read((db) => listSourceSpend({ db, organizationId }, now));
  expect(await spend()).toEqual([{ source: "ASSISTANT_A", usd: 0, answers: 2, unpriced: 2 }]);
  // Cost of a failed attempt.
  const bill = { organizationId, source: "ASSISTANT_A" as const, usd: 0.25, answers: 0, unpriced: 0 };
  await s.store.write((db) => addSourceSpend(db, [bill], now));
  expect(await spend()).toEqual([{ source: "ASSISTANT_A", usd: 0.25, answers: 2, unpriced: 2 }]);
  now = "2026-12-01T01:00:00.000Z";
  expect(await spend()).toEqual([]);
});

test("has a remedy with its variables for each kind of failure, and maps each status to its kind", () => {
  expect([401, 402, 403, 404, 408, 429, 500, 503].map(getFailureKindByStatus)).toEqual([
    "unauthorized",
    "out_of_quota",
    "unauthorized",
    "rejected",
    "unavailable",
    "rate_limited",
    "unavailable",
    "unavailable",
  ]);
  const variables = ["X_KEY", "X_BASE_URL", "X_MODEL", "X_MONTHLY_USD", "X_REQUESTS_PER_MINUTE", "X_TIMEOUT_SECONDS"];
  const remedies = FAILURE_KINDS.map((kind) => describeRemedy(kind, { name: "x", needs: ["X_KEY"], variables }));
  expect(remedies).toEqual([
    "Correct X_KEY.",
    "Add credit to the provider account, or raise X_MONTHLY_USD if the cap is reached.",
    "Wait, or lower X_REQUESTS_PER_MINUTE to the limit of the account.",
    "Check whether X_BASE_URL can be reached from here, and whether the provider reports a fault; raise X_TIMEOUT_SECONDS if the provider is only slow.",
    "Correct X_BASE_URL, or check whether it can be reached from here, and whether the provider reports a fault.",
    "Correct X_BASE_URL if it belongs to another service.",
    "Correct X_BASE_URL if it belongs to another service. Otherwise install a newer version: npx brand-visibility doctor --bodies x prints the answer.",
    "Raise the maximum tokens of an answer.",
    "Leave the country or language out of the setup, or choose another provider for the source.",
    "Correct X_MODEL or X_BASE_URL.",
  ]);
  expect(Object.keys(FAILURE_MESSAGES)).toEqual(FAILURE_KINDS);
});
