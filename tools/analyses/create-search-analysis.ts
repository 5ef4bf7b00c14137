import { z } from "zod";
import { findBalance } from "../../db/catalog/credits.ts";
import { declineQuote, useQuote, type QuoteRow } from "../../db/catalog/quotes.ts";
import { requireRoom } from "../../db/catalog/quotas.ts";
import { AppError } from "../../core/errors.ts";
import { endpoint, type Context } from "../endpoint.ts";
import { Analysis, shapeAnalysis } from "./analysis.ts";
import { launchSearchAnalysis } from "./launch-search-analysis.ts";
import { approvalPath, checkPayable, confirmation, requireApproval, usableQuote } from "../quotes/quote.ts";
import { presentSearchAnalysis } from "./search-analysis-presentation.ts";
import { priceOf } from "./search-analysis-price.ts";
import { normaliseSetup, StoredSetup } from "./search-analysis-setup.ts";

export const createSearchAnalysis = endpoint({
  name: "createSearchAnalysis",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/search-analyses",
  status: 201,
  group: "Analyses",
  summary: "Create a search analysis from a quote",
  description:
    "Use this after price_search_analysis, once the person saw the setup and the cost and said yes. It reserves the credits and starts the first collect.",
  access: { workspace: "editor" },
  scope: "analyses:create",
  input: z.strictObject(confirmation),
  output: Analysis,
  errors: [
    "QUOTE_EXPIRED",
    "QUOTE_USED",
    "QUOTE_FOREIGN",
    "PRICE_CHANGED",
    "APPROVAL_REQUIRED",
    "INSUFFICIENT_CREDITS",
    "QUOTA_EXCEEDED",
  ],
  async present({ quote_id }, context) {
    const quote = await usableQuote(context, quote_id, "search_analysis");
    const { cost, balance, setup } = await payable(quote, context);
    const price = { cost, available: balance.available, adapters: context.adapters };
    const shown = await presentSearchAnalysis(context.tenant, setup, price);
    return { ...shown, approvalPath: await approvalPath(context.tenant, quote) };
  },
  async decline({ quote_id }, { tenant, userId, now }) {
    await declineQuote(tenant, { id: quote_id, userId }, now);
  },
  async handle({ quote_id }, context) {
    const { tenant, userId, now, newId } = context;
    const quote = await usableQuote(context, quote_id, "search_analysis");
    const { cost, setup } = await payable(quote, context);
    await requireApproval(tenant, quote);
    const id = newId();
    if (!(await useQuote(tenant, quote.id, { resultId: id, at: now }))) throw lostRace();
    const unitCredits = context.prices.search_analysis_question;
    const launch = { id, setup, cost, unitCredits, quoteId: quote.id, userId, now, newId, startedCollects: 1 };
    const row = await launchSearchAnalysis(tenant, launch);
    if (!row) throw lostRace();
    context.recordCost(cost.total_credits);
    return shapeAnalysis(row);
  },
});

/** The quote's setup and price as they are now; refuses what has changed since it was shown. */
async function payable(quote: QuoteRow, context: Context) {
  const shown = StoredSetup.parse(quote.setup);
  const setup = await normaliseSetup(context.tenant, shown, quote.createdAt);
  const cost = priceOf(setup, quote.createdAt, context);
  const balance = await findBalance(context.tenant, context.now);
  await requireRoom(context.tenant, "analyses");
  checkPayable(quote, cost, balance);
  return { setup, cost, balance };
}

function lostRace(): AppError {
  return new AppError("QUOTE_USED", "This quote was used a moment ago; what it created exists.");
}
