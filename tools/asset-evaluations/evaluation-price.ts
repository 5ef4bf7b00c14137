import { findBalance } from "../../db/catalog/credits.ts";
import type { QuoteRow } from "../../db/catalog/quotes.ts";
import type { PriceTable } from "../../core/prices.ts";
import type { Context, ScorerOffer } from "../endpoint.ts";
import { checkPayable, type Cost } from "../quotes/quote.ts";
import { normaliseSetup, setupOfRerun, StoredSetup, type EvaluationSetup } from "./evaluation-setup.ts";

/** Credits of one asset, by its class (service.md section 4). */
export function unitCredits({ asset_class: kind }: EvaluationSetup, prices: PriceTable): number {
  return prices[`asset_evaluation_${kind}`];
}

export function priceOf(setup: EvaluationSetup, by: { prices: PriceTable; scorer: ScorerOffer }): Cost {
  const unit = unitCredits(setup, by.prices);
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

/** The quote's setup and price as they are now; refuses what has changed since it was shown. */
export async function payable(quote: QuoteRow, context: Context) {
  const { evaluation_id: evaluationId, asset_class: _, ...shown } = StoredSetup.parse(quote.setup);
  const setup =
    evaluationId === null
      ? await normaliseSetup(context.tenant, shown)
      : await setupOfRerun(context.tenant, evaluationId);
  const cost = priceOf(setup, context);
  const balance = await findBalance(context.tenant, context.now);
  checkPayable(quote, cost, balance);
  return { setup, cost, balance };
}
