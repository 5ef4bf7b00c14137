import { insertEvaluation, type EvaluationRow } from "../../db/assets/asset-evaluations.ts";
import { insertScores } from "../../db/assets/asset-scores.ts";
import { enqueueBackgroundJob } from "../../db/jobs/background-jobs.ts";
import type { Context } from "../endpoint.ts";
import { getUnitCredits } from "./evaluation-price.ts";
import type { EvaluationSetup } from "./evaluation-setup.ts";

export async function startEvaluation(
  { tenant, userId, now, newId, prices }: Pick<Context, "tenant" | "userId" | "now" | "newId" | "prices">,
  id: string,
  setup: EvaluationSetup,
): Promise<EvaluationRow> {
  const unit = getUnitCredits(setup, prices);
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
    unitCredits: unit,
    reservedCredits: unit * setup.asset_ids.length,
    costCredits: 0,
    createdBy: userId,
    createdAt: now,
    updatedAt: now,
  });
  await insertScores(tenant.db, { evaluationId: id, run: 1 }, setup.asset_ids);
  await enqueueBackgroundJob(tenant, { id: newId(), kind: "evaluate_assets", subjectId: id, at: now });
  return row;
}
