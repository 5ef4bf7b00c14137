import type { PriceTable } from "../../core/credits/prices.ts";
import type { ScorerOffer } from "../endpoint.ts";
import type { Cost } from "../quotes/quote.ts";
import type { EvaluationSetup } from "./evaluation-setup.ts";

/** Price by asset class (service.md section 4). */
export function getUnitCredits({ asset_class: kind }: EvaluationSetup, prices: PriceTable): number {
  return prices[`asset_evaluation_${kind}`];
}

export function computePrice(setup: EvaluationSetup, by: { prices: PriceTable; scorer: ScorerOffer }): Cost {
  const unit = getUnitCredits(setup, by.prices);
  const quantity = setup.asset_ids.length;
  const credits = quantity * unit;
  const isFree = !by.scorer.isPaid || !by.scorer.judges.includes(setup.asset_class);
  return {
    credits,
    total_credits: credits,
    breakdown: [{ what: `assets, ${setup.asset_class}`, quantity, unit_credits: unit, credits }],
    estimated_provider_cost_usd: isFree ? 0 : null,
  };
}
