import { z } from "zod";
import { findAnalysis } from "../../db/analyses/analyses.ts";
import { updateAnalysis as updateAnalysisRow } from "../../db/analyses/run-control.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { analysisPath, nameSchema } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Analysis, shapeAnalysis } from "./analysis.ts";

export const updateAnalysis = endpoint({
  name: "updateAnalysis",
  method: "PATCH",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id",
  group: "Analyses",
  summary: "Rename an analysis",
  logged: "Renamed analysis {analysis_id} to {name}",
  description: "Renames an analysis. To change its setup, price another setup.",
  access: { workspace: "editor" },
  input: z.strictObject({ ...analysisPath, name: nameSchema(200) }),
  output: Analysis,
  errors: ["NOT_FOUND"],
  async handle({ analysis_id, name: newName }, { tenant, now }) {
    const analysis = requireFound(await findAnalysis(tenant, analysis_id), "analysis");
    return shapeAnalysis(await updateAnalysisRow(tenant, analysis.id, { name: newName, updatedAt: now }));
  },
});
