import { z } from "zod";
import { declineQuote } from "../../db/catalog/quotes.ts";
import { endpoint } from "../endpoint.ts";
import { approvalPath, confirmation, QUOTE_REFUSALS, usableQuote } from "../quotes/quote.ts";
import { AssetEvaluation, shapeEvaluation } from "./evaluation.ts";
import { presentEvaluation } from "./evaluation-presentation.ts";
import { payable } from "./evaluation-price.ts";
import { payRun } from "./pay-run.ts";
import { startEvaluation } from "./start-evaluation.ts";

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
    const quote = await usableQuote(context, quote_id, "asset_evaluation");
    const { cost, setup } = await payable(quote, context);
    const id = context.newId();
    await payRun(context, { quote, cost, evaluationId: id, name: setup.name });
    const row = await startEvaluation(context, id, setup);
    return shapeEvaluation(row);
  },
});
