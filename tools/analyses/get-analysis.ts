import { z } from "zod";
import { findAnalysis, listCompetitorIds } from "../../db/measuring/analyses.ts";
import { countQuestions } from "../../db/measuring/questions.ts";
import { listAnalysisTags } from "../../db/catalog/taggings.ts";
import { notFound } from "../../core/errors.ts";
import { analysisPath, Id, outsideText } from "../../core/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Analysis, shapeAnalysis } from "./analysis.ts";
import { searchAnalysisFields } from "./search/search-analysis-setup.ts";

const { website, sources, country, language, device, runs_per_prompt } = searchAnalysisFields;

export const getAnalysis = endpoint({
  name: "getAnalysis",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id",
  group: "Analyses",
  summary: "Read an analysis",
  description: "Read one analysis with its setup and status.",
  access: { workspace: "viewer" },
  input: z.strictObject(analysisPath),
  output: Analysis.extend({
    competitor_ids: z.array(Id),
    keyword_count: z.int(),
    tags: z.array(z.object({ id: Id, name: outsideText() })),
    setup: z.object({ website, sources, country, language, device, runs_per_prompt }),
  }).meta({ id: "AnalysisWithSetup" }),
  async handle({ analysis_id }, { tenant }) {
    const row = await findAnalysis(tenant, analysis_id);
    if (!row) throw notFound("analysis");
    return {
      ...shapeAnalysis(row),
      competitor_ids: await listCompetitorIds(tenant, row.id),
      keyword_count: await countQuestions(tenant, row.id),
      tags: await listAnalysisTags(tenant, row.id),
      // Stored by createSearchAnalysis in this very shape; the output schema checks it.
      setup: row.setup as z.input<z.ZodObject<{ website: typeof website; sources: typeof sources }>>,
    };
  },
});
