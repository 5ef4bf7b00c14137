import { z } from "zod";
import { requireQuota } from "../../../db/credits/quotas.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { workspacePath } from "../../../core/shared/fields.ts";
import type { Context } from "../../endpoint.ts";
import { confirmedCreation, type PricedSetup } from "../../quotes/confirmed-creation.ts";
import { CollectsCost, confirmation, QUOTE_ERROR_CODES, quoteSchema, storeQuote } from "../../quotes/quote.ts";
import { Analysis, shapeAnalysis } from "../analysis.ts";
import type { AnalysisKind, AnalysisSetup } from "./analysis-kind.ts";
import { collectsCost, estimateKeywordsUsd } from "../../collects/collect-cost.ts";
import { launchAnalysis } from "../launch-analysis.ts";
import { startSetupLookup, lookUpAndPrice } from "./setup-lookup.ts";
import { Power, powerLines } from "../setup/power.ts";
import { SourcesShown, describeSources } from "../setup/sources-shown.ts";
import { requireSufficientCap, spendCapLines, getSpendCap } from "../setup/spend-cap.ts";
import { formatInteger, formatCount } from "../../../core/shared/format-count.ts";

const NO_SOURCE =
  "None of the sources has a provider here, so each prompt would fail. Choose other sources; list_sources shows them.";

export function buildPricingDeclaration<Fields extends z.ZodRawShape, Setup extends AnalysisSetup>(
  kind: AnalysisKind<Fields, Setup>,
) {
  const price = async (given: Setup, context: Context) => {
    const setup = await kind.normalise(context.tenant, given, context);
    requireSufficientCap(setup, { sources: kind.sources(setup), ...context });
    const cost = computeCreationCost(kind, setup, context);
    await requireRoomFor(cost, context.tenant);
    const present = (fullListAddress: string | null) =>
      presentAnalysis(kind, { setup, cost }, context, fullListAddress);
    const sources = describeSources(kind.sources(setup), context.adapters);
    const isReachable = sources.length === 0 || sources.some(({ collection_method }) => collection_method !== null);
    const obstacle = isReachable ? undefined : NO_SOURCE;
    const stored = await storeQuote(context, { kind: kind.type, setup, cost, present, obstacle });
    return { ...stored, setup, sources, cost, power: kind.power(setup) };
  };
  return {
    access: { workspace: "editor" },
    scope: "analyses:create",
    isSafe: true,
    input: z.strictObject({ ...workspacePath, ...kind.fields }),
    output: quoteSchema({ setup: kind.setup, sources: SourcesShown, cost: CollectsCost, power: Power.nullable() }),
    errors: ["QUOTA_EXCEEDED"],
    async handle(input: Record<string, unknown>, context: Context) {
      const { organization_id: _organization, workspace_id: _workspace, ...rest } = input;
      const given = rest as unknown as Setup;
      return (await startSetupLookup(kind, given, context)) ?? price(given, context);
    },
    ...(kind.lookup ? { perform: lookUpAndPrice(() => kind, price) } : {}),
  } as const;
}

function computeCreationCost<Fields extends z.ZodRawShape, Setup extends AnalysisSetup>(
  kind: AnalysisKind<Fields, Setup>,
  setup: Setup,
  context: Context,
): CollectsCost {
  const cost = collectsCost(kind, setup, context);
  const { estimated_provider_cost_usd: answers } = cost;
  const keywords = estimateKeywordsUsd(kind, setup, context);
  return { ...cost, estimated_provider_cost_usd: answers === null || keywords === null ? null : answers + keywords };
}

async function requireRoomFor({ breakdown }: CollectsCost, tenant: Tenant): Promise<void> {
  await requireQuota(tenant, "analyses");
  const answers = breakdown.reduce((sum, { quantity, questions = quantity }) => sum + questions, 0);
  if (answers > 0) await requireQuota(tenant, "answers", answers);
}

async function presentAnalysis<Fields extends z.ZodRawShape, Setup extends AnalysisSetup>(
  kind: AnalysisKind<Fields, Setup>,
  { setup, cost }: PricedSetup<Setup, CollectsCost>,
  { tenant, adapters }: Context,
  fullListAddress: string | null,
): Promise<string[]> {
  const perCollect = formatInteger(cost.per_collect);
  const expectedUsd = cost.estimated_provider_cost_usd;
  return [
    `Create the ${kind.noun} "${setup.name}"?`,
    "",
    ...(await kind.present(tenant, setup, { adapters, fullListAddress })),
    "",
    `Cost: ${formatCount(cost.total_credits, "credit")} (${perCollect} x ${formatCount(cost.collects_planned, "run")}).`,
    ...(await spendCapLines(tenant.db, getSpendCap(setup), { expectedUsd })),
    ...powerLines(kind, kind.power(setup)),
  ];
}

export function buildCreationDeclaration<Fields extends z.ZodRawShape, Setup extends AnalysisSetup>(
  kind: AnalysisKind<Fields, Setup>,
) {
  return {
    access: { workspace: "editor" },
    scope: "analyses:create",
    input: z.strictObject(confirmation),
    output: Analysis,
    errors: [...QUOTE_ERROR_CODES, "QUOTA_EXCEEDED"],
    ...confirmedCreation({
      kind: kind.type,
      async priceSetup(quote, context) {
        // Rows that the setup refers to may have been deleted since it was priced.
        const setup = await kind.normalise(context.tenant, quote.setup as unknown as Setup, {
          ...context,
          now: quote.createdAt,
        });
        requireSufficientCap(setup, { sources: kind.sources(setup), ...context });
        const cost = computeCreationCost(kind, setup, { ...context, now: quote.createdAt });
        await requireRoomFor(cost, context.tenant);
        return { setup, cost };
      },
      present: (priced, context, fullListAddress) => presentAnalysis(kind, priced, context, fullListAddress),
      buildReservation(setup, newId) {
        const analysisId = newId();
        return { id: analysisId, ledgerCause: { analysisId, note: `Reserved for the ${kind.noun} ${setup.name}` } };
      },
      async create(id, { setup, cost, quoteId }, { tenant, userId, now, newId, prices, keywordPrices }) {
        const unitCredits = kind.unitCredits(prices);
        const hasKeywordProvider = keywordPrices.length > 0;
        const by = { userId, now, newId, hasKeywordProvider };
        const launch = { id, quoteId, setup, cost, unitCredits, startedCollectCount: 1, ...by };
        return shapeAnalysis(await launchAnalysis(kind, tenant, launch));
      },
    }),
  } as const;
}
