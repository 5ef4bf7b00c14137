import { z } from "zod";
import { findAnalysis } from "../../db/analyses/analyses.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { analysisPath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { AnySetup } from "./kinds/any-setup.ts";
import { kindOf } from "./kinds/kinds.ts";

export const duplicateAnalysis = endpoint({
  name: "duplicateAnalysis",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/duplicate",
  group: "Analyses",
  summary: "Copy the setup of an analysis",
  logged: "Copied the setup of analysis {analysis_id}",
  description:
    "Use this to make another analysis like this one, also of one that is archived: it gives the present setup, to change and to price. Creates nothing and costs nothing. An end that has passed is left out.",
  access: { workspace: "editor" },
  isSafe: true,
  input: z.strictObject(analysisPath),
  output: z.object({ setup: AnySetup }),
  errors: ["NOT_FOUND"],
  async handle({ analysis_id }, { tenant, now }) {
    const analysis = requireFound(await findAnalysis(tenant, analysis_id), "analysis");
    return { setup: await kindOf(analysis.type).loadSetup(tenant, analysis, now) };
  },
});
