import { z } from "zod";
import { queueRun } from "../../db/acting/asset-evaluations.ts";
import { insertScores } from "../../db/acting/asset-scores.ts";
import { enqueueBackgroundJob } from "../../db/engine/background-jobs.ts";
import { declineQuote, type QuoteRow } from "../../db/catalog/quotes.ts";
import { AppError, notFound } from "../../core/errors.ts";
import { endpoint, type Context } from "../endpoint.ts";
import { approvalPath, confirmation, QUOTE_REFUSALS, usableQuote } from "../quotes/quote.ts";
import { AssetEvaluation, evaluationPath, shapeEvaluation } from "./evaluation.ts";
import { presentEvaluation } from "./evaluation-presentation.ts";
import { payable, unitCredits } from "./evaluation-price.ts";
import { payRun } from "./pay-run.ts";

export const rerunAssetEvaluation = endpoint({
  name: "rerunAssetEvaluation",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/asset-evaluations/:evaluation_id/rerun",
  group: "Asset Evaluations",
  summary: "Run an asset evaluation again",
  description:
    "Use this to judge the same assets again, after price_asset_evaluation with the evaluation_id and the person's yes. The scores of earlier runs stay.",
  access: { workspace: "editor" },
  scope: "evaluations:manage",
  input: z.strictObject({ ...evaluationPath, ...confirmation }),
  output: AssetEvaluation,
  errors: ["CONFLICT", ...QUOTE_REFUSALS],
  async present({ quote_id, evaluation_id }, context) {
    const quote = await quoteFor(evaluation_id, quote_id, context);
    const { cost, balance, setup } = await payable(quote, context);
    const price = { cost, available: balance.available, scorer: context.scorer };
    const shown = await presentEvaluation(context.tenant, setup, price);
    return { ...shown, approvalPath: await approvalPath(context.tenant, quote) };
  },
  async decline({ quote_id }, { tenant, userId, now }) {
    await declineQuote(tenant, { id: quote_id, userId }, now);
  },
  async handle({ quote_id, evaluation_id: id }, context) {
    const { tenant, now, newId } = context;
    const quote = await quoteFor(id, quote_id, context);
    const { cost, setup } = await payable(quote, context);
    await payRun(context, { quote, cost, evaluationId: id, name: setup.name });
    const planned = setup.asset_ids.length;
    const unit = unitCredits(setup, context.prices);
    const row = await queueRun(tenant, id, {
      planned,
      unitCredits: unit,
      reservedCredits: cost.total_credits,
      at: now,
    });
    if (!row) throw new AppError("CONFLICT", "Only an evaluation that has ended, and is not archived, can run again.");
    await insertScores(tenant.db, { evaluationId: id, run: row.run }, setup.asset_ids);
    await enqueueBackgroundJob(tenant, { id: newId(), kind: "evaluate_assets", subjectId: id, at: now });
    return shapeEvaluation(row);
  },
});

/** A usable quote for this very evaluation. */
async function quoteFor(evaluationId: string, quoteId: string, context: Context): Promise<QuoteRow> {
  const quote = await usableQuote(context, quoteId, "asset_evaluation_rerun");
  if (quote.setup["evaluation_id"] !== evaluationId) throw notFound("quote");
  return quote;
}
