import { z } from "zod";
import { findAnalysis } from "../../db/analyses/analyses.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { analysisPath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { AnySetupSchema } from "./kinds/any-setup.ts";
import { getAnalysisKind } from "./kinds/kinds.ts";

export const duplicateAnalysis = endpoint({
  name: "duplicateAnalysis",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/duplicate",
  group: "Analyses",
  summary: "Copy the setup of an analysis",
  logged: "Copied the setup of analysis {analysis_id}",
  description:
    "Returns the current setup of an analysis, also of an archived one, to change and price as a new analysis. Creates nothing and costs nothing. An end date in the past is left out.",
  access: { workspace: "editor" },
  isSafe: true,
  input: z.strictObject(analysisPath),
  output: z.object({ setup: AnySetupSchema }),
  errors: ["NOT_FOUND"],
  async handle({ analysis_id }, { tenant, now }) {
    const analysis = requireFound(await findAnalysis(tenant, analysis_id), "analysis");
    return { setup: await getAnalysisKind(analysis.type).loadSetup(tenant, analysis, now) };
  },
});
