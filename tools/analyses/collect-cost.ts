import type { Asking } from "../../db/measuring/collects.ts";
import type { SourceAdapters } from "../../core/adapters.ts";
import type { Cost } from "../quotes/quote.ts";

/** What one collect costs: one credit price per question, source and run (service.md section 4). */
export function collectCost(
  { sources, runs, questions, unitCredits }: Asking & { questions: number; unitCredits: number },
  adapters: SourceAdapters,
): Cost {
  const quantity = questions * runs;
  const credits = quantity * sources.length * unitCredits;
  const usd = sources.map((source) => adapters[source].usd_per_question);
  const known = usd.filter((value) => value !== null);
  return {
    credits,
    total_credits: credits,
    breakdown: sources.map((source) => ({
      what: `${source}: keywords x runs, each collect`,
      quantity,
      unit_credits: unitCredits,
      credits: quantity * unitCredits,
    })),
    estimated_provider_cost_usd:
      known.length === usd.length ? known.reduce((sum, value) => sum + value * quantity, 0) : null,
  };
}
