import { z } from "zod";
import { enqueueCrawl } from "../../db/audits/crawls.ts";
import { holdCollects, listOpenCollects, updateAnalysis } from "../../db/analyses/run-control.ts";
import { analysisPath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Analysis, shapeAnalysis } from "./analysis.ts";
import { activeState } from "./analysis-state.ts";
import { passRounds } from "../collects/rounds.ts";
import { analysisIn } from "./run-control.ts";

export const resumeAnalysis = endpoint({
  name: "resumeAnalysis",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/resume",
  group: "Analyses",
  summary: "Resume a paused analysis",
  logged: "Resumed analysis {analysis_id}",
  description:
    "Use this to go on collecting after a pause: with the questions that waited, and with the next collect that is due. What fell due in the pause is not made up for.",
  access: { workspace: "editor" },
  input: z.strictObject(analysisPath),
  output: Analysis,
  errors: ["NOT_FOUND", "CONFLICT"],
  async handle({ analysis_id }, { tenant, now, newId }) {
    const analysis = await analysisIn(tenant, analysis_id, ["paused"]);
    await passRounds(tenant, analysis, { starts: 0, now, newId });
    await holdCollects(tenant, analysis.id, false);
    const crawled = analysis.type === "geo_audit" ? await listOpenCollects(tenant, analysis.id) : [];
    for (const { id } of crawled) await enqueueCrawl(tenant, id, { at: now, newId });
    const state = await activeState(tenant, analysis.id);
    return shapeAnalysis(await updateAnalysis(tenant, analysis.id, { ...state, updatedAt: now }));
  },
});
