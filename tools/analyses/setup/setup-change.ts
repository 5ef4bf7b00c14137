import { z } from "zod";
import type { AnalysisRow } from "../../../db/analyses/analyses.ts";
import { releaseReserved } from "../../../db/credits/credits.ts";
import { hasQuestionsToCome } from "../../../db/analyses/collect-progress.ts";
import { replaceSetup } from "../../../db/analyses/setups.ts";
import { AppError, notFound } from "../../../core/shared/errors.ts";
import { countRounds, completeSchedule, MAX_COLLECTS, findNextRound } from "../../../core/analyses/schedule.ts";
import type { Instant } from "../../../core/shared/time.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import type { Context } from "../../endpoint.ts";
import type { Creation, PricedSetup } from "../../quotes/confirmed-creation.ts";
import { Cost } from "../../quotes/quote.ts";
import { shapeAnalysis } from "../analysis.ts";
import type { AnalysisSetup } from "../kinds/analysis-kind.ts";
import { getAnalysisKind } from "../kinds/kinds.ts";
import { powerLines, type Power } from "./power.ts";
import { readSpread } from "./read-spread.ts";
import { ACTIVE_STATUSES, requireAnalysisIn } from "../run-control.ts";
import { storeSetupQuestions } from "./setup-questions.ts";
import { requireSufficientCap, spendCapLines, getSpendCap } from "./spend-cap.ts";
import { formatInteger, formatCount } from "../../../core/shared/format-count.ts";

export const SetupChangeCost = Cost.extend({
  credits: z.int().describe("Additional credits reserved on confirmation; 0 if no more are needed."),
  per_collect: z.int().describe("Credits per run."),
  collects_left: z.int().describe("Runs planned from now on."),
  planned_credits: z.int().describe("per_collect × collects_left."),
  reserved_credits: z.int().describe("Credits now reserved for planned runs."),
  released_credits: z.int().describe("Credits released on confirmation if fewer are needed."),
}).meta({ id: "SetupChangeCost" });
type SetupChangeCost = z.output<typeof SetupChangeCost>;

interface SetupChange {
  analysis: AnalysisRow;
  setup: AnalysisSetup;
  next: Instant | undefined;
  power: Power | null;
}

/** NOT_FOUND, or CONFLICT if the setup cannot change now. */
export async function requireChangeableAnalysis(analysisId: string, tenant: Tenant): Promise<AnalysisRow> {
  const analysis = await requireAnalysisIn(tenant, analysisId, [...ACTIVE_STATUSES, "paused"]);
  if (await hasQuestionsToCome(tenant, analysisId)) {
    throw new AppError(
      "CONFLICT",
      `The analysis is ${analysis.status}: its prompts are being stored. Try again in a few seconds.`,
    );
  }
  return analysis;
}

export async function planSetupChange(
  analysisId: string,
  given: AnalysisSetup,
  context: Context,
): Promise<PricedSetup<SetupChange, SetupChangeCost>> {
  const { tenant, now } = context;
  const analysis = await requireChangeableAnalysis(analysisId, tenant);
  const kind = getAnalysisKind(analysis.type);
  const setup = await kind.normalise(tenant, given, context);
  const lacks = kind.lookup?.missingReason(setup);
  if (lacks !== undefined) throw new AppError("VALIDATION_FAILED", lacks);
  const plan = kind.plan(setup);
  if (analysis.type !== "geo_audit" && plan.brandId !== analysis.brandId) {
    const fields = [
      {
        path: "brand_id",
        message: "is the measured brand, which cannot change; create another analysis for another brand",
      },
    ];
    throw new AppError(
      "VALIDATION_FAILED",
      "The own brand of an analysis cannot change. Create another analysis for another brand.",
      { fields },
    );
  }
  requireSufficientCap(setup, { sources: kind.sources(setup), ...context });
  const schedule = completeSchedule(setup.schedule, now);
  const next = kind.buildRunPlan(plan.settings).sources.length === 0 ? undefined : findNextRound(schedule, now);
  const roundsLeft = countRounds(schedule, next, setup.ends_at ?? null, MAX_COLLECTS - 1);
  const { credits: perCollect, breakdown, estimated_provider_cost_usd: usd } = kind.collectCost(plan, context);
  const planned = perCollect * roundsLeft;
  const reserved = analysis.roundsLeft * analysis.roundCredits;
  const more = Math.max(0, planned - reserved);
  const cost = {
    credits: more,
    total_credits: more,
    breakdown,
    estimated_provider_cost_usd: usd === null ? null : usd * roundsLeft,
    per_collect: perCollect,
    collects_left: roundsLeft,
    planned_credits: planned,
    reserved_credits: reserved,
    released_credits: Math.max(0, reserved - planned),
  };
  const power = kind.power(setup, await readSpread(tenant, analysis));
  return { setup: { analysis, setup, next, power }, cost };
}

export const changeCreation: Creation<
  { quote_id: string; analysis_id: string },
  SetupChange,
  SetupChangeCost,
  ReturnType<typeof shapeAnalysis>
> = {
  kind: "setup_change",
  checkQuote({ setup }, { analysis_id }) {
    if (setup["analysis_id"] !== analysis_id) throw notFound("quote");
  },
  async priceSetup(quote, context) {
    const { analysis_id: analysisId, ...setup } = quote.setup;
    // Rows that the setup refers to may have been deleted since it was priced.
    return planSetupChange(String(analysisId), setup as unknown as AnalysisSetup, context);
  },
  present: presentChange,
  buildReservation: ({ analysis: { id, name } }) => ({
    id,
    ledgerCause: { analysisId: id, note: `Reserved for another setup of ${name}` },
  }),
  create: async (_id, change, context) => shapeAnalysis(await applyChange(change, context)),
};

async function applyChange({ setup: change, cost }: PricedSetup<SetupChange, SetupChangeCost>, context: Context) {
  const { tenant, now, newId, userId, prices } = context;
  const { analysis, setup, next } = change;
  const kind = getAnalysisKind(analysis.type);
  const { settings, prompts, competitorIds, questionCount } = kind.plan(setup);
  const asked = { analysisId: analysis.id, setup, questionCount, newId };
  const positions = await storeSetupQuestions(tenant, kind, asked);
  const note = `Credits that another setup of ${analysis.name} does not need`;
  const cause = { id: newId(), at: now, note, workspaceId: tenant.workspaceId, analysisId: analysis.id };
  await releaseReserved(tenant, cost.released_credits, cause);
  const unitCredits = kind.unitCredits(prices);
  const version = { setup: settings, prompts: prompts === null ? null : [...prompts], positions };
  const paid = { questionCount, unitCredits, createdBy: userId };
  return replaceSetup(
    tenant,
    analysis,
    { ...version, ...paid },
    {
      competitorIds,
      name: setup.name,
      schedule: completeSchedule(setup.schedule, now),
      endsAt: setup.ends_at ?? null,
      roundsLeft: cost.collects_left,
      roundCredits: cost.per_collect,
      spendCapMicros: getSpendCap(setup),
      nextCollectAt: cost.collects_left > 0 ? (next ?? null) : null,
      at: now,
    },
  );
}

export async function presentChange(
  { setup: { analysis, setup, power }, cost }: PricedSetup<SetupChange, SetupChangeCost>,
  { tenant, adapters }: Context,
  fullListAddress: string | null,
): Promise<string[]> {
  const kind = getAnalysisKind(analysis.type);
  const { per_collect: per, collects_left: roundsLeft, released_credits: released } = cost;
  const expectedUsd = cost.estimated_provider_cost_usd;
  return [
    `Change the setup of the ${kind.noun} "${analysis.name}", from its next run on?`,
    "",
    `Name: ${setup.name}`,
    ...(await kind.present(tenant, setup, { adapters, fullListAddress })),
    "",
    `Planned: ${formatCount(cost.planned_credits, "credit")} (${formatInteger(per)} x ${formatCount(roundsLeft, "run")}). Reserved now: ${formatCount(cost.reserved_credits, "credit")}.`,
    `Cost: ${formatCount(cost.total_credits, "credit")} more.`,
    ...(await spendCapLines(tenant.db, getSpendCap(setup), { analysisId: analysis.id, expectedUsd })),
    ...powerLines(kind, power),
    ...(released === 0 ? [] : [`Released: ${formatCount(released, "credit")}.`]),
  ];
}
