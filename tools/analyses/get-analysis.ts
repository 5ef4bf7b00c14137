import { z } from "zod";
import { findAnalysis, listCompetitorIds } from "../../db/analyses/analyses.ts";
import { countQuestions } from "../../db/analyses/questions.ts";
import { listOpenCollects } from "../../db/analyses/run-control.ts";
import { buildAnalysisAccount, findSpendBalance } from "../../db/sources/spend-accounts.ts";
import { listAnalysisTags } from "../../db/catalog/taggings.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { analysisPath, Id, outsideTextSchema } from "../../core/shared/fields.ts";
import { toUsd } from "../../core/credits/micros.ts";
import { endpoint } from "../endpoint.ts";
import { Analysis, shapeAnalysis } from "./analysis.ts";
import { AnySettingsSchema } from "./kinds/any-setup.ts";
import { Progress, estimateProgress } from "../collects/collect.ts";

export const getAnalysis = endpoint({
  name: "getAnalysis",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id",
  group: "Analyses",
  summary: "Read an analysis",
  description:
    "Read the setup of one analysis: sources, schedule, status, credits and progress. It has no results: for those use get_visibility, get_brand_perception or get_audit.",
  access: { workspace: "viewer" },
  input: z.strictObject(analysisPath),
  output: Analysis.extend({
    competitor_ids: z.array(Id),
    credits_per_collect: z.int().describe("Credits of one run of this setup, at its confirmed price."),
    keyword_count: z.int().describe("Prompts of the setup."),
    tags: z.array(z.object({ id: Id, name: outsideTextSchema() })),
    spent_usd: z
      .number()
      .describe("US dollars counted against max_spend_usd: amounts that providers billed or may have billed so far."),
    progress: Progress.nullable().describe("Progress of the run (`collect`) in progress; null without one."),
    setup: AnySettingsSchema,
  }).meta({ id: "AnalysisWithSetup" }),
  async handle({ analysis_id }, { tenant, now }) {
    const row = requireFound(await findAnalysis(tenant, analysis_id), "analysis");
    const [collect] = await listOpenCollects(tenant, row.id);
    return {
      ...shapeAnalysis(row),
      competitor_ids: await listCompetitorIds(tenant, row.id),
      credits_per_collect: row.roundCredits,
      keyword_count: await countQuestions(tenant, row.id),
      tags: await listAnalysisTags(tenant, row.id),
      spent_usd: toUsd((await findSpendBalance(tenant.db, buildAnalysisAccount(row.id))).spent),
      progress: collect ? estimateProgress(collect, now) : null,
      setup: row.setup,
    };
  },
});
