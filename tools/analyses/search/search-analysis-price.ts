import type { SourceAdapters } from "../../../core/adapters.ts";
import type { PriceTable } from "../../../core/prices.ts";
import { countCollects, fixedSchedule } from "../../../core/schedule.ts";
import type { Instant } from "../../../core/time.ts";
import type { CollectsCost } from "../../quotes/quote.ts";
import { countKeywords, type SearchAnalysisSetup } from "./search-analysis-setup.ts";

/** One credit price per keyword, source and run (service.md section 4), over every planned collect. */
export function priceOf(
  setup: SearchAnalysisSetup,
  now: Instant,
  by: { prices: PriceTable; adapters: SourceAdapters },
): CollectsCost {
  const unit = by.prices.search_analysis_question;
  const perSource = countKeywords(setup) * setup.runs_per_prompt;
  const collects =
    setup.sources.length === 0 ? 0 : countCollects(fixedSchedule(setup.schedule, now), now, setup.ends_at ?? null);
  const perCollect = perSource * setup.sources.length * unit;
  const total = perCollect * collects;
  const usd = setup.sources.map((source) => by.adapters[source].usd_per_question);
  const known = usd.filter((value) => value !== null);
  return {
    credits: total,
    per_collect: perCollect,
    collects_planned: collects,
    total_credits: total,
    breakdown: setup.sources.map((source) => ({
      what: `${source}: keywords x runs, each collect`,
      quantity: perSource,
      unit_credits: unit,
      credits: perSource * unit,
    })),
    estimated_provider_cost_usd:
      known.length === usd.length ? known.reduce((sum, value) => sum + value * perSource * collects, 0) : null,
  };
}
