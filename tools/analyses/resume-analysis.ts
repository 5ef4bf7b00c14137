import { z } from "zod";
import { findLastCollect, hasMeasuredCollect, isStillLaunching } from "../../db/analyses/collect-progress.ts";
import { enqueueCrawl } from "../../db/audits/crawls.ts";
import { setCollectsHeld, listOpenCollects, updateAnalysis } from "../../db/analyses/run-control.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { analysisPath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Analysis, shapeAnalysis } from "./analysis.ts";
import { findStateAfterCollect, type AnalysisState } from "../collects/complete-collect.ts";
import { advanceRounds } from "../collects/rounds.ts";
import { requireAnalysisIn } from "./run-control.ts";

export const resumeAnalysis = endpoint({
  name: "resumeAnalysis",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/resume",
  group: "Analyses",
  summary: "Resume a paused analysis",
  logged: "Resumed analysis {analysis_id}",
  description:
    "Continues a paused analysis with the waiting prompts and the next run that is due. Runs skipped during the pause are not made up.",
  access: { workspace: "editor" },
  input: z.strictObject(analysisPath),
  output: Analysis,
  errors: ["NOT_FOUND", "CONFLICT"],
  async handle({ analysis_id }, { tenant, now, newId }) {
    const analysis = await requireAnalysisIn(tenant, analysis_id, ["paused"]);
    await advanceRounds(tenant, analysis, { startCount: 0, now, newId });
    await setCollectsHeld(tenant, analysis.id, false);
    const crawled = analysis.type === "geo_audit" ? await listOpenCollects(tenant, analysis.id) : [];
    for (const { id } of crawled) await enqueueCrawl(tenant, id, { queuedAt: now, newId });
    const state = await findStateAfterPause(tenant, analysis.id);
    return shapeAnalysis(await updateAnalysis(tenant, analysis.id, { ...state, updatedAt: now }));
  },
});

async function findStateAfterPause(tenant: Tenant, analysisId: string): Promise<AnalysisState> {
  if (await isStillLaunching(tenant, analysisId)) return { status: "launching", statusReason: null };
  const last = await findLastCollect(tenant, analysisId);
  if (!last || (await hasMeasuredCollect(tenant.db, analysisId))) return { status: "live", statusReason: null };
  const [open] = await listOpenCollects(tenant, analysisId);
  if (!open) return findStateAfterCollect(tenant.db, last);
  return { status: open.status === "queued" ? "launching" : "collecting", statusReason: null };
}
