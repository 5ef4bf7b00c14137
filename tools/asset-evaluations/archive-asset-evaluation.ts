import { z } from "zod";
import { archiveFinishedEvaluation, findEvaluation } from "../../db/assets/asset-evaluations.ts";
import { summariseRun } from "../../db/assets/asset-scores.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { completeRun } from "./complete-run.ts";
import { AssetEvaluation, evaluationPath, shapeEvaluation } from "./evaluation.ts";

export const archiveAssetEvaluation = endpoint({
  name: "archiveAssetEvaluation",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/asset-evaluations/:evaluation_id/archive",
  group: "Asset Evaluations",
  summary: "Archive an asset evaluation",
  logged: "Archived asset evaluation {evaluation_id}",
  description:
    "Archive an evaluation for good; ask the person first. If it is running, it stops: scored assets are charged, the other credits released.",
  access: { workspace: "editor" },
  scope: "evaluations:manage",
  input: z.strictObject(evaluationPath),
  output: AssetEvaluation,
  async handle({ evaluation_id: id }, { tenant, now, newId }) {
    const row = requireFound(await findEvaluation(tenant, id), "asset evaluation");
    const { judged, score } = await summariseRun(tenant.db, row);
    const end = { status: "archived" as const, statusReason: row.statusReason, judged, score };
    const ended =
      (await completeRun(tenant, row, end, { at: now, newId })) ?? (await archiveFinishedEvaluation(tenant, id, now));
    return shapeEvaluation(ended ?? row);
  },
});
