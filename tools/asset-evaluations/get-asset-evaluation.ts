import { z } from "zod";
import { findEvaluation } from "../../db/assets/asset-evaluations.ts";
import { listRunAssets } from "../../db/assets/asset-scores.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { Id, outsideTextSchema } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { AssetEvaluation, evaluationPath, shapeEvaluation } from "./evaluation.ts";

export const getAssetEvaluation = endpoint({
  name: "getAssetEvaluation",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/asset-evaluations/:evaluation_id",
  group: "Asset Evaluations",
  summary: "Read an asset evaluation",
  description: "Read the setup, state and assets of one evaluation. Scores: list_asset_evaluation_scores.",
  access: { workspace: "viewer" },
  input: z.strictObject(evaluationPath),
  output: AssetEvaluation.extend({ assets: z.array(z.object({ id: Id, name: outsideTextSchema() })) }).meta({
    id: "AssetEvaluationWithAssets",
  }),
  async handle({ evaluation_id: id }, { tenant }) {
    const row = requireFound(await findEvaluation(tenant, id), "asset evaluation");
    return { ...shapeEvaluation(row), assets: await listRunAssets(tenant, { evaluationId: id, run: row.run }) };
  },
});
