import { z } from "zod";
import { queueEvaluationRun } from "../../db/assets/asset-evaluations.ts";
import { insertScores } from "../../db/assets/asset-scores.ts";
import { enqueueBackgroundJob } from "../../db/jobs/background-jobs.ts";
import { AppError, notFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { confirmedCreation } from "../quotes/confirmed-creation.ts";
import { confirmation, QUOTE_ERROR_CODES } from "../quotes/quote.ts";
import { AssetEvaluation, evaluationPath, shapeEvaluation } from "./evaluation.ts";
import { evaluationCreation } from "./evaluation-creation.ts";
import { getUnitCredits } from "./evaluation-price.ts";

export const rerunAssetEvaluation = endpoint({
  name: "rerunAssetEvaluation",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/asset-evaluations/:evaluation_id/rerun",
  group: "Asset Evaluations",
  summary: "Run an asset evaluation again",
  logged: "Ran asset evaluation {evaluation_id} again",
  description:
    "Score the assets of an evaluation again, from the quote of price_asset_evaluation with `evaluation`, after the person agreed. Spends credits; earlier scores stay.",
  access: { workspace: "editor" },
  scope: "evaluations:manage",
  input: z.strictObject({ ...evaluationPath, ...confirmation }),
  output: AssetEvaluation,
  errors: ["CONFLICT", ...QUOTE_ERROR_CODES],
  ...confirmedCreation({
    kind: "asset_evaluation_rerun",
    checkQuote({ setup }, { evaluation_id }: { quote_id: string; evaluation_id: string }) {
      if (setup["evaluation_id"] !== evaluation_id) throw notFound("quote");
    },
    ...evaluationCreation,
    async create(id, { setup, cost }, { tenant, now, newId, prices }) {
      const planned = setup.asset_ids.length;
      const run = { planned, unitCredits: getUnitCredits(setup, prices), reservedCredits: cost.total_credits, at: now };
      const row = await queueEvaluationRun(tenant, id, run);
      if (!row) throw new AppError("CONFLICT", "Only a finished evaluation that is not archived can run again.");
      await insertScores(tenant.db, { evaluationId: id, run: row.run }, setup.asset_ids);
      await enqueueBackgroundJob(tenant, { id: newId(), kind: "evaluate_assets", subjectId: id, at: now });
      return shapeEvaluation(row);
    },
  }),
});
