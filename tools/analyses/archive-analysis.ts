import { z } from "zod";
import { updateAnalysis } from "../../db/analyses/run-control.ts";
import { analysisPath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Analysis, shapeAnalysis } from "./analysis.ts";
import { cancelPlanned } from "../collects/cancel-planned.ts";
import { ACTIVE_STATUSES, requireAnalysisIn } from "./run-control.ts";

export const archiveAnalysis = endpoint({
  name: "archiveAnalysis",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/archive",
  group: "Analyses",
  summary: "Archive an analysis",
  logged: "Archived analysis {analysis_id}",
  description:
    "Ends an analysis for good. Planned runs are canceled and their credits released at once; prompts in flight complete. Answers and metrics stay readable.",
  access: { workspace: "editor" },
  input: z.strictObject(analysisPath),
  output: Analysis,
  errors: ["NOT_FOUND", "CONFLICT"],
  async handle({ analysis_id }, { tenant, now, newId }) {
    const analysis = await requireAnalysisIn(tenant, analysis_id, [...ACTIVE_STATUSES, "paused"]);
    await cancelPlanned(tenant, analysis, { now, newId });
    const state = { status: "archived", statusReason: null, updatedAt: now } as const;
    return shapeAnalysis(await updateAnalysis(tenant, analysis.id, state));
  },
});
