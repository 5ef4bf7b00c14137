import type { SourceAdapters } from "../../../core/adapters.ts";
import type { PriceTable } from "../../../core/prices.ts";
import { summedTogether } from "../../../core/sources.ts";
import { powerOf } from "../../../core/statistics/power.ts";
import { countCollects, fixedSchedule } from "../../../core/schedule.ts";
import type { Instant } from "../../../core/time.ts";
import type { CollectsCost } from "../../quotes/quote.ts";
import { collectCost } from "../collect-cost.ts";
import type { Power } from "../power.ts";
import { countKeywords, keywordsOf, type SearchAnalysisSetup } from "./search-analysis-setup.ts";

/** One credit price per keyword, source and run, over every planned collect. */
export function priceOf(
  setup: SearchAnalysisSetup,
  now: Instant,
  by: { prices: PriceTable; adapters: SourceAdapters },
): CollectsCost {
  const { sources, runs_per_prompt: runs, schedule, ends_at: endsAt } = setup;
  const asked = { sources, runs, questions: countKeywords(setup), unitCredits: by.prices.search_analysis_question };
  const collects = sources.length === 0 ? 0 : countCollects(fixedSchedule(schedule, now), now, endsAt ?? null);
  const { credits: perCollect, breakdown, estimated_provider_cost_usd: usd } = collectCost(asked, by.adapters);
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

/**
 * Of the Generic keywords, at the sources whose figures are summed where none is named. Null where no source is asked.
 */
export function powerIn(setup: SearchAnalysisSetup): Power | null {
  const sources = summedTogether(setup.sources).length;
  if (sources === 0) return null;
  const prompts = [...keywordsOf(setup)].filter(({ keyword }) => keyword.type === "Generic").length;
  const { points, promptsForFive } = powerOf({ prompts, runs: setup.runs_per_prompt, sources });
  return { points: points === null ? null : Math.round(1000 * points) / 10, keywords_for_five_points: promptsForFive };
}
