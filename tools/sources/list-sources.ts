import { z } from "zod";
import type { ProviderInfo, SourceAdapter, SourceAdapters } from "../../core/sources/adapters.ts";
import {
  CHOSEN_METHODS,
  findNamedMethod,
  listSourceVariants,
  COLLECTION_METHODS,
  SOURCE_NAMES,
  SOURCES,
  type Source,
} from "../../core/sources/sources.ts";
import { InstantField, organizationPath, SourceField } from "../../core/shared/fields.ts";
import { FAILURE_KINDS, isFailureKind, describeRemedy } from "../../core/sources/provider-failures.ts";
import { FAILURE_REMEDIES, isFailure } from "../../core/sources/question-outcomes.ts";
import { listSourceSpend } from "../../db/sources/source-spend.ts";
import { findLatestOutcomes, type SourceOutcome } from "../../db/sources/source-outcomes.ts";
import { endpoint } from "../endpoint.ts";

export const SOURCE_STATES = ["not_configured", "simulated", "configured", "answers", "failing"] as const;

const LimitField = z.number().nullable();

const SourceStateSchema = z
  .object({
    source: SourceField,
    name: z.string().describe("Display name."),
    provider: z.string().nullable().describe("Provider that receives the prompts; null for none."),
    provider_title: z.string().nullable(),
    model: z.string().nullable().describe("Requested model; null if the provider offers no choice."),
    collection_method: z.enum(COLLECTION_METHODS).nullable(),
    methods: z
      .array(z.object({ method: z.enum(CHOSEN_METHODS), provider: z.string() }))
      .describe("Available collection methods with their providers."),
    state: z
      .enum(SOURCE_STATES)
      .describe(
        "answers, failing: outcome of this organization's latest prompt. configured: no prompt was sent to this provider yet. simulated: answers are invented. not_configured: prompts fail and cost nothing.",
      ),
    limits: z
      .object({
        concurrency: z.int().describe("Concurrent prompts."),
        requests_per_minute: LimitField,
        tokens_per_minute: LimitField,
        usd_per_month: LimitField.describe("Limit over all organizations."),
        usd_per_day: LimitField.describe("Limit over all organizations."),
      })
      .nullable()
      .describe("Limits of this service towards the provider; a null value means no limit. Null without a provider."),
    last_answer_at: InstantField.nullable().describe("Time of the latest answer."),
    last_failure: z
      .object({
        kind: z.enum(FAILURE_KINDS).nullable().describe("Kind of provider failure; null if the provider did not fail."),
        message: z.string(),
        remedy: z.string().describe("Remedy for the operator."),
        at: InstantField,
      })
      .nullable()
      .describe("Latest failure, even if later prompts were answered."),
    answers_this_month: z.int().describe("Answers of providers since the first of the month, UTC."),
    usd_this_month: z.number().describe("Known charges of providers."),
    unpriced_this_month: z.int().describe("Answers with an unknown price."),
  })
  .meta({ id: "SourceState" });

export const listSources = endpoint({
  name: "listSources",
  method: "GET",
  path: "/v1/organizations/:organization_id/sources",
  group: "Organizations",
  summary: "List sources with their state",
  description:
    "Check the sources (assistants and search engines) that an organization can use: provider, state now, remedy if one does not work, provider charges in USD this month. For failures in a run use get_collect.",
  access: { organization: "owner" },
  input: z.strictObject(organizationPath),
  toolColumns: ["source", "name", "provider", "state", "last_failure", "answers_this_month", "usd_this_month"],
  output: z.object({ data: z.array(SourceStateSchema) }),
  isHeavy: () => true,
  async handle(_input, { tenant, adapters, now }) {
    const asked = SOURCES.filter((source) => listSourceVariants(source).some((one) => isRealProvider(adapters[one])));
    const ends = await findLatestOutcomes(tenant, asked);
    const costs = new Map((await listSourceSpend(tenant, now)).map((cost) => [cost.source, cost]));
    const data = SOURCES.map((source) => {
      const { answers = 0, usd = 0, unpriced = 0 } = costs.get(source) ?? {};
      return {
        source,
        name: SOURCE_NAMES[source],
        methods: listMethods(source, adapters),
        ...shapeState(adapters[source], ends.get(source)),
        answers_this_month: answers,
        usd_this_month: usd,
        unpriced_this_month: unpriced,
      };
    });
    return { data };
  },
});

function listMethods(source: Source, adapters: SourceAdapters) {
  return listSourceVariants(source).flatMap((asked) => {
    const [method, { provider }] = [findNamedMethod(asked), adapters[asked]];
    return method === undefined || provider === null ? [] : [{ method, provider: provider.name }];
  });
}

function isRealProvider({ provider, collection_method: method }: SourceAdapter): boolean {
  return provider !== null && method !== "simulated";
}

type SourceOutcomes = { lastSuccess: SourceOutcome | null; lastFailure: SourceOutcome | null } | undefined;

function shapeState({ provider, collection_method: method }: SourceAdapter, ends: SourceOutcomes) {
  const none = { model: null, limits: null, last_answer_at: null, last_failure: null };
  if (provider === null) {
    return { provider: null, provider_title: null, collection_method: null, state: "not_configured" as const, ...none };
  }
  const { name, title, model } = provider;
  const shaped = { provider: name, provider_title: title, collection_method: method };
  if (method === "simulated") return { ...shaped, state: "simulated" as const, ...none };
  // Answers of an earlier provider say nothing about this one.
  const answered = ends?.lastSuccess?.provider === name ? ends.lastSuccess : null;
  const failed = ends?.lastFailure ?? null;
  return {
    ...shaped,
    model,
    state: getState(answered, failed),
    limits: shapeLimits(provider),
    last_answer_at: answered?.at ?? null,
    last_failure: failed && shapeFailure(failed, provider),
  };
}

function getState(answered: SourceOutcome | null, failed: SourceOutcome | null): (typeof SOURCE_STATES)[number] {
  if (failed && (!answered || failed.at > answered.at)) return "failing";
  return answered ? "answers" : "configured";
}

function shapeLimits({ limits }: ProviderInfo) {
  return {
    concurrency: limits.concurrency,
    requests_per_minute: limits.requestsPerMinute,
    tokens_per_minute: limits.tokensPerMinute,
    usd_per_month: limits.spendCapUsd,
    usd_per_day: limits.dailyCapUsd,
  };
}

function shapeFailure({ at, reason, outcome }: SourceOutcome, provider: ProviderInfo) {
  const message = reason ?? "The question was not answered.";
  const kind = outcome !== null && isFailureKind(outcome) ? outcome : null;
  if (kind !== null) return { kind, message, remedy: describeRemedy(kind, provider), at };
  const known = outcome !== null && isFailure(outcome) ? FAILURE_REMEDIES[outcome] : undefined;
  return { kind, message, remedy: known ?? "Check the log, and run npx brand-visibility doctor.", at };
}
