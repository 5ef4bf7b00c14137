import type { AnalysisRow } from "../../db/analyses/analyses.ts";
import { insertNextCollect, type RunPlan } from "../../db/analyses/collects.ts";
import { hasQuestionsToCome } from "../../db/analyses/collect-progress.ts";
import { listOpenCollects } from "../../db/analyses/run-control.ts";
import { findSetup, type SetupRow } from "../../db/analyses/setups.ts";
import { AppError, notFound } from "../../core/shared/errors.ts";
import { isSource } from "../../core/sources/sources.ts";
import type { Context } from "../endpoint.ts";
import type { Creation } from "../quotes/confirmed-creation.ts";
import type { Cost } from "../quotes/quote.ts";
import { shapeCollect } from "./collect.ts";
import { getAnalysisKind } from "../analyses/kinds/kinds.ts";
import { powerLines, type Power } from "../analyses/setup/power.ts";
import { readSpread } from "../analyses/setup/read-spread.ts";
import { ACTIVE_STATUSES, requireAnalysisIn } from "../analyses/run-control.ts";
import { formatSources } from "../analyses/setup/sources-shown.ts";
import { spendCapLines } from "../analyses/setup/spend-cap.ts";
import { formatCount } from "../../core/shared/format-count.ts";

export interface CollectQuote {
  analysis_id: string;
  setup_version: number;
}

interface NextCollect extends CollectQuote {
  analysis: AnalysisRow;
  setupRow: SetupRow;
  power: Power | null;
  runPlan: RunPlan;
}

/** NOT_FOUND, or CONFLICT if the analysis cannot collect now. */
export async function planNextCollect(
  analysisId: string,
  context: Context,
): Promise<{ setup: NextCollect; cost: Cost }> {
  const { tenant, prices, now } = context;
  const analysis = await requireAnalysisIn(tenant, analysisId, ACTIVE_STATUSES);
  const isInProgress =
    (await hasQuestionsToCome(tenant, analysisId)) || (await listOpenCollects(tenant, analysisId)).length > 0;
  if (isInProgress) {
    throw new AppError(
      "CONFLICT",
      `The analysis is ${analysis.status}, and a collect is in progress. Try again when the collect has completed.`,
    );
  }
  const kind = getAnalysisKind(analysis.type);
  const stored = await findSetup(tenant, analysis);
  const runPlan = kind.buildRunPlan(stored.setup);
  if (runPlan.sources.length === 0) {
    throw new AppError(
      "CONFLICT",
      `The analysis is ${analysis.status} and its setup has no sources. Change the setup first.`,
    );
  }
  const setupRow = { ...stored, unitCredits: kind.unitCredits(prices) };
  const { setup: settings, prompts, questionCount } = stored;
  const cost = kind.collectCost({ settings, prompts, questionCount }, context);
  const power = kind.power(await kind.loadSetup(tenant, analysis, now), await readSpread(tenant, analysis));
  return {
    setup: { analysis_id: analysisId, setup_version: setupRow.version, analysis, setupRow, runPlan, power },
    cost,
  };
}

export const collectCreation: Creation<
  { quote_id: string; analysis_id: string },
  NextCollect,
  Cost,
  ReturnType<typeof shapeCollect>
> = {
  kind: "collect",
  checkQuote({ setup }, { analysis_id }) {
    if (setup["analysis_id"] !== analysis_id) throw notFound("quote");
  },
  async priceSetup(quote, context) {
    const found = await planNextCollect(String(quote.setup["analysis_id"]), context);
    if (found.setup.setup_version === quote.setup["setup_version"]) return found;
    throw new AppError("PRICE_CHANGED", "The setup has changed since the price was shown. Request a new price.");
  },
  present: ({ setup, cost }, context) => presentCollect(setup, cost, context),
  buildReservation({ analysis, analysis_id: analysisId }, newId) {
    const id = newId();
    return { id, ledgerCause: { analysisId, collectId: id, note: `Reserved for a collect of ${analysis.name}` } };
  },
  async create(id, { setup: { analysis, setupRow: setup, runPlan }, cost }, { tenant, now: at, newId }) {
    const credits = cost.total_credits;
    const plan = { id, analysisId: analysis.id, setup, runPlan, credits, isScheduled: false, at, newId };
    return shapeCollect(await insertNextCollect(tenant, plan), at);
  },
};

export async function presentCollect(
  { analysis, setupRow, runPlan, power }: NextCollect,
  cost: Cost,
  { tenant, adapters }: Context,
): Promise<string[]> {
  const { sources, runs } = runPlan;
  const cap = { analysisId: analysis.id, expectedUsd: cost.estimated_provider_cost_usd };
  return [
    `Collect "${analysis.name}" once more, now?`,
    "",
    ...(sources.every(isSource)
      ? [
          `Questions: ${formatCount(setupRow.questionCount, "question")}, as in its setup`,
          `Sources: ${formatSources(sources, adapters)}`,
          `Each question is asked: ${formatCount(runs, "time")} per source`,
        ]
      : [`Pages: ${formatCount(setupRow.questionCount, "page")}, as in its setup`]),
    "",
    `Cost: ${formatCount(cost.total_credits, "credit")}.`,
    ...(await spendCapLines(tenant.db, analysis.spendCapMicros, cap)),
    ...powerLines(getAnalysisKind(analysis.type), power),
  ];
}
