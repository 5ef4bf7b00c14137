import { z } from "zod";
import { setCollectsHeld, updateAnalysis } from "../../db/analyses/run-control.ts";
import { analysisPath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Analysis, shapeAnalysis } from "./analysis.ts";
import { ACTIVE_STATUSES, requireAnalysisIn } from "./run-control.ts";

export const pauseAnalysis = endpoint({
  name: "pauseAnalysis",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/pause",
  group: "Analyses",
  summary: "Pause an analysis",
  logged: "Paused analysis {analysis_id}",
  description:
    "Stops an analysis until it is resumed. Prompts in flight, or billed by a provider, complete; the others wait. Runs due during the pause are skipped and their credits released; ends_at stays.",
  access: { workspace: "editor" },
  input: z.strictObject(analysisPath),
  output: Analysis,
  errors: ["NOT_FOUND", "CONFLICT"],
  async handle({ analysis_id }, { tenant, now }) {
    const { id } = await requireAnalysisIn(tenant, analysis_id, ACTIVE_STATUSES);
    await setCollectsHeld(tenant, id, true);
    const statusReason = "Paused by a person.";
    return shapeAnalysis(await updateAnalysis(tenant, id, { status: "paused", statusReason, updatedAt: now }));
  },
});
