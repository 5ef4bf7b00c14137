import { z } from "zod";
import { insertEvaluation } from "../../db/asset-evaluations.ts";
import { insertScores } from "../../db/asset-scores.ts";
import { enqueueBackgroundJob } from "../../db/background-jobs.ts";
import { declineQuote } from "../../db/quotes.ts";
import { endpoint } from "../endpoint.ts";
import { approvalPath, confirmation, QUOTE_REFUSALS, usableQuote } from "../quotes/quote.ts";
import { AssetEvaluation, shapeEvaluation } from "./evaluation.ts";
import { presentEvaluation } from "./evaluation-presentation.ts";
import { payable, unitCredits } from "./evaluation-price.ts";
import { payRun } from "./pay-run.ts";

export const createAssetEvaluation = endpoint({
  name: "createAssetEvaluation",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/asset-evaluations",
  status: 201,
  group: "Asset Evaluations",
  summary: "Create an asset evaluation from a quote",
  description:
    "Use this after price_asset_evaluation, once the person saw the setup and the cost and said yes. It reserves the credits and starts judging.",
  access: { workspace: "editor" },
  scope: "evaluations:manage",
  input: z.strictObject(confirmation),
  output: AssetEvaluation,
  errors: QUOTE_REFUSALS,
  async present({ quote_id }, context) {
    const quote = await usableQuote(context, quote_id, "asset_evaluation");
    const { cost, balance, setup } = await payable(quote, context);
    const price = { cost, available: balance.available, scorer: context.scorer };
    const shown = await presentEvaluation(context.tenant, setup, price);
    return { ...shown, approvalPath: await approvalPath(context.tenant, quote) };
  },
  async decline({ quote_id }, { tenant, userId, now }) {
    await declineQuote(tenant, { id: quote_id, userId }, now);
  },
  async handle({ quote_id }, context) {
    const { tenant, now, newId } = context;
    const quote = await usableQuote(context, quote_id, "asset_evaluation");
    const { cost, setup } = await payable(quote, context);
    const id = newId();
    await payRun(context, { quote, cost, evaluationId: id, name: setup.name });
    const row = await insertEvaluation(tenant, {
      id,
      name: setup.name,
      status: "queued",
      assetClass: setup.asset_class,
      category: setup.category,
      attributes: setup.attributes,
      brandId: setup.brand_id,
      language: setup.language,
      run: 1,
      planned: setup.asset_ids.length,
      judged: 0,
      unitCredits: unitCredits(setup, context.prices),
      reservedCredits: cost.total_credits,
      costCredits: 0,
      createdBy: context.userId,
      createdAt: now,
      updatedAt: now,
    });
    await insertScores(tenant.db, { evaluationId: id, run: 1 }, setup.asset_ids);
    await enqueueBackgroundJob(tenant, { id: newId(), kind: "evaluate_assets", subjectId: id, at: now });
    return shapeEvaluation(row);
  },
});
