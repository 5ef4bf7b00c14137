import { z } from "zod";
import { archiveEnded, findEvaluation } from "../../db/assets/asset-evaluations.ts";
import { sumRun } from "../../db/assets/asset-scores.ts";
import { found } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { endRun } from "./end-run.ts";
import { AssetEvaluation, evaluationPath, shapeEvaluation } from "./evaluation.ts";

export const archiveAssetEvaluation = endpoint({
  name: "archiveAssetEvaluation",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/asset-evaluations/:evaluation_id/archive",
  group: "Asset Evaluations",
  summary: "Archive an asset evaluation",
  logged: "Archived asset evaluation {evaluation_id}",
  description:
    "Archive an evaluation for good. One that is running stops: what was judged is paid for, the other credits are released.",
  access: { workspace: "editor" },
  scope: "evaluations:manage",
  input: z.strictObject(evaluationPath),
  output: AssetEvaluation,
  async handle({ evaluation_id: id }, { tenant, now, newId }) {
    const row = found(await findEvaluation(tenant, id), "asset evaluation");
    const { judged, score } = await sumRun(tenant.db, row);
    const end = { status: "archived" as const, statusReason: row.statusReason, judged, score };
    const ended = (await endRun(tenant, row, end, { at: now, newId })) ?? (await archiveEnded(tenant, id, now));
    return shapeEvaluation(ended ?? row);
  },
});
