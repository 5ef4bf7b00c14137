import { reserveCredits } from "../../db/catalog/credits.ts";
import { useQuote, type QuoteRow } from "../../db/catalog/quotes.ts";
import { AppError } from "../../core/errors.ts";
import type { Context } from "../endpoint.ts";
import { requireApproval, type Cost } from "../quotes/quote.ts";

/** Uses the quote and reserves the credits of one run, or refuses. */
export async function payRun(
  context: Context,
  run: { quote: QuoteRow; cost: Cost; evaluationId: string; name: string },
): Promise<void> {
  const { tenant, userId, now, newId } = context;
  const { quote, cost, evaluationId, name } = run;
  await requireApproval(tenant, quote);
  if (!(await useQuote(tenant, quote.id, { resultId: evaluationId, at: now }))) {
    throw new AppError("QUOTE_USED", "This quote was used a moment ago; what it created exists.");
  }
  const note = `Reserved for the asset evaluation ${name}`;
  const ids = { workspaceId: tenant.workspaceId, evaluationId, quoteId: quote.id, userId };
  if (!(await reserveCredits(tenant, cost.total_credits, { id: newId(), at: now, note, ...ids }))) {
    throw new AppError("INSUFFICIENT_CREDITS", "The credits were spent a moment ago. Ask an owner for more credits.");
  }
  context.recordCost(cost.total_credits);
}
