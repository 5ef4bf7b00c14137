import { z } from "zod";
import { renameEvaluation } from "../../db/assets/asset-evaluations.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { AssetEvaluation, evaluationPath, shapeEvaluation } from "./evaluation.ts";
import { setupFields } from "./evaluation-setup.ts";

export const updateAssetEvaluation = endpoint({
  name: "updateAssetEvaluation",
  method: "PATCH",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/asset-evaluations/:evaluation_id",
  group: "Asset Evaluations",
  summary: "Rename an asset evaluation",
  logged: "Renamed asset evaluation {evaluation_id} to {name}",
  description: "Rename an evaluation. Setup and scores stay.",
  access: { workspace: "editor" },
  scope: "evaluations:manage",
  input: z.strictObject({ ...evaluationPath, name: setupFields.name }),
  output: AssetEvaluation,
  async handle({ evaluation_id: id, name }, { tenant, now }) {
    return shapeEvaluation(
      requireFound(await renameEvaluation(tenant, id, { name, renamedAt: now }), "asset evaluation"),
    );
  },
});
