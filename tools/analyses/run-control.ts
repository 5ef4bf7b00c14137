import { findAnalysis, type AnalysisRow } from "../../db/analyses/analyses.ts";
import type { Tenant } from "../../db/engine/store.ts";
import type { AnalysisStatus } from "../../core/analyses/analysis.ts";
import { AppError, requireFound } from "../../core/shared/errors.ts";

export const ACTIVE_STATUSES: readonly AnalysisStatus[] = ["launching", "collecting", "live", "failed"];

const RUN_CONTROL_REMEDIES: Partial<Record<AnalysisStatus, string>> = {
  paused: "It collects again once it is resumed.",
  archived: "That is final: duplicate it to collect again.",
};

export async function requireAnalysisIn(
  tenant: Tenant,
  id: string,
  states: readonly AnalysisStatus[],
): Promise<AnalysisRow> {
  const analysis = requireFound(await findAnalysis(tenant, id), "analysis");
  if (states.includes(analysis.status)) return analysis;
  const remedy = RUN_CONTROL_REMEDIES[analysis.status] ?? "Only a paused analysis can be resumed.";
  throw new AppError("CONFLICT", `The analysis is ${analysis.status}. ${remedy}`);
}
