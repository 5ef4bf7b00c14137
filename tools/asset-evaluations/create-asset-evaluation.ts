import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { confirmedCreation } from "../quotes/confirmed-creation.ts";
import { confirmation, QUOTE_ERROR_CODES } from "../quotes/quote.ts";
import { AssetEvaluation, shapeEvaluation } from "./evaluation.ts";
import { evaluationCreation } from "./evaluation-creation.ts";
import { startEvaluation } from "./start-evaluation.ts";

export const createAssetEvaluation = endpoint({
  name: "createAssetEvaluation",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/asset-evaluations",
  status: 201,
  group: "Asset Evaluations",
  summary: "Create an asset evaluation from a quote",
  logged: "Created asset evaluation {name}",
  description:
    "Create an evaluation of assets from the quote of price_asset_evaluation, after the person agreed to setup and cost. Spends credits and starts scoring.",
  access: { workspace: "editor" },
  scope: "evaluations:manage",
  input: z.strictObject(confirmation),
  output: AssetEvaluation,
  errors: QUOTE_ERROR_CODES,
  ...confirmedCreation({
    kind: "asset_evaluation",
    ...evaluationCreation,
    create: async (id, { setup }, context) => shapeEvaluation(await startEvaluation(context, id, setup)),
  }),
});
