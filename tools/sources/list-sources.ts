import { z } from "zod";
import type { ProviderInfo, SourceAdapter, SourceAdapters } from "../../core/sources/adapters.ts";
import {
  CHOSEN_METHODS,
  namedMethodOf,
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

const Bound = z.number().nullable();

const SourceState = z
  .object({
    source: SourceField,
    name: z.string().describe("What people call it."),
    provider: z.string().nullable().describe("Who is asked; null where it has none."),
    provider_title: z.string().nullable(),
    model: z.string().nullable().describe("What the provider is asked for; null where it has none to choose."),
    collection_method: z.enum(COLLECTION_METHODS).nullable(),
    methods: z
      .array(z.object({ method: z.enum(CHOSEN_METHODS), provider: z.string() }))
      .describe("By which methods a setup can have it asked, and who answers then."),
    state: z
      .enum(SOURCE_STATES)
      .describe(
        "answers and failing: how the newest question of this organization ended. configured: none was asked of this provider yet. simulated: answers are invented. not_configured: its questions fail and cost nothing.",
      ),
    limits: z
      .object({
        concurrency: z.int().describe("Questions at once."),
        requests_per_minute: Bound,
        tokens_per_minute: Bound,
        usd_per_month: Bound.describe("Of all organizations."),
        usd_per_day: Bound.describe("Of all organizations."),
      })
      .nullable()
      .describe(
        "What this service keeps to towards the provider; a null in it is no limit. Null where no provider is asked.",
      ),
    last_answer_at: InstantField.nullable().describe("When the newest question was answered."),
    last_failure: z
      .object({
        kind: z.enum(FAILURE_KINDS).nullable().describe("Null where it was none of the provider."),
        message: z.string(),
        remedy: z.string().describe("What the operator can do."),
        at: InstantField,
      })
      .nullable()
      .describe("The newest question that failed, also where later ones were answered."),
    answers_this_month: z.int().describe("Answers of providers since the first of the month, UTC."),
    usd_this_month: z.number().describe("What providers billed, where that is known."),
    unpriced_this_month: z.int().describe("Of them, those whose price is not known."),
  })
  .meta({ id: "SourceState" });

export const listSources = endpoint({
  name: "listSources",
  method: "GET",
  path: "/v1/organizations/:organization_id/sources",
  group: "Organizations",
  summary: "List the sources with their state",
  description:
    "Who answers each source, whether that works, what to do where it does not, and what it cost this month, for this organization alone.",
  access: { organization: "owner" },
  input: z.strictObject(organizationPath),
  toolColumns: ["source", "name", "provider", "state", "last_failure", "answers_this_month", "usd_this_month"],
  output: z.object({ data: z.array(SourceState) }),
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
        methods: methodsOf(source, adapters),
        ...shapeState(adapters[source], ends.get(source)),
        answers_this_month: answers,
        usd_this_month: usd,
        unpriced_this_month: unpriced,
      };
    });
    return { data };
  },
});

function methodsOf(source: Source, adapters: SourceAdapters) {
  return listSourceVariants(source).flatMap((asked) => {
    const [method, { provider }] = [namedMethodOf(asked), adapters[asked]];
    return method === undefined || provider === null ? [] : [{ method, provider: provider.name }];
  });
}

function isRealProvider({ provider, collection_method: method }: SourceAdapter): boolean {
  return provider !== null && method !== "simulated";
}

type SourceOutcomes = { answered: SourceOutcome | null; failed: SourceOutcome | null } | undefined;

function shapeState({ provider, collection_method: method }: SourceAdapter, ends: SourceOutcomes) {
  const none = { model: null, limits: null, last_answer_at: null, last_failure: null };
  if (provider === null) {
    return { provider: null, provider_title: null, collection_method: null, state: "not_configured" as const, ...none };
  }
  const { name, title, model } = provider;
  const shaped = { provider: name, provider_title: title, collection_method: method };
  if (method === "simulated") return { ...shaped, state: "simulated" as const, ...none };
  // Answers of an earlier provider say nothing about this one.
  const answered = ends?.answered?.provider === name ? ends.answered : null;
  const failed = ends?.failed ?? null;
  return {
    ...shaped,
    model,
    state: stateOf(answered, failed),
    limits: shapeLimits(provider),
    last_answer_at: answered?.at ?? null,
    last_failure: failed && shapeFailure(failed, provider),
  };
}

function stateOf(answered: SourceOutcome | null, failed: SourceOutcome | null): (typeof SOURCE_STATES)[number] {
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
  return { kind, message, remedy: known ?? "See the log, and what npx brand-visibility doctor says.", at };
}
