import type { SourceAdapters } from "../../core/sources/adapters.ts";
import { KEYWORD_DATA_LIFETIME_MS, type KeywordDataPrices } from "../../core/analyses/keyword-data.ts";
import { countCollectsApart, countCollects, completeSchedule } from "../../core/analyses/schedule.ts";
import { findNamedMethod, toSource, type JobSource } from "../../core/sources/sources.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { CollectsCost, Cost } from "../quotes/quote.ts";
import type { AnalysisKind, AnalysisSetup, Prices } from "../analyses/kinds/analysis-kind.ts";

interface PaidUnits {
  sources: readonly JobSource[];
  /** Shown after the source: "keywords x runs, each collect". */
  unitLabel: string;
  quantity: number;
  unitCredits: number;
  /** Absent if a unit is one question. */
  questions?: number;
}

/** See service.md section 4. */
export function computeUnitsCost(
  { sources, unitLabel, quantity, unitCredits, questions }: PaidUnits,
  adapters: SourceAdapters,
): Cost {
  const credits = quantity * sources.length * unitCredits;
  const usd = sources.map((source) => adapters[source].usd_per_question);
  const known = usd.filter((value) => value !== null);
  const prompts = questions ?? quantity;
  return {
    credits,
    total_credits: credits,
    breakdown: sources.map((source) => ({
      what: `${formatLabel(source)}: ${unitLabel}`,
      quantity,
      unit_credits: unitCredits,
      credits: quantity * unitCredits,
      ...(questions === undefined ? {} : { questions }),
    })),
    estimated_provider_cost_usd:
      known.length === usd.length ? known.reduce((sum, value) => sum + value * prompts, 0) : null,
  };
}

function formatLabel(asked: JobSource): string {
  const method = findNamedMethod(asked);
  return method === undefined ? toSource(asked) : `${toSource(asked)} by ${method}`;
}

export function collectsCost<Setup extends AnalysisSetup>(
  kind: Pick<AnalysisKind<never, Setup>, "plan" | "collectCost" | "buildRunPlan">,
  setup: Setup,
  { now, ...by }: Prices & { now: Instant },
): CollectsCost {
  const { schedule, ends_at: endsAt } = setup;
  const plan = kind.plan(setup);
  const isAsked = kind.buildRunPlan(plan.settings).sources.length > 0;
  const collects = isAsked ? countCollects(completeSchedule(schedule, now), now, endsAt ?? null) : 0;
  const { credits: perCollect, breakdown, estimated_provider_cost_usd: usd } = kind.collectCost(plan, by);
  const total = perCollect * collects;
  return {
    credits: total,
    per_collect: perCollect,
    collects_planned: collects,
    total_credits: total,
    breakdown,
    estimated_provider_cost_usd: usd === null ? null : usd * collects,
  };
}

/** US dollars, null if unknown. Counts the first fetch and each later one for outdated data. */
export function estimateKeywordsUsd<Setup extends AnalysisSetup>(
  kind: Pick<AnalysisKind<never, Setup>, "unknownKeywords">,
  setup: Setup,
  { now, keywordPrices }: { now: Instant; keywordPrices: KeywordDataPrices },
): number | null {
  const { schedule, ends_at: endsAt = null } = setup;
  const readings = countCollectsApart(completeSchedule(schedule, now), {
    now,
    endsAt,
    apartMs: KEYWORD_DATA_LIFETIME_MS,
  });
  return keywordPrices.reduce<number | null>((sum, { dataKind, maxKeywords, usdPerTask }) => {
    const tasks = Math.ceil((kind.unknownKeywords?.(setup, dataKind) ?? 0) / maxKeywords) * readings;
    if (tasks === 0) return sum;
    return sum === null || usdPerTask === null ? null : sum + usdPerTask * tasks;
  }, 0);
}
